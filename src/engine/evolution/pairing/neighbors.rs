//! Pairing of neighbors: each member meets each of its neighbors twice, each moving first once
//! (Porter & LeGrand, "The Genetic Algorithm").

use crate::contest::{Pairing, Seat};
use crate::params::params;
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// Pairing of neighbors has no parameters.
    pub struct Neighbors {}
}

impl PairingScheme for Neighbors {
    fn pairings(&self, field: &PairingContext<'_>, _rng: &mut Stream) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        let mut opening = 0;
        for (member, neighbors) in field.neighborhoods.iter().enumerate() {
            // Each pair is added at its lower member.
            for &neighbor in neighbors.iter().filter(|&&other| other as usize > member) {
                let (one, other) = (Seat::Member(member as u32), Seat::Member(neighbor));
                pairings.extend(
                    [(one, other), (other, one)]
                        .map(|(first, second)| Pairing::new(first, second, opening)),
                );
                opening += 1;
            }
        }
        pairings
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let pairs = field.neighborhoods.iter().map(Vec::len);
        Some(pairs.sum::<usize>() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::space::Space;
    use crate::evolution::space::torus::Torus;
    use crate::rng::{Purpose, stream};

    #[test]
    fn each_member_meets_six_neighbors_once_from_each_side() {
        let neighborhoods = Torus { width: 10 }.neighborhoods(100, 0);
        let field = PairingContext {
            members: 100,
            hall_of_fame: 0,
            neighborhoods: &neighborhoods,
        };
        let games = Neighbors {}.pairings(&field, &mut stream(1, Purpose::Pairing, 0, 0));
        assert_eq!(games.len(), 600);
        for (member, neighbors) in neighborhoods.iter().enumerate() {
            let seat = Seat::Member(member as u32);
            for &neighbor in neighbors {
                let other = Seat::Member(neighbor);
                let met = |game: &&Pairing| (game.first(), game.second()) == (seat, other);
                assert_eq!(games.iter().filter(met).count(), 1);
            }
        }
        assert!(
            games
                .chunks(2)
                .all(|pair| pair[0].opening == pair[1].opening)
        );
    }
}
