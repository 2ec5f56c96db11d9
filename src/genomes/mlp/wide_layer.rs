//! A first layer of more than one group of nodes, row by row. Each input that is not zero, or that changes, adds its column of
//! weights to all groups; the columns are stored one after another, so that a change reads consecutive memory.
//!
//! The sums have the same bits as those of [`super::first_layer`], because no addition rounds.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's instructions"
)]

use crate::genomes::InputBatch;

use super::first_layer::{FirstLayer, LANES, NodeGroups};

/// Inputs whose zeros are found together.
const WORD: usize = u64::BITS as usize;
/// Groups of nodes that are summed in parallel.
const SPAN: usize = 5;

/// The first layer, input by input.
#[derive(Debug)]
pub(super) struct WideLayer {
    /// For each input, its weights to each group of nodes.
    columns: NodeGroups,
    biases: NodeGroups,
}

impl WideLayer {
    /// The layer with its weights rearranged; `None` if there is only one group.
    pub(super) fn new(layer: &FirstLayer) -> Option<Self> {
        let [columns, biases] = layer.columns()?;
        Some(Self { columns, biases })
    }

    /// The sums of each group of nodes for the base row of a batch. `terms` is overwritten.
    #[inline(always)]
    pub(super) fn sum_base(
        &self,
        inputs: &[f32],
        terms: &mut Vec<(u32, f64)>,
        sums: &mut [[f64; LANES]],
    ) {
        terms.clear();
        let (words, rest) = inputs.as_chunks::<WORD>();
        for (word, inputs) in (0..).zip(words) {
            push_nonzero(word * WORD as u32, inputs, terms);
        }
        let mut last = [0.0; WORD];
        last[..rest.len()].copy_from_slice(rest);
        if !rest.is_empty() {
            push_nonzero((words.len() * WORD) as u32, &last, terms);
        }
        self.add(&self.biases, terms, |group, total| sums[group] = total);
    }

    /// The sums of a row of a batch, given those of its base row.
    #[inline(always)]
    pub(super) fn sum_row(
        &self,
        batch: InputBatch<'_>,
        row: usize,
        terms: &mut Vec<(u32, f64)>,
        (base, sums): (&[[f64; LANES]], &mut [f32]),
    ) {
        let step = |&(input, value): &(u32, f32)| {
            let step = f64::from(value) - f64::from(batch.base[input as usize]);
            (input, step)
        };
        terms.clear();
        terms.extend(batch.row_changes(row).iter().map(step));
        let (sums, _) = sums.as_chunks_mut::<LANES>();
        self.add(base, terms, |group, total| {
            sums[group] = total.map(|sum| sum as f32);
        });
    }

    /// Calls `found` with the total of each group: its start plus the terms, inputs with the factor of their weights.
    #[inline(always)]
    fn add(
        &self,
        starts: &[[f64; LANES]],
        terms: &[(u32, f64)],
        mut found: impl FnMut(usize, [f64; LANES]),
    ) {
        let (spans, _) = starts.as_chunks::<SPAN>();
        let mut first = 0;
        for span in spans {
            let totals = self.add_span(first, *span, terms);
            for (group, total) in (first..).zip(totals) {
                found(group, total);
            }
            first += SPAN;
        }
        for (group, &start) in starts.iter().enumerate().skip(first) {
            let [total] = self.add_span(group, [start], terms);
            found(group, total);
        }
    }

    /// The totals of `G` groups from `first` on. They stay in registers, and their additions do not wait for each other.
    #[inline(always)]
    fn add_span<const G: usize>(
        &self,
        first: usize,
        mut totals: [[f64; LANES]; G],
        terms: &[(u32, f64)],
    ) -> [[f64; LANES]; G] {
        let groups = self.biases.len();
        for &(input, factor) in terms {
            let columns = &self.columns[input as usize * groups + first..][..G];
            for group in 0..G {
                for node in 0..LANES {
                    totals[group][node] += factor * columns[group][node];
                }
            }
        }
        totals
    }
}

/// Appends the inputs of a word that are not zero, with their indices.
#[inline(always)]
fn push_nonzero(first: u32, inputs: &[f32; WORD], terms: &mut Vec<(u32, f64)>) {
    // One lane for each eighth input, so that the comparisons become vector instructions.
    let mut lanes = [0_u64; LANES];
    let (vectors, _) = inputs.as_chunks::<LANES>();
    for (vector, inputs) in vectors.iter().enumerate() {
        for lane in 0..LANES {
            let bit = 1_u64 << (vector * LANES + lane);
            lanes[lane] |= if inputs[lane] == 0.0 { 0 } else { bit };
        }
    }
    let mut nonzero = lanes.into_iter().fold(0, |all, lane| all | lane);
    while nonzero != 0 {
        let index = nonzero.trailing_zeros();
        terms.push((first + index, inputs[index as usize % WORD].into()));
        nonzero &= nonzero - 1;
    }
}
