//! The brain grown from a dense network. The first layer's sums for the base row of a batch are
//! corrected for each row by the few inputs that differ. Later layers are computed for several rows
//! in parallel.
//!
//! If inputs are projected from features, the projection is folded into the weights of the first
//! layer.
//!
//! **Reproducible to the bit.** The first layer adds in double precision, with weights rounded to
//! multiples of 2⁻²⁴. As long as raw inputs are integers and sums stay below 2²⁹, no addition
//! rounds, so that a row has the same outputs whether it is given in full or by its changes, and
//! sums may be added in any order. Later layers compute each row separately in single precision, in
//! a fixed order of additions. The compiler may use any vector instructions, but it does not
//! reorder or fuse additions and products, so that all machines agree.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use pulp::{Arch, NullaryFnOnce};

use crate::genomes::recent::NetworkId;
use crate::genomes::{Brain, InputBatch, IoSpec, Scratch, SignEvaluator};
use crate::projection::InputProjection;
use crate::simd;

use super::first_layer::{BLOCK, FirstLayer, InputMapping, LANES, round_to_grid};
use super::signs::SignLayer;
use super::wide_layer::WideLayer;
use super::{LayerFunctions, Mlp};

/// Rows whose later layers are evaluated in parallel, if there are more than a few.
const ROWS: usize = 8;
/// Rows whose later layers are evaluated one by one.
const FEW_ROWS: usize = 2;
/// Nodes of a later layer that are summed in parallel for a single row.
pub(super) const GROUP: usize = 16;
/// Granularity at which the activation function of the first layer is applied.
const ACTIVATION_SPAN: usize = 16;
/// Bound on the sums of hidden nodes above the first layer, so that even the largest weights do not
/// lead to infinity.
pub(super) const SUM_LIMIT: f32 = 1e25;

/// The compiled network.
#[derive(Debug)]
pub(super) struct DenseNetwork {
    pub(super) arch: Arch,
    pub(super) id: NetworkId,
    pub(super) first_layer: FirstLayer,
    /// The first layer again, if there are layers above it and it has several groups of nodes.
    wide_layer: Option<WideLayer>,
    /// The first layer again, if there are layers above it, it has one or two groups of nodes, and
    /// raw inputs may be given as signs.
    pub(super) sign_layer: Option<SignLayer>,
    /// The other layers, the outputs last.
    pub(super) later: Vec<Layer>,
    pub(super) outputs: usize,
    pub(super) layer_functions: LayerFunctions,
    /// The bypass weight of each raw input to every output; empty without a bypass.
    pub(super) bypass: Vec<f64>,
    /// The number of nodes in all layers except the outputs.
    pub(super) slots: usize,
}

/// A layer above the first.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) below: usize,
    /// Node by node, the weights from the nodes below.
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
    /// The same weights arranged for a single row, whose nodes are summed in parallel: groups of
    /// sixteen nodes, the last one padded with zeros; group by group, its biases and then, for each
    /// node below, the weights to the group. Empty for few nodes.
    pub(super) groups: Vec<[f32; GROUP]>,
}

impl DenseNetwork {
    pub(super) fn new(genome: &Mlp, layer_functions: LayerFunctions, io_spec: &IoSpec) -> Self {
        let projection = io_spec.inputs.projection.as_deref();
        let mapping = InputMapping {
            inputs: &io_spec.inputs,
            piece_value: genome
                .piece_value
                .or(projection.and_then(InputProjection::piece_value))
                .unwrap_or(1.0),
        };
        let first_layer = FirstLayer::new(genome, &mapping);
        let ones = vec![1.0; io_spec.inputs.count];
        let bypass = layer_functions
            .bypass
            .then(|| mapping.feature_weights(&ones).map(round_to_grid).collect());
        let later: Vec<Layer> = (2..genome.layers.len())
            .map(|layer| Layer::new(genome, layer))
            .collect();
        let last = genome.layers.len() - 1;
        let above: u32 = genome.layers.iter().take(last).skip(2).sum();
        Self {
            arch: simd::arch(),
            id: NetworkId::next(),
            slots: first_layer.width + above as usize,
            wide_layer: WideLayer::new(&first_layer).filter(|_| last > 1),
            sign_layer: SignLayer::new(&first_layer).filter(|_| last > 1 && bypass.is_none()),
            first_layer,
            later,
            outputs: genome.layers[last] as usize,
            layer_functions,
            bypass: bypass.unwrap_or_default(),
        }
    }

