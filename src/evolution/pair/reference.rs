//! Everyone meets a reference player: evolution against a fixed yardstick (Weaver & Bossomaier 1996, "Direct Evolution").

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{Field, Pair};

params! {
    /// Everyone meets a reference player.
    pub struct Versus {
        /// The reference player, such as `random` or one by a rule of thumb of the game. What a run is measured by is no measure any more once it is what the run evolves against.
        fixed opponent: String = "random".to_owned();
        /// Matches of each member in a generation, each of two games from the same position, one from each side.
        live matches: u32 = 10, in 1.0..=10000.0, "matches";
    }
}

impl Pair for Versus {
    fn pairings(&self, field: &Field<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let reference = Seat::Reference(0);
        let matches = |member: u32| {
            let openings = member * self.matches..(member + 1) * self.matches;
            openings.flat_map(move |opening| {
                super::both_sides(Seat::Member(member), reference, opening)
            })
        };
        (0..field.members as u32).flat_map(matches).collect()
    }

    fn references(&self) -> &[String] {
        std::slice::from_ref(&self.opponent)
    }
}
