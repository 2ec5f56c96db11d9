//! Everyone moves first against a few opponents drawn at random (Thien 2018, tournament).

use crate::contest::{Pairing, Seat};
use crate::params::{Problem, params};
use crate::rng::Stream;

use super::{Field, Pair};

params! {
    /// Everyone moves first in a few games against others drawn at random.
    pub struct Drawn {
        /// Games in which each member moves first, all against different others.
        live games: u32 = 5, in 1.0..=10000.0, "games";
    }
}

impl Pair for Drawn {
    fn pairings(&self, field: &Field<'_>, rng: &mut Stream) -> Vec<Pairing> {
        let games = (self.games as usize).min(field.members - 1);
        let mut pairings = Vec::with_capacity(games * field.members);
        for member in 0..field.members {
            for other in super::others(member, field.members, games, rng) {
                let [first, second] = [member, other].map(|seat| Seat::Member(seat as u32));
                pairings.push(Pairing::new(first, second, pairings.len() as u32));
            }
        }
        pairings
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let games = self.games;
        let message = format!("must be below the population ({population}), is {games}");
        let too_many = games as usize >= population;
        too_many
            .then(|| Problem::new("games", message))
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};
    use std::collections::HashSet;

    #[test]
    fn everyone_moves_first_against_as_many_different_others() {
        let field = Field {
            members: 15,
            famers: 0,
            neighborhoods: &[],
        };
        let mut rng = stream(1, Purpose::Pairing, 0, 0);
        let pairings = Drawn::default().pairings(&field, &mut rng);
        assert_eq!(pairings.len(), 75);
        for games in pairings.chunks(5) {
            let met: HashSet<Seat> = games.iter().map(Pairing::second).collect();
            assert_eq!(met.len(), 5, "{games:?}");
            let first = games[0].first();
            assert!(games.iter().all(|game| game.first() == first));
            assert!(!met.contains(&first));
        }
    }
}
