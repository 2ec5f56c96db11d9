//! Circular pairing: in each round each member meets the member at one distance around a circle
//! (Kissling 2025, §3.1.4).

use rand::seq::index;

use crate::contest::{Pairing, Seat};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{PairingContext, PairingScheme};

params! {
    /// Each member meets the members at a few random distances around a circle.
    pub struct Circular {
        /// Rounds per generation, at most half the population. In each round, each member meets one
        /// member ahead and one behind, at a distance that no other round of the generation uses.
        live opponents: u32 = 50, in 1.0..=50000.0, "rounds";
        /// Games per pair: 2 from the same position, in which each player starts once, or 1, in
        /// which the first player of the pair starts.
        live games_per_pair: u32 = 2, in 1.0..=2.0, "games";
    }
}

impl PairingScheme for Circular {
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing> {
        let members = field.members;
        let rounds = (self.opponents as usize).min(members / 2);
        let mut pairings = Vec::with_capacity(rounds * members * self.games_per_pair as usize);
        for (round, distance) in index::sample(rng, members / 2, rounds)
            .into_iter()
            .enumerate()
        {
            // Rotated ranges avoid a division per member.
            let others = (distance + 1..members).chain(0..=distance);
            let games = others.enumerate().map(|(member, other)| {
                let (one, other) = (Seat::Member(member as u32), Seat::Member(other as u32));
                let game =
                    |first, second| Pairing::new(first, second, (round * members + member) as u32);
                [game(one, other), game(other, one)]
            });
            if self.games_per_pair > 1 {
                pairings.extend(games.flatten());
            } else {
                pairings.extend(games.map(|[game, _]| game));
            }
        }
        pairings
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let (rounds, most) = (self.opponents, population / 2);
        let message = format!("must be at most half the population ({most}), is {rounds}");
        if rounds as usize > most {
            vec![ParamError::new("opponents", message)]
        } else {
            Vec::new()
        }
    }

    fn games(&self, field: &PairingContext<'_>) -> Option<u64> {
        let rounds = u64::from(self.opponents).min(field.members as u64 / 2);
        Some(rounds * field.members as u64 * u64::from(self.games_per_pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};
    use std::collections::HashMap;

    fn pairings(members: usize, opponents: u32, games_per_pair: u32) -> Vec<Pairing> {
        let scheme = Circular {
            opponents,
            games_per_pair,
        };
        scheme.pairings(
            &PairingContext {
                members,
                hall_of_fame: 0,
                neighborhoods: &[],
            },
            &mut stream(1, Purpose::Pairing, 0, 0),
        )
    }

    #[test]
    fn each_member_plays_equally_often_on_each_side_and_never_against_itself() {
        for (members, opponents) in [(100, 50), (100, 7), (7, 3), (2, 1)] {
            let games = pairings(members, opponents, 2);
            assert_eq!(games.len(), members * opponents as usize * 2);
            for seat in (0..members as u32).map(Seat::Member) {
                let first = games.iter().filter(|game| game.first() == seat).count();
                let second = games.iter().filter(|game| game.second() == seat).count();
                assert_eq!(
                    (first, second),
                    (2 * opponents as usize, 2 * opponents as usize)
                );
            }
            assert!(games.iter().all(|game| game.first() != game.second()));
        }
    }

    #[test]
    fn no_distance_or_its_mirror_is_used_twice() {
        let mut met: HashMap<(u32, u32), u32> = HashMap::new();
        for game in pairings(100, 49, 1) {
            if let (Seat::Member(a), Seat::Member(b)) = (game.first(), game.second()) {
                let distance = (b + 100 - a) % 100;
                *met.entry((distance.min(100 - distance), 0)).or_default() += 1;
            }
        }
        assert_eq!(met.len(), 49);
        assert!(met.values().all(|&count| count == 100));
    }

    #[test]
    fn the_two_games_of_a_pair_start_from_the_same_position_with_sides_swapped() {
        let games = pairings(10, 5, 2);
        for pair in games.chunks(2) {
            assert_eq!(
                (pair[0].first(), pair[0].second(), pair[0].opening),
                (pair[1].second(), pair[1].first(), pair[1].opening)
            );
        }
        let mut openings: Vec<u32> = games.iter().map(|game| game.opening).collect();
        openings.dedup();
        assert_eq!(openings, (0..50).collect::<Vec<u32>>());
    }
}
