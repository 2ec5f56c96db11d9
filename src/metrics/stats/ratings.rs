//! Strength as one number per player, from games of everyone against everyone.

/// Points of one player against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    /// The two players, by their places.
    pub players: [usize; 2],
    /// Points of each: wins and half the draws.
    pub points: [f64; 2],
}

/// Ratings on the scale of Elo, with mean 0, and whether they had to be held finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By the places of the players: 400 points more are odds of 10 to 1.
    pub elo: Vec<f64>,
    /// Half the 95 % interval of each: how far the true rating, as far from the mean of these players, may well be.
    ///
    /// Infinite where the games say nothing of how far two of the players are apart.
    pub margins: Vec<f64>,
    /// Whether the games alone put some player infinitely far from another.
    pub held: bool,
}

impl Ratings {
    /// The 95 % interval of a player's rating.
    pub fn interval(&self, player: usize) -> (f64, f64) {
        let (elo, margin) = (self.elo[player], self.margins[player]);
        (elo - margin, elo + margin)
    }
}

/// Standard errors in half a 95 % interval.
const Z: f64 = 1.959_964;

const STEPS: usize = 100_000;

/// The ratings that make the results likeliest in the model of Bradley & Terry (1952), draws counting as half a win for both,
/// by the iteration of Zermelo (1929) as in Hunter (2004, section 2).
///
/// They exist only where no group of players has taken every point from all others (Ford 1957); elsewhere each pair counts one
/// drawn game more, and `held` is set.
///
/// Their margins come from the observed information, the curvature of the likelihood at its top (Efron & Hinkley 1978), with the
/// mean of all ratings fixed. They take the games for independent and a draw for as uncertain as a game that is won or lost, so
/// that of players who often draw they say too much; of players who repeat the same games they say too little.
pub fn bradley_terry(players: usize, results: &[Points]) -> Ratings {
    let held = !is_connected(players, results);
    let extra = if held { 0.5 } else { 0.0 };
    let mut wins = vec![0.0; players];
    for result in results {
        for (player, points) in result.players.iter().zip(result.points) {
            wins[*player] += points + extra;
        }
    }
    let mut strength = vec![1.0; players];
    for _ in 0..STEPS {
        let next = step(&strength, &wins, results, extra);
        let moved = strength.iter().zip(&next).map(|(a, b)| (a / b).ln().abs());
        let farthest = moved.fold(0.0, f64::max);
        strength = next;
        if farthest < 1e-12 {
            break;
        }
    }
    let elo = strength.iter().map(|s| s.log10() * 400.0).collect();
    let margins = margins(&strength, results, extra);
    Ratings { elo, margins, held }
}

/// Half the 95 % intervals of ratings on the scale of Elo.
fn margins(strength: &[f64], results: &[Points], extra: f64) -> Vec<f64> {
    let unit = 400.0 / std::f64::consts::LN_10;
    match covariance(information(strength, results, extra)) {
        Some(variances) => variances
            .into_iter()
            .map(|variance| Z * unit * variance.max(0.0).sqrt())
            .collect(),
        None => vec![f64::INFINITY; strength.len()],
    }
}

/// The second derivatives of minus the logarithm of the likelihood by the logarithms of the strengths: each game tells the most
/// about the difference of its two players where they are equally strong.
fn information(strength: &[f64], results: &[Points], extra: f64) -> Vec<Vec<f64>> {
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

/// The variances of logarithms of strengths whose mean is fixed: the diagonal of the pseudo-inverse of the information. `None`
/// where it tells nothing of some difference.
fn covariance(mut information: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let players = information.len();
    let size = (0..players).map(|player| information[player][player]);
    let size = size.fold(0.0, f64::max);
    // What the games cannot tell is the mean: adding it makes the matrix one that can be inverted, and is taken off again.
    let mean = size / players.max(1) as f64;
    for row in &mut information {
        for cell in row {
            *cell += mean;
        }
    }
    let inverse = inverse(information, size * 1e-12)?;
    let own = 1.0 / (size * players as f64);
    Some(
        (0..players)
            .map(|place| inverse[place][place] - own)
            .collect(),
    )
}

/// The inverse of a symmetric positive matrix by the elimination of Gauss and Jordan; `None` where a pivot is not above `least`.
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
fn step(strength: &[f64], wins: &[f64], results: &[Points], extra: f64) -> Vec<f64> {
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

/// Whether from every player a way along points taken leads to every other.
fn is_connected(players: usize, results: &[Points]) -> bool {
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
        let points = |&(players, points)| Points { players, points };
        let results: Vec<Points> = results.iter().map(points).collect();
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
        assert!(!found.held);
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
    fn who_has_taken_every_point_is_held_at_a_finite_distance() {
        let found = rate(2, &[([0, 1], [10.0, 0.0])]);
        let half = 400.0 * 21.0_f64.log10() / 2.0;
        assert!(found.held);
        check(&found.elo, &[half, -half]);
    }

    #[test]
    fn the_interval_of_two_players_is_that_of_their_odds() {
        // The standard error of a logarithm of odds is sqrt(1/a + 1/b); each rating has half of the difference.
        let found = rate(2, &[([0, 1], [75.0, 25.0])]);
        let error = (1.0_f64 / 75.0 + 1.0 / 25.0).sqrt();
        let half = Z * error / 2.0 * 400.0 / std::f64::consts::LN_10;
        check(&found.margins, &[half, half]);
        let (low, high) = found.interval(1);
        check(&[high - low], &[2.0 * half]);
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

    /// Games of a round robin between players of known ratings, a share of them drawn at the cost of wins and losses alike.
    fn simulated(truth: &[f64], games: u32, draws: f64, seed: u64) -> Vec<Points> {
        let mut rng = stream(seed, Purpose::Chance, 0, 0);
        let mut results = Vec::new();
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                let chance = 1.0 / (1.0 + 10.0_f64.powf((truth[b] - truth[a]) / 400.0));
                let mut points = [0.0; 2];
                for _ in 0..games {
                    // Draws come in equal parts from what would be won and lost, so that the share of points stays.
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
                results.push(Points {
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
        // The standard error of a share of 95 % in 2000 trials is half a percent, in clusters of five somewhat more.
        let decided = coverage(0.0);
        assert!((0.93..=0.97).contains(&decided), "{decided}");
        let drawn = coverage(0.6);
        assert!(drawn > 0.97, "{drawn}");
    }
}
