//! The sensitivity of the outputs of a dense network to each weight and bias, by backpropagation.

use crate::genomes::IoSpec;
use crate::genomes::replay::ReplayBuffer;
use crate::genomes::sensitivity::GradientSum;

use super::backprop::Backprop;
use super::{Mlp, MlpConfig};

/// One of the places in which a network is used for a position, with the same weights in all of
/// them.
pub(in crate::genomes) struct NetworkUse {
    /// What it sees there.
    pub inputs: Vec<f32>,
    /// For each of its outputs, the one of the whole to which it is added.
    pub outputs: Vec<u32>,
}

/// The sensitivity of the outputs to each gene; 0 without positions.
pub(super) fn gene_sensitivities(
    network: &Mlp,
    config: &MlpConfig,
    io_spec: &IoSpec,
    replay: &ReplayBuffer,
    gradients: GradientSum,
) -> Vec<f32> {
    let outputs = io_spec.outputs as u32;
    let use_in = |row: &Vec<f32>| NetworkUse {
        inputs: network.network_inputs(io_spec, row),
        outputs: (0..outputs).collect(),
    };
    let positions: Vec<_> = (replay.rows().iter())
        .map(|row| vec![use_in(row)])
        .collect();
    shared_sensitivities(network, config, &positions, outputs, gradients)
}

/// The sensitivity of the outputs of a whole to each gene, where the network is used in
/// several places of each position. The gradients of a position are summed over its places.
pub(in crate::genomes) fn shared_sensitivities(
    network: &Mlp,
    config: &MlpConfig,
    positions: &[Vec<NetworkUse>],
    outputs: u32,
    gradients: GradientSum,
) -> Vec<f32> {
    let (functions, last) = (config.layer_functions(), network.layers.len() - 1);
    let mut state = Backprop::new(network.layers.len());
    let [mut sums, mut in_position, mut squares] = [(); 3].map(|()| vec![0.0; network.genes.len()]);
    for output in 0..outputs {
        sums.fill(0.0);
        for uses in positions {
            in_position.fill(0.0);
            for place in uses.iter().filter(|place| place.outputs.contains(&output)) {
                network.forward_pass(functions, &place.inputs, &mut state);
                let direction = &mut state.gradients[last];
                direction.clear();
                let is_added = place.outputs.iter().map(|&target| target == output);
                direction.extend(is_added.map(f32::from));
                network.backward_pass(functions, &mut state);
                add_gradients(network, &state, &mut in_position);
            }
            for (sum, gradient) in sums.iter_mut().zip(&in_position) {
                *sum += match gradients {
                    GradientSum::Signed => *gradient,
                    GradientSum::Absolute => gradient.abs(),
                };
            }
        }
        for (square, sum) in squares.iter_mut().zip(&sums) {
            *square += (sum / positions.len().max(1) as f64).powi(2);
        }
    }
    squares
        .into_iter()
        .map(|square| square.sqrt() as f32)
        .collect()
}

