//! What members have met in their games, for breeding that takes it into account.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use crate::contest::{Pairing, Seat};
use crate::games::Side;
use crate::genomes::experience::Experience;

use super::Session;

impl Session {
    /// What members have met in the first of their games of this generation, which is played once more for that; none where it
    /// does not matter to how genomes are varied.
    pub(super) fn memories(&self) -> Option<Memories<'_>> {
        let is_careful = self.preset.genome.is_careful();
        let (population, evolution) = (&self.state.population, &self.preset.evolution);
        is_careful.then(|| Memories {
            session: self,
            pairings: population.ask(evolution, self.seed, self.state.generation),
            known: (0..self.players.len()).map(|_| OnceLock::new()).collect(),
        })
    }
}

/// What members have met, found out when it is asked for.
pub(super) struct Memories<'a> {
    session: &'a Session,
    pairings: Vec<Pairing>,
    known: Vec<OnceLock<Arc<Experience>>>,
}

impl Memories<'_> {
    /// Nothing where the member has played no game.
    pub(super) fn of(&self, member: usize) -> Arc<Experience> {
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
            let never = AtomicBool::new(false);
            let schedule = self.session.schedule(&self.pairings, &never);
            let arena = &self.session.arena;
            Arc::new(arena.experience(&schedule, game, side))
        };
        Arc::clone(self.known[member].get_or_init(find))
    }
}
