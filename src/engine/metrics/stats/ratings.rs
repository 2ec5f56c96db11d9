//! Ratings of players from the results of games between them.

/// The points of two players against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// The indices of the two players.
    pub players: [usize; 2],
    /// Points of each: wins and half the draws.
    pub points: [f64; 2],
}

/// Ratings on the Elo scale, with mean 0 or relative to one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The rating of each player; 400 points more are odds of 10 to 1.
    pub elo: Vec<f64>,
    /// Half the width of the 95% confidence interval of each rating, relative to the mean of these
    /// players or to the one player.
    ///
    /// Infinite if the games do not connect all players.
    pub margins: Vec<f64>,
    /// Whether drawn games were added because the ratings would otherwise be infinite.
    pub is_regularized: bool,
}

impl Ratings {
    /// The 95% interval of a player's rating.
    pub fn interval(&self, player: usize) -> (f64, f64) {
        let (elo, margin) = (self.elo[player], self.margins[player]);
        (elo - margin, elo + margin)
    }
}

/// Standard errors in half a 95% interval.
const Z: f64 = 1.959_964;

const MAX_STEPS: usize = 100_000;

/// The maximum-likelihood ratings in the model of Bradley & Terry (1952), with draws as half a win
/// for both, by the iteration of Zermelo (1929) as in Hunter (2004, section 2).
///
/// They exist only if no group of players has won every point against all others (Ford 1957);
/// otherwise each pair gets one additional drawn game, and `is_regularized` is set.
///
/// Their margins come from the observed information, the curvature of the likelihood at its top
/// (Efron & Hinkley 1978), with the mean of all ratings fixed. They assume independent games and
/// treat a draw as uncertain as a win or a loss: they are too wide for players that often draw, and
/// too narrow for players that repeat the same games.
pub fn bradley_terry(players: usize, results: &[PairScore]) -> Ratings {
    rate(players, results, None)
}

/// The same ratings relative to the player `anchor`, whose rating is 0 and certain. The margin of
/// another rating is that of the difference from it.
pub fn bradley_terry_from(anchor: usize, players: usize, results: &[PairScore]) -> Ratings {
    rate(players, results, Some(anchor))
}

fn rate(players: usize, results: &[PairScore], anchor: Option<usize>) -> Ratings {
    let held = !is_connected(players, results);
    let extra = if held { 0.5 } else { 0.0 };
    let mut wins = vec![0.0; players];
    for result in results {
        for (player, points) in result.players.iter().zip(result.points) {
            wins[*player] += points + extra;
        }
    }
    let mut strength = vec![1.0; players];
    for _ in 0..MAX_STEPS {
        let next = step(&strength, &wins, results, extra);
        let moved = strength.iter().zip(&next).map(|(a, b)| (a / b).ln().abs());
        let farthest = moved.fold(0.0, f64::max);
        strength = next;
        if farthest < 1e-12 {
            break;
        }
    }
    let zero = anchor.map_or(0.0, |anchor| strength[anchor].log10());
    let elo = strength
        .iter()
        .map(|s| (s.log10() - zero) * 400.0)
        .collect();
    let margins = margins(&strength, results, extra, anchor);
    Ratings {
        elo,
        margins,
        is_regularized: held,
    }
}

/// Half the 95% intervals of ratings on the scale of Elo.
fn margins(strength: &[f64], results: &[PairScore], extra: f64, anchor: Option<usize>) -> Vec<f64> {
    let unit = 400.0 / std::f64::consts::LN_10;
    match variances(information(strength, results, extra), anchor) {
        Some(variances) => variances
            .into_iter()
            .map(|variance| Z * unit * variance.max(0.0).sqrt())
            .collect(),
        None => vec![f64::INFINITY; strength.len()],
    }
}

/// The observed information: second derivatives of the negative log-likelihood by the logarithms of
/// the strengths. A game contributes most if its players are equally strong.
fn information(strength: &[f64], results: &[PairScore], extra: f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; strength.len()]; strength.len()];
    for result in results {
        let [a, b] = result.players;
        let games = result.points[0] + result.points[1] + 2.0 * extra;
        let chance = strength[a] / (strength[a] + strength[b]);
        let weight = games * chance * (1.0 - chance);
        for (one, other) in [(a, b), (b, a)] {
            matrix[one][one] += weight;
            matrix[one][other] -= weight;
        }
    }
    matrix
}

