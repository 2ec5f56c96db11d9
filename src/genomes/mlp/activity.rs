//! What every unit of a dense network gives for one row of numbers: the network as it is written down, unit by unit, for those
//! who want to look inside. Its figures are those of the compiled network but for roundings.

use crate::genomes::Ports;

use super::{Functions, Mlp};

impl Mlp {
    /// The values of all units in the order of the drawing: inputs first, outputs last.
    pub(in crate::genomes) fn values(
        &self,
        functions: Functions,
        ports: &Ports,
        numbers: &[f32],
    ) -> Vec<f32> {
        let mut below = match &ports.features {
            None => numbers.to_vec(),
            Some(features) => {
                let mut inputs = vec![0.0; ports.inputs];
                features.add_up(numbers, self.heavy, &mut inputs);
                inputs
            }
        };
        let by_pass: f32 = below.iter().filter(|_| functions.bypass).sum();
        let mut values = below.clone();
        let top = self.layers.len() - 1;
        for layer in 1..=top {
            let sum = |(bias, weights): (f32, &[f32])| {
                let terms = weights.iter().zip(&below);
                bias + terms.map(|(weight, value)| weight * value).sum::<f32>()
            };
            let mut sums: Vec<f32> = self.units(layer).map(sum).collect();
            if layer == top {
                for sum in &mut sums {
                    *sum += by_pass;
                }
                functions.outputs.apply_to_slice(&mut sums);
            } else {
                functions.hidden.apply_to_slice(&mut sums);
            }
            values.extend_from_slice(&sums);
            below = sums;
        }
        values
    }
}
