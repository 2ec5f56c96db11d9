//! Each offspring meets only its parent (Pollack & Blair 1998, "Co-Evolution in the Successful
//! Learning of Backgammon Strategy"). Parents and offspring are in pairs of places, as
//! [`parent_child`](crate::evolution::replacement::parent_child) makes them.

use crate::contest::{Pairing, Seat};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// The two members of each pair of places meet.
    pub struct VersusParent {
        /// Matches of each pair. A match is two games from the same position, one from each side.
        live matches: u32 = 2, in 1.0..=10000.0, "matches";
    }
}

impl PairingScheme for VersusParent {
    fn pairings(&self, field: &PairingContext<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let matches = |pair: u32| {
            let openings = pair * self.matches..(pair + 1) * self.matches;
            let [parent, child] = [2 * pair, 2 * pair + 1].map(Seat::Member);
            openings.flat_map(move |opening| super::both_sides(parent, child, opening))
        };
        let pairs = field.members as u32 / 2;
        (0..pairs).flat_map(matches).collect()
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let message = format!("needs an even population, for pairs, but it is {population}");
        let problem = (!population.is_multiple_of(2)).then(|| ParamError::new("", message));
        problem.into_iter().collect()
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let pairs = field.members as u64 / 2;
        Some(2 * pairs * u64::from(self.matches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn the_members_of_a_pair_meet_from_both_sides_of_each_position() {
        let field = PairingContext {
            members: 4,
            hall_of_fame: 0,
            neighborhoods: &[],
        };
        let scheme = VersusParent { matches: 2 };
        let games = scheme.pairings(&field, &mut stream(1, Purpose::Pairing, 0, 0));
        let member = |index| Seat::Member(index);
        let game = |first, second, opening| Pairing::new(member(first), member(second), opening);
        let expected = [
            game(0, 1, 0),
            game(1, 0, 0),
            game(0, 1, 1),
            game(1, 0, 1),
            game(2, 3, 2),
            game(3, 2, 2),
            game(2, 3, 3),
            game(3, 2, 3),
        ];
        assert_eq!(games, expected);
        assert_eq!(scheme.games(&field), Some(8));
        assert_eq!(scheme.problems(4), []);
        assert_eq!(scheme.problems(5).len(), 1);
    }
}