/// The variances of logarithms of strengths: with a fixed mean the diagonal of the pseudo-inverse
/// of the information, with an anchor those of the differences from it. `None` where the
/// information tells nothing of some difference.
fn variances(mut information: Vec<Vec<f64>>, anchor: Option<usize>) -> Option<Vec<f64>> {
    let players = information.len();
    let size = (0..players).map(|player| information[player][player]);
    let size = size.fold(0.0, f64::max);
    // The games do not determine the mean: adding it makes the matrix invertible; it is subtracted
    // again below.
    let mean = size / players.max(1) as f64;
    for row in &mut information {
        for cell in row {
            *cell += mean;
        }
    }
    let inverse = inverse(information, size * 1e-12)?;
    let own = 1.0 / (size * players as f64);
    // The term for the mean cancels in a difference.
    let variance = |place: usize| match anchor {
        None => inverse[place][place] - own,
        Some(anchor) => {
            inverse[place][place] + inverse[anchor][anchor] - 2.0 * inverse[place][anchor]
        }
    };
    Some((0..players).map(variance).collect())
}

/// The inverse of a symmetric positive matrix by the elimination of Gauss and Jordan; `None` where
/// a pivot is not above `least`.
fn inverse(mut matrix: Vec<Vec<f64>>, least: f64) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |row| (0..size).map(move |column| f64::from(u8::from(row == column)));
    let mut inverse: Vec<Vec<f64>> = (0..size).map(|row| unit(row).collect()).collect();
    for place in 0..size {
        let pivot = matrix[place][place];
        if pivot.is_nan() || pivot <= least {
            return None;
        }
        for rows in [&mut matrix, &mut inverse] {
            rows[place].iter_mut().for_each(|cell| *cell /= pivot);
        }
        for row in (0..size).filter(|&row| row != place) {
            let factor = matrix[row][place];
            for rows in [&mut matrix, &mut inverse] {
                let taken = rows[place].clone();
                let cells = rows[row].iter_mut().zip(taken);
                cells.for_each(|(cell, taken)| *cell -= factor * taken);
            }
        }
    }
    Some(inverse)
}

/// One step of the iteration, scaled to a geometric mean of 1.
fn step(strength: &[f64], wins: &[f64], results: &[PairScore], extra: f64) -> Vec<f64> {
    let mut expected = vec![0.0; strength.len()];
    for result in results {
        let [a, b] = result.players;
        let games = result.points[0] + result.points[1] + 2.0 * extra;
        let share = games / (strength[a] + strength[b]);
        expected[a] += share;
        expected[b] += share;
    }
    let next: Vec<f64> = strength
        .iter()
        .zip(wins.iter().zip(&expected))
        .map(|(old, (wins, expected))| {
            if *expected > 0.0 {
                wins / expected
            } else {
                *old
            }
        })
        .collect();
    let mean = next.iter().map(|s| s.ln()).sum::<f64>() / next.len().max(1) as f64;
    next.iter().map(|s| s / mean.exp()).collect()
}

