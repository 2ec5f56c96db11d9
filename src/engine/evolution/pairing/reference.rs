//! Each member meets a reference player: evolution against a fixed opponent (Weaver & Bossomaier
//! 1996, "Direct Evolution").

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// Each member meets a reference player.
    pub struct VersusReference {
        /// The reference player, such as `random` or a heuristic of the game. Results against this
        /// player no longer measure general strength, since members evolve against it.
        fixed opponent: String = "random".to_owned();
        /// Matches per member and generation. A match is two games from the same position, one from
        /// each side.
        live matches: u32 = 10, in 1.0..=10000.0, "matches";
        /// Whether the matches of a generation begin from the same positions for all members, so
        /// that their points differ by less chance.
        live common_openings: bool = false;
    }
}

impl PairingScheme for VersusReference {
    fn pairings(&self, field: &PairingContext<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let reference = Seat::Reference(0);
        let matches = |member: u32| {
            let first = if self.common_openings { 0 } else { member };
            let openings = first * self.matches..(first + 1) * self.matches;
            openings.flat_map(move |opening| {
                super::both_sides(Seat::Member(member), reference, opening)
            })
        };
        (0..field.members as u32).flat_map(matches).collect()
    }

    fn references(&self) -> &[String] {
        std::slice::from_ref(&self.opponent)
    }

    fn has_common_opponents(&self) -> bool {
        true
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        Some(2 * field.members as u64 * u64::from(self.matches))
    }
}
