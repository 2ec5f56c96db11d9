//! Nash averaging: a weight for each player that copies of a player do not change, and the skill
//! against opponents so weighted (Balduzzi, Tuyls, Pérolat & Graepel 2018, *Re-evaluating
//! Evaluation*).

use super::linear::{dot, null_space, solve};

/// The equilibrium of highest entropy and the skill of each player against it.
#[derive(Clone, Debug, PartialEq)]
pub struct NashAverage {
    /// The weight of each player, from 0 to 1, with sum 1.
    pub weights: Vec<f64>,
    /// The mean payoff against opponents drawn by weight: 0 for players with weight, at most 0 for
    /// the others.
    pub skill: Vec<f64>,
}

/// The product of a weight and its slack at which the central path ends. The weights of players
/// without weight are then smaller.
const LAST_PRODUCT: f64 = 1e-15;

/// The weight of the constraints in the last step towards the highest entropy. The error of a
/// weight is below its square root.
const LAST_BARRIER: f64 = 1e-14;

const MAX_STEPS: usize = 200;

/// Nash averaging of a symmetric zero-sum game: `payoffs[a][b]` is the payoff of `a` against `b`,
/// `payoffs[b][a]` its negative.
///
/// Several equilibria are common, since results of few games are often equal. The one of highest
/// entropy is found in two steps: the central path ends inside the set of all equilibria, and
/// Newton's method then raises the entropy within that set.
pub fn nash_average(payoffs: &[Vec<f64>]) -> NashAverage {
    let inner = central_equilibrium(payoffs);
    let weights = raise_entropy(payoffs, &inner);
    let skill = payoffs.iter().map(|row| dot(row, &weights)).collect();
    NashAverage { weights, skill }
}

/// An equilibrium in which every player has weight that has weight in any equilibrium.
///
/// Follows the central path of the game as a self-dual linear program (Roos, Terlaky & Vial 2005,
/// chapter 2): weights `p` and slacks `s = v − A p` with equal products, for falling products.
/// Newton's method keeps both positive.
fn central_equilibrium(payoffs: &[Vec<f64>]) -> Vec<f64> {
    let count = payoffs.len();
    let size = payoffs
        .iter()
        .flatten()
        .fold(0.0_f64, |most, cell| most.max(cell.abs()));
    let mut weights = vec![1.0 / count as f64; count];
    let mut value = 2.0 * size.max(f64::MIN_POSITIVE);
    for _ in 0..MAX_STEPS {
        let slacks = slacks_of(payoffs, &weights, value);
        let product = dot(&weights, &slacks) / count as f64;
        if product <= LAST_PRODUCT * size {
            break;
        }
        let Some(step) = central_step(payoffs, &weights, &slacks, product / 5.0) else {
            break;
        };
        let (change, value_change) = (&step[..count], step[count]);
        let slack_change = slacks_of(payoffs, change, value_change);
        let length = longest(&weights, change).min(longest(&slacks, &slack_change));
        for (weight, change) in weights.iter_mut().zip(change) {
            *weight += length * change;
        }
        value += length * value_change;
    }
    weights
}

/// What each player lacks to the value, or the change of it.
fn slacks_of(payoffs: &[Vec<f64>], weights: &[f64], value: f64) -> Vec<f64> {
    payoffs
        .iter()
        .map(|row| value - dot(row, weights))
        .collect()
}

/// Newton's step to equal products: the change of each weight and, last, of the value.
fn central_step(
    payoffs: &[Vec<f64>],
    weights: &[f64],
    slacks: &[f64],
    product: f64,
) -> Option<Vec<f64>> {
    let count = weights.len();
    let mut rows = Vec::with_capacity(count + 1);
    for (place, (weight, slack)) in weights.iter().zip(slacks).enumerate() {
        let mut row: Vec<f64> = payoffs[place].iter().map(|cell| -weight * cell).collect();
        row[place] += slack;
        row.extend([*weight, product - weight * slack]);
        rows.push(row);
    }
    let mut sum = vec![1.0; count];
    sum.extend([0.0, 0.0]);
    rows.push(sum);
    solve(rows)
}