    #[inline(always)]
    fn rows<const L: usize, const R: usize>(
        &self,
        batch: InputBatch<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        let Scratch {
            values,
            base_rows,
            prefix_sums,
            ..
        } = scratch;
        let width = self.first_layer.width;
        let base_row = base_rows.update::<L>(self.id, &self.first_layer, batch.base);
        values.resize(width * BLOCK + self.slots * R, 0.0);
        let (block, above) = values.split_at_mut(width * BLOCK);
        let (above, _) = above.as_chunks_mut::<R>();
        let rows = batch.ends.len();
        for from in (0..rows).step_by(BLOCK) {
            let count = (rows - from).min(BLOCK);
            let (groups, _) = block.as_chunks_mut::<L>();
            let block_rows = from..from + count;
            self.first_layer
                .apply_changes(batch, block_rows, base_row, prefix_sums, groups);
            if self.later.is_empty() {
                let rows = block.chunks_exact(width).take(count);
                rows.for_each(|row| out.extend_from_slice(&row[..self.outputs]));
                continue;
            }
            let filled = (count * width).next_multiple_of(ACTIVATION_SPAN);
            let (spans, _) = block[..filled].as_chunks_mut::<ACTIVATION_SPAN>();
            self.layer_functions.hidden.apply_to_all(spans);
            let (groups, _) = block.as_chunks::<L>();
            let sets = groups.chunks_exact(width / L * R);
            for (set, from) in sets.zip((0..count).step_by(R)) {
                transpose(set, &mut above[..width]);
                self.forward_later_layers(above, (count - from).min(R), out);
            }
        }
        if !self.bypass.is_empty() {
            self.add_bypass(batch, &base_row.inputs, out);
        }
        self.layer_functions.outputs.apply_to_slice(out);
    }

    /// Adds the sum of all inputs to the outputs' sums.
    fn add_bypass(&self, batch: InputBatch<'_>, base: &[f32], out: &mut [f32]) {
        let terms = base.iter().zip(&self.bypass);
        let all = terms
            .map(|(&value, weight)| f64::from(value) * weight)
            .sum();
        self.add_bypass_of_changes(batch, all, out);
    }

    /// Adds the sum of the inputs of each row, given that of the base row.
    #[inline(always)]
    pub(super) fn add_bypass_of_changes(&self, batch: InputBatch<'_>, all: f64, out: &mut [f32]) {
        for (row, outputs) in out.chunks_exact_mut(self.outputs).enumerate() {
            let step = |&(input, value): &(u32, f32)| {
                let input = input as usize;
                (f64::from(value) - f64::from(batch.base[input])) * self.bypass[input]
            };
            let own = all + batch.row_changes(row).iter().map(step).sum::<f64>();
            for output in outputs {
                *output += own as f32;
            }
        }
    }

    /// Computes the later layers. `values` holds `R` rows of each node of the first layer, followed
    /// by room for the later hidden layers.
    #[inline(always)]
    pub(super) fn forward_later_layers<const R: usize>(
        &self,
        mut values: &mut [[f32; R]],
        count: usize,
        out: &mut Vec<f32>,
    ) {
        let mut room = self.first_layer.width;
        for layer in &self.later {
            let nodes = layer.biases.len();
            let (below, above) = std::mem::take(&mut values).split_at_mut(room);
            if above.is_empty() {
                let from = out.len();
                out.resize(from + count * nodes, 0.0);
                let out = &mut out[from..];
                if R == 1 && !layer.groups.is_empty() {
                    layer.sum_row(below.as_flattened(), out);
                } else {
                    for node in 0..nodes {
                        let sums = layer.sums(node, below);
                        for (row, sum) in sums.into_iter().take(count).enumerate() {
                            out[row * nodes + node] = sum;
                        }
                    }
                }
            } else {
                if R == 1 && !layer.groups.is_empty() {
                    layer.sum_row(below.as_flattened(), above[..nodes].as_flattened_mut());
                } else {
                    for (node, value) in above[..nodes].iter_mut().enumerate() {
                        *value = layer.sums(node, below);
                    }
                }
                for sum in above[..nodes].as_flattened_mut() {
                    *sum = sum.clamp(-SUM_LIMIT, SUM_LIMIT);
                }
                self.layer_functions
                    .hidden
                    .apply_to_all(&mut above[..nodes]);
            }
            values = above;
            room = nodes;
        }
    }
}

