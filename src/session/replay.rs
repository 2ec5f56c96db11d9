//! Replay buffers: the inputs of members in their games, for safe mutation.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};

use crate::contest::{Pairing, Seat};
use crate::games::Side;
use crate::genomes::replay::ReplayBuffer;
use crate::play::Schedule;

use super::Session;

impl Session {
    /// The inputs of each member in its first game of this generation, which is played again for them. `None` if mutation does
    /// not need them.
    pub(super) fn replay_buffers(&self) -> Option<ReplayBuffers<'_>> {
        let (population, evolution) = (&self.state.population, &self.preset.evolution);
        evolution.needs_replay().then(|| ReplayBuffers {
            session: self,
            pairings: population.pairings(evolution, self.seed, self.state.generation),
            known: (0..self.players.len()).map(|_| OnceLock::new()).collect(),
        })
    }
}

/// The replay buffers of the members, filled on demand.
pub(super) struct ReplayBuffers<'a> {
    session: &'a Session,
    pairings: Vec<Pairing>,
    known: Vec<OnceLock<Arc<ReplayBuffer>>>,
}

impl ReplayBuffers<'_> {
    /// The replay buffer of a member; empty if it has played no game.
    pub(super) fn buffer(&self, member: usize) -> Arc<ReplayBuffer> {
        let find = || {
            let seat = Seat::Member(member as u32);
            let side = |pairing: &Pairing| match seat {
                own if own == pairing.first() => Some(Side::First),
                own if own == pairing.second() => Some(Side::Second),
                _ => None,
            };
            let games = self.pairings.iter().enumerate();
            let mut own = games.filter_map(|(game, pairing)| Some((game, side(pairing)?)));
            let Some((game, side)) = own.next() else {
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
        Arc::clone(self.known[member].get_or_init(find))
    }
}
