//! The first layer of a dense network, over its raw inputs. Its sums are computed once for the base
//! row of a batch and corrected for each other row.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use std::ops::Range;

use crate::genomes::InputBatch;
use crate::input_spec::InputSpec;

use super::Mlp;
use super::base_row::BaseRow;

/// Rows whose first layer is computed together.
pub(super) const BLOCK: usize = 16;
/// Nodes of the first layer that are summed in parallel.
pub(super) const LANES: usize = 8;
/// Partial sums of the first layer, so that additions do not wait for each other.
const PARTS: usize = 4;
/// If all sums of absolute terms are below this, then sums over all changes of a block are below
/// 2²⁹ and exact in double precision, since weights are multiples of 2⁻²⁴.
const EXACT_SUMS: f64 = ((1_u64 << 28) / BLOCK as u64) as f64;

/// The first layer. Nodes are in groups of eight; the last group is padded with zeros, but a single
/// node is not padded.
#[derive(Debug)]
pub(super) struct FirstLayer {
    /// The number of raw inputs: features, or inputs if there is no projection.
    pub(super) raw_inputs: usize,
    /// The number of nodes, including padding.
    pub(super) width: usize,
    /// Group by group, and within it input by input, the weights to the nodes of the group.
    weights: Vec<f64>,
    biases: Vec<f64>,
    /// Whether inputs are whole numbers so small that no addition rounds, in whatever order.
    pub(super) is_exact: bool,
}

impl FirstLayer {
    pub(super) fn new(genome: &Mlp, mapping: &InputMapping<'_>) -> Self {
        let (raw_inputs, nodes) = (mapping.inputs.raw_count(), genome.layers[1] as usize);
        let group = if nodes == 1 { 1 } else { LANES };
        let width = nodes.next_multiple_of(group);
        let mut weights = vec![0.0; raw_inputs * width];
        let mut biases = vec![0.0; width];
        for (node, (bias, row)) in genome.nodes(1).enumerate() {
            biases[node] = round_to_grid(bias.into());
            let gene_offset = node / group * group * raw_inputs + node % group;
            for (number, weight) in mapping.feature_weights(row).enumerate() {
                weights[gene_offset + number * group] = round_to_grid(weight);
            }
        }
        let reach = |(bias, row): (f32, &[f32])| {
            let weights = mapping.feature_weights(row).map(f64::abs);
            f64::from(bias.abs()) + weights.sum::<f64>()
        };
        let reach = genome.nodes(1).map(reach).fold(0.0, f64::max);
        let is_exact = |largest: u16| f64::from(largest) * reach < EXACT_SUMS;
        Self {
            raw_inputs,
            width,
            weights,
            biases,
            is_exact: mapping.inputs.whole.is_some_and(is_exact),
        }
    }

    /// The weight from a raw input to a node.
    pub(super) fn weight(&self, input: usize, node: usize) -> f64 {
        let group = LANES.min(self.width);
        let start = node / group * group * self.raw_inputs;
        self.weights[start + input * group + node % group]
    }

    /// The bias of a node.
    pub(super) fn bias(&self, node: usize) -> f64 {
        self.biases[node]
    }

    /// The biases of each group of eight nodes; empty for a single node.
    pub(super) fn group_biases(&self) -> &[[f64; LANES]] {
        let (biases, _) = self.biases.as_chunks();
        biases
    }

    /// The weights of a group of `L` nodes, input by input.
    #[inline(always)]
    pub(super) fn columns<const L: usize>(&self, group: usize) -> &[[f64; L]] {
        let (columns, _) = self.weights.as_chunks::<L>();
        &columns[group * self.raw_inputs..][..self.raw_inputs]
    }

    /// The sums of one row.
    #[inline(always)]
    pub(super) fn sum<const L: usize>(&self, inputs: &[f64], sums: &mut [[f64; L]]) {
        let (biases, _) = self.biases.as_chunks::<L>();
        let (inputs, rest) = inputs.as_chunks::<PARTS>();
        for (group, (biases, sums)) in biases.iter().zip(sums).enumerate() {
            let (columns, last) = self.columns::<L>(group).as_chunks::<PARTS>();
            let mut parts = [[0.0; L]; PARTS];
            for (columns, inputs) in columns.iter().zip(inputs) {
                for part in 0..PARTS {
                    add(&mut parts[part], inputs[part], &columns[part]);
                }
            }
            for (column, &input) in last.iter().zip(rest) {
                add(&mut parts[0], input, column);
            }
            *sums = total(biases, &parts);
        }
    }

    /// The sums of one row, given the indices of its nonzero inputs.
    #[inline(always)]
    pub(super) fn sum_sparse<const L: usize>(
        &self,
        inputs: &[f64],
        nonzero: &[u32],
        sums: &mut [[f64; L]],
    ) {
        let (biases, _) = self.biases.as_chunks::<L>();
        let (nonzero, rest) = nonzero.as_chunks::<PARTS>();
        for (group, (biases, sums)) in biases.iter().zip(sums).enumerate() {
            let columns = self.columns::<L>(group);
            let mut parts = [[0.0; L]; PARTS];
            for nonzero in nonzero {
                for part in 0..PARTS {
                    let index = nonzero[part] as usize;
                    add(&mut parts[part], inputs[index], &columns[index]);
                }
            }
            for &index in rest {
                let index = index as usize;
                add(&mut parts[0], inputs[index], &columns[index]);
            }
            *sums = total(biases, &parts);
        }
    }

