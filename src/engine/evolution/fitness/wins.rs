//! Fitness is the number of games won (Kissling 2025, §3.1.4).

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::params;

use super::Fitness;

params! {
    /// The number of wins has no parameters.
    pub struct Wins {}
}

impl Fitness for Wins {
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut wins = vec![0_u32; members];
        // Results are unpredictable: adding 0 or 1 is twice as fast as a branch.
        let mut count = |seat: Seat, won: bool| {
            if let Seat::Member(index) = seat {
                wins[index as usize] += u32::from(won);
            }
        };
        for (pairing, game) in pairings.iter().zip(played) {
            count(pairing.first(), game.result > 0);
            count(pairing.second(), game.result < 0);
        }
        wins.into_iter().map(f64::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wins_of_members_count() {
        let (a, b, entry) = (Seat::Member(0), Seat::Member(1), Seat::HallOfFame(0));
        let pair = |first, second| Pairing::new(first, second, 0);
        let pairings = [
            pair(a, b),
            pair(b, a),
            pair(a, b),
            pair(a, entry),
            pair(b, entry),
        ];
        let played = [1, 1, 0, -1, 1].map(|result| GameResult {
            result,
            plies: 3,
            points: [0, 0],
        });
        assert_eq!(Wins {}.fitness(&pairings, &played, 3), [1.0, 2.0, 0.0]);
    }
}
