//! Temporal differences, TD(λ): the value of a position should be what the values of later
//! positions and the result of the game say (Sutton 1988; for positions after moves, in board
//! games, Lucas & Runarsson 2006 and Szubert, Jaśkowski & Krawiec 2009).
//!
//! Where it differs: values change after some games, not after each move, so that the games can be
//! played at the same time.
//!
//! Learning from what follows random moves, too, is learning on policy (Rummery & Niranjan 1994,
//! "Sarsa" in Sutton & Barto 2018, 6.4): the values are then those of a player that sometimes errs.

use crate::params::params;

params! {
    /// A network learns from games against itself: the value of each position after a move from
    /// that of the next, and that of the last from the result.
    pub struct TemporalDifferences {
        /// Games of the network against itself.
        fixed games: u32 = 10000, in 1.0..=10000000.0, "games";
        /// How much later positions count: with 0 only the next, with 1 only the result.
        fixed lambda: f64 = 0.5, in 0.0..=1.0;
        /// Learning rate of the first games; it falls to 0. For tables of tuples it is the share of
        /// an error that they lose by an example.
        fixed rate: f64 = 0.05, in 0.000001..=100.0;
        /// Share of the moves that are random.
        fixed random_moves: f64 = 0.1, in 0.0..=1.0, "share";
        /// Share of the games in which positions are valued by what follows a random move, too.
        fixed on_policy: f64 = 0.0, in 0.0..=1.0, "share";
    }
}

/// A position after a move in a game that is over.
#[derive(Clone, Copy, Debug)]
pub struct PlayedPosition {
    /// Its value to the side that moved.
    pub value: f32,
    /// The result to that side: 1, 0 or −1.
    pub result: f32,
    /// Whether the side that moved moves again.
    pub moves_again: bool,
    /// Whether the next move is random, and what follows does not count.
    pub ends_in_chance: bool,
}

impl TemporalDifferences {
    /// Whether what follows random moves counts in the game of this number: in every second one if
    /// that is the share.
    pub fn is_on_policy(&self, game: u64) -> bool {
        let before = |game: u64| (game as f64 * self.on_policy).floor();
        before(game + 1) > before(game)
    }

    /// What the value of each position of a game should be; `None` where it ends in chance.
    pub fn targets(&self, positions: &[PlayedPosition]) -> Vec<Option<f32>> {
        let lambda = self.lambda as f32;
        // The target of the position after the one that is looked at, and its value.
        let mut next: Option<[f32; 2]> = None;
        let target = |position: &PlayedPosition| {
            let sign = if position.moves_again { 1.0 } else { -1.0 };
            let target = match next {
                None => position.result,
                Some([target, value]) => sign * (lambda * target + (1.0 - lambda) * value),
            };
            let learned = (!position.ends_in_chance).then_some(target);
            next = Some([learned.unwrap_or(position.value), position.value]);
            learned
        };
        let mut targets: Vec<Option<f32>> = positions.iter().rev().map(target).collect();
        targets.reverse();
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with these values; the sides alternate, and the last mover wins.
    fn check(lambda: f64, values: &[f32], chance: Option<usize>, expected: &[Option<f32>]) {
        let learning = TemporalDifferences {
            lambda,
            ..TemporalDifferences::default()
        };
        let positions = values
            .iter()
            .enumerate()
            .map(|(at, &value)| PlayedPosition {
                value,
                result: 1.0,
                moves_again: false,
                ends_in_chance: chance == Some(at),
            });
        let found = learning.targets(&positions.collect::<Vec<_>>());
        assert_eq!(found, expected);
    }

    #[test]
    fn targets_are_the_values_and_targets_of_the_next_positions() {
        let values = [0.5, -0.25, 0.75];
        let one_step = [Some(0.25), Some(-0.75), Some(1.0)];
        check(0.0, &values, None, &one_step);
        check(1.0, &values, None, &[Some(1.0), Some(-1.0), Some(1.0)]);
        // −(1 + 0.75) / 2, then (0.875 + 0.25) / 2.
        let between = [Some(0.5625), Some(-0.875), Some(1.0)];
        check(0.5, &values, None, &between);
    }

    #[test]
    fn nothing_is_learned_from_what_follows_a_random_move() {
        let values = [0.5, -0.25, 0.75];
        let expected = [Some(0.25), None, Some(1.0)];
        check(1.0, &values, Some(1), &expected);
        assert!(TemporalDifferences::default().targets(&[]).is_empty());
    }

    #[test]
    fn the_share_of_games_on_policy_is_that_of_the_setting() {
        for (share, count) in [(0.0, 0), (0.3, 300), (0.5, 500), (1.0, 1000)] {
            let learning = TemporalDifferences {
                on_policy: share,
                ..TemporalDifferences::default()
            };
            let games = (0..1000).filter(|&game| learning.is_on_policy(game));
            assert_eq!(games.count(), count, "{share}");
        }
    }

    #[test]
    fn a_side_that_moves_again_keeps_its_value() {
        let learning = TemporalDifferences::default();
        let position = PlayedPosition {
            value: 0.0,
            result: -1.0,
            moves_again: true,
            ends_in_chance: false,
        };
        let found = learning.targets(&[position, position]);
        assert_eq!(found, [Some(-0.5), Some(-1.0)]);
    }
}
