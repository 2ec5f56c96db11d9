//! Each member moves first against a few random opponents (Thien 2018, tournament).

use crate::contest::{Pairing, Seat};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// Each member moves first in a few games against random opponents.
    pub struct RandomOpponents {
        /// Games in which each member moves first, each against a different opponent.
        live games: u32 = 5, in 1.0..=10000.0, "games";
    }
}

impl PairingScheme for RandomOpponents {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
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

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let games = self.games;
        let message = format!("must be below the population ({population}), is {games}");
        let too_many = games as usize >= population;
        too_many
            .then(|| ParamError::new("games", message))
            .into_iter()
            .collect()
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let games = u64::from(self.games).min(field.members as u64 - 1);
        Some(games * field.members as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};
    use std::collections::HashSet;

    #[test]
    fn each_member_moves_first_against_the_same_number_of_different_opponents() {
        let field = PairingContext {
            members: 15,
            hall_of_fame: 0,
            neighborhoods: &[],
        };
        let mut rng = stream(1, Purpose::Pairing, 0, 0);
        let pairings = RandomOpponents::default().pairings(&field, &mut rng);
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
