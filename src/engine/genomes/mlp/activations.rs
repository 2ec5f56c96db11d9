//! The value of every node of a dense network for one row of inputs, computed directly from the
//! genome, for inspection. The values are those of the compiled network, except for rounding.

use crate::genomes::IoSpec;

use super::{LayerFunctions, Mlp};

impl Mlp {
    /// The inputs of the network for these raw inputs.
    pub(super) fn network_inputs(&self, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let Some(projection) = &io_spec.projection else {
            return raw_inputs.to_vec();
        };
        let mut inputs = vec![0.0; io_spec.inputs];
        projection.project(raw_inputs, self.piece_value, &mut inputs);
        inputs
    }

    /// The values of all nodes in the order of the network graph: inputs first, outputs last.
    pub(in crate::genomes) fn values(
        &self,
        layer_functions: LayerFunctions,
        io_spec: &IoSpec,
        raw_inputs: &[f32],
    ) -> Vec<f32> {
        let mut below = self.network_inputs(io_spec, raw_inputs);
        let bypass: f32 = below.iter().filter(|_| layer_functions.bypass).sum();
        let mut values = below.clone();
        let top = self.layers.len() - 1;
        for layer in 1..=top {
            let sum = |(bias, weights): (f32, &[f32])| {
                let terms = weights.iter().zip(&below);
                bias + terms.map(|(weight, value)| weight * value).sum::<f32>()
            };
            let mut sums: Vec<f32> = self.nodes(layer).map(sum).collect();
            if layer == top {
                for sum in &mut sums {
                    *sum += bypass;
                }
                layer_functions.outputs.apply_to_slice(&mut sums);
            } else {
                layer_functions.hidden.apply_to_slice(&mut sums);
            }
            values.extend_from_slice(&sums);
            below = sums;
        }
        values
    }
}
