//! The forward pass over rows whose raw inputs are all 1, −1 or 0, given as sets of bits: no inputs
//! are written and no list of changes is read.
//!
//! Every sum has the same bits as in [`super::dense`]: additions of the first layer do not round,
//! and those of later layers are in the same order.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use pulp::{Arch, NullaryFnOnce};

use crate::genomes::recent::{NetworkId, Recent};
use crate::genomes::{Scratch, SignEvaluator, Signs};

use super::dense::DenseNetwork;
use super::first_layer::{self, BLOCK, FirstLayer, LANES};
use super::transpose::{OneByOne, SIDE, Transpose};

/// Numbers to which an activation function is applied at once: the nodes of four rows.
const SPAN: usize = 4 * LANES;
/// Columns that are added up without a branch. Few moves of Reversi flip more discs.
const PARTS: usize = 4;
/// The inputs that a set of bits can hold.
const INPUTS: usize = u64::BITS as usize;

/// The most groups of nodes.
const GROUPS: usize = 2;

/// A number for each node of some groups of nodes.
type NodeGroups<const G: usize> = [[f64; LANES]; G];

/// The first layer, by its number of groups of nodes.
#[derive(Debug)]
pub(super) enum SignLayer {
    OneGroup(SignColumns<1>),
    TwoGroups(SignColumns<GROUPS>),
}

impl SignLayer {
    /// `None` for a single node, more than two groups of nodes, more than 64 inputs, or sums that
    /// round.
    pub(super) fn new(layer: &FirstLayer) -> Option<Self> {
        if !layer.is_exact || layer.raw_inputs > INPUTS {
            return None;
        }
        match layer.group_biases().len() {
            1 => SignColumns::new(layer).map(Self::OneGroup),
            GROUPS => SignColumns::new(layer).map(Self::TwoGroups),
            _ => None,
        }
    }
}

/// The weights of a first layer with `G` groups of nodes, for at most 64 raw inputs.
#[derive(Debug)]
pub(super) struct SignColumns<const G: usize> {
    /// The weights from each input, then zeros: the column of no input.
    columns: Box<[NodeGroups<G>; INPUTS + 1]>,
    biases: NodeGroups<G>,
}

impl<const G: usize> SignColumns<G> {
    /// `None` if the layer has another number of groups.
    fn new(layer: &FirstLayer) -> Option<Self> {
        let biases = layer.group_biases().try_into().ok()?;
        let mut columns = Box::new([[[0.0; LANES]; G]; INPUTS + 1]);
        for group in 0..G {
            for (column, weights) in columns.iter_mut().zip(layer.columns(group)) {
                column[group] = *weights;
            }
        }
        Some(Self { columns, biases })
    }

    /// The sums of a row, given those of another row that differs little.
    #[inline(always)]
    fn correct(&self, sums: &NodeGroups<G>, from: Signs, to: Signs) -> NodeGroups<G> {
        let [[plus, minus], [new_plus, new_minus]] = [from, to];
        let mut sums = *sums;
        add(&mut sums, 2.0, &self.sum(new_plus & minus));
        let mut raised = new_plus & !(plus | minus) | minus & !(new_plus | new_minus);
        while raised != 0 {
            add(
                &mut sums,
                1.0,
                &self.columns[raised.trailing_zeros() as usize],
            );
            raised &= raised - 1;
        }
        // Only the opponent's moves lower inputs.
        let lowered = new_minus & !minus | plus & !new_plus;
        if lowered != 0 {
            add(&mut sums, -2.0, &self.sum(lowered & new_minus & plus));
            add(&mut sums, -1.0, &self.sum(lowered & !(new_minus & plus)));
        }
        sums
    }

    /// The sums of the columns of a set of inputs.
    #[inline(always)]
    fn sum(&self, mut inputs: u64) -> NodeGroups<G> {
        let mut sums = [[0.0; LANES]; G];
        while inputs != 0 {
            let mut columns = [&self.columns[INPUTS]; PARTS];
            for column in &mut columns {
                *column = &self.columns[inputs.trailing_zeros() as usize];
                inputs &= inputs.wrapping_sub(1);
            }
            let [a, b, c, d] = columns;
            for group in 0..G {
                let [a, b, c, d] = [&a[group], &b[group], &c[group], &d[group]];
                for node in 0..LANES {
                    sums[group][node] += (a[node] + b[node]) + (c[node] + d[node]);
                }
            }
        }
        sums
    }
}