    /// The sums of a block of rows that differ a little from the base row: row by row, the groups
    /// of each. `prefix_sums` is a buffer.
    #[inline(always)]
    pub(super) fn apply_changes<const L: usize>(
        &self,
        batch: InputBatch<'_>,
        rows: Range<usize>,
        base_row: &BaseRow,
        prefix_sums: &mut Vec<f64>,
        out: &mut [[f32; L]],
    ) {
        let (base_sums, _) = base_row.sums.as_chunks::<L>();
        let across = base_sums.len();
        for (group, base_sums) in base_sums.iter().enumerate() {
            let columns = self.columns::<L>(group);
            let inputs = &base_row.inputs;
            if self.is_exact {
                let prefix_sums = sum_changes(batch, &rows, inputs, columns, prefix_sums);
                let first = batch.first_change(rows.start);
                let mut before = &[0.0; L];
                for (row, &end) in batch.ends[rows.clone()].iter().enumerate() {
                    let after = &prefix_sums[end as usize - first];
                    let sum = |node| base_sums[node] + (after[node] - before[node]);
                    out[row * across + group] = std::array::from_fn(|node| sum(node) as f32);
                    before = after;
                }
            } else {
                for (index, row) in rows.clone().enumerate() {
                    let mut sums = [0.0; L];
                    for &(input, value) in batch.row_changes(row) {
                        let input = input as usize;
                        let step = f64::from(value) - f64::from(inputs[input]);
                        add(&mut sums, step, &columns[input]);
                    }
                    let sum = |node: usize| base_sums[node] + sums[node];
                    out[index * across + group] = std::array::from_fn(|node| sum(node) as f32);
                }
            }
        }
    }
}

/// Adds up the changes of a block of rows, one after the other, and returns the sums before the
/// first and after each change. The sum of a row is the difference of two of them, which is exact,
/// because no addition rounds.
///
/// So no branch depends on the number of changes of a row, which is unpredictable: mispredicted
/// branches would cost more than the additions.
#[inline(always)]
fn sum_changes<'a, const L: usize>(
    batch: InputBatch<'_>,
    rows: &Range<usize>,
    inputs: &[f32],
    columns: &[[f64; L]],
    prefix_sums: &'a mut Vec<f64>,
) -> &'a [[f64; L]] {
    let changes = batch.first_change(rows.start)..batch.first_change(rows.end);
    let changes = &batch.changes[changes];
    let needed = (changes.len() + 1) * L;
    if prefix_sums.len() < needed {
        prefix_sums.resize(needed.next_power_of_two(), 0.0);
    }
    let (prefix_sums, _) = prefix_sums.as_chunks_mut::<L>();
    let mut sums = [0.0; L];
    prefix_sums[0] = sums;
    for (&(input, value), prefix_sum) in changes.iter().zip(&mut prefix_sums[1..]) {
        let input = input as usize;
        let step = f64::from(value) - f64::from(inputs[input]);
        add(&mut sums, step, &columns[input]);
        *prefix_sum = sums;
    }
    prefix_sums
}

/// Collects the indices of the nonzero inputs. Returns whether they are few enough for a sparse sum
/// to be faster.
#[inline(always)]
pub(super) fn find_nonzero(inputs: &[f64], nonzero: &mut Vec<u32>) -> bool {
    nonzero.resize(inputs.len(), 0);
    let mut count = 0;
    for (index, &input) in (0..).zip(inputs) {
        // Branch-free, because zeros are unpredictable: every index is written, and some are
        // overwritten.
        nonzero[count] = index;
        count += usize::from(input != 0.0);
    }
    nonzero.truncate(count);
    2 * count <= inputs.len()
}

/// The mapping from raw inputs to the inputs of a network.
pub(super) struct InputMapping<'a> {
    pub(super) inputs: &'a InputSpec,
    /// The value of special pieces.
    pub(super) piece_value: f32,
}

impl InputMapping<'_> {
    /// The weights of the raw inputs, given the weights of the inputs.
    pub(super) fn feature_weights<'b>(&'b self, weights: &'b [f32]) -> impl Iterator<Item = f64> {
        (0..self.inputs.raw_count()).map(|number| match &self.inputs.projection {
            None => weights[number].into(),
            Some(projection) => {
                let terms = projection.terms(number, self.piece_value);
                terms
                    .map(|(input, factor)| factor * f64::from(weights[input]))
                    .sum()
            }
        })
    }
}

/// The sums of a group of nodes, given their biases and partial sums.
#[inline(always)]
fn total<const L: usize>(biases: &[f64; L], parts: &[[f64; L]; PARTS]) -> [f64; L] {
    std::array::from_fn(|node| {
        let halves = [
            parts[0][node] + parts[1][node],
            parts[2][node] + parts[3][node],
        ];
        biases[node] + (halves[0] + halves[1])
    })
}

/// Adds `factor` times `column` to `sums`.
#[inline(always)]
pub(super) fn add<const L: usize>(sums: &mut [f64; L], factor: f64, column: &[f64; L]) {
    for node in 0..L {
        sums[node] += factor * column[node];
    }
}

/// The nearest multiple of 2⁻²⁴.
pub(super) fn round_to_grid(weight: f64) -> f64 {
    const STEPS: f64 = 16_777_216.0;
    (weight * STEPS).round() / STEPS
}
