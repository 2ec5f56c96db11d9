//! Selection: which members become parents.

use rand::RngExt;

use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

pub mod fittest;
pub mod in_turn;
pub mod none;
pub mod power;
pub mod proportional;
pub mod rank;
pub mod tournament;
pub mod truncation;
pub mod uniform;
pub mod window;

/// A rule that selects parents among candidates: the whole population, its survivors, or a
/// neighborhood.
pub trait Selection: Sync {
    /// Does the work that is common to all draws, such as ranking. `fitness` has a value for each
    /// candidate and is not empty.
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector>;

    /// Whether nothing is selected.
    fn is_none(&self) -> bool {
        false
    }

    /// Errors of the parameters for this number of candidates.
    fn problems(&self, _candidates: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// Selects among the candidates of one generation or neighborhood.
pub trait Selector: Sync {
    /// The index of a candidate. `turn` counts the parents of a generation, for rules that do not
    /// draw.
    fn select(&self, turn: usize, rng: &mut Stream) -> usize;
}

/// The indices of the members, the fittest first; equals keep their order.
pub fn ranking(fitness: &[f64]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..fitness.len()).collect();
    ranked.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
    ranked
}

/// Roulette-wheel selection: draws indices with probability proportional to their weights.
pub struct RouletteWheel {
    /// Cumulative sums of the weights.
    sums: Vec<f64>,
}

impl RouletteWheel {
    /// At least one weight must be positive.
    pub fn new(weights: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let add = |weight| {
            total += weight;
            total
        };
        Self {
            sums: weights.map(add).collect(),
        }
    }

    /// The index that the wheel stops at.
    pub fn draw(&self, rng: &mut Stream) -> usize {
        let last = self.sums.len() - 1;
        let point = rng.random_range(0.0..self.sums[last]);
        self.sums.partition_point(|&sum| sum <= point).min(last)
    }
}

impl Selector for RouletteWheel {
    fn select(&self, _turn: usize, rng: &mut Stream) -> usize {
        self.draw(rng)
    }
}

registry! {
    /// How parents are selected.
    pub enum SelectionConfig: Selection {
        /// Probability proportional to fitness, with optional linear scaling.
        "proportional" => Proportional(proportional::Proportional),
        /// Probability proportional to a power of fitness.
        "power" => Power(power::Power),
        /// Probability proportional to fitness above the lowest among the candidates.
        "window" => Window(window::Window),
        /// Probability proportional to rank: the least fit candidate has weight 1, the next 2, and
        /// so on.
        "rank" => Rank(rank::LinearRank),
        /// The fittest of a few random candidates.
        "tournament" => Tournament(tournament::Tournament),
        /// A random one of the fittest candidates.
        "truncation" => Truncation(truncation::Truncation),
        /// Always the fittest candidate.
        "fittest" => Fittest(fittest::Fittest),
        /// The candidates in turn, the fittest first.
        "in_turn" => InTurn(in_turn::InTurn),
        /// A random candidate, regardless of fitness.
        "uniform" => Uniform(uniform::UniformSelection),
        /// No selection, where replacement and crossover name all parents themselves.
        "none" => None(none::NoSelection),
    }
}

#[cfg(test)]
mod tests {
    use super::fittest::Fittest;
    use super::in_turn::InTurn;
    use super::power::Power;
    use super::proportional::Proportional;
    use super::rank::LinearRank;
    use super::tournament::Tournament;
    use super::truncation::Truncation;
    use super::uniform::UniformSelection;
    use super::window::Window;
    use super::*;
    use crate::rng::{Purpose, stream};

    /// Compares how often each of four candidates is selected with its expected probability.
    fn check(selection: &dyn Selection, fitness: [f64; 4], expected: [f64; 4]) {
        let selector = selection.selector(&fitness);
        let mut counts = [0; 4];
        for index in 0..4000 {
            let mut rng = stream(2, Purpose::Reproduction, 0, index as u64);
            counts[selector.select(index, &mut rng)] += 1;
        }
        for (count, expected) in counts.iter().zip(expected) {
            let error = (f64::from(*count) / 4000.0 - expected).abs();
            assert!(error < 0.03, "{counts:?} for {expected:?}");
        }
    }

    #[test]
    fn each_selection_draws_parents_with_its_probabilities() {
        let fitness = [1.0, 7.0, 2.0, 0.0];
        let even = [0.25; 4];
        check(&Proportional::default(), fitness, [0.1, 0.7, 0.2, 0.0]);
        check(&Proportional::default(), [0.0; 4], even);
        check(&Power { exponent: 1.0 }, fitness, [0.1, 0.7, 0.2, 0.0]);
        check(&Power { exponent: 0.0 }, [1.0; 4], even);
        check(&Window {}, [2.0, 8.0, 3.0, 1.0], [0.1, 0.7, 0.2, 0.0]);
        check(&Window {}, [-1.0; 4], even);
        check(&LinearRank {}, fitness, [0.2, 0.4, 0.3, 0.1]);
        let by_tournament = [0.1875, 0.4375, 0.3125, 0.0625];
        check(&Tournament::default(), fitness, by_tournament);
        check(&Truncation::default(), fitness, [0.0, 0.5, 0.5, 0.0]);
        check(&Fittest {}, fitness, [0.0, 1.0, 0.0, 0.0]);
        check(&InTurn {}, fitness, even);
        check(&UniformSelection {}, fitness, even);
    }
}