/// The largest step, up to 1, that keeps all values well above 0.
fn longest(values: &[f64], change: &[f64]) -> f64 {
    let bounds = values
        .iter()
        .zip(change)
        .filter(|(_, change)| **change < 0.0);
    bounds.fold(1.0, |least, (value, change)| {
        least.min(-0.9 * value / change)
    })
}

/// The equilibrium of highest entropy, given one inside the set of all equilibria.
///
/// Players without weight in any equilibrium stay without. Against the others, a mixture of players
/// is an equilibrium if none of them gains anything; players without weight must not gain either,
/// which a logarithmic barrier ensures (Boyd & Vandenberghe 2004, section 11.3).
fn raise_entropy(payoffs: &[Vec<f64>], inner: &[f64]) -> Vec<f64> {
    let gains: Vec<f64> = payoffs.iter().map(|row| dot(row, inner)).collect();
    let has_weight = |place: &usize| inner[*place] > gains[*place].abs();
    let (support, others): (Vec<usize>, Vec<usize>) = (0..inner.len()).partition(has_weight);
    let row = |of: &usize| -> Vec<f64> { support.iter().map(|&at| payoffs[*of][at]).collect() };
    let mut fixed: Vec<Vec<f64>> = support.iter().map(row).collect();
    fixed.push(vec![1.0; support.len()]);
    let face = Face {
        directions: null_space(&fixed, support.len(), 1e-9),
        outside: others.iter().map(row).collect(),
    };
    let start: Vec<f64> = support.iter().map(|&place| inner[place]).collect();
    let highest = face.highest_entropy(start);
    let sum: f64 = highest.iter().sum();
    let mut weights = vec![0.0; inner.len()];
    for (place, weight) in support.into_iter().zip(highest) {
        weights[place] = weight / sum;
    }
    weights
}

/// The set of equilibria as seen by the players with weight.
struct Face {
    /// Orthonormal directions within the set.
    directions: Vec<Vec<f64>>,
    /// The payoffs of each player without weight against those with weight. Their mean must stay
    /// below 0.
    outside: Vec<Vec<f64>>,
}

impl Face {
    fn highest_entropy(&self, mut weights: Vec<f64>) -> Vec<f64> {
        if self.directions.is_empty() {
            return weights;
        }
        let mut barrier = 1e-2;
        while barrier >= LAST_BARRIER {
            for _ in 0..MAX_STEPS {
                let Some((change, decrement)) = self.newton_step(&weights, barrier) else {
                    break;
                };
                weights = self.descend(&weights, &change, decrement, barrier);
                if decrement < 1e-22 {
                    break;
                }
            }
            barrier /= 10.0;
        }
        weights
    }

    /// Newton's step within the set, and by how much it would change a linear function.
    fn newton_step(&self, weights: &[f64], barrier: f64) -> Option<(Vec<f64>, f64)> {
        let mut gradient: Vec<f64> = weights
            .iter()
            .map(|weight| libm::log(*weight) + 1.0)
            .collect();
        let room: Vec<f64> = self.outside.iter().map(|row| -dot(row, weights)).collect();
        for (row, room) in self.outside.iter().zip(&room) {
            for (cell, payoff) in gradient.iter_mut().zip(row) {
                *cell += barrier * payoff / room;
            }
        }
        let curvature = |one: &[f64], two: &[f64]| {
            let entropy = one
                .iter()
                .zip(two)
                .zip(weights)
                .map(|((a, b), weight)| a * b / weight);
            let walls = self.outside.iter().zip(&room);
            let walls = walls.map(|(row, room)| dot(row, one) * dot(row, two) / (room * room));
            entropy.sum::<f64>() + barrier * walls.sum::<f64>()
        };
        let slopes: Vec<f64> = self
            .directions
            .iter()
            .map(|along| dot(along, &gradient))
            .collect();
        let row = |(one, slope): (&Vec<f64>, &f64)| {
            let cells = self.directions.iter().map(|two| curvature(one, two));
            cells.chain([-slope]).collect()
        };
        let along = solve(self.directions.iter().zip(&slopes).map(row).collect())?;
        let mut change = vec![0.0; weights.len()];
        for (direction, length) in self.directions.iter().zip(&along) {
            let cells = change.iter_mut().zip(direction);
            cells.for_each(|(cell, unit)| *cell += length * unit);
        }
        Some((change, -dot(&slopes, &along)))
    }

