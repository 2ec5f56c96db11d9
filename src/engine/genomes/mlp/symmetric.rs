//! Weights that are shared over the symmetries of a board: each node of the first layer looks at
//! the board from all sides. The network is grown with a copy of the node for each symmetry, so
//! that symmetric positions have the same value.

use crate::genomes::IoSpec;
use crate::params::ParamError;

use super::{LayerFunctions, Mlp, MlpConfig};

/// The symmetries of the board that the inputs lie on, the identity first; `None` without such a
/// board.
fn symmetries(io_spec: &IoSpec) -> Option<&[Vec<u32>]> {
    let board = io_spec.inputs.board.as_deref()?;
    (io_spec.inputs.projection.is_none() && board.symmetries.len() > 1).then_some(&board.symmetries)
}

/// Why weights can't be shared.
pub(super) fn problem(config: &MlpConfig, io_spec: &IoSpec) -> Option<ParamError> {
    let is_possible = io_spec.outputs == 1 && symmetries(io_spec).is_some();
    (config.symmetric && !is_possible).then(|| {
        let message = "needs an input for each square of a symmetric board, and one output; try \
            game: reversi, agent: one_ply";
        ParamError::new("symmetric", message)
    })
}

impl Mlp {
    /// The network with a copy of each node of the first layer for each symmetry of the board. What
    /// is above takes their mean. Without a hidden layer, each weight becomes the mean over the
    /// squares that are symmetric to its own.
    pub(super) fn unfolded(&self, io_spec: &IoSpec) -> Self {
        let symmetries = symmetries(io_spec).unwrap_or_default();
        let copies = symmetries.len() as f32;
        let mut layers = self.layers.clone();
        let mut genes = Vec::new();
        let has_hidden = layers.len() > 2;
        if has_hidden {
            layers[1] *= symmetries.len() as u32;
        }
        for (bias, weights) in self.nodes(1) {
            let seen = |symmetry: &Vec<u32>| -> Vec<f32> {
                symmetry.iter().map(|&at| weights[at as usize]).collect()
            };
            let views = symmetries.iter().map(seen);
            if has_hidden {
                for view in views {
                    genes.extend(self.biases.then_some(bias));
                    genes.extend(view);
                }
            } else {
                let mut sums = vec![0.0; weights.len()];
                for view in views {
                    for (sum, weight) in sums.iter_mut().zip(view) {
                        *sum += weight;
                    }
                }
                genes.extend(self.biases.then_some(bias));
                genes.extend(sums.iter().map(|sum| sum / copies));
            }
        }
        for layer in 2..self.layers.len() {
            for (bias, weights) in self.nodes(layer) {
                genes.extend(self.biases.then_some(bias));
                if layer == 2 {
                    let shared = weights.iter().map(|weight| weight / copies);
                    genes.extend(
                        shared.flat_map(|weight| std::iter::repeat_n(weight, symmetries.len())),
                    );
                } else {
                    genes.extend(weights);
                }
            }
        }
        Self {
            layers,
            biases: self.biases,
            genes,
            sigmas: Vec::new(),
            piece_value: self.piece_value,
        }
    }

    /// The values of all nodes as in [`Mlp::values`]. Of the first layer, each is the mean of a
    /// node's copies.
    pub(super) fn symmetric_values(
        &self,
        layer_functions: LayerFunctions,
        io_spec: &IoSpec,
        raw_inputs: &[f32],
    ) -> Vec<f32> {
        let unfolded = self.unfolded(io_spec);
        let values = unfolded.values(layer_functions, io_spec, raw_inputs);
        if self.layers.len() == 2 {
            return values;
        }
        let first = self.layers[0] as usize;
        let (inputs, above) = values.split_at(first);
        let (copies, rest) = above.split_at(unfolded.layers[1] as usize);
        let each = copies.len() / self.layers[1] as usize;
        let means = copies
            .chunks(each)
            .map(|copies| copies.iter().sum::<f32>() / each as f32);
        let inputs = inputs.iter().copied();
        inputs.chain(means).chain(rest.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board_geometry::BoardGeometry;
    use crate::genomes::capabilities::Activations;
    use crate::genomes::{Brain, Genome, InputBatch, Scratch};
    use crate::input_spec::InputSpec;
    use crate::rng::{Purpose, stream};

    fn board() -> IoSpec {
        IoSpec::of(
            InputSpec {
                board: Some(Arc::new(BoardGeometry::square(3, -1, 3))),
                ..InputSpec::new(9)
            },
            1,
        )
    }

    fn value(brain: &dyn Brain, inputs: &[f32]) -> f32 {
        let mut out = Vec::new();
        let batch = InputBatch {
            base: inputs,
            ends: &[0],
            changes: &[],
        };
        brain.forward(batch, &mut Scratch::default(), &mut out);
        out[0]
    }

    fn config(hidden: &[u16]) -> MlpConfig {
        MlpConfig {
            hidden: hidden.to_vec(),
            symmetric: true,
            ..MlpConfig::default()
        }
    }

    const POSITION: [f32; 9] = [1.0, 0.0, -1.0, 0.0, 1.0, 1.0, -1.0, 0.0, 0.0];

    #[test]
    fn symmetric_positions_have_the_same_value_and_others_do_not() {
        let io_spec = board();
        for hidden in [&[][..], &[3], &[4, 2]] {
            let config = config(hidden);
            let genome = Mlp::random(
                &config,
                &io_spec,
                &mut stream(1, Purpose::Initialization, 0, 0),
            );
            let brain = genome.grow(&config, &io_spec);
            let known = value(&*brain, &POSITION);
            for symmetry in symmetries(&io_spec).expect("it has a board") {
                let image: Vec<f32> = symmetry.iter().map(|&at| POSITION[at as usize]).collect();
                let value = value(&*brain, &image);
                assert!((value - known).abs() < 1e-5, "{hidden:?}: {value} {known}");
            }
            let mut other = POSITION;
            other[4] = -1.0;
            assert!((value(&*brain, &other) - known).abs() > 1e-3);
            let values = config.activations(&genome, &io_spec, &POSITION);
            assert_eq!(values.len(), genome.network_graph(&config).nodes.len());
            assert!((values[values.len() - 1] - known).abs() < 1e-5);
        }
    }

    #[test]
    fn weights_are_shared_only_where_a_board_has_symmetries() {
        let config = config(&[3]);
        assert_eq!(Mlp::io_problems(&config, &board()), []);
        for io_spec in [
            IoSpec::new(9, 1),
            IoSpec {
                outputs: 2,
                ..board()
            },
        ] {
            let problems = Mlp::io_problems(&config, &io_spec);
            assert_eq!(problems[0].path, "symmetric");
        }
        assert!(Mlp::capabilities(&config).training.is_none());
    }
}
