//! Competitive fitness sharing: each opponent is worth 1, divided by the number of members that
//! beat it. A member that beats what few others beat has a high fitness, even if it loses most of
//! its games (Rosin & Belew 1997, "Competitive Fitness Sharing").
//!
//! Implicit fitness sharing ([`shared`](super::shared)) gives points only to the attackers of
//! matches, and shares by how clearly they win. Here each player of a game counts as the opponent
//! of the other, and a win is a win.

use std::collections::HashMap;

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::params;

use super::Fitness;
use super::encounters::{Encounter, encounters};

params! {
    /// Each opponent is worth 1, divided by the number of members that beat it.
    pub struct CompetitiveSharing {
        /// Fitness that each member has without a win, so that proportional selection also works
        /// when no member has won.
        live bonus: f64 = 1e-6, in 0.0..=1000.0, "points";
    }
}

impl Fitness for CompetitiveSharing {
    /// A member beats an opponent if it wins more of their games than it loses.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut fitness = shared_wins(&encounters(pairings, played), members);
        for sum in &mut fitness {
            *sum += self.bonus;
        }
        fitness
    }

    fn is_additive(&self) -> bool {
        false
    }
}

/// For each member the sum of what the opponents that it beats are worth.
pub(super) fn shared_wins(encounters: &[Encounter], members: usize) -> Vec<f64> {
    let beaten = || {
        let all = encounters.iter();
        all.filter(|one| one.tally.wins > one.tally.losses)
    };
    let mut winners: HashMap<Seat, u32> = HashMap::new();
    for won in beaten() {
        *winners.entry(won.opponent).or_default() += 1;
    }
    let mut sums = vec![0.0; members];
    for won in beaten() {
        sums[won.member as usize] += 1.0 / f64::from(winners[&won.opponent]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::fitness::tests::{game, member};

    #[test]
    fn an_opponent_is_worth_one_divided_by_the_number_of_members_that_beat_it() {
        let entry = Seat::HallOfFame(0);
        let games = [
            // 0 beats 1 and 2, which draw; 3 beats 0; 1 and 3 beat the entry, to which 2 loses.
            game(member(0), member(1), 0, 1),
            game(member(2), member(0), 1, -1),
            game(member(1), member(2), 2, 1),
            game(member(2), member(1), 2, 1),
            game(member(3), member(0), 3, 1),
            game(member(0), member(3), 3, 0),
            game(entry, member(1), 4, -1),
            game(entry, member(3), 4, -1),
            game(entry, member(2), 4, 1),
            // 3 beats 2 too, so that 0 and 3 share what 2 is worth.
            game(member(3), member(2), 5, 1),
        ];
        let (pairings, played): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let scheme = CompetitiveSharing { bonus: 0.25 };
        let fitness = scheme.fitness(&pairings, &played, 4);
        // 0: 1 for member 1, half of member 2. 1: half of the entry. 3: member 0, half of member 2
        // and half of the entry.
        assert_eq!(fitness, [1.75, 0.75, 0.25, 2.25]);
    }

    #[test]
    fn without_games_all_have_the_bonus() {
        assert_eq!(
            CompetitiveSharing { bonus: 0.5 }.fitness(&[], &[], 2),
            [0.5; 2]
        );
    }
}
