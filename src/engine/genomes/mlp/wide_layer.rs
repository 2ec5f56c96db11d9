//! A first layer of more than one group of nodes, row by row. Each input that is not zero, or that
//! changes, adds its column of weights to all groups; the columns are stored one after another, so
//! that a change reads consecutive memory.
//!
//! The sums have the same bits as those of [`super::first_layer`], because no addition rounds.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use crate::genomes::InputBatch;

use super::first_layer::{FirstLayer, LANES};

/// Inputs whose zeros are found together.
const WORD: usize = u64::BITS as usize;
/// Groups of nodes that are summed in parallel.
const SPAN: usize = 5;

/// The first layer, input by input.
#[derive(Debug)]
pub(super) struct WideLayer {
    /// For each input, its weights to each group of nodes.
    columns: Vec<[f64; LANES]>,
    biases: Vec<[f64; LANES]>,
}

impl WideLayer {
    /// The layer with its weights rearranged; `None` if there is only one group.
    pub(super) fn new(layer: &FirstLayer) -> Option<Self> {
        let biases = layer.group_biases();
        let of_input =
            |input: usize| (0..biases.len()).map(move |group| layer.columns(group)[input]);
        (biases.len() > 1).then(|| Self {
            columns: (0..layer.raw_inputs).flat_map(of_input).collect(),
            biases: biases.to_vec(),
        })
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
        push_nonzero((words.len() * WORD) as u32, rest, terms);
        self.add(&self.biases, terms, |group, total| sums[group] = total);
    }

    /// The sums of a row that is given in full, if there are two groups: in one pass, without a
    /// list of terms. The additions are in the same order. Returns `false` if there are more
    /// groups.
    #[inline(always)]
    pub(super) fn sum_single(&self, inputs: &[f32], sums: &mut [f32]) -> bool {
        let Ok(mut totals) = <[[f64; LANES]; 2]>::try_from(&self.biases[..]) else {
            return false;
        };
        let (columns, _) = self.columns.as_chunks::<2>();
        for (inputs, columns) in inputs.chunks(WORD).zip(columns.chunks(WORD)) {
            let mut nonzero = nonzero(inputs);
            while nonzero != 0 {
                let index = nonzero.trailing_zeros() as usize;
                let (factor, columns) = (f64::from(inputs[index]), &columns[index]);
                for group in 0..2 {
                    for node in 0..LANES {
                        totals[group][node] += factor * columns[group][node];
                    }
                }
                nonzero &= nonzero - 1;
            }
        }
        let (sums, _) = sums.as_chunks_mut::<LANES>();
        for (sums, total) in sums.iter_mut().zip(totals) {
            *sums = total.map(|sum| sum as f32);
        }
        true
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

    /// Calls `found` with the total of each group: its start plus the terms, inputs with the factor
    /// of their weights.
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

    /// The totals of `G` groups from `first` on. They stay in registers, and their additions do not
    /// wait for each other.
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
fn push_nonzero(first: u32, inputs: &[f32], terms: &mut Vec<(u32, f64)>) {
    let mut nonzero = nonzero(inputs);
    while nonzero != 0 {
        let index = nonzero.trailing_zeros();
        terms.push((first + index, inputs[index as usize].into()));
        nonzero &= nonzero - 1;
    }
}

/// The inputs of a word that are not zero, as bits.
#[inline(always)]
fn nonzero(inputs: &[f32]) -> u64 {
    // One lane for each eighth input, so that the comparisons become vector instructions.
    let mut lanes = [0_u64; LANES];
    let (vectors, rest) = inputs.as_chunks::<LANES>();
    for (vector, inputs) in vectors.iter().enumerate() {
        for lane in 0..LANES {
            let bit = 1_u64 << (vector * LANES + lane);
            lanes[lane] |= if inputs[lane] == 0.0 { 0 } else { bit };
        }
    }
    let first = vectors.len() * LANES;
    let rest = (first..).zip(rest);
    let rest = rest.map(|(index, &input)| u64::from(input != 0.0) << index);
    lanes
        .into_iter()
        .chain(rest)
        .fold(0, |all, lane| all | lane)
}
