//! Safe mutation: of several mutants of a network, the one is kept whose outputs differ least from the parent's in positions of
//! its replay buffer (Lehman, Chen, Clune & Stanley 2018, "Safe Mutations for Deep and Recurrent Neural Networks through Output
//! Gradients"; Thien 2018, "Coefficient Mutation").

use crate::genomes::replay::ReplayBuffer;
use crate::genomes::{Brain, Genome, InputBatch, IoSpec, Scratch};
use crate::rng::Stream;

use super::{Mlp, MlpConfig};

/// The safest of `config.tries` mutants, the first in a tie.
pub(super) fn safest_mutant(
    parent: &Mlp,
    config: &MlpConfig,
    io_spec: &IoSpec,
    replay: &ReplayBuffer,
    rng: &mut Stream,
) -> Mlp {
    let parent_outputs = outputs(parent.grow(config, io_spec).as_ref(), replay);
    let mut safest: Option<(f64, Mlp)> = None;
    for _ in 0..config.tries.max(1) {
        let mut mutant = parent.clone();
        mutant.mutate(config, rng);
        let divergence = output_divergence(
            &parent_outputs,
            &outputs(mutant.grow(config, io_spec).as_ref(), replay),
        );
        if safest.as_ref().is_none_or(|(least, _)| divergence < *least) {
            safest = Some((divergence, mutant));
        }
    }
    safest.map_or_else(|| parent.clone(), |(_, mutant)| mutant)
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

/// The sum of squared differences.
fn output_divergence(parent_outputs: &[f32], outputs: &[f32]) -> f64 {
    let pairs = parent_outputs.iter().zip(outputs);
    pairs
        .map(|(parent_outputs, output)| f64::from(output - parent_outputs).powi(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    /// The mean divergence of offspring from their parent with this number of tries.
    fn mean_divergence(tries: u32) -> f64 {
        let io_spec = IoSpec::new(8, 1);
        let config = MlpConfig {
            tries,
            ..MlpConfig::default()
        };
        let mut rng = stream(6, Purpose::Reproduction, 0, 0);
        let parent = Mlp::random(&config, &io_spec, &mut rng);
        let mut replay = ReplayBuffer::default();
        for _ in 0..20 {
            let row: Vec<f32> = (0..8).map(|_| rng.random_range(-1..=1) as f32).collect();
            replay.push(&row);
        }
        let parent_outputs = outputs(parent.grow(&config, &io_spec).as_ref(), &replay);
        let divergence = |_| {
            let mut offspring = parent.clone();
            offspring.safe_mutate(&config, &io_spec, &replay, &mut rng);
            assert_ne!(offspring, parent);
            output_divergence(
                &parent_outputs,
                &outputs(offspring.grow(&config, &io_spec).as_ref(), &replay),
            )
        };
        (0..50).map(divergence).sum::<f64>() / 50.0
    }

    #[test]
    fn the_more_mutants_are_tried_the_less_an_offspring_differs() {
        let [one, five, twenty] = [1, 5, 20].map(mean_divergence);
        assert!(
            one > 2.0 * five && five > 1.5 * twenty,
            "{one} {five} {twenty}"
        );
    }

    #[test]
    fn one_try_is_a_plain_mutation() {
        let io_spec = IoSpec::new(3, 1);
        let config = MlpConfig::default();
        let [mut plain, mut safe] = [0, 1].map(|_| {
            Mlp::random(
                &config,
                &io_spec,
                &mut stream(1, Purpose::Initialization, 0, 0),
            )
        });
        let rng = || stream(2, Purpose::Reproduction, 0, 0);
        plain.mutate(&config, &mut rng());
        safe.safe_mutate(&config, &io_spec, &ReplayBuffer::default(), &mut rng());
        assert_eq!(plain, safe);
    }
}
