//! The first layer of a dense network, over its raw inputs. Its sums are computed once for the base row of a batch and corrected
//! for each other row.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's instructions"
)]

use std::ops::Range;

use crate::genomes::InputBatch;
use crate::projection::InputProjection;

use super::Mlp;

/// Rows whose first layer is computed together, so that independent additions overlap.
pub(super) const BLOCK: usize = 16;
/// Nodes of the first layer that are summed in parallel.
pub(super) const LANES: usize = 8;
/// Partial sums of the first layer, so that additions do not wait for each other.
const PARTS: usize = 4;

/// A number for each node of one group after another.
pub(super) type NodeGroups = Vec<[f64; LANES]>;

/// The first layer. Nodes are in groups of eight; the last group is padded with zeros, but a single node is not padded.
#[derive(Debug)]
pub(super) struct FirstLayer {
    /// The number of raw inputs: features, or inputs if there is no projection.
    raw_inputs: usize,
    /// The number of nodes, including padding.
    pub(super) width: usize,
    /// Group by group, and within it input by input, the weights to the nodes of the group.
    weights: Vec<f64>,
    biases: Vec<f64>,
}

/// The base row, and the first layer's sums for it.
pub(super) struct BaseRow<'a, const L: usize> {
    pub(super) inputs: &'a [f64],
    pub(super) sums: &'a [[f64; L]],
}

impl FirstLayer {
    pub(super) fn new(genome: &Mlp, mapping: &InputMapping<'_>) -> Self {
        let (raw_inputs, nodes) = (mapping.raw_input_count(), genome.layers[1] as usize);
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
        Self {
            raw_inputs,
            width,
            weights,
            biases,
        }
    }

    /// The weights input by input, within it group by group, and the biases of each group. `None` if there is only one group.
    pub(super) fn columns(&self) -> Option<[NodeGroups; 2]> {
        if self.width <= LANES {
            return None;
        }
        let groups: Vec<&[[f64; LANES]]> = self.groups().collect();
        let of_input = |input: usize| groups.iter().map(move |group| group[input]);
        let columns = (0..self.raw_inputs).flat_map(of_input).collect();
        Some([columns, self.biases.as_chunks().0.to_vec()])
    }

    /// The weights of each group of `L` nodes, input by input.
    #[inline(always)]
    fn groups<const L: usize>(&self) -> impl Iterator<Item = &[[f64; L]]> {
        let (columns, _) = self.weights.as_chunks::<L>();
        columns.chunks_exact(self.raw_inputs)
    }

    /// The sums of one row.
    #[inline(always)]
    pub(super) fn sum<const L: usize>(&self, inputs: &[f64], sums: &mut [[f64; L]]) {
        let (biases, _) = self.biases.as_chunks::<L>();
        let (inputs, rest) = inputs.as_chunks::<PARTS>();
        for ((columns, biases), sums) in self.groups::<L>().zip(biases).zip(sums) {
            let (columns, last) = columns.as_chunks::<PARTS>();
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
        for ((columns, biases), sums) in self.groups::<L>().zip(biases).zip(sums) {
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

    /// The sums of a block of rows that differ a little from the base row: row by row, the groups of each. `row_of_change` is the
    /// row within the block to which each change belongs.
    ///
    /// One loop handles all changes, because the number per row is unpredictable: the mispredicted branches of a loop per row
    /// cost more than the additions.
    #[inline(always)]
    pub(super) fn apply_changes<const L: usize>(
        &self,
        changes: &[(u32, f32)],
        row_of_change: &[u32],
        base_row: &BaseRow<'_, L>,
        out: &mut [[f32; L]],
    ) {
        for (group, (columns, sums)) in self.groups::<L>().zip(base_row.sums).enumerate() {
            let mut steps = [[0.0; L]; BLOCK];
            for (&(input, value), &row) in changes.iter().zip(row_of_change) {
                let step = f64::from(value) - base_row.inputs[input as usize];
                let steps = &mut steps[row as usize % BLOCK];
                add(steps, step, &columns[input as usize]);
            }
            let row_sums = out[group..].iter_mut().step_by(self.width / L);
            for (row_sum, steps) in row_sums.zip(&steps) {
                *row_sum = std::array::from_fn(|node| (sums[node] + steps[node]) as f32);
            }
        }
    }
}

/// Collects the indices of the nonzero inputs. Returns whether they are few enough for a sparse sum to be faster.
#[inline(always)]
pub(super) fn find_nonzero(inputs: &[f64], nonzero: &mut Vec<u32>) -> bool {
    nonzero.resize(inputs.len(), 0);
    let mut count = 0;
    for (index, &input) in (0..).zip(inputs) {
        // Branch-free, because zeros are unpredictable: every index is written, and some are overwritten.
        nonzero[count] = index;
        count += usize::from(input != 0.0);
    }
    nonzero.truncate(count);
    2 * count <= inputs.len()
}

/// The mapping from raw inputs to the inputs of a network.
pub(super) struct InputMapping<'a> {
    pub(super) projection: Option<&'a InputProjection>,
    pub(super) inputs: usize,
    /// The value of special pieces.
    pub(super) piece_value: f32,
}

impl InputMapping<'_> {
    fn raw_input_count(&self) -> usize {
        self.projection.map_or(self.inputs, InputProjection::count)
    }

    /// The weights of the raw inputs, given the weights of the inputs.
    pub(super) fn feature_weights<'b>(&'b self, weights: &'b [f32]) -> impl Iterator<Item = f64> {
        (0..self.raw_input_count()).map(|number| match self.projection {
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

/// The changes of a block of rows. Writes the row of each change, counted within the block, to `row_of_change`.
#[inline(always)]
pub(super) fn label_changes<'a>(
    batch: InputBatch<'a>,
    rows: Range<usize>,
    row_of_change: &mut Vec<u32>,
) -> &'a [(u32, f32)] {
    // Most rows have at most this many changes, so that the loop runs once; excess entries are overwritten.
    const AT_ONCE: usize = 8;
    let first = match rows.start {
        0 => 0,
        row => batch.ends[row - 1] as usize,
    };
    let ends = &batch.ends[rows];
    let last = ends.last().map_or(first, |&end| end as usize);
    if row_of_change.len() < last - first + AT_ONCE {
        row_of_change.resize(last - first + 8 * AT_ONCE, 0);
    }
    let mut from = 0;
    for (row, &end) in (0..).zip(ends) {
        let end = end as usize - first;
        while from < end {
            row_of_change[from..from + AT_ONCE].fill(row);
            from += AT_ONCE;
        }
        from = end;
    }
    &batch.changes[first..last]
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
fn add<const L: usize>(sums: &mut [f64; L], factor: f64, column: &[f64; L]) {
    for node in 0..L {
        sums[node] += factor * column[node];
    }
}

/// The nearest multiple of 2⁻²⁴.
pub(super) fn round_to_grid(weight: f64) -> f64 {
    const STEPS: f64 = 16_777_216.0;
    (weight * STEPS).round() / STEPS
}
