//! Implicit fitness sharing: what there is to be had from an opponent is shared among those who beat it, so that beating whom
//! nobody else beats is worth most (Smith, Forrest & Perelson 1993; Weaver & Bossomaier 1996, "Fitness Evaluation").

use std::collections::HashMap;

use crate::contest::{Pairing, Played, Seat};
use crate::params::params;

use super::{Fitness, Match, matches};

params! {
    /// Points of each opponent, shared among the members that beat it.
    pub struct Shared {
        /// What there is to be had from each opponent.
        live points: f64 = 33.0, in 0.0..=100000.0, "points";
        /// Shares of a member that won every game of its match.
        live clean_shares: f64 = 4.0, in 0.0..=1000.0, "shares";
        /// Shares of a member that won some of them.
        live partial_shares: f64 = 1.0, in 0.0..=1000.0, "shares";
        /// What everyone has beforehand, so that chances can be shared out by fitness where nobody has won anything.
        live bonus: f64 = 1e-6, in 0.0..=1000.0, "points";
    }
}

impl Shared {
    fn shares(&self, contest: &Match) -> f64 {
        match contest.wins[0] {
            0 => 0.0,
            wins if wins == contest.games => self.clean_shares,
            _ => self.partial_shares,
        }
    }
}

impl Fitness for Shared {
    /// The attacker of a match is who moves first in its first game; nobody but attackers is paid.
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64> {
        let mut sums: HashMap<Seat, f64> = HashMap::new();
        let contests: Vec<(Match, f64)> = matches(pairings, played)
            .map(Match::attacked_by_member)
            .map(|contest| (contest, self.shares(&contest)))
            .collect();
        for (contest, shares) in &contests {
            *sums.entry(contest.seats[1]).or_default() += shares;
        }
        let mut fitness = vec![self.bonus; members];
        for (contest, shares) in contests {
            if let Seat::Member(attacker) = contest.seats[0]
                && shares > 0.0
            {
                fitness[attacker as usize] += self.points * shares / sums[&contest.seats[1]];
            }
        }
        fitness
    }

    fn is_sum(&self) -> bool {
        false
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
        let scheme = Shared {
            points: 10.0,
            bonus: 0.5,
            ..Shared::default()
        };
        let fitness = scheme.fitness(&pairings, &played, 5);
        assert_eq!(fitness, [8.5, 2.5, 10.5, 0.5, 0.5]);
    }

    #[test]
    fn members_attack_whoever_is_no_member_whichever_moves_first() {
        let games = [
            game(Seat::Famer(0), member(0), 0, -1),
            game(Seat::Famer(0), member(1), 0, 1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let scheme = Shared {
            points: 10.0,
            bonus: 0.0,
            ..Shared::default()
        };
        assert_eq!(scheme.fitness(&pairings, &played, 2), [10.0, 0.0]);
    }
}
