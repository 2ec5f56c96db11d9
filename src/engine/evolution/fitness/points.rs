//! Fitness is the sum of points for wins, draws and losses, and of the game's own points. With 64
//! for a win, 32 for a draw and 1 for each own disc it is the fitness of Porter & LeGrand ("Vanilla
//! Configuration").

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::params;

use super::Fitness;

params! {
    /// Points for results, and for the game's own points.
    pub struct PointSum {
        /// Points for a win.
        live win: f64 = 1.0, in 0.0..=1000.0, "points";
        /// Points for a draw.
        live draw: f64 = 0.5, in 0.0..=1000.0, "points";
        /// Points for a loss; a negative number is a penalty.
        live loss: f64 = 0.0, in -1000.0..=1000.0, "points";
        /// Points for each of the game's own points at the end, such as an own disc.
        live each: f64 = 0.0, in 0.0..=1000.0, "points";
    }
}

impl Fitness for PointSum {
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
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
            add(pairing.second(), game.result_for_second(), game.points[1]);
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
        let played = |result, points| GameResult {
            result,
            plies: 60,
            points,
        };
        let scheme = PointSum {
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
        let strict = PointSum {
            loss: -1.0,
            ..PointSum::default()
        };
        let fitness = strict.fitness(&[pairing(0, 1)], &[played(1, [40, 24])], 2);
        assert_eq!(fitness, [1.0, -1.0]);
    }
}
