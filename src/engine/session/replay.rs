//! Replay buffers: the inputs of members in their games, for safe mutation and safe crossover.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};

use crate::contest::{GameResult, Pairing, Seat};
use crate::evolution::EvolutionConfig;
use crate::evolution::divergence::ReplayedGames as Wanted;
use crate::games::Side;
use crate::genomes::replay::ReplayBuffer;
use crate::play::Schedule;

use super::Session;

/// The members' games of a generation, if an operator looks back at them.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplayedGames {
    pairings: Vec<Pairing>,
    /// The results for the first seat: 1, 0 or −1.
    results: Vec<i8>,
}

impl ReplayedGames {
    /// These games, or none if no operator needs them.
    pub(super) fn of(
        evolution: &EvolutionConfig,
        pairings: &[Pairing],
        played: &[GameResult],
    ) -> Self {
        if evolution.replayed_games().next().is_none() {
            return Self::default();
        }
        Self {
            pairings: pairings.to_vec(),
            results: played.iter().map(|game| game.result).collect(),
        }
    }
}

/// The inputs of each member in one of its games, which is played again for them on demand.
pub(super) struct ReplayBuffers<'a> {
    session: &'a Session,
    games: &'a ReplayedGames,
    first: Vec<OnceLock<Arc<ReplayBuffer>>>,
    won: Vec<OnceLock<Arc<ReplayBuffer>>>,
}

impl<'a> ReplayBuffers<'a> {
    /// `None` if no operator needs them.
    pub(super) fn of(session: &'a Session, games: &'a ReplayedGames) -> Option<Self> {
        let unknown = || {
            (0..session.players.len())
                .map(|_| OnceLock::new())
                .collect()
        };
        let mut wanted = session.preset.evolution.replayed_games();
        wanted.next().map(|_| Self {
            session,
            games,
            first: unknown(),
            won: unknown(),
        })
    }

    /// The game of a member that is replayed, and its side.
    fn game(&self, member: usize, wanted: Wanted) -> Option<(usize, Side)> {
        let seat = Seat::Member(member as u32);
        let side = |pairing: &Pairing| match seat {
            own if own == pairing.first() => Some(Side::First),
            own if own == pairing.second() => Some(Side::Second),
            _ => None,
        };
        let all = self.games.pairings.iter().enumerate();
        let mut own = all.filter_map(|(game, pairing)| Some((game, side(pairing)?)));
        let won = |&(game, side): &(usize, Side)| match side {
            Side::First => self.games.results[game] > 0,
            Side::Second => self.games.results[game] < 0,
        };
        match wanted {
            Wanted::First => own.next(),
            Wanted::Won => own.clone().find(won).or_else(|| own.next()),
        }
    }

    /// The replay buffer of a member; empty if it has played no game.
    pub(super) fn buffer(&self, member: usize, wanted: Wanted) -> Arc<ReplayBuffer> {
        let find = || {
            let Some((game, side)) = self.game(member, wanted) else {
                return Arc::default();
            };
            let (never, uncounted) = (AtomicBool::new(false), AtomicU64::new(0));
            let schedule = Schedule {
                played: &uncounted,
                ..self.session.schedule(&self.games.pairings, &never)
            };
            let arena = &self.session.arena;
            Arc::new(arena.replay_buffer(&schedule, game, side))
        };
        let known = match wanted {
            Wanted::First => &self.first,
            Wanted::Won => &self.won,
        };
        Arc::clone(known[member].get_or_init(find))
    }
}
