//! Fitness is the number of matches won; a drawn match counts one half. A match is the games of two
//! players from one position, usually two games, one from each side (Weaver & Bossomaier 1996,
//! "Fitness Evaluation").

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::params;

use super::{Fitness, matches};

params! {
    /// The number of matches won.
    pub struct MatchWins {
        /// Fitness that each member has without a win, so that proportional selection also works
        /// when no member has won.
        live bonus: f64 = 1e-6, in 0.0..=1000.0, "points";
    }
}

impl Fitness for MatchWins {
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut points = vec![0.0; members];
        for (seats, tally) in matches(pairings, played) {
            let worth = match tally.wins.cmp(&tally.losses) {
                std::cmp::Ordering::Greater => [1.0, 0.0],
                std::cmp::Ordering::Equal => [0.5, 0.5],
                std::cmp::Ordering::Less => [0.0, 1.0],
            };
            for (seat, worth) in seats.into_iter().zip(worth) {
                if let Seat::Member(member) = seat {
                    points[member as usize] += worth;
                }
            }
        }
        points
            .into_iter()
            .map(|points| points + self.bonus)
            .collect()
    }

    /// The bonus must be added only once.
    fn is_additive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn a_match_counts_once_however_many_games_it_has() {
        let reference = Seat::Reference(0);
        let games = [
            // 0 beats 1 twice; 0 and 2 win one each; 1 and 2 a win and a draw; 2 loses a single
            // game to the reference player.
            game(member(0), member(1), 0, 1),
            game(member(1), member(0), 0, -1),
            game(member(0), member(2), 1, 1),
            game(member(2), member(0), 1, 1),
            game(member(1), member(2), 2, 0),
            game(member(2), member(1), 2, -1),
            game(member(2), reference, 3, -1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let fitness = MatchWins { bonus: 0.125 }.fitness(&pairings, &played, 3);
        assert_eq!(fitness, [1.625, 1.125, 0.625]);
    }
}