impl Layer {
    fn new(genome: &Mlp, layer: usize) -> Self {
        const FEW: usize = 4;
        let nodes = || genome.nodes(layer);
        let mut made = Self {
            below: genome.layers[layer - 1] as usize,
            weights: nodes().flat_map(|(_, row)| row).copied().collect(),
            biases: nodes().map(|(bias, _)| bias).collect(),
            groups: Vec::new(),
        };
        if made.biases.len() >= FEW {
            made.build_groups();
        }
        made
    }

    /// Arranges the weights for a single row.
    fn build_groups(&mut self) {
        let stride = self.below + 1;
        let groups = self.biases.len().div_ceil(GROUP);
        self.groups = vec![[0.0; GROUP]; groups * stride];
        for (node, &bias) in self.biases.iter().enumerate() {
            let build_groups = &mut self.groups[node / GROUP * stride..][..stride];
            build_groups[0][node % GROUP] = bias;
            let weights = &self.weights[node * self.below..][..self.below];
            for (column, &weight) in build_groups[1..].iter_mut().zip(weights) {
                column[node % GROUP] = weight;
            }
        }
    }

    /// The sums of all nodes for a single row, added in the same order as in [`Layer::sums`].
    #[inline(always)]
    fn sum_row(&self, below: &[f32], out: &mut [f32]) {
        let groups = self.groups.chunks_exact(self.below + 1);
        for (build_groups, out) in groups.zip(out.chunks_mut(GROUP)) {
            let [biases, columns @ ..] = build_groups else {
                continue;
            };
            let mut sums = *biases;
            for (column, value) in columns.iter().zip(below) {
                for node in 0..GROUP {
                    sums[node] += column[node] * value;
                }
            }
            out.copy_from_slice(&sums[..out.len()]);
        }
    }

    /// The sums of one node for `R` rows.
    #[inline(always)]
    fn sums<const R: usize>(&self, node: usize, below: &[[f32; R]]) -> [f32; R] {
        let mut sums = [self.biases[node]; R];
        let weights = &self.weights[node * self.below..][..self.below];
        for (weight, values) in weights.iter().zip(below) {
            for row in 0..R {
                sums[row] += weight * values[row];
            }
        }
        sums
    }
}

/// Transposes `R` rows of nodes into nodes of `R` rows each.
#[inline(always)]
fn transpose<const L: usize, const R: usize>(groups: &[[f32; L]], nodes: &mut [[f32; R]]) {
    let across = groups.len() / R;
    let (nodes, _) = nodes.as_chunks_mut::<L>();
    for (group, nodes) in nodes.iter_mut().enumerate() {
        let rows: [[f32; L]; R] = std::array::from_fn(|row| groups[row * across + group]);
        // Plain loops become shuffles of vectors; closures do not.
        for node in 0..L {
            for row in 0..R {
                nodes[node][row] = rows[row][node];
            }
        }
    }
}

/// The forward pass of a batch. It is a type rather than a closure, because only a named function
/// can be inlined into the dispatched one, which uses the machine's vector instructions.
struct ForwardPass<'a, const L: usize, const R: usize> {
    brain: &'a DenseNetwork,
    batch: InputBatch<'a>,
    scratch: &'a mut Scratch,
    out: &'a mut Vec<f32>,
}

impl<const L: usize, const R: usize> NullaryFnOnce for ForwardPass<'_, L, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.brain.rows::<L, R>(self.batch, self.scratch, self.out);
    }
}

impl DenseNetwork {
    fn dispatch<const L: usize, const R: usize>(
        &self,
        batch: InputBatch<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        self.arch.dispatch(ForwardPass::<L, R> {
            brain: self,
            batch,
            scratch,
            out,
        });
    }
}

