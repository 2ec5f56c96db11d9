//! Fitness is a sum of points for wins, draws and losses, and of the points that the game itself counts: with 64 for a win, 32
//! for a draw and 1 for each own disc it is that of Porter & LeGrand ("Fitness").

use crate::contest::{Pairing, Played, Seat};
use crate::params::params;

use super::Fitness;

params! {
    /// Points for results and for what the game counts.
    pub struct Points {
        /// For a game won.
        live win: f64 = 1.0, in 0.0..=1000.0, "points";
        /// For a draw.
        live draw: f64 = 0.5, in 0.0..=1000.0, "points";
        /// For a loss; below 0 where it is to cost something.
        live loss: f64 = 0.0, in -1000.0..=1000.0, "points";
        /// For each point that the game counts for a side at its end, such as a disc of its own.
        live each: f64 = 0.0, in 0.0..=1000.0, "points";
    }
}

impl Fitness for Points {
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64> {
        let mut sums = vec![0.0; members];
        let mut add = |seat: Seat, result: i8, points: u16| {
            if let Seat::Member(index) = seat {
                let result = match result {
                    0 => self.draw,
                    1.. => self.win,
                    _ => self.loss,
                };
                sums[index as usize] += result + self.each * f64::from(points);
            }
        };
        for (pairing, game) in pairings.iter().zip(played) {
            add(pairing.first(), game.result, game.points[0]);
            add(pairing.second(), game.for_second(), game.points[1]);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_discs_add_up() {
        let pairing = |first, second| Pairing::new(Seat::Member(first), Seat::Member(second), 0);
        let played = |result, points| Played {
            result,
            plies: 60,
            points,
        };
        let scheme = Points {
            win: 64.0,
            draw: 32.0,
            loss: 0.0,
            each: 1.0,
        };
        let fitness = scheme.fitness(
            &[pairing(0, 1), pairing(1, 0)],
            &[played(1, [40, 24]), played(0, [32, 32])],
            2,
        );
        assert_eq!(fitness, [64.0 + 40.0 + 32.0 + 32.0, 24.0 + 32.0 + 32.0]);
        let strict = Points {
            loss: -1.0,
            ..Points::default()
        };
        let fitness = strict.fitness(&[pairing(0, 1)], &[played(1, [40, 24])], 2);
        assert_eq!(fitness, [1.0, -1.0]);
    }
}
