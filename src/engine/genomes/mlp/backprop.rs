//! The values of all nodes, computed from the genome itself, and backpropagation: after each
//! example, every weight and bias takes a step down the gradient of half the squared error
//! (Rumelhart, Hinton & Williams 1986).

use rand::seq::SliceRandom;

use crate::genomes::IoSpec;
use crate::genomes::activation::Activation;
use crate::genomes::training_set::{TrainingExample, TrainingSet};
use crate::rng::Stream;

use super::variation::clamp_gene;
use super::{LayerFunctions, Mlp, MlpConfig};

/// The values and gradients of all nodes, layer by layer from the inputs.
pub(super) struct Backprop {
    pub(super) values: Vec<Vec<f32>>,
    /// The derivative of the error, or of one output, with respect to each node's sum.
    pub(super) gradients: Vec<Vec<f32>>,
}

impl Backprop {
    pub(super) fn new(layers: usize) -> Self {
        Self {
            values: vec![Vec::new(); layers],
            gradients: vec![Vec::new(); layers],
        }
    }
}

impl Mlp {
    /// The inputs of the network for these raw inputs.
    pub(super) fn network_inputs(&self, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        (io_spec.inputs).project_with(raw_inputs.to_vec(), self.piece_value)
    }

    /// The values of all nodes in the order of the network graph, inputs first and outputs last.
    /// They are those of the compiled network, except for rounding.
    pub(in crate::genomes) fn values(
        &self,
        functions: LayerFunctions,
        io_spec: &IoSpec,
        raw_inputs: &[f32],
    ) -> Vec<f32> {
        let mut state = Backprop::new(self.layers.len());
        let inputs = self.network_inputs(io_spec, raw_inputs);
        self.forward_pass(functions, &inputs, &mut state);
        state.values.concat()
    }

    /// Trains on all examples once, in random order. Outputs without a target have no error.
    pub(super) fn train_epoch(
        &mut self,
        config: &MlpConfig,
        training_set: &TrainingSet,
        rate: f32,
        rng: &mut Stream,
    ) {
        let mut order: Vec<&TrainingExample> = training_set.examples().iter().collect();
        order.shuffle(rng);
        let mut state = Backprop::new(self.layers.len());
        let (functions, last) = (config.layer_functions(), self.layers.len() - 1);
        for example in order {
            self.forward_pass(functions, &example.inputs, &mut state);
            let errors = state.values[last].iter().zip(&example.targets);
            let errors = errors.map(|(value, target)| target.map_or(0.0, |target| value - target));
            state.gradients[last].clear();
            state.gradients[last].extend(errors);
            self.backward_pass(functions, &mut state);
            self.update_genes(rate, &state);
        }
        for gene in &mut self.genes {
            *gene = clamp_gene(f64::from(*gene));
        }
    }

    fn activation(&self, functions: LayerFunctions, layer: usize) -> Activation {
        if layer + 1 == self.layers.len() {
            functions.outputs
        } else {
            functions.hidden
        }
    }

    /// Computes the values from the inputs of the network up.
    pub(super) fn forward_pass(
        &self,
        functions: LayerFunctions,
        inputs: &[f32],
        state: &mut Backprop,
    ) {
        state.values[0].clear();
        state.values[0].extend_from_slice(inputs);
        for layer in 1..self.layers.len() {
            let (below, above) = state.values.split_at_mut(layer);
            let (below, above) = (&below[layer - 1], &mut above[0]);
            above.clear();
            above.extend(self.nodes(layer).map(|(bias, weights)| {
                let products = weights
                    .iter()
                    .zip(below)
                    .map(|(weight, value)| weight * value);
                bias + products.sum::<f32>()
            }));
            if functions.bypass && layer + 1 == self.layers.len() {
                let all: f32 = inputs.iter().sum();
                for sum in &mut *above {
                    *sum += all;
                }
            }
            self.activation(functions, layer).apply_to_slice(above);
        }
    }

    /// Computes the gradients from the outputs down. Those of the last layer hold the derivatives
    /// with respect to the outputs at first.
    pub(super) fn backward_pass(&self, functions: LayerFunctions, state: &mut Backprop) {
        let last = self.layers.len() - 1;
        for layer in (1..=last).rev() {
            let (own, above) = state.gradients.split_at_mut(layer + 1);
            let (gradients, values) = (&mut own[layer], &state.values[layer]);
            if layer < last {
                gradients.clear();
                gradients.resize(values.len(), 0.0);
                for ((_, weights), gradient) in self.nodes(layer + 1).zip(&above[0]) {
                    for (own, weight) in gradients.iter_mut().zip(weights) {
                        *own += gradient * weight;
                    }
                }
            }
            let activation = self.activation(functions, layer);
            for (gradient, &value) in gradients.iter_mut().zip(values) {
                *gradient *= activation.slope_at(value);
            }
        }
    }

