//! Implicit fitness sharing: the points of an opponent are shared among the members that beat it.
//! Beating an opponent that no other member beats gives the most points (Smith, Forrest & Perelson
//! 1993; Weaver & Bossomaier 1996, "Fitness Evaluation").

use std::collections::HashMap;

use crate::contest::{GameResult, Pairing, Seat, Tally};
use crate::params::params;

use super::{Fitness, matches};

params! {
    /// The points of each opponent are shared among the members that beat it.
    pub struct FitnessSharing {
        /// Points of each opponent.
        live points: f64 = 33.0, in 0.0..=100000.0, "points";
        /// Shares for winning every game of the match.
        live clean_shares: f64 = 4.0, in 0.0..=1000.0, "shares";
        /// Shares for winning at least one game, but not all.
        live partial_shares: f64 = 1.0, in 0.0..=1000.0, "shares";
        /// Fitness that each member has without a win, so that proportional selection also works
        /// when no member has won.
        live bonus: f64 = 1e-6, in 0.0..=1000.0, "points";
    }
}

impl FitnessSharing {
    fn shares(&self, tally: Tally) -> f64 {
        match tally.wins {
            0 => 0.0,
            wins if wins == tally.games() => self.clean_shares,
            _ => self.partial_shares,
        }
    }
}

impl Fitness for FitnessSharing {
    /// The attacker of a match is the player that moves first in its first game. Only attackers
    /// receive points.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut sums: HashMap<Seat, f64> = HashMap::new();
        let contests: Vec<([Seat; 2], f64)> = matches(pairings, played)
            .map(with_member_first)
            .map(|(seats, tally)| (seats, self.shares(tally)))
            .collect();
        for ([_, attacked], shares) in &contests {
            *sums.entry(*attacked).or_default() += shares;
        }
        let mut fitness = vec![self.bonus; members];
        for ([attacker, attacked], shares) in contests {
            if let Seat::Member(attacker) = attacker
                && shares > 0.0
            {
                fitness[attacker as usize] += self.points * shares / sums[&attacked];
            }
        }
        fitness
    }

    fn is_additive(&self) -> bool {
        false
    }
}

/// The same match with the member first if only one of the two players is a member.
fn with_member_first((seats, tally): ([Seat; 2], Tally)) -> ([Seat; 2], Tally) {
    match seats {
        [other, member @ Seat::Member(_)] if !matches!(other, Seat::Member(_)) => {
            ([member, other], tally.reversed())
        }
        _ => (seats, tally),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn an_opponent_is_worth_more_the_fewer_beat_it() {
        let games = [
            // 0 beats 3 twice and 1 beats it once; 2 alone beats 4, once.
            game(member(0), member(3), 0, 1),
            game(member(3), member(0), 0, -1),
            game(member(1), member(3), 1, -1),
            game(member(3), member(1), 1, -1),
            game(member(2), member(4), 2, 1),
            game(member(4), member(2), 2, 1),
            game(member(1), member(4), 3, -1),
            game(member(4), member(1), 3, 1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let scheme = FitnessSharing {
            points: 10.0,
            bonus: 0.5,
            ..FitnessSharing::default()
        };
        let fitness = scheme.fitness(&pairings, &played, 5);
        assert_eq!(fitness, [8.5, 2.5, 10.5, 0.5, 0.5]);
    }

    #[test]
    fn a_member_is_the_attacker_of_a_non_member_even_if_it_moves_second() {
        let games = [
            game(Seat::HallOfFame(0), member(0), 0, -1),
            game(Seat::HallOfFame(0), member(1), 0, 1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let scheme = FitnessSharing {
            points: 10.0,
            bonus: 0.0,
            ..FitnessSharing::default()
        };
        assert_eq!(scheme.fitness(&pairings, &played, 2), [10.0, 0.0]);
    }
}
