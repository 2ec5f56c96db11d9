//! Replay buffers: the inputs of members in their games, for safe mutation and safe crossover.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};

use crate::contest::{Pairing, Seat};
use crate::evolution::divergence::ReplayedGames;
use crate::games::Side;
use crate::genomes::replay::ReplayBuffer;
use crate::play::Schedule;

use super::Session;

impl Session {
    /// The inputs of each member in one of its games of this generation, which is played again for them. `None` if no operator
    /// needs them.
    pub(super) fn replay_buffers(&self) -> Option<ReplayBuffers<'_>> {
        let (population, evolution) = (&self.state.population, &self.preset.evolution);
        let unknown = || (0..self.players.len()).map(|_| OnceLock::new()).collect();
        evolution.replayed_games().next().map(|_| ReplayBuffers {
            session: self,
            pairings: population.pairings(evolution, self.seed, self.state.generation),
            first: unknown(),
            won: unknown(),
        })
    }
}

/// The replay buffers of the members, filled on demand.
pub(super) struct ReplayBuffers<'a> {
    session: &'a Session,
    pairings: Vec<Pairing>,
    first: Vec<OnceLock<Arc<ReplayBuffer>>>,
    won: Vec<OnceLock<Arc<ReplayBuffer>>>,
}

impl ReplayBuffers<'_> {
    /// The game of a member that is replayed, and its side.
    fn game(&self, member: usize, games: ReplayedGames) -> Option<(usize, Side)> {
        let seat = Seat::Member(member as u32);
        let side = |pairing: &Pairing| match seat {
            own if own == pairing.first() => Some(Side::First),
            own if own == pairing.second() => Some(Side::Second),
            _ => None,
        };
        let all = self.pairings.iter().enumerate();
        let mut own = all.filter_map(|(game, pairing)| Some((game, side(pairing)?)));
        let won = |&(game, side): &(usize, Side)| match side {
            Side::First => self.session.results[game] > 0,
            Side::Second => self.session.results[game] < 0,
        };
        match games {
            ReplayedGames::First => own.next(),
            ReplayedGames::Won => own.clone().find(won).or_else(|| own.next()),
        }
    }

    /// The replay buffer of a member; empty if it has played no game.
    pub(super) fn buffer(&self, member: usize, games: ReplayedGames) -> Arc<ReplayBuffer> {
        let find = || {
            let Some((game, side)) = self.game(member, games) else {
                return Arc::default();
            };
            let (never, uncounted) = (AtomicBool::new(false), AtomicU64::new(0));
            let schedule = Schedule {
                played: &uncounted,
                ..self.session.schedule(&self.pairings, &never)
            };
            let arena = &self.session.arena;
            Arc::new(arena.replay_buffer(&schedule, game, side))
        };
        let known = match games {
            ReplayedGames::First => &self.first,
            ReplayedGames::Won => &self.won,
        };
        Arc::clone(known[member].get_or_init(find))
    }
}
