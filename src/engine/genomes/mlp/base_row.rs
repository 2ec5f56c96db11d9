//! The first layer's sums for the base rows that networks have seen last. From one move of a game
//! to the next a player's inputs change little, so the sums of the row before are corrected by the
//! inputs that differ.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use crate::genomes::flags::{FLAGS, as_bits};
use crate::genomes::recent::{NetworkId, Recent};

use super::first_layer::{FirstLayer, add, find_nonzero};

/// A base row and the first layer's sums for it.
#[derive(Clone, Debug, Default)]
pub(super) struct BaseRow {
    pub(super) inputs: Vec<f32>,
    /// The sums of all nodes, group by group.
    pub(super) sums: Vec<f64>,
}

/// The base rows that two networks have seen last: those of the two players of a game.
#[derive(Clone, Debug, Default)]
pub(in crate::genomes) struct BaseRows {
    rows: Recent<BaseRow>,
    /// Buffers of new sums.
    converted: Vec<f64>,
    nonzero: Vec<u32>,
}

impl BaseRows {
    /// The base row of a network with its sums, in groups of `L` nodes.
    #[inline(always)]
    pub(super) fn update<const L: usize>(
        &mut self,
        network: NetworkId,
        first_layer: &FirstLayer,
        base: &[f32],
    ) -> &BaseRow {
        let (row, is_known) = self.rows.of(network);
        let is_corrected = first_layer.is_exact && is_known && row.correct::<L>(first_layer, base);
        if !is_corrected {
            row.inputs.clear();
            row.inputs.extend_from_slice(base);
            row.sums.resize(first_layer.width, 0.0);
            // Converted once for all nodes: the conversion costs as much as an addition.
            self.converted.clear();
            self.converted
                .extend(base.iter().map(|&input| f64::from(input)));
            let (sums, _) = row.sums.as_chunks_mut::<L>();
            if find_nonzero(&self.converted, &mut self.nonzero) {
                first_layer.sum_sparse(&self.converted, &self.nonzero, sums);
            } else {
                first_layer.sum(&self.converted, sums);
            }
        }
        row
    }
}

impl BaseRow {
    /// Corrects the sums by the inputs that differ. Returns `false` if so many do that new sums are
    /// faster.
    #[inline(always)]
    fn correct<const L: usize>(&mut self, first_layer: &FirstLayer, base: &[f32]) -> bool {
        let Self { inputs, sums } = self;
        let (sums, _) = sums.as_chunks_mut::<L>();
        let mut left = base.len() / 2;
        for from in (0..base.len()).step_by(WORD) {
            let to = (from + WORD).min(base.len());
            let (base, inputs) = (&base[from..to], &mut inputs[from..to]);
            let differing = differing(base, inputs);
            let count = differing.count_ones() as usize;
            if count > left {
                return false;
            }
            left -= count;
            for (group, sums) in sums.iter_mut().enumerate() {
                let columns = &first_layer.columns::<L>(group)[from..to];
                // A copy of its own, so that all nodes are added in parallel.
                let (mut corrected, mut left) = (*sums, differing);
                while left != 0 {
                    let index = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let step = f64::from(base[index]) - f64::from(inputs[index]);
                    add(&mut corrected, step, &columns[index]);
                }
                *sums = corrected;
            }
            inputs.copy_from_slice(base);
        }
        true
    }
}

/// Inputs that are compared at once.
const WORD: usize = FLAGS;

/// The inputs that differ, as bits, for at most 64 inputs.
#[inline(always)]
fn differing(new: &[f32], old: &[f32]) -> u64 {
    let mut flags = [0; WORD];
    for ((flag, new), old) in flags.iter_mut().zip(new).zip(old) {
        *flag = u8::from(new.to_bits() != old.to_bits());
    }
    as_bits(&flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_that_differs_is_found() {
        for inputs in [0, 1, 7, 8, 24, 63, 64] {
            let old = vec![1.0; inputs];
            assert_eq!(differing(&old, &old), 0);
            for index in 0..inputs {
                for other in [index, 0, inputs - 1] {
                    let mut new = old.clone();
                    (new[index], new[other]) = (0.0, -1.0);
                    assert_eq!(differing(&new, &old), 1 << index | 1 << other);
                }
            }
        }
    }
}
