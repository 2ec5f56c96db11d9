//! Safe mutation: of several mutants of a genome, the one is kept whose outputs differ least from
//! the parent's in positions of its replay buffer (Lehman, Chen, Clune & Stanley 2018, "Safe
//! Mutations for Deep and Recurrent Neural Networks through Output Gradients"; Thien 2018,
//! "Coefficient Mutation").

use crate::evolution::divergence::{Divergence, ReferenceOutputs, ReplayedGames, least_divergent};
use crate::genomes::AnyGenome;
use crate::params::params;
use crate::rng::Stream;

use super::{Mutation, MutationContext};

params! {
    /// Of several mutants, the one that plays most like its parent.
    pub struct SafeMutation {
        /// Mutants tried per offspring. The one whose outputs differ least from its parent's, in
        /// positions from a game of the parent, is kept. 1 turns safe mutation off.
        live tries: u32 = 5, in 1.0..=1000.0, "mutants";
        /// How far a mutant's outputs are from its parent's.
        live divergence: Divergence = Divergence::Squares;
        /// From which of its games a parent's positions are taken.
        live games: ReplayedGames = ReplayedGames::First;
    }
}

impl Mutation for SafeMutation {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        let (pool, replay) = (context.pool, context.pool.replay);
        let known = replay.filter(|_| self.tries > 1).zip(context.parent);
        let Some((replay, parent)) = known else {
            return pool.genome.mutate(genome, rng);
        };
        let reference = ReferenceOutputs::new(pool, replay(parent, self.games), genome);
        let mutant = || {
            let mut mutant = genome.clone();
            pool.genome.mutate(&mut mutant, rng);
            mutant
        };
        let divergence = |mutant: &AnyGenome| reference.divergence(mutant, self.divergence);
        *genome = least_divergent(self.tries, mutant, divergence);
    }

    fn replayed_games(&self) -> Option<ReplayedGames> {
        (self.tries > 1).then_some(self.games)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::RngExt;

    use super::*;
    use crate::evolution::archive::Archive;
    use crate::evolution::breeding::ParentPool;
    use crate::evolution::memory::Memory;
    use crate::evolution::phylogeny::Phylogeny;
    use crate::genomes::replay::ReplayBuffer;
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
        let buffer = Arc::new(replay);
        let pool = ParentPool {
            members: &parent,
            fitness: &[1.0],
            archive: &Archive::default(),
            features: &[],
            phylogeny: &Phylogeny::default(),
            restart: None,
            neighborhoods: &[],
            memory: &Memory::default(),
            training_sets: &[],
            replay: Some(&|_, _| Arc::clone(&buffer)),
            genome,
            io_spec: &io_spec,
        };
        let context = MutationContext {
            pool: &pool,
            parent: Some(0),
            place: 0,
        };
        let reference = ReferenceOutputs::new(&pool, Arc::clone(&buffer), &parent[0]);
        let divergence = |_| {
            let mut offspring = parent[0].clone();
            let safe = SafeMutation {
                tries,
                ..SafeMutation::default()
            };
            safe.mutate(&mut offspring, &context, &mut rng);
            reference.divergence(&offspring, Divergence::Squares)
        };
        (0..50).map(divergence).sum::<f64>() / 50.0
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
