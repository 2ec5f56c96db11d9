//! Fitness is Colley's rating, the solution of linear equations in which a win against a strong
//! opponent counts more than one against a weak opponent (Colley 2002, "Colley's Bias Free College
//! Football Ranking Method").

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::{ParamError, params};

use super::Fitness;

params! {
    /// Colley's rating has no parameters.
    pub struct Colley {}
}

impl Fitness for Colley {
    /// Ratings with mean ½. A negative rating, which only very weak players have, becomes 0. Only
    /// games between members count.
    fn fitness(&self, pairings: &[Pairing], played: &[GameResult], members: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; members * members];
        let mut right = vec![1.0; members];
        for member in 0..members {
            matrix[member * members + member] = 2.0;
        }
        for (pairing, game) in pairings.iter().zip(played) {
            let (Seat::Member(first), Seat::Member(second)) = (pairing.first(), pairing.second())
            else {
                continue;
            };
            let (first, second) = (first as usize, second as usize);
            for (own, other) in [(first, second), (second, first)] {
                matrix[own * members + own] += 1.0;
                matrix[own * members + other] -= 1.0;
            }
            right[first] += f64::from(game.result) / 2.0;
            right[second] -= f64::from(game.result) / 2.0;
        }
        solve(&mut matrix, &mut right);
        right.into_iter().map(|rating| rating.max(0.0)).collect()
    }

    fn is_additive(&self) -> bool {
        false
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        const MOST: usize = 2000;
        let message = format!(
            "solves one equation per member, which is too slow for more than {MOST} members; the \
            population is {population}"
        );
        if population > MOST {
            vec![ParamError::new("", message)]
        } else {
            Vec::new()
        }
    }
}

/// Solves `matrix · x = right` by Gaussian elimination; `right` becomes x. Colley's matrix is
/// symmetric and strictly diagonally dominant, so that no pivoting is needed.
fn solve(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut((pivot + 1) * size);
        let row = &above[pivot * size..];
        for (lower, target) in below.chunks_mut(size).enumerate() {
            let factor = target[pivot] / row[pivot];
            if factor != 0.0 {
                for (value, &above) in target[pivot..].iter_mut().zip(&row[pivot..]) {
                    *value -= factor * above;
                }
                right[pivot + 1 + lower] -= factor * right[pivot];
            }
        }
    }
    for pivot in (0..size).rev() {
        let row = &matrix[pivot * size..(pivot + 1) * size];
        let known: f64 = (pivot + 1..size)
            .map(|column| row[column] * right[column])
            .sum();
        right[pivot] = (right[pivot] - known) / row[pivot];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(games: &[(u32, u32, i8)], members: usize) -> Vec<f64> {
        let pairings: Vec<Pairing> = games
            .iter()
            .map(|&(first, second, _)| Pairing::new(Seat::Member(first), Seat::Member(second), 0))
            .collect();
        let played: Vec<GameResult> = games
            .iter()
            .map(|&(_, _, result)| GameResult {
                result,
                plies: 1,
                points: [0, 0],
            })
            .collect();
        Colley {}.fitness(&pairings, &played, members)
    }

    #[test]
    fn one_game_between_two_gives_the_ratings_of_the_publication() {
        let ratings = rate(&[(0, 1, 1)], 2);
        assert!(
            (ratings[0] - 0.625).abs() < 1e-12 && (ratings[1] - 0.375).abs() < 1e-12,
            "{ratings:?}"
        );
    }

    #[test]
    fn beating_the_strong_is_worth_more_than_beating_the_weak() {
        // 0 beats 1, which beats 2 twice; 3 beats 2; 0 and 3 have won one game each.
        let ratings = rate(&[(0, 1, 1), (1, 2, 1), (2, 1, -1), (3, 2, 1)], 4);
        assert!(
            ratings[0] > ratings[3] && ratings[3] > ratings[2],
            "{ratings:?}"
        );
        assert!(
            (ratings.iter().sum::<f64>() - 2.0).abs() < 1e-9,
            "the mean is one half"
        );
    }

    #[test]
    fn a_player_without_games_is_rated_one_half() {
        assert_eq!(rate(&[], 3), [0.5; 3]);
    }
}