/// Adds `factor` times `columns` to `sums`.
#[inline(always)]
fn add<const G: usize>(sums: &mut NodeGroups<G>, factor: f64, columns: &NodeGroups<G>) {
    for group in 0..G {
        first_layer::add(&mut sums[group], factor, &columns[group]);
    }
}

/// A base row and the first layer's sums for it, of as many groups as the network has.
#[derive(Clone, Copy, Debug, Default)]
struct BaseSigns {
    inputs: Signs,
    sums: NodeGroups<GROUPS>,
}

/// The base rows that two networks have seen last: those of the two players of a game.
#[derive(Clone, Debug, Default)]
pub(in crate::genomes) struct RecentSigns {
    rows: Recent<BaseSigns>,
}

impl RecentSigns {
    /// The sums of a network for a base row.
    #[inline(always)]
    fn update<const G: usize>(
        &mut self,
        network: NetworkId,
        layer: &SignColumns<G>,
        base: Signs,
    ) -> NodeGroups<G> {
        let (row, is_known) = self.rows.of(network);
        let known = row.sums.first_chunk().filter(|_| is_known);
        let (from, sums) = match known {
            Some(sums) => (row.inputs, sums),
            None => ([0, 0], &layer.biases),
        };
        let sums = layer.correct(sums, from, base);
        row.inputs = base;
        row.sums[..G].copy_from_slice(&sums);
        sums
    }
}

/// The forward pass of a base row's successors.
struct SignPass<'a, T, const G: usize> {
    brain: &'a DenseNetwork,
    layer: &'a SignColumns<G>,
    base: Signs,
    rows: &'a [Signs],
    scratch: &'a mut Scratch,
    out: &'a mut Vec<f32>,
    transpose: T,
}

impl<T: Transpose, const G: usize> NullaryFnOnce for SignPass<'_, T, G> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self {
            brain,
            layer,
            base,
            rows,
            scratch,
            out,
            transpose,
        } = self;
        let sums = scratch.recent_signs.update(brain.id, layer, base);
        scratch.values.resize(brain.slots * SIDE, 0.0);
        let (above, _) = scratch.values.as_chunks_mut::<SIDE>();
        let functions = brain.layer_functions;
        for rows in rows.chunks(BLOCK) {
            let mut groups = [[[0.0; LANES]; BLOCK]; G];
            for (index, &row) in rows.iter().enumerate() {
                let sums = layer.correct(&sums, base, row);
                for group in 0..G {
                    groups[group][index] = sums[group].map(|sum| sum as f32);
                }
            }
            let filled = (rows.len() * LANES).div_ceil(SPAN);
            for block in &mut groups {
                let (spans, _) = block.as_flattened_mut().as_chunks_mut::<SPAN>();
                functions.hidden.apply_to_all(&mut spans[..filled]);
            }
            let sets = groups.each_ref().map(|block| block.as_chunks::<SIDE>().0);
            for (set, rows) in rows.chunks(SIDE).enumerate() {
                for group in 0..G {
                    let columns = transpose.transpose(&sets[group][set]);
                    above[group * LANES..][..LANES].copy_from_slice(&columns);
                }
                brain.forward_later_layers(above, rows.len(), out);
            }
        }
        functions.outputs.apply_to_slice(out);
    }
}

impl<'a, T, const G: usize> SignPass<'a, T, G> {
    /// The same pass with another way to transpose.
    fn with<U>(self, transpose: U) -> SignPass<'a, U, G> {
        SignPass {
            brain: self.brain,
            layer: self.layer,
            base: self.base,
            rows: self.rows,
            scratch: self.scratch,
            out: self.out,
            transpose,
        }
    }
}

/// Runs the pass with the machine's instructions.
fn dispatch<const G: usize>(arch: Arch, pass: SignPass<'_, OneByOne, G>) {
    #[cfg(target_arch = "x86_64")]
    match arch {
        Arch::V3(simd) => return simd.vectorize(pass.with(simd)),
        Arch::V4(simd) => return simd.vectorize(pass.with(*simd)),
        _ => {}
    }
    arch.dispatch(pass);
}

impl DenseNetwork {
    fn forward_groups<const G: usize>(
        &self,
        layer: &SignColumns<G>,
        (base, rows): (Signs, &[Signs]),
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        let pass = SignPass {
            brain: self,
            layer,
            base,
            rows,
            scratch,
            out,
            transpose: OneByOne,
        };
        dispatch(self.arch, pass);
    }
}

