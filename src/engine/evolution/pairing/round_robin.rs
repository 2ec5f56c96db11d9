//! Each member meets every other member (Weaver & Bossomaier 1996, "Co-evolution: Round-Robin").

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// A round robin has no parameters.
    pub struct RoundRobin {}
}

impl PairingScheme for RoundRobin {
    fn pairings(&self, field: &PairingContext<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let members = field.members as u32;
        let pairs = (0..members).flat_map(|one| (one + 1..members).map(move |other| (one, other)));
        let games = pairs.zip(0..).flat_map(|((one, other), opening)| {
            super::both_sides(Seat::Member(one), Seat::Member(other), opening)
        });
        games.collect()
    }

    fn has_common_opponents(&self) -> bool {
        true
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let members = field.members as u64;
        Some(members * (members - 1))
    }
}