    /// Moves every gene against its gradient.
    fn update_genes(&mut self, rate: f32, state: &Backprop) {
        let biases = usize::from(self.biases);
        for layer in 1..self.layers.len() {
            let (from, to, stride) = (
                self.gene_offset(layer),
                self.gene_offset(layer + 1),
                self.stride(layer),
            );
            let nodes = self.genes[from..to].chunks_exact_mut(stride);
            for (node, gradient) in nodes.zip(&state.gradients[layer]) {
                if *gradient == 0.0 {
                    continue;
                }
                let (bias, weights) = node.split_at_mut(biases);
                for bias in bias {
                    *bias -= rate * gradient;
                }
                for (weight, value) in weights.iter_mut().zip(&state.values[layer - 1]) {
                    *weight -= rate * gradient * value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{Genome, IoSpec};
    use crate::rng::{Purpose, stream};

    fn network(config: &MlpConfig, index: u64) -> Mlp {
        Mlp::random(
            config,
            &IoSpec::new(2, 2),
            &mut stream(index, Purpose::Initialization, 0, 0),
        )
    }

    /// Half the squared error.
    fn error(network: &Mlp, config: &MlpConfig, example: &TrainingExample) -> f64 {
        let mut state = Backprop::new(network.layers.len());
        network.forward_pass(config.layer_functions(), &example.inputs, &mut state);
        let outputs = &state.values[network.layers.len() - 1];
        let errors = outputs.iter().zip(&example.targets);
        let squares =
            errors.map(|(output, target)| target.map_or(0.0, |target| (output - target).powi(2)));
        f64::from(squares.sum::<f32>()) / 2.0
    }

    #[test]
    fn a_step_is_the_gradient_of_the_error() {
        for (index, activation) in Activation::all().into_iter().enumerate() {
            if activation == Activation::Threshold {
                continue;
            }
            let config = MlpConfig {
                hidden: vec![3, 2],
                activation,
                outputs: Activation::Sigmoid,
                ..MlpConfig::default()
            };
            let before = network(&config, index as u64 + 1);
            let example = TrainingExample {
                inputs: vec![1.0, -0.5],
                targets: vec![Some(0.25), None],
            };
            let mut after = before.clone();
            let mut training_set = TrainingSet::default();
            training_set.push(example.clone());
            // A power of two, so that dividing by it is exact.
            let rate = 1.0 / 64.0;
            after.train_epoch(
                &config,
                &training_set,
                rate,
                &mut stream(1, Purpose::Training, 0, 0),
            );
            for gene in 0..before.genes.len() {
                const STEP: f32 = 1e-2;
                let shifted = |by: f32| {
                    let mut shifted = before.clone();
                    shifted.genes[gene] += by;
                    error(&shifted, &config, &example)
                };
                let gradient = (shifted(STEP) - shifted(-STEP)) / f64::from(2.0 * STEP);
                let taken = f64::from((before.genes[gene] - after.genes[gene]) / rate);
                let close = (gradient - taken).abs() < 2e-3;
                assert!(close, "{activation:?} gene {gene}: {gradient} {taken}");
            }
        }
    }

    #[test]
    fn a_network_learns_the_exclusive_or() {
        let config = MlpConfig {
            hidden: vec![4],
            activation: Activation::Tanh,
            ..MlpConfig::default()
        };
        let mut training_set = TrainingSet::default();
        for (inputs, differ) in [
            ([0.0, 0.0], 0.0),
            ([0.0, 1.0], 1.0),
            ([1.0, 0.0], 1.0),
            ([1.0, 1.0], 0.0),
        ] {
            training_set.push(TrainingExample {
                inputs: inputs.to_vec(),
                targets: vec![Some(differ), None],
            });
        }
        let mut network = network(&config, 1);
        for round in 0..2000 {
            network.train_epoch(
                &config,
                &training_set,
                0.1,
                &mut stream(1, Purpose::Training, round, 0),
            );
        }
        for example in training_set.examples() {
            assert!(error(&network, &config, example) < 0.01, "{example:?}");
        }
    }
}
