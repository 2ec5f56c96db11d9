//! Some members are antigens; each antigen meets its own random sample of antibodies (Weaver &
//! Bossomaier 1996, "Antibody/Antigen with Implicit Fitness Sharing").

use rand::seq::index;

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// Some members are antigens; each meets a random sample of antibodies.
    pub struct Antigens {
        /// Share of the population that are antigens in a generation.
        live antigens: f64 = 0.25, in 0.0..=1.0, "share";
        /// Share of the population that each antigen meets as antibodies. An antigen can also be an
        /// antibody of other antigens.
        live antibodies: f64 = 0.33, in 0.0..=1.0, "share";
    }
}

impl Antigens {
    /// The numbers of antigens, and of antibodies that each meets.
    fn counts(&self, members: usize) -> (usize, usize) {
        let share = |share: f64, most: usize| {
            let wanted = (share * members as f64).round() as usize;
            wanted.clamp(1, most)
        };
        (
            share(self.antigens, members),
            share(self.antibodies, members - 1),
        )
    }
}

impl PairingScheme for Antigens {
    /// The antibody moves first in the first game of a match.
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        let members = field.members;
        let (antigens, antibodies) = self.counts(members);
        let mut pairings = Vec::with_capacity(2 * antigens * antibodies);
        let mut openings = 0..;
        for antigen in index::sample(rng, members, antigens) {
            for antibody in super::others(antigen, members, antibodies, rng) {
                let seats = [antibody, antigen].map(|member| Seat::Member(member as u32));
                let opening = openings.next().unwrap_or_default();
                pairings.extend(super::both_sides(seats[0], seats[1], opening));
            }
        }
        pairings
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let (antigens, antibodies) = self.counts(field.members);
        Some(2 * antigens as u64 * antibodies as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};
    use std::collections::{HashMap, HashSet};

    #[test]
    fn each_antigen_meets_the_same_number_of_others_twice_and_never_itself() {
        let field = PairingContext {
            members: 100,
            hall_of_fame: 0,
            neighborhoods: &[],
        };
        let mut rng = stream(1, Purpose::Pairing, 0, 0);
        let pairings = Antigens::default().pairings(&field, &mut rng);
        assert_eq!(pairings.len(), 1650, "as many as in the publication");
        let mut met: HashMap<Seat, HashSet<Seat>> = HashMap::new();
        for pair in pairings.chunks(2) {
            let (antibody, antigen) = (pair[0].first(), pair[0].second());
            assert_eq!((pair[1].first(), pair[1].second()), (antigen, antibody));
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_ne!(antibody, antigen);
            assert!(met.entry(antigen).or_default().insert(antibody));
        }
        assert_eq!(met.len(), 25);
        assert!(met.values().all(|antibodies| antibodies.len() == 33));
    }
}
