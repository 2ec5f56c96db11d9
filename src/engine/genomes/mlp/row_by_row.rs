//! The forward pass of a dense network whose first layer has several groups of nodes. Values are
//! kept row by row, and the nodes of a row are computed in parallel, so that a batch of a few rows
//! wastes little: searches evaluate one to eight positions at a time.
//!
//! Every sum has the same bits as in [`super::dense`]: additions of the first layer do not round,
//! and those of later layers are in the same order.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use pulp::NullaryFnOnce;

use crate::genomes::{InputBatch, Scratch};

use super::dense::{DenseNetwork, GROUP, Layer, SUM_LIMIT};
use super::first_layer::LANES;
use super::wide_layer::WideLayer;

/// Rows that are evaluated together if there is more than one.
const ROWS: usize = 4;

impl DenseNetwork {
    /// Appends the outputs of a batch, given the first layer row by row.
    pub(super) fn forward_wide(
        &self,
        wide_layer: &WideLayer,
        batch: InputBatch<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        if batch.ends.len() == 1 {
            self.dispatch_wide::<1>(wide_layer, batch, scratch, out);
        } else {
            self.dispatch_wide::<ROWS>(wide_layer, batch, scratch, out);
        }
    }

    fn dispatch_wide<const R: usize>(
        &self,
        wide_layer: &WideLayer,
        batch: InputBatch<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        self.arch.dispatch(WidePass::<R> {
            brain: self,
            wide_layer,
            batch,
            scratch,
            out,
        });
    }

    /// The outputs of a batch whose first layer is computed row by row.
    #[inline(always)]
    fn wide_rows<const R: usize>(
        &self,
        wide_layer: &WideLayer,
        batch: InputBatch<'_>,
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        let Scratch {
            values,
            next,
            sums,
            terms,
            ..
        } = scratch;
        let width = self.first_layer.width;
        let stride = width.next_multiple_of(GROUP);
        if R == 1 && batch.changes.is_empty() && self.bypass.is_empty() {
            // As in a game in which every move takes one evaluation.
            values.resize(stride, 0.0);
            if wide_layer.sum_single(batch.base, values) {
                let (spans, _) = values.as_chunks_mut::<GROUP>();
                self.layer_functions.hidden.apply_to_all(spans);
                self.forward_rows::<R>(values, next, 1, out);
                self.layer_functions.outputs.apply_to_slice(out);
                return;
            }
        }
        sums.resize(width, 0.0);
        let (sums, _) = sums.as_chunks_mut::<LANES>();
        wide_layer.sum_base(batch.base, terms, sums);
        let bypass = self.bypass_sum(terms);
        let rows = batch.ends.len();
        for from in (0..rows).step_by(R) {
            let count = (rows - from).min(R);
            values.resize(R * stride, 0.0);
            for (row, sum) in (from..from + count).zip(values.chunks_exact_mut(stride)) {
                wide_layer.sum_row(batch, row, terms, (sums, &mut sum[..width]));
            }
            let (spans, _) = values.as_chunks_mut::<GROUP>();
            self.layer_functions
                .hidden
                .apply_to_all(&mut spans[..count * stride / GROUP]);
            self.forward_rows::<R>(values, next, count, out);
        }
        if !self.bypass.is_empty() {
            self.add_bypass_of_changes(batch, bypass, out);
        }
        self.layer_functions.outputs.apply_to_slice(out);
    }

    /// Computes the later layers of up to `R` rows: row by row the values of the first layer, each
    /// row padded to full groups. Both buffers are overwritten. The outputs are appended; with `R`
    /// = 1 there are none before.
    #[inline(always)]
    fn forward_rows<const R: usize>(
        &self,
        values: &mut Vec<f32>,
        next: &mut Vec<f32>,
        count: usize,
        out: &mut Vec<f32>,
    ) {
        let Some((last, hidden)) = self.later.split_last() else {
            return;
        };
        for layer in hidden {
            layer.sum_rows::<R>(values, next);
            let (spans, _) = next.as_chunks_mut::<GROUP>();
            for sum in spans.as_flattened_mut() {
                *sum = sum.clamp(-SUM_LIMIT, SUM_LIMIT);
            }
            self.layer_functions.hidden.apply_to_all(spans);
            std::mem::swap(values, next);
        }
        if R == 1 {
            last.sum_rows::<R>(values, out);
            out.truncate(self.outputs);
            return;
        }
        last.sum_rows::<R>(values, next);
        let rows = next.chunks_exact(next.len() / R).take(count);
        rows.for_each(|row| out.extend_from_slice(&row[..self.outputs]));
    }

    /// The sum of the terms, inputs and their values, that a bypass adds to the outputs.
    #[inline(always)]
    fn bypass_sum(&self, terms: &[(u32, f64)]) -> f64 {
        let weights = |input: u32| self.bypass.get(input as usize).copied();
        let weighted = terms
            .iter()
            .filter_map(|&(input, value)| Some(value * weights(input)?));
        weighted.fold(0.0, |sum, term| sum + term)
    }
}

impl Layer {
    /// The sums of all nodes for each of `R` rows, added in the same order as in [`Layer::sums`].
    /// Rows are padded to full groups.
    #[inline(always)]
    fn sum_rows<const R: usize>(&self, below: &[f32], out: &mut Vec<f32>) {
        let stride = self.biases.len().next_multiple_of(GROUP);
        out.resize(R * stride, 0.0);
        let rows: [&[f32]; R] = std::array::from_fn(|row| {
            let length = below.len() / R;
            &below[row * length..][..self.below]
        });
        if self.groups.is_empty() {
            for (node, &bias) in self.biases.iter().enumerate() {
                let weights = &self.weights[node * self.below..][..self.below];
                for row in 0..R {
                    let terms = weights.iter().zip(rows[row]);
                    out[row * stride + node] =
                        terms.fold(bias, |sum, (weight, value)| sum + weight * value);
                }
            }
            return;
        }
        for (group, columns) in self.groups.chunks_exact(self.below + 1).enumerate() {
            let mut sums = [columns[0]; R];
            for (index, column) in columns[1..].iter().enumerate() {
                // Whole arrays, since the compiler makes no vector instructions of a loop over rows
                // and nodes.
                let values: [f32; R] = std::array::from_fn(|row| rows[row][index]);
                for (sums, value) in sums.iter_mut().zip(values) {
                    *sums = std::array::from_fn(|node| sums[node] + column[node] * value);
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                out[row * stride + group * GROUP..][..GROUP].copy_from_slice(sums);
            }
        }
    }
}

/// The forward pass of a batch by [`DenseNetwork::wide_rows`].
struct WidePass<'a, const R: usize> {
    brain: &'a DenseNetwork,
    wide_layer: &'a WideLayer,
    batch: InputBatch<'a>,
    scratch: &'a mut Scratch,
    out: &'a mut Vec<f32>,
}

impl<const R: usize> NullaryFnOnce for WidePass<'_, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let brain = self.brain;
        brain.wide_rows::<R>(self.wide_layer, self.batch, self.scratch, self.out);
    }
}
