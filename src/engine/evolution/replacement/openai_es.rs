//! The evolution strategy of Salimans, Ho, Chen, Sidor & Sutskever (2017, *Evolution Strategies as
//! a Scalable Alternative to Reinforcement Learning*): offspring in mirrored pairs around a mean,
//! which follows the gradient that their ranks estimate, by Adam (Kingma & Ba 2015), with weight
//! decay.
//!
//! Where it differs: equally fit members share their ranks.

use serde::{Deserialize, Serialize};

use crate::params::params;

use super::distribution::{
    Distribution, DistributionParams, DrawnGeneration, Extent, Varying, WHOLE, weighted_sum,
};

/// How slowly Adam's means of the gradient and of its square forget, and what keeps it from
/// dividing by 0.
const DECAYS: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

params! {
    /// Offspring are drawn in mirrored pairs around a mean, which follows the gradient of their
    /// ranks (OpenAI-ES).
    pub struct OpenAiEs {
        /// Standard deviation of each number around the mean.
        live step: f64 = 0.1, in 0.000001..=1000.0;
        /// How far a number of the mean moves in a generation, at most about.
        live learning_rate: f64 = 0.05, in 0.0..=1000.0;
        /// What share of itself a number of the mean loses with each step of length 1.
        live weight_decay: f64 = 0.005, in 0.0..=1.0;
        /// Whether the last member of a generation is the mean of the distribution. It is the
        /// champion, and nothing is learned from it. Fitness by games is noisy, so the fittest of
        /// many members is often a lucky one.
        fixed keep_mean: bool = false;
        /// Gradual refinement: generations after which the tables of tuples with one square more
        /// begin to vary. Until then they are zeros, or what was learned before. 0 means that all
        /// vary from the beginning.
        fixed refine_every: u64 = 0, in 0.0..=1000000000.0, "generations";
    }
}

/// The mean that the next generation is drawn around.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FollowedMean {
    /// The generations that it has learned from.
    age: u64,
    mean: Vec<f64>,
    /// The standard deviation that offspring were drawn with.
    step: f64,
    /// Adam's means of the gradient and of its square.
    moments: [Vec<f64>; 2],
}

impl FollowedMean {
    fn new(mean: Vec<f64>, step: f64) -> Self {
        let zeros = vec![0.0; mean.len()];
        Self {
            age: 0,
            mean,
            step,
            moments: [zeros.clone(), zeros],
        }
    }

    /// The gradient of the expected rank.
    fn gradient(&self, generation: &DrawnGeneration<'_>) -> Vec<f64> {
        let count = generation.members.len() as f64;
        let ranks = generation.shared_ranks().into_iter();
        // From −1/2 for the least fit to 1/2 for the fittest.
        let weights = ranks.map(|rank| (0.5 - rank / (count - 1.0)) / (count * self.step));
        let offset = |member: &Vec<f64>| -> Vec<f64> {
            let offsets = member.iter().zip(&self.mean);
            offsets.map(|(x, mean)| (x - mean) / self.step).collect()
        };
        let offsets: Vec<Vec<f64>> = generation.members.iter().map(offset).collect();
        let rows = weights.zip(offsets.iter().map(Vec::as_slice));
        weighted_sum(rows, self.mean.len())
    }

    /// Moves the mean up the gradient.
    fn learned(&self, generation: &DrawnGeneration<'_>, config: &OpenAiEs) -> Self {
        let gradient = self.gradient(generation);
        let age = self.age + 1;
        let moment = |order: usize| -> Vec<f64> {
            let decay = DECAYS[order];
            let powers = gradient
                .iter()
                .map(|slope| if order == 0 { *slope } else { slope * slope });
            let means = self.moments[order].iter().zip(powers);
            means
                .map(|(mean, power)| decay * mean + (1.0 - decay) * power)
                .collect()
        };
        let moments = [moment(0), moment(1)];
        let unbiased = DECAYS.map(|decay| 1.0 - decay.powi(age.min(1_000_000) as i32));
        let slopes = moments[0].iter().zip(&moments[1]);
        let steps = slopes.map(|(first, second)| {
            let size = (second / unbiased[1]).sqrt() + EPSILON;
            first / unbiased[0] / size
        });
        let kept = 1.0 - config.learning_rate * config.weight_decay;
        let mean = self.mean.iter().zip(steps);
        let mean = mean.map(|(mean, step)| kept * mean + config.learning_rate * step);
        Self {
            age,
            mean: mean.collect(),
            step: config.step,
            moments,
        }
    }
}

impl DistributionParams for OpenAiEs {
    type Learned = FollowedMean;

    fn keeps_mean(&self) -> bool {
        self.keep_mean
    }

    fn extent(&self) -> Extent {
        Extent {
            refine_every: self.refine_every,
            ..WHOLE
        }
    }

    const IS_MIRRORED: bool = true;

    fn first(&self, mean: Vec<f64>, _varying: Varying) -> FollowedMean {
        FollowedMean::new(mean, self.step)
    }

    fn learn(&self, last: &FollowedMean, generation: &DrawnGeneration<'_>) -> FollowedMean {
        last.learned(generation, self)
    }
}

impl Distribution for FollowedMean {
    fn draw(&self, normal: &[f64]) -> Vec<f64> {
        let numbers = self.mean.iter().zip(normal);
        numbers.map(|(mean, z)| mean + self.step * z).collect()
    }

    fn lists(&self, count: usize) -> Vec<(&[f64], usize)> {
        let [first, second] = &self.moments;
        vec![
            (&self.mean, count),
            (first, count),
            (second, count),
            (std::slice::from_ref(&self.step), 1),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::replacement::distribution::tried;

    #[test]
    fn the_mean_climbs_to_the_top_of_a_hill() {
        let config = OpenAiEs {
            weight_decay: 0.0,
            ..OpenAiEs::default()
        };
        let top = [3.0, -2.0, 0.5, 1.0];
        let height = |x: &[f64]| -> f64 {
            let offsets = x.iter().zip(top);
            -offsets.map(|(x, top)| (x - top) * (x - top)).sum::<f64>()
        };
        let last = tried(
            &config,
            config.first(vec![0.0; 4], Varying::default()),
            [20, 400],
            height,
        );
        for (x, top) in last.mean.iter().zip(top) {
            assert!((x - top).abs() < 0.15, "{:?}", last.mean);
        }
    }

    #[test]
    fn equal_fitness_moves_nothing() {
        let mean = FollowedMean::new(vec![1.0, -1.0], OpenAiEs::default().step);
        let members = [[1.1, -1.0], [0.9, -1.0], [1.2, -0.7], [0.8, -1.3]];
        let gradient = mean.gradient(&DrawnGeneration {
            members: &members.map(|member| member.to_vec()),
            fitness: &[3.0; 4],
            count: 2,
        });
        assert_eq!(gradient, [0.0, 0.0]);
    }
}