/// Adds the gradient of each gene to its sum.
fn add_gradients(network: &Mlp, state: &Backprop, sums: &mut [f64]) {
    for layer in 1..network.layers.len() {
        let genes = network.gene_offset(layer)..network.gene_offset(layer + 1);
        let nodes = sums[genes].chunks_exact_mut(network.stride(layer));
        for (node, gradient) in nodes.zip(&state.gradients[layer]) {
            let (bias, weights) = node.split_at_mut(usize::from(network.biases));
            for bias in bias {
                *bias += f64::from(*gradient);
            }
            for (weight, value) in weights.iter_mut().zip(&state.values[layer - 1]) {
                *weight += f64::from(gradient * value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::genomes::Genome;
    use crate::genomes::activation::Activation;
    use crate::input_spec::InputSpec;
    use crate::projection::InputProjection;
    use crate::rng::{Purpose, stream};

    /// The outputs in double precision, by the definition of the network.
    fn outputs(network: &Mlp, genes: &[f64], config: &MlpConfig, inputs: &[f32]) -> Vec<f64> {
        let inputs: Vec<f64> = inputs.iter().copied().map(f64::from).collect();
        let bypass = if config.bypass {
            inputs.iter().sum()
        } else {
            0.0
        };
        let (mut below, last) = (inputs, network.layers.len() - 1);
        for layer in 1..=last {
            let (activation, added) = if layer == last {
                (config.outputs, bypass)
            } else {
                (config.activation, 0.0)
            };
            let genes = &genes[network.gene_offset(layer)..network.gene_offset(layer + 1)];
            let node = |node: &[f64]| {
                let (bias, weights) = node.split_at(usize::from(network.biases));
                let sum: f64 = weights.iter().zip(&below).map(|(w, x)| w * x).sum();
                activation.defined(sum + added + bias.iter().sum::<f64>())
            };
            below = genes
                .chunks_exact(network.stride(layer))
                .map(node)
                .collect();
        }
        below
    }

    /// The sensitivities by differences of outputs instead of gradients.
    fn by_differences(
        network: &Mlp,
        config: &MlpConfig,
        rows: &[Vec<f32>],
        gradients: GradientSum,
    ) -> Vec<f64> {
        const STEP: f64 = 1e-6;
        let genes: Vec<f64> = network.genes.iter().copied().map(f64::from).collect();
        let sensitivity = |gene: usize| {
            let mut means = vec![0.0; network.layers[network.layers.len() - 1] as usize];
            for inputs in rows {
                let [above, below] = [STEP, -STEP].map(|step| {
                    let mut genes = genes.clone();
                    genes[gene] += step;
                    outputs(network, &genes, config, inputs)
                });
                for (mean, (above, below)) in means.iter_mut().zip(above.iter().zip(below)) {
                    let slope = (above - below) / (2.0 * STEP);
                    *mean += match gradients {
                        GradientSum::Signed => slope,
                        GradientSum::Absolute => slope.abs(),
                    } / rows.len() as f64;
                }
            }
            means.iter().map(|mean| mean * mean).sum::<f64>().sqrt()
        };
        (0..genes.len()).map(sensitivity).collect()
    }

    fn check(config: &MlpConfig, io_spec: &IoSpec) {
        let mut rng = stream(3, Purpose::Initialization, 0, 0);
        let mut network = Mlp::random(config, io_spec, &mut rng);
        if config.piece_value_gene {
            network.piece_value = Some(2.5);
        }
        let mut replay = ReplayBuffer::default();
        for position in 0..5 {
            let raw = (0..io_spec.inputs.raw_count()).map(|input| {
                let number = (input * 5 + position * 3) % 7;
                number as f32 / 2.0 - 1.5
            });
            replay.push(&raw.collect::<Vec<f32>>());
        }
        let rows: Vec<Vec<f32>> = (replay.rows().iter())
            .map(|row| network.network_inputs(io_spec, row))
            .collect();
        let mut found = Vec::new();
        for gradients in [GradientSum::Signed, GradientSum::Absolute] {
            let own = gene_sensitivities(&network, config, io_spec, &replay, gradients);
            let expected = by_differences(&network, config, &rows, gradients);
            assert_eq!(own.len(), expected.len());
            for (gene, (&own, expected)) in own.iter().zip(expected).enumerate() {
                let close = (f64::from(own) - expected).abs() < 1e-4 * expected.max(0.1);
                assert!(
                    close,
                    "{config:?} {gradients:?} gene {gene}: {own} {expected}"
                );
            }
            found.push(own);
        }
        let pairs = found[0].iter().zip(&found[1]);
        assert!(
            pairs
                .clone()
                .all(|(sum, absolute)| *sum <= absolute * 1.0001)
        );
        assert_ne!(found[0], found[1], "some gradients cancel each other");
    }

    #[test]
    fn sensitivities_are_the_slopes_of_the_outputs() {
        let (one, two) = (IoSpec::new(4, 1), IoSpec::new(4, 2));
        for activation in Activation::all() {
            for hidden in [vec![], vec![3], vec![4, 3, 2]] {
                let config = MlpConfig {
                    hidden,
                    activation,
                    outputs: Activation::Tanh,
                    ..MlpConfig::default()
                };
                if activation == Activation::Threshold {
                    assert!(Mlp::capabilities(&config).gradients.is_none());
                    continue;
                }
                check(&config, &two);
                let config = MlpConfig {
                    bypass: true,
                    biases: false,
                    outputs: Activation::Sigmoid,
                    ..config
                };
                check(&config, &one);
            }
        }
    }

    #[test]
    fn inputs_are_projected_with_the_networks_own_piece_value() {
        let feeds = vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)], vec![(1, 2.0)]];
        let io_spec = IoSpec::of(
            InputSpec {
                projection: Some(Arc::new(InputProjection::new(feeds).with_piece_value(1.5))),
                ..InputSpec::new(2)
            },
            1,
        );
        for piece_value_gene in [false, true] {
            let config = MlpConfig {
                activation: Activation::Tanh,
                bypass: true,
                outputs: Activation::Tanh,
                piece_value_gene,
                ..MlpConfig::default()
            };
            check(&config, &io_spec);
        }
    }

    #[test]
    fn without_positions_all_sensitivities_are_0() {
        let (config, io_spec) = (MlpConfig::default(), IoSpec::new(3, 2));
        let network = Mlp::random(&config, &io_spec, &mut stream(1, Purpose::Training, 0, 0));
        let none = ReplayBuffer::default();
        let found = gene_sensitivities(&network, &config, &io_spec, &none, GradientSum::Absolute);
        assert_eq!(found, vec![0.0; network.genes.len()]);
    }
}
