//! α-rank: how long evolution by selection and rare mutation stays with each of several strategies
//! (Omidshafiei et al. 2019, *α-Rank: Multi-Agent Evaluation by Evolution*, Scientific Reports
//! 9:9937). It needs no transitive order: strategies of a cycle share their time.
//!
//! A population plays one strategy. A mutant with another one appears and either takes over or dies
//! out. The rank of a strategy is its share in the stationary distribution of this Markov chain.

/// How strongly selection prefers the better of two strategies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionStrength {
    /// Payoff differences are multiplied by `alpha`, in a population of `population` members (at
    /// least 2).
    Finite {
        /// The intensity of selection, from 0.
        alpha: f64,
        /// The number of members.
        population: u32,
    },
    /// The limit of strong selection: the better strategy always takes over, except with
    /// probability `epsilon`, which keeps every strategy within reach.
    Infinite {
        /// The probability that the worse strategy takes over, above 0 and below ½.
        epsilon: f64,
    },
}

/// Payoffs closer than this are equal.
const EQUAL: f64 = 1e-14;

/// The least probability of a takeover. Smaller ones underflow, and strategies would become
/// unreachable.
const LEAST: f64 = 1e-100;

/// The α-rank of each strategy, from 0 to 1, with sum 1. `payoffs[a][b]` is the payoff of `a`
/// against `b` in a symmetric zero-sum game: `payoffs[b][a]` is its negative.
pub fn alpha_rank(payoffs: &[Vec<f64>], selection: SelectionStrength) -> Vec<f64> {
    let count = payoffs.len();
    let mutants = count.saturating_sub(1) as f64;
    let mut chain = vec![vec![0.0; count]; count];
    for (resident, row) in chain.iter_mut().enumerate() {
        for (mutant, cell) in row.iter_mut().enumerate().filter(|(at, _)| *at != resident) {
            *cell = takeover(2.0 * payoffs[mutant][resident], selection) / mutants;
        }
    }
    stationary(chain)
}

/// The probability that a mutant takes over, given the difference between its payoff and that of
/// the resident when they meet (the fixation probability of the paper in closed form, with the
/// local selection of `OpenSpiel`).
fn takeover(difference: f64, selection: SelectionStrength) -> f64 {
    match selection {
        SelectionStrength::Infinite { .. } if difference.abs() <= EQUAL => 0.5,
        SelectionStrength::Infinite { epsilon } if difference > 0.0 => 1.0 - epsilon,
        SelectionStrength::Infinite { epsilon } => epsilon,
        SelectionStrength::Finite { alpha, population } => {
            let (advantage, members) = (alpha * difference, f64::from(population));
            if advantage.abs() <= EQUAL {
                return 1.0 / members;
            }
            // Both exponents are negative, so nothing overflows.
            let gain = advantage.abs();
            let ratio = libm::expm1(-gain) / libm::expm1(-members * gain);
            let worse = if advantage < 0.0 {
                libm::exp(-(members - 1.0) * gain)
            } else {
                1.0
            };
            (ratio * worse).max(LEAST)
        }
    }
}

/// The stationary distribution of a Markov chain in which every state can be reached, by the
/// elimination of Grassmann, Taksar & Heyman (1985). It subtracts nothing, so small probabilities
/// keep their precision. The diagonal is not read.
fn stationary(mut chain: Vec<Vec<f64>>) -> Vec<f64> {
    let count = chain.len();
    for last in (1..count).rev() {
        let leaving: f64 = chain[last][..last].iter().sum();
        let row = chain[last].clone();
        for from in chain.iter_mut().take(last) {
            from[last] /= leaving;
            let entering = from[last];
            let cells = from.iter_mut().zip(&row).take(last);
            cells.for_each(|(cell, onward)| *cell += entering * onward);
        }
    }
    let mut shares = vec![1.0; count];
    for state in 1..count {
        shares[state] = (0..state)
            .map(|from| shares[from] * chain[from][state])
            .sum();
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONG: SelectionStrength = SelectionStrength::Infinite { epsilon: 0.01 };

    fn check(payoffs: &[&[f64]], selection: SelectionStrength, expected: &[f64]) {
        let payoffs: Vec<Vec<f64>> = payoffs.iter().map(|row| row.to_vec()).collect();
        let found = alpha_rank(&payoffs, selection);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(near),
            "{found:?} {expected:?}"
        );
    }

    #[test]
    fn the_members_of_a_cycle_share_their_time_and_a_winner_takes_it() {
        let cycle: [&[f64]; 3] = [&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]];
        check(&cycle, STRONG, &[1.0 / 3.0; 3]);
        // Two states: their shares are as the probabilities of the takeovers.
        let winner: [&[f64]; 2] = [&[0.0, 0.5], &[-0.5, 0.0]];
        check(&winner, STRONG, &[0.99, 0.01]);
        check(&[&[0.0, 0.0], &[0.0, 0.0]], STRONG, &[0.5, 0.5]);
        check(&[&[0.0]], STRONG, &[1.0]);
        check(&[], STRONG, &[]);
    }

    #[test]
    fn very_strong_selection_neither_overflows_nor_divides_by_zero() {
        let selection = SelectionStrength::Finite {
            alpha: 1000.0,
            population: 50,
        };
        check(&[&[0.0, 0.5], &[-0.5, 0.0]], selection, &[1.0, 0.0]);
        let weak = SelectionStrength::Finite {
            alpha: 0.0,
            population: 50,
        };
        check(&[&[0.0, 0.5], &[-0.5, 0.0]], weak, &[0.5, 0.5]);
    }
}
