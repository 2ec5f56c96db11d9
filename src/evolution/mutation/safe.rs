//! Safe mutation: of several mutants of a genome, the one is kept whose outputs differ least from the parent's in positions of
//! its replay buffer (Lehman, Chen, Clune & Stanley 2018, "Safe Mutations for Deep and Recurrent Neural Networks through Output
//! Gradients"; Thien 2018, "Coefficient Mutation").

use std::cmp::Ordering;

use crate::genomes::replay::ReplayBuffer;
use crate::genomes::{AnyGenome, Brain, InputBatch, Scratch};
use crate::params::{choices, params};
use crate::rng::Stream;

use super::{Mutation, MutationContext};

choices! {
    /// How far a mutant's outputs are from its parent's.
    pub enum Divergence {
        /// The sum of squared differences.
        Squares = "squares",
        /// The number of positions in which the mutant's output is less than its parent's, as their ratio tells: below 1 (Thien 2018, "Coefficient Mutation").
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

params! {
    /// Of several mutants, the one that plays most like its parent.
    pub struct SafeMutation {
        /// Mutants tried per offspring. The one whose outputs differ least from its parent's, in positions from a game of the parent, is kept. 1 turns safe mutation off.
        live tries: u32 = 5, in 1.0..=1000.0, "mutants";
        /// How far a mutant's outputs are from its parent's.
        live divergence: Divergence = Divergence::Squares;
        /// From which of its games a parent's positions are taken.
        live games: ReplayedGames = ReplayedGames::First;
    }
}

impl Mutation for SafeMutation {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        let replay = context.pool.replay.filter(|_| self.tries > 1);
        match replay.zip(context.parent) {
            Some((replay, parent)) => {
                *genome = self.safest_mutant(genome, context, &replay(parent), rng);
            }
            None => context.pool.genome.mutate(genome, rng),
        }
    }

    fn replayed_games(&self) -> Option<ReplayedGames> {
        (self.tries > 1).then_some(self.games)
    }
}

impl SafeMutation {
    /// The safest of the mutants, the first in a tie.
    fn safest_mutant(
        &self,
        parent: &AnyGenome,
        context: &MutationContext<'_>,
        replay: &ReplayBuffer,
        rng: &mut Stream,
    ) -> AnyGenome {
        let (config, io_spec) = (context.pool.genome, context.pool.io_spec);
        let outputs = |genome: &AnyGenome| outputs(config.grow(genome, io_spec).as_ref(), replay);
        let parent_outputs = outputs(parent);
        let mut safest: Option<(f64, AnyGenome)> = None;
        for _ in 0..self.tries {
            let mut mutant = parent.clone();
            config.mutate(&mut mutant, rng);
            let divergence = self.divergence(&parent_outputs, &outputs(&mutant));
            if safest.as_ref().is_none_or(|(least, _)| divergence < *least) {
                safest = Some((divergence, mutant));
            }
        }
        safest.map_or_else(|| parent.clone(), |(_, mutant)| mutant)
    }

    fn divergence(&self, parent_outputs: &[f32], outputs: &[f32]) -> f64 {
        match self.divergence {
            Divergence::Squares => squared_divergence(parent_outputs, outputs),
            Divergence::Ratios => ratios_below_one(parent_outputs, outputs),
        }
    }
}

/// The outputs for all rows of the replay buffer.
fn outputs(brain: &dyn Brain, replay: &ReplayBuffer) -> Vec<f32> {
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
    use std::sync::Arc;

    use rand::RngExt;

    use super::*;
    use crate::evolution::archive::Archive;
    use crate::evolution::breeding::ParentPool;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    /// The mean divergence of the offspring of a genome with this number of tries.
    fn mean_divergence(genome: &GenomeConfig, tries: u32) -> f64 {
        let io_spec = IoSpec::new(8, 1);
        let mut rng = stream(6, Purpose::Reproduction, 0, 0);
        let parent = [genome.random(&io_spec, &mut rng)];
        let mut replay = ReplayBuffer::default();
        for _ in 0..20 {
            let row: Vec<f32> = (0..8).map(|_| rng.random_range(-1..=1) as f32).collect();
            replay.push(&row);
        }
        let buffer = Arc::new(replay.clone());
        let pool = ParentPool {
            members: &parent,
            fitness: &[1.0],
            archive: &Archive::default(),
            neighborhoods: &[],
            training_sets: &[],
            replay: Some(&|_| Arc::clone(&buffer)),
            genome,
            io_spec: &io_spec,
        };
        let context = MutationContext {
            pool: &pool,
            parent: Some(0),
            place: 0,
        };
        let outputs = |one: &AnyGenome| outputs(genome.grow(one, &io_spec).as_ref(), &replay);
        let parent_outputs = outputs(&parent[0]);
        let divergence = |_| {
            let mut offspring = parent[0].clone();
            let safe = SafeMutation {
                tries,
                ..SafeMutation::default()
            };
            safe.mutate(&mut offspring, &context, &mut rng);
            squared_divergence(&parent_outputs, &outputs(&offspring))
        };
        (0..50).map(divergence).sum::<f64>() / 50.0
    }

    #[test]
    fn ratios_count_outputs_that_fall_behind_the_parents() {
        let parent = [0.5, 0.5, -0.5, -0.5, 0.0];
        let mutant = [0.6, 0.4, -0.6, -0.4, 0.0];
        let count = |parent: &[f32], mutant: &[f32]| ratios_below_one(parent, mutant) as u32;
        assert_eq!(count(&parent, &mutant), 3, "0.8, 0.8 and 0/0");
        assert_eq!(count(&parent[..4], &parent[..4]), 0);
    }

    #[test]
    fn the_more_mutants_are_tried_the_less_an_offspring_differs() {
        let mlp = GenomeConfig::named("mlp").expect("it is registered");
        let [one, five, twenty] = [1, 5, 20].map(|tries| mean_divergence(&mlp, tries));
        assert!(
            one > 2.0 * five && five > 1.5 * twenty,
            "{one} {five} {twenty}"
        );
        let graph = GenomeConfig::named("graph").expect("it is registered");
        let [one, twenty] = [1, 20].map(|tries| mean_divergence(&graph, tries));
        assert!(one > twenty, "{one} {twenty}");
    }
}