impl Brain for DenseNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        let is_small = batch.ends.len() <= FEW_ROWS;
        if let Some(wide_layer) = &self.wide_layer {
            return self.forward_wide(wide_layer, batch, scratch, out);
        }
        match (self.first_layer.width == 1, is_small) {
            (true, true) => self.dispatch::<1, 1>(batch, scratch, out),
            (true, false) => self.dispatch::<1, ROWS>(batch, scratch, out),
            (false, true) => self.dispatch::<LANES, 1>(batch, scratch, out),
            (false, false) => self.dispatch::<LANES, ROWS>(batch, scratch, out),
        }
    }

    fn sign_evaluator(&self) -> Option<&dyn SignEvaluator> {
        self.sign_layer.is_some().then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::activation::Activation;
    use crate::genomes::mlp::MlpConfig;
    use crate::genomes::{Genome, IoSpec};
    use crate::input_spec::InputSpec;
    use crate::rng::{Purpose, Stream, stream};
    use std::sync::Arc;

    use rand::RngExt;

    /// The definition, node by node, in double precision, and the size of the largest sum of
    /// absolute terms.
    fn reference_outputs(genome: &Mlp, config: &MlpConfig, inputs: &[f32]) -> (Vec<f64>, f64) {
        let mut values: Vec<f64> = inputs.iter().map(|&input| f64::from(input)).collect();
        let all: f64 = values.iter().sum();
        let bypass = if config.bypass { all } else { 0.0 };
        let mut scale: f64 = bypass.abs().max(1.0);
        let last = genome.layers.len() - 1;
        for layer in 1..=last {
            let nodes = genome.nodes(layer).map(|(bias, weights)| {
                let terms = weights.iter().zip(&values);
                let terms = terms.map(|(&weight, value)| f64::from(weight) * value);
                let terms: Vec<f64> = terms.chain([f64::from(bias)]).collect();
                let size: f64 = terms.iter().map(|term| term.abs()).sum();
                scale = scale.max(size);
                let sum = terms.iter().sum();
                if layer == last {
                    sum + bypass
                } else {
                    config.activation.defined(sum)
                }
            });
            values = nodes.collect();
        }
        (values, scale)
    }

    /// A batch as games produce it: a base row, and rows that differ from it in a few inputs.
    struct TestBatch {
        row: Vec<f32>,
        changes: Vec<(u32, f32)>,
        ends: Vec<u32>,
    }

    impl TestBatch {
        fn new(inputs: usize, rows: usize, rng: &mut Stream) -> Self {
            let mut square = |_| rng.random_range(-1..=1) as f32;
            let row: Vec<f32> = (0..inputs).map(&mut square).collect();
            let mut batch = Self {
                row,
                changes: Vec::new(),
                ends: Vec::new(),
            };
            for _ in 0..rows {
                for input in 0..inputs as u32 {
                    if rng.random_bool(0.1) {
                        let value = rng.random_range(-1..=1) as f32;
                        batch.changes.push((input, value));
                    }
                }
                batch.ends.push(batch.changes.len() as u32);
            }
            batch
        }

        fn batch(&self) -> InputBatch<'_> {
            InputBatch {
                base: &self.row,
                changes: &self.changes,
                ends: &self.ends,
            }
        }

        /// The inputs of a row in full.
        fn raw_inputs(&self, row: usize) -> Vec<f32> {
            let mut inputs = self.row.clone();
            for &(input, value) in self.batch().row_changes(row) {
                inputs[input as usize] = value;
            }
            inputs
        }
    }

    fn check(hidden: &[u16], biases: bool, bypass: bool, io_spec: &IoSpec) {
        for activation in Activation::all() {
            let config = MlpConfig {
                hidden: hidden.to_vec(),
                activation,
                biases,
                bypass,
                ..MlpConfig::default()
            };
            let mut rng = stream(1, Purpose::Reproduction, 0, hidden.len() as u64);
            let genome = Mlp::random(&config, io_spec, &mut rng);
            let brain = genome.grow(&config, io_spec);
            let mut scratch = Scratch::default();
            let (mut out, mut alone) = (Vec::new(), Vec::new());
            for rows in [1, 2, 3, 7, 8, 9, 16, 21] {
                let batch = TestBatch::new(io_spec.inputs.raw_count(), rows, &mut rng);
                brain.forward(batch.batch(), &mut scratch, &mut out);
                assert_eq!(out.len(), rows * io_spec.outputs);
                for (row, outputs) in out.chunks(io_spec.outputs).enumerate() {
                    let raw_inputs = batch.raw_inputs(row);
                    brain.forward(InputBatch::single(&raw_inputs), &mut scratch, &mut alone);
                    assert_eq!(outputs, alone, "row {row} of {rows}, {hidden:?}");
                    let inputs = io_spec.inputs.project(raw_inputs.clone());
                    let (exact, scale) = reference_outputs(&genome, &config, &inputs);
                    for (&output, exact) in outputs.iter().zip(exact) {
                        let error = (f64::from(output) - exact).abs();
                        assert!(
                            error <= 1e-5 * scale,
                            "{hidden:?} {activation:?}: {output} is not {exact}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_compiled_network_computes_what_its_genome_says_for_any_batch() {
        let shapes = [(64, 1), (5, 3), (1, 9)];
        for ((inputs, outputs), whole_inputs) in shapes
            .into_iter()
            .flat_map(|shape| [(shape, None), (shape, Some(1))])
        {
            let io_spec = IoSpec::of(
                InputSpec {
                    whole: whole_inputs,
                    ..InputSpec::new(inputs)
                },
                outputs,
            );
            for hidden in [
                &[][..],
                &[8],
                &[8, 3],
                &[16, 4],
                &[1],
                &[9, 1, 2],
                &[3, 20],
                &[40, 10],
            ] {
                check(hidden, true, false, &io_spec);
            }
            check(&[8], false, false, &io_spec);
            check(&[], false, true, &io_spec);
            check(&[9, 3], true, true, &io_spec);
        }
    }

    #[test]
    fn a_network_with_a_projection_computes_what_its_inputs_give() {
        let mut rng = stream(3, Purpose::Sample, 0, 0);
        let feeds = |_| {
            let inputs = (0..7).map(|input| (input, 0.25 * rng.random_range(0..9) as f32));
            inputs.filter(|&(_, times)| times > 1.0).collect()
        };
        let projection = InputProjection::new((0..20).map(feeds).collect()).with_piece_value(1.3);
        let io_spec = IoSpec::of(
            InputSpec {
                projection: Some(Arc::new(projection)),
                ..InputSpec::new(7)
            },
            2,
        );
        for hidden in [&[][..], &[8, 3], &[1], &[40]] {
            check(hidden, true, false, &io_spec);
            check(hidden, true, true, &io_spec);
        }
    }

    /// The first layer is computed row by row in the one, group by group in the other.
    #[test]
    fn wide_and_narrow_instructions_give_the_same_bits() {
        let mut rng = stream(2, Purpose::Reproduction, 0, 0);
        for (inputs, hidden) in [(64, vec![16, 4]), (91, vec![40, 10]), (130, vec![64])] {
            let config = MlpConfig {
                hidden,
                ..MlpConfig::default()
            };
            let io_spec = IoSpec::of(
                InputSpec {
                    whole: Some(1),
                    ..InputSpec::new(inputs)
                },
                2,
            );
            let genome = Mlp::random(&config, &io_spec, &mut rng);
            for activation in Activation::all() {
                let layer_functions = LayerFunctions {
                    hidden: activation,
                    outputs: Activation::Linear,
                    bypass: true,
                };
                let brain = DenseNetwork::new(&genome, layer_functions, &io_spec);
                for rows in [1, 21] {
                    check_bits(&brain, &TestBatch::new(inputs, rows, &mut rng), activation);
                }
            }
        }
    }

    fn check_bits(brain: &DenseNetwork, batch: &TestBatch, activation: Activation) {
        let mut scratch = Scratch::default();
        let (mut wide, mut narrow) = (Vec::new(), Vec::new());
        brain.forward(batch.batch(), &mut scratch, &mut wide);
        brain.rows::<LANES, ROWS>(batch.batch(), &mut scratch, &mut narrow);
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&wide), bits(&narrow), "{activation:?}");
    }
}
