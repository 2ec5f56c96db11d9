//! Divergence: how far the outputs of a genome are from those of a parent, in the positions of the
//! parent's replay buffer. Safe operators try several genomes and keep the least divergent one
//! (Lehman, Chen, Clune & Stanley 2018, "Safe Mutations for Deep and Recurrent Neural Networks
//! through Output Gradients"; Thien 2018, "Coefficient Mutation").

use std::cmp::Ordering;
use std::sync::Arc;

use crate::genomes::replay::ReplayBuffer;
use crate::genomes::{AnyGenome, Brain, InputBatch, Scratch};
use crate::params::choices;

use super::breeding::ParentPool;

choices! {
    /// How far the outputs of an offspring are from its parent's.
    pub enum Divergence {
        /// The sum of squared differences.
        Squares = "squares",
        /// The number of positions in which the offspring's output is less than its parent's, as
        /// their ratio tells: below 1 (Thien 2018, "Coefficient Mutation").
        Ratios = "ratios",
    }
}

choices! {
    /// From which of its games a parent's positions are taken.
    pub enum ReplayedGames {
        /// From its first game of the generation.
        First = "first",
        /// From the first game of the generation that it won; from its first game if it won none.
        Won = "won",
    }
}

/// The outputs of a genome in the positions of a replay buffer, with which those of other genomes
/// are compared.
pub(super) struct ReferenceOutputs<'a> {
    pool: &'a ParentPool<'a>,
    replay: Arc<ReplayBuffer>,
    outputs: Vec<f32>,
}

impl<'a> ReferenceOutputs<'a> {
    /// The outputs of a genome.
    pub(super) fn new(
        pool: &'a ParentPool<'a>,
        replay: Arc<ReplayBuffer>,
        genome: &AnyGenome,
    ) -> Self {
        let brain = pool.genome.grow(genome, pool.io_spec);
        Self {
            outputs: outputs(brain.as_ref(), &replay),
            pool,
            replay,
        }
    }

    /// How far the outputs of another genome are from these.
    pub(super) fn divergence(&self, genome: &AnyGenome, divergence: Divergence) -> f64 {
        let brain = self.pool.genome.grow(genome, self.pool.io_spec);
        let outputs = outputs(brain.as_ref(), &self.replay);
        divergence.between(&self.outputs, &outputs)
    }
}

impl Divergence {
    /// The divergence of outputs from those of a parent in the same positions.
    pub(super) fn between(self, parent_outputs: &[f32], outputs: &[f32]) -> f64 {
        match self {
            Self::Squares => squared_divergence(parent_outputs, outputs),
            Self::Ratios => ratios_below_one(parent_outputs, outputs),
        }
    }
}

/// The least divergent of `tries` candidates, the first in a tie; of one candidate if `tries` is 0.
pub(super) fn least_divergent<T>(
    tries: u32,
    mut make: impl FnMut() -> T,
    divergence: impl Fn(&T) -> f64,
) -> T {
    let mut best = make();
    let mut least = divergence(&best);
    for _ in 1..tries {
        let candidate = make();
        let divergence = divergence(&candidate);
        if divergence < least {
            (best, least) = (candidate, divergence);
        }
    }
    best
}

/// The outputs for all rows of the replay buffer.
pub(super) fn outputs(brain: &dyn Brain, replay: &ReplayBuffer) -> Vec<f32> {
    let (mut scratch, mut out, mut all) = (Scratch::default(), Vec::new(), Vec::new());
    for row in replay.rows() {
        brain.forward(InputBatch::single(row), &mut scratch, &mut out);
        all.extend_from_slice(&out);
    }
    all
}

/// The number of outputs whose ratio to the parent's is not 1 or more.
fn ratios_below_one(parent_outputs: &[f32], outputs: &[f32]) -> f64 {
    let pairs = parent_outputs.iter().zip(outputs);
    let ratios = pairs.map(|(parent_output, output)| output / parent_output);
    let is_below = |ratio: &f32| ratio.partial_cmp(&1.0).is_none_or(Ordering::is_lt);
    ratios.filter(is_below).count() as f64
}

/// The sum of squared differences.
fn squared_divergence(parent_outputs: &[f32], outputs: &[f32]) -> f64 {
    let pairs = parent_outputs.iter().zip(outputs);
    pairs
        .map(|(parent_outputs, output)| f64::from(output - parent_outputs).powi(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_count_outputs_that_fall_behind_the_parents() {
        let parent = [0.5, 0.5, -0.5, -0.5, 0.0];
        let mutant = [0.6, 0.4, -0.6, -0.4, 0.0];
        let count = |parent: &[f32], mutant: &[f32]| ratios_below_one(parent, mutant) as u32;
        assert_eq!(count(&parent, &mutant), 3, "0.8, 0.8 and 0/0");
        assert_eq!(count(&parent[..4], &parent[..4]), 0);
    }

    #[test]
    fn the_first_of_the_least_divergent_is_kept_and_only_the_tries_are_made() {
        let check = |tries: u32, expected: (usize, usize)| {
            let divergences = [3.0, 1.0, f64::NAN, 1.0, 0.5];
            let mut made = 0;
            let make = || {
                made += 1;
                made - 1
            };
            let kept = least_divergent(tries, make, |&index: &usize| divergences[index]);
            assert_eq!((kept, made), expected, "{tries} tries");
        };
        check(0, (0, 1));
        check(1, (0, 1));
        check(2, (1, 2));
        check(4, (1, 4));
        check(5, (4, 5));
    }
}