    /// The weights after the step, shortened until they are inside and the objective falls.
    fn descend(&self, weights: &[f64], change: &[f64], decrement: f64, barrier: f64) -> Vec<f64> {
        let before = self.objective(weights, barrier);
        let mut length = longest(weights, change);
        for _ in 0..60 {
            let pairs = weights.iter().zip(change);
            let tried: Vec<f64> = pairs
                .map(|(weight, change)| weight + length * change)
                .collect();
            let after = self.objective(&tried, barrier);
            if after <= before - 1e-4 * length * decrement + 1e-15 {
                return tried;
            }
            length /= 2.0;
        }
        weights.to_vec()
    }

    /// The negative entropy with the barrier; infinite outside of the set.
    fn objective(&self, weights: &[f64], barrier: f64) -> f64 {
        let entropy: f64 = weights
            .iter()
            .map(|weight| weight * libm::log(*weight))
            .sum();
        let rooms = self.outside.iter().map(|row| -dot(row, weights));
        let walls: f64 = rooms
            .map(|room| {
                if room > 0.0 {
                    -libm::log(room)
                } else {
                    f64::INFINITY
                }
            })
            .sum();
        entropy + barrier * walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(payoffs: &[&[f64]], weights: &[f64], skill: &[f64]) {
        let payoffs: Vec<Vec<f64>> = payoffs.iter().map(|row| row.to_vec()).collect();
        let found = nash_average(&payoffs);
        for (found, expected) in [(&found.weights, weights), (&found.skill, skill)] {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            assert!(
                found.len() == expected.len() && found.iter().zip(expected).all(near),
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn weights_are_those_of_equilibria_that_are_known() {
        check(&[], &[], &[]);
        check(&[&[0.0]], &[1.0], &[0.0]);
        check(&[&[0.0, 0.5], &[-0.5, 0.0]], &[1.0, 0.0], &[0.0, -0.5]);
        check(&[&[0.0, 0.0], &[0.0, 0.0]], &[0.5, 0.5], &[0.0, 0.0]);
        // Rock-paper-scissors in which rock beats scissors twice as clearly.
        let cycle: [&[f64]; 3] = [&[0.0, -1.0, 2.0], &[1.0, 0.0, -1.0], &[-2.0, 1.0, 0.0]];
        check(&cycle, &[0.25, 0.5, 0.25], &[0.0; 3]);
    }

    #[test]
    fn copies_of_a_player_share_its_weight_and_change_no_skill() {
        let cycle: [&[f64]; 4] = [
            &[0.0, 1.0, -1.0, -1.0],
            &[-1.0, 0.0, 1.0, 1.0],
            &[1.0, -1.0, 0.0, 0.0],
            &[1.0, -1.0, 0.0, 0.0],
        ];
        let (third, sixth) = (1.0 / 3.0, 1.0 / 6.0);
        check(&cycle, &[third, third, sixth, sixth], &[0.0; 4]);
    }

    /// Three players draw with each other, and a fourth one loses to the first and beats the
    /// second: the second may have at most the weight of the first, and so has the same.
    #[test]
    fn a_player_without_weight_can_limit_the_weights_of_others() {
        let game: [&[f64]; 4] = [
            &[0.0, 0.0, 0.0, 0.5],
            &[0.0, 0.0, 0.0, -1.0],
            &[0.0, 0.0, 0.0, 0.0],
            &[-0.5, 1.0, 0.0, 0.0],
        ];
        let payoffs: Vec<Vec<f64>> = game.iter().map(|row| row.to_vec()).collect();
        let found = nash_average(&payoffs);
        assert!(
            (found.weights[0] - 2.0 * found.weights[1]).abs() < 1e-9,
            "{found:?}"
        );
        assert!(
            found.weights[3] < 1e-9 && found.skill[3].abs() < 1e-9,
            "{found:?}"
        );
    }
}
