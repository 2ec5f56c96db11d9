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
    /// Whether the games alone put some player infinitely far from another.
    pub held: bool,
}

const STEPS: usize = 100_000;

/// The ratings that make the results likeliest in the model of Bradley & Terry (1952), draws counting as half a win for both,
/// by the iteration of Zermelo (1929) as in Hunter (2004, section 2).
///
/// They exist only where no group of players has taken every point from all others (Ford 1957); elsewhere each pair counts one
/// drawn game more, and `held` is set.
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
    Ratings { elo, held }
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
}
