//! Safe mutation by gradients: the step of each gene is divided by the sensitivity of the outputs
//! to it, in positions of the parent's replay buffer (Lehman, Chen, Clune & Stanley 2018, "Safe
//! Mutations for Deep and Recurrent Neural Networks through Output Gradients", SM-G-SUM and
//! SM-G-ABS).

use crate::evolution::divergence::ReplayedGames;
use crate::genomes::AnyGenome;
use crate::genomes::sensitivity::GradientSum;
use crate::params::params;
use crate::rng::Stream;

use super::{Mutation, MutationContext};

params! {
    /// Steps are small for genes to which the outputs are sensitive, and large for others.
    pub struct SafeGradientMutation {
        /// How the gradients of an output in several positions become one number. The sensitivity
        /// to a gene is the root of the sum of its squares over all outputs.
        live gradients: GradientSum = GradientSum::Absolute;
        /// The least sensitivity, as a share of the mean of all genes: a gene of mean sensitivity
        /// moves by the genome's own step, and no gene by more than 1 / floor of it. Lower it to
        /// let genes that hardly matter move further. At 1, no step is larger than without safe
        /// mutation.
        live floor: f64 = 0.1, in 0.001..=1.0, "share";
        /// From which of its games a parent's positions are taken.
        live games: ReplayedGames = ReplayedGames::First;
    }
}

impl Mutation for SafeGradientMutation {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        let pool = context.pool;
        let gradients = pool.genome.capabilities().gradients;
        let scaled = gradients.and_then(|known| {
            let (replay, parent) = pool.replay.zip(context.parent)?;
            let replay = replay(parent, self.games);
            let all = known.sensitivities(genome, pool.io_spec, &replay, self.gradients);
            Some((known, self.factors(&all)?))
        });
        match scaled {
            Some((known, factors)) => known.mutate_scaled(genome, &factors, rng),
            None => pool.genome.mutate(genome, rng),
        }
    }

    fn replayed_games(&self) -> Option<ReplayedGames> {
        Some(self.games)
    }

    fn needs_sensitivities(&self) -> bool {
        true
    }
}