/// Whether the directed graph of points won is strongly connected.
fn is_connected(players: usize, results: &[PairScore]) -> bool {
    let reaches_all = |from: usize, to: usize| {
        let mut reached = vec![false; players];
        let mut waiting = vec![0];
        while let Some(player) = waiting.pop() {
            if std::mem::replace(&mut reached[player], true) {
                continue;
            }
            let beaten = results.iter().flat_map(|result| {
                [[0, 1], [1, 0]].into_iter().filter_map(|[own, other]| {
                    let seats = [own, other];
                    let takes = result.points[own] > 0.0;
                    let leads = result.players[seats[from]] == player;
                    (takes && leads).then_some(result.players[seats[to]])
                })
            });
            waiting.extend(beaten);
        }
        reached.into_iter().all(|reached| reached)
    };
    players == 0 || (reaches_all(0, 1) && reaches_all(1, 0))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use crate::rng::{Purpose, stream};

    use super::*;

    fn rate(players: usize, results: &[([usize; 2], [f64; 2])]) -> Ratings {
        let points = |&(players, points)| PairScore { players, points };
        let results: Vec<PairScore> = results.iter().map(points).collect();
        bradley_terry(players, &results)
    }

    fn check(found: &[f64], expected: &[f64]) {
        let near = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(
            near && found.len() == expected.len(),
            "{found:?} {expected:?}"
        );
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_odds() {
        let half = 400.0 * 3.0_f64.log10() / 2.0;
        let found = rate(2, &[([0, 1], [75.0, 25.0])]);
        check(&found.elo, &[half, -half]);
        assert!(!found.is_regularized);
        check(&rate(1, &[]).elo, &[0.0]);
        check(&rate(2, &[([1, 0], [5.0, 5.0])]).elo, &[0.0, 0.0]);
    }

    #[test]
    fn results_that_fit_the_model_give_back_its_strengths() {
        // Strengths 4, 2 and 1, a hundred games a pair or near it.
        let found = rate(
            3,
            &[
                ([0, 1], [80.0, 40.0]),
                ([0, 2], [80.0, 20.0]),
                ([1, 2], [60.0, 30.0]),
            ],
        );
        let unit = 400.0 * 2.0_f64.log10();
        check(&found.elo, &[unit, 0.0, -unit]);
    }

    #[test]
    fn a_player_that_won_every_point_gets_a_finite_rating() {
        let found = rate(2, &[([0, 1], [10.0, 0.0])]);
        let half = 400.0 * 21.0_f64.log10() / 2.0;
        assert!(found.is_regularized);
        check(&found.elo, &[half, -half]);
    }

    #[test]
    fn the_interval_of_two_players_is_that_of_their_odds() {
        // The standard error of a logarithm of odds is sqrt(1/a + 1/b); each rating has half of the
        // difference.
        let found = rate(2, &[([0, 1], [75.0, 25.0])]);
        let error = (1.0_f64 / 75.0 + 1.0 / 25.0).sqrt();
        let half = Z * error / 2.0 * 400.0 / std::f64::consts::LN_10;
        check(&found.margins, &[half, half]);
        let (low, high) = found.interval(1);
        check(&[high - low], &[2.0 * half]);
    }

    #[test]
    fn ratings_from_an_anchor_are_differences_from_it() {
        let results = [
            ([0, 1], [75.0, 25.0]),
            ([0, 2], [30.0, 60.0]),
            ([1, 2], [10.0, 20.0]),
        ];
        let points = |&(players, points): &([usize; 2], [f64; 2])| PairScore { players, points };
        let results: Vec<PairScore> = results.iter().map(points).collect();
        let (mean, from) = (
            bradley_terry(3, &results),
            bradley_terry_from(1, 3, &results),
        );
        let differences: Vec<f64> = mean.elo.iter().map(|elo| elo - mean.elo[1]).collect();
        check(&from.elo, &differences);
        assert!(from.margins[1].abs() < 1e-9);
        // Two players alone: the standard error of a logarithm of odds is sqrt(1/a + 1/b).
        let pair = bradley_terry_from(1, 2, &results[..1]);
        let error = (1.0_f64 / 75.0 + 1.0 / 25.0).sqrt();
        let margin = Z * error * 400.0 / std::f64::consts::LN_10;
        check(&pair.margins, &[margin, 0.0]);
    }

    #[test]
    fn players_who_never_met_even_by_way_of_others_are_not_measured() {
        let one = rate(4, &[([0, 1], [5.0, 5.0]), ([2, 3], [5.0, 5.0])]);
        assert_eq!(one.margins, [f64::INFINITY; 4]);
        let chain = [
            ([0, 1], [5.0, 5.0]),
            ([1, 2], [5.0, 5.0]),
            ([2, 3], [5.0, 5.0]),
        ];
        let chain = rate(4, &chain).margins;
        assert!(chain.iter().all(|margin| margin.is_finite()));
        // Whoever stands at the end of the chain is known less well.
        assert!(chain[0] > chain[1] + 10.0, "{chain:?}");
    }

    /// Games of a round robin between players of known ratings, a share of them drawn at the cost
    /// of wins and losses alike.
    fn simulated(truth: &[f64], games: u32, draws: f64, seed: u64) -> Vec<PairScore> {
        let mut rng = stream(seed, Purpose::Chance, 0, 0);
        let mut results = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                let chance = 1.0 / (1.0 + 10.0_f64.powf((truth[b] - truth[a]) / 400.0));
                let mut points = [0.0; 2];
                for _ in 0..games {
                    // Draws come in equal parts from what would be won and lost, so that the share
                    // of points stays.
                    let drawn = draws * 2.0 * chance.min(1.0 - chance);
                    let dice: f64 = rng.random();
                    let own = if dice < chance - drawn / 2.0 {
                        1.0
                    } else if dice < chance + drawn / 2.0 {
                        0.5
                    } else {
                        0.0
                    };
                    points[0] += own;
                    points[1] += 1.0 - own;
                }
                results.push(PairScore {
                    players: [a, b],
                    points,
                });
            }
        }
        results
    }

    /// The share of true ratings within their intervals, over many round robins.
    fn coverage(draws: f64) -> f64 {
        let truth = [160.0, 90.0, 0.0, -50.0, -200.0];
        let mut within = 0;
        let (tries, mut all) = (400, 0);
        for seed in 0..tries {
            let results = simulated(&truth, 40, draws, seed);
            let found = bradley_terry(truth.len(), &results);
            for (player, truth) in truth.iter().enumerate() {
                let (low, high) = found.interval(player);
                within += u32::from(low <= *truth && *truth <= high);
                all += 1;
            }
        }
        f64::from(within) / f64::from(all)
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say_and_more_often_among_draws() {
        // The standard error of a share of 95% in 2000 trials is half a percent, in clusters of
        // five somewhat more.
        let decided = coverage(0.0);
        assert!((0.93..=0.97).contains(&decided), "{decided}");
        let drawn = coverage(0.6);
        assert!(drawn > 0.97, "{drawn}");
    }
}
