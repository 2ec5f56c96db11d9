//! The separable natural evolution strategy, SNES (Wierstra, Schaul, Glasmachers, Sun, Peters &
//! Schmidhuber 2014, *Natural Evolution Strategies*, algorithm 6): mean and standard deviation of
//! each number follow the natural gradient, by the utilities and learning rates given there.
//!
//! Where it differs: equally fit members share their ranks.

use serde::{Deserialize, Serialize};

use crate::genomes::activation::exp;
use crate::genomes::mlp::noise::ln;
use crate::params::params;

use super::distribution::{
    Distribution, DistributionParams, DrawnGeneration, Extent, Varying, weighted_sum,
};

/// Standard deviations stay within these.
const STEPS: [f64; 2] = [1e-10, 1e6];

params! {
    /// Offspring are drawn from independent normal distributions, which follow the natural gradient
    /// of their ranks (SNES).
    pub struct NaturalEs {
        /// Standard deviation of each number at first.
        fixed step: f64 = 0.5, in 0.000001..=1000.0;
        /// Learning rate of the means.
        live mean_rate: f64 = 1.0, in 0.0..=10.0;
        /// Learning rate of the standard deviations, in multiples of the publication's (3 + ln n) /
        /// (5 √n) for n numbers.
        live step_rate: f64 = 1.0, in 0.0..=10.0;
        /// Whether the last member of a generation is the mean of the distribution. It is the
        /// champion, and nothing is learned from it. Fitness by games is noisy, so the fittest of
        /// many members is often a lucky one.
        fixed keep_mean: bool = false;
        /// Gradual refinement: generations after which the tables of tuples with one square more
        /// begin to vary. Until then they are zeros, or what was learned before. 0 means that all
        /// vary from the beginning.
        fixed refine_every: u64 = 0, in 0.0..=1000000000.0, "generations";
        /// The last step of the refinement: tables of tuples with more than so many squares beyond
        /// the shortest never vary. They keep what was learned before.
        fixed refine_steps: u32 = 9, in 0.0..=9.0, "steps";
        /// Whether numbers that are 0 in all members at first never vary: entries that no game met
        /// while tables of zeros learned.
        fixed sparse: bool = false;
    }
}

/// The distributions that the numbers of the next generation are drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NaturalDistribution {
    mean: Vec<f64>,
    steps: Vec<f64>,
    #[serde(default, skip_serializing_if = "Varying::is_whole")]
    varying: Varying,
}

/// The utility of each rank from 0, the fittest; their sum is 0.
fn utilities(count: usize) -> Vec<f64> {
    let half = ln(count as f64 / 2.0 + 1.0);
    let raw = (1..=count).map(|rank| (half - ln(rank as f64)).max(0.0));
    let raw: Vec<f64> = raw.collect();
    let sum: f64 = raw.iter().sum();
    let utility = |raw: &f64| raw / sum - 1.0 / count as f64;
    raw.iter().map(utility).collect()
}

/// The utility of each rank, also of one between two.
fn utilities_of(ranks: Vec<f64>) -> Vec<f64> {
    let utilities = utilities(ranks.len());
    let between = |rank: f64| {
        f64::midpoint(
            utilities[rank.floor() as usize],
            utilities[rank.ceil() as usize],
        )
    };
    ranks.into_iter().map(between).collect()
}

impl NaturalDistribution {
    fn learned(&self, generation: &DrawnGeneration<'_>, config: &NaturalEs) -> Self {
        let count = self.mean.len();
        let normal = |member: &Vec<f64>| -> Vec<f64> {
            let numbers = member.iter().zip(&self.mean).zip(&self.steps);
            numbers.map(|((x, mean), step)| (x - mean) / step).collect()
        };
        let drawn: Vec<Vec<f64>> = generation.members.iter().map(normal).collect();
        let squared = |row: &Vec<f64>| -> Vec<f64> { row.iter().map(|z| z * z - 1.0).collect() };
        let squares: Vec<Vec<f64>> = drawn.iter().map(squared).collect();
        let weights = utilities_of(generation.shared_ranks());
        let slope = |rows: &[Vec<f64>]| {
            let weights = weights.iter().copied();
            weighted_sum(weights.zip(rows.iter().map(Vec::as_slice)), count)
        };
        let [of_mean, of_steps] = [slope(&drawn), slope(&squares)];
        // With those that never vary, so that results do not depend on how these are left out.
        let n = generation.count as f64;
        let rate = config.step_rate * (3.0 + ln(n)) / (5.0 * n.sqrt());
        let means = self.mean.iter().zip(&self.steps).zip(of_mean);
        let mean = means.map(|((mean, step), slope)| mean + config.mean_rate * step * slope);
        let steps = self.steps.iter().zip(of_steps).map(|(step, slope)| {
            let factor = exp((rate / 2.0 * slope) as f32);
            (step * f64::from(factor)).clamp(STEPS[0], STEPS[1])
        });
        Self {
            mean: mean.collect(),
            steps: steps.collect(),
            varying: self.varying.clone(),
        }
    }
}

impl DistributionParams for NaturalEs {
    type Learned = NaturalDistribution;

    fn keeps_mean(&self) -> bool {
        self.keep_mean
    }

    fn extent(&self) -> Extent {
        Extent {
            refine_every: self.refine_every,
            refine_steps: self.refine_steps,
            is_sparse: self.sparse,
        }
    }

    fn first(&self, mean: Vec<f64>, varying: Varying) -> NaturalDistribution {
        NaturalDistribution {
            steps: vec![self.step; mean.len()],
            mean,
            varying,
        }
    }

    fn learn(
        &self,
        last: &NaturalDistribution,
        generation: &DrawnGeneration<'_>,
    ) -> NaturalDistribution {
        last.learned(generation, self)
    }
}

impl Distribution for NaturalDistribution {
    fn draw(&self, normal: &[f64]) -> Vec<f64> {
        let numbers = self.mean.iter().zip(&self.steps).zip(normal);
        numbers.map(|((mean, step), z)| mean + step * z).collect()
    }

    fn lists(&self, count: usize) -> Vec<(&[f64], usize)> {
        vec![(&self.mean, count), (&self.steps, count)]
    }

    fn varying(&self) -> &Varying {
        &self.varying
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::replacement::distribution::tried;

    #[test]
    fn utilities_are_those_of_the_publication() {
        let utilities = utilities(4);
        // max(0, ln 3 − ln rank), divided by their sum, less a quarter.
        let raw = [3.0_f64.ln(), 1.5_f64.ln(), 0.0, 0.0];
        let sum: f64 = raw.iter().sum();
        for (utility, raw) in utilities.iter().zip(raw) {
            assert!((utility - (raw / sum - 0.25)).abs() < 1e-12);
        }
        let between = utilities_of(vec![0.5, 0.5, 2.0, 3.0]);
        let expected = f64::midpoint(utilities[0], utilities[1]);
        assert!((between[0] - expected).abs() < 1e-12);
    }

    #[test]
    fn numbers_of_different_scales_are_minimized() {
        let config = NaturalEs::default();
        let cost = |x: &[f64]| -> f64 {
            let squares = x.iter().enumerate();
            squares.map(|(at, x)| 10_f64.powi(at as i32) * x * x).sum()
        };
        let last = tried(
            &config,
            config.first(vec![1.5; 6], Varying::default()),
            [12, 600],
            |x| -cost(x),
        );
        assert!(cost(&last.mean) < 1e-6, "{last:?}");
    }
}