impl SafeGradientMutation {
    /// The factor of each gene's step. Sensitivities count in relation to their mean, so that
    /// neither the size of the outputs nor the number of positions changes the steps. `None` if the
    /// mean is 0 or overflows, which tells nothing about the genes.
    fn factors(&self, sensitivities: &[f32]) -> Option<Vec<f32>> {
        let sum: f64 = sensitivities.iter().copied().map(f64::from).sum();
        let mean = sum / sensitivities.len() as f64;
        let factor = |&sensitivity: &f32| {
            let relative = f64::from(sensitivity) / mean;
            (1.0 / relative.max(self.floor)) as f32
        };
        (mean.is_finite() && mean > 0.0).then(|| sensitivities.iter().map(factor).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::RngExt;

    use super::*;
    use crate::evolution::archive::Archive;
    use crate::evolution::breeding::ParentPool;
    use crate::evolution::divergence::{Divergence, ReferenceOutputs};
    use crate::evolution::memory::Memory;
    use crate::evolution::mutation::plain::PlainMutation;
    use crate::evolution::phylogeny::Phylogeny;
    use crate::genomes::replay::ReplayBuffer;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    /// A genome with these changes of its parameters.
    fn genome(name: &str, changes: &[(&str, &str)]) -> GenomeConfig {
        use crate::params::Params;
        let mut genome = GenomeConfig::named(name).expect("it is registered");
        for (key, value) in changes {
            genome.set(key, value).expect("it is a parameter");
        }
        genome
    }

    /// Calls `use_it` with the context of an offspring of a member that has played `positions`
    /// positions.
    fn with_context<R>(
        genome: &GenomeConfig,
        positions: usize,
        use_it: impl FnOnce(&MutationContext<'_>) -> R,
    ) -> R {
        let io_spec = IoSpec::new(8, 2);
        let mut rng = stream(6, Purpose::Initialization, 0, 0);
        let parent = [genome.random(&io_spec, &mut rng)];
        let mut replay = ReplayBuffer::default();
        for _ in 0..positions {
            // Two inputs are always 0, so that the outputs do not depend on their weights.
            let row: Vec<f32> = (0..8).map(|_| rng.random_range(-1..=1) as f32).collect();
            replay.push(&[&row[..6], &[0.0; 2]].concat());
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
        use_it(&MutationContext {
            pool: &pool,
            parent: Some(0),
            place: 0,
        })
    }

    /// The weights and biases of a genome.
    fn weights(context: &MutationContext<'_>, genome: &AnyGenome) -> Vec<f64> {
        let graph = context.pool.genome.network_graph(genome);
        let weights = graph.edges.iter().map(|edge| edge.weight);
        let biases = graph.nodes.iter().map(|node| node.bias);
        weights.chain(biases).map(f64::from).collect()
    }

    /// The length of the changes of weights and biases, and of the outputs, of 100 offspring
    /// together.
    fn changes(genome: &GenomeConfig, mutation: &dyn Mutation) -> [f64; 2] {
        with_context(genome, 20, |context| {
            let parent = &context.pool.members[0];
            let replay = context.pool.replay.expect("there is one");
            let outputs =
                ReferenceOutputs::new(context.pool, replay(0, ReplayedGames::First), parent);
            let before = weights(context, parent);
            let mut squares = [0.0; 2];
            for index in 0..100 {
                let mut offspring = parent.clone();
                let mut rng = stream(7, Purpose::Reproduction, 0, index);
                mutation.mutate(&mut offspring, context, &mut rng);
                let after = weights(context, &offspring);
                let moved = before.iter().zip(&after).map(|(a, b)| (a - b).powi(2));
                squares[0] += moved.sum::<f64>();
                squares[1] += outputs.divergence(&offspring, Divergence::Squares);
            }
            squares.map(f64::sqrt)
        })
    }

    #[test]
    fn outputs_change_less_than_by_plain_mutation_with_steps_of_the_same_length() {
        for hidden in ["[]", "[12]", "[12, 6]"] {
            // Signed gradients of opposite positions cancel each other, so that they protect less.
            for (gradients, most) in [(GradientSum::Signed, 0.85), (GradientSum::Absolute, 0.6)] {
                let config = |sigma: f64| {
                    let sigma = sigma.to_string();
                    let tanh = [("activation", "tanh"), ("outputs", "tanh")];
                    genome(
                        "mlp",
                        &[&tanh[..], &[("hidden", hidden), ("sigma", &sigma)]].concat(),
                    )
                };
                let safe = SafeGradientMutation {
                    gradients,
                    ..SafeGradientMutation::default()
                };
                let plain = PlainMutation::default();
                let [steps, outputs] = changes(&config(0.01), &safe);
                let [plain_steps, _] = changes(&config(0.01), &plain);
                let sigma = 0.01 * steps / plain_steps;
                let [same_steps, plain_outputs] = changes(&config(sigma), &plain);
                assert!(
                    (same_steps / steps - 1.0).abs() < 0.01,
                    "{same_steps} {steps}"
                );
                let words = format!("{hidden} {gradients:?}: {outputs} {plain_outputs}");
                assert!(outputs < most * plain_outputs, "{words}");
            }
        }
    }

    #[test]
    fn steps_are_bounded_and_those_of_weights_without_effect_are_the_largest() {
        let safe = SafeGradientMutation {
            floor: 0.25,
            ..SafeGradientMutation::default()
        };
        let factors = |sensitivities: &[f32]| safe.factors(sensitivities);
        assert_eq!(
            factors(&[2.0, 1.0, 0.5, 0.0, 1.5]),
            Some(vec![0.5, 1.0, 2.0, 4.0, 1.0 / 1.5])
        );
        assert_eq!(
            factors(&[20.0, 10.0, 5.0, 0.0, 15.0]),
            factors(&[2.0, 1.0, 0.5, 0.0, 1.5])
        );
        for nothing in [&[0.0; 3][..], &[], &[1.0, f32::INFINITY], &[1.0, f32::NAN]] {
            assert_eq!(factors(nothing), None, "{nothing:?}");
        }
        let cautious = SafeGradientMutation {
            floor: 1.0,
            ..SafeGradientMutation::default()
        };
        let factors = cautious.factors(&[3.0, 1.0, 0.0, 0.0]);
        assert_eq!(factors, Some(vec![1.0 / 3.0, 1.0, 1.0, 1.0]));
    }

    #[test]
    fn without_positions_or_gradients_it_is_the_mutation_of_the_genome() {
        let graph = genome("graph", &[]);
        let threshold = genome("mlp", &[("activation", "threshold")]);
        for (genome, positions) in [(genome("mlp", &[]), 0), (graph, 5), (threshold, 5)] {
            with_context(&genome, positions, |context| {
                let mut offspring = [
                    context.pool.members[0].clone(),
                    context.pool.members[0].clone(),
                ];
                let rng = || stream(7, Purpose::Reproduction, 0, 1);
                SafeGradientMutation::default().mutate(&mut offspring[0], context, &mut rng());
                genome.mutate(&mut offspring[1], &mut rng());
                assert_eq!(offspring[0], offspring[1]);
            });
        }
    }
}
