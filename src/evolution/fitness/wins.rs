//! Fitness is the number of games won (Kissling 2025, §3.1.4).

use crate::contest::{Pairing, Played, Seat};
use crate::params::params;

use super::Fitness;

params! {
    /// Counting wins has no settings.
    pub struct Wins {}
}

impl Fitness for Wins {
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64> {
        let mut wins = vec![0.0; members];
        for (pairing, game) in pairings.iter().zip(played) {
            let winner = match game.result {
                1 => pairing.first,
                -1 => pairing.second,
                _ => continue,
            };
            if let Seat::Member(index) = winner {
                wins[index as usize] += 1.0;
            }
        }
        wins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wins_of_members_count() {
        let (a, b, famer) = (Seat::Member(0), Seat::Member(1), Seat::Famer(0));
        let pair = |first, second| Pairing {
            first,
            second,
            opening: 0,
        };
        let pairings = [
            pair(a, b),
            pair(b, a),
            pair(a, b),
            pair(a, famer),
            pair(b, famer),
        ];
        let played = [1, 1, 0, -1, 1].map(|result| Played { result, plies: 3 });
        assert_eq!(Wins {}.fitness(&pairings, &played, 3), [1.0, 2.0, 0.0]);
    }
}