impl SignEvaluator for DenseNetwork {
    fn forward_signs(
        &self,
        base: Signs,
        rows: &[Signs],
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        out.clear();
        let layer = self.sign_layer.as_ref();
        match layer.expect("only a network with this layer is an evaluator of signs") {
            SignLayer::OneGroup(layer) => self.forward_groups(layer, (base, rows), scratch, out),
            SignLayer::TwoGroups(layer) => self.forward_groups(layer, (base, rows), scratch, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::genomes::activation::Activation;
    use crate::genomes::mlp::{LayerFunctions, Mlp, MlpConfig};
    use crate::genomes::{Brain, Genome, InputBatch, IoSpec};
    use crate::input_spec::InputSpec;
    use crate::rng::{Purpose, Stream, stream};

    fn signs(inputs: usize, rng: &mut Stream) -> Signs {
        let used = u64::MAX >> (INPUTS - inputs);
        let (some, plus): (u64, u64) = (rng.random(), rng.random());
        [some & plus & used, some & !plus & used]
    }

    /// A few inputs get other values.
    fn successor([plus, minus]: Signs, inputs: usize, rng: &mut Stream) -> Signs {
        let few = rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>();
        let [new_plus, new_minus] = signs(inputs, rng);
        [plus & !few | new_plus & few, minus & !few | new_minus & few]
    }

    fn values(inputs: usize, [plus, minus]: Signs) -> Vec<f32> {
        let bit = |set: u64, input: usize| (set >> input & 1) as f32;
        (0..inputs)
            .map(|input| bit(plus, input) - bit(minus, input))
            .collect()
    }

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    /// Checks the outputs of successive base rows, each with a batch of rows.
    fn check(inputs: usize, hidden: &[u16], activation: Activation, rng: &mut Stream) {
        let config = MlpConfig {
            hidden: hidden.to_vec(),
            ..MlpConfig::default()
        };
        let io_spec = IoSpec::of(
            InputSpec {
                whole: Some(1),
                ..InputSpec::new(inputs)
            },
            1,
        );
        let layer_functions = LayerFunctions {
            hidden: activation,
            outputs: Activation::Linear,
            bypass: false,
        };
        let genome = Mlp::random(&config, &io_spec, rng);
        let brain = DenseNetwork::new(&genome, layer_functions, &io_spec);
        let evaluator = brain
            .sign_evaluator()
            .expect("it has one or two groups of nodes");
        let mut scratch = Scratch::default();
        let (mut out, mut alone) = (Vec::new(), Vec::new());
        let mut base = signs(inputs, rng);
        for count in [1, 0, 3, 8, 9, 21] {
            let rows: Vec<Signs> = (0..count).map(|_| successor(base, inputs, rng)).collect();
            evaluator.forward_signs(base, &rows, &mut scratch, &mut out);
            assert_eq!(out.len(), rows.len());
            for (&row, output) in rows.iter().zip(&out) {
                let values = values(inputs, row);
                brain.forward(InputBatch::single(&values), &mut scratch, &mut alone);
                assert_eq!(bits(&alone), bits(&[*output]), "{hidden:?} {activation:?}");
            }
            base = successor(base, inputs, rng);
        }
    }

    #[test]
    fn rows_of_signs_have_the_same_outputs_as_rows_of_numbers() {
        let mut rng = stream(4, Purpose::Sample, 0, 0);
        for activation in Activation::all() {
            for inputs in [1, 10, 64] {
                for hidden in [&[8][..], &[3], &[5, 3], &[8, 20, 2], &[9], &[16, 4]] {
                    check(inputs, hidden, activation, &mut rng);
                }
            }
        }
    }

    #[test]
    fn a_network_that_cannot_take_signs_says_so() {
        let mut rng = stream(5, Purpose::Sample, 0, 0);
        for (inputs, hidden, whole_inputs, bypass) in [
            (65, vec![8], Some(1), false),
            (64, vec![17], Some(1), false),
            (64, vec![], Some(1), false),
            (64, vec![8], None, false),
            (64, vec![8], Some(1), true),
        ] {
            let config = MlpConfig {
                hidden,
                ..MlpConfig::default()
            };
            let io_spec = IoSpec::of(
                InputSpec {
                    whole: whole_inputs,
                    ..InputSpec::new(inputs)
                },
                1,
            );
            let layer_functions = LayerFunctions {
                hidden: Activation::Softplus,
                outputs: Activation::Linear,
                bypass,
            };
            let genome = Mlp::random(&config, &io_spec, &mut rng);
            let brain = DenseNetwork::new(&genome, layer_functions, &io_spec);
            assert!(
                brain.sign_evaluator().is_none(),
                "{inputs} {:?}",
                config.hidden
            );
        }
    }
}
