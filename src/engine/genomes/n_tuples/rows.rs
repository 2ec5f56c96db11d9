//! Evaluates rows: the indices of a row follow from those of the base row, and these from those of
//! the base row before.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use std::mem::take;

use pulp::NullaryFnOnce;

use crate::genomes::flags::{FLAGS, as_bits};
use crate::genomes::recent::Recent;
use crate::genomes::{Brain, InputBatch, Scratch, SignEvaluator, Signs};

use super::block::{DigitChange, Indices, SignChange};
use super::network::{TupleNetwork, digit};

/// A base row and the indices of all lookups, block after block.
#[derive(Clone, Debug, Default)]
struct BaseTuples {
    signs: Signs,
    digits: Vec<u8>,
    indices: Vec<Indices>,
}

/// Buffers for the indices of lookups.
#[derive(Clone, Debug, Default)]
pub(in crate::genomes) struct TupleBuffers {
    recent: Recent<BaseTuples>,
    row: Vec<Indices>,
    changes: Vec<DigitChange>,
    signs: Vec<Signs>,
}

impl TupleNetwork {
    fn digit(&self, value: f32) -> u8 {
        digit(value, self.layout.lowest, self.layout.digits.levels)
    }

    /// The base row before, or an empty board, and a row to be filled.
    #[inline(always)]
    fn prepare<'a>(
        &self,
        recent: &'a mut Recent<BaseTuples>,
        row: &mut Vec<Indices>,
    ) -> &'a mut BaseTuples {
        let (base, is_known) = recent.of(self.id);
        if !is_known {
            base.signs = [0, 0];
            base.digits.clear();
            base.digits
                .resize(self.layout.digits.inputs, self.layout.digits.empty);
            base.indices.clear();
            base.indices
                .extend(self.layout.blocks.iter().map(|block| block.empty));
        }
        row.resize(self.layout.blocks.len(), base.indices[0]);
        base
    }

    /// The value of a row with this many pieces.
    #[inline(always)]
    fn value(&self, pieces: usize, row: &[Indices]) -> f32 {
        let stage = self.stage_of(pieces);
        // A loop, since iterators that add up are not always compiled for the machine's
        // instructions.
        let mut sum = 0;
        for ((block, entries), row) in self.stage(stage).zip(row) {
            sum += block.value(entries, row);
        }
        (f64::from(sum) * self.unit) as f32
    }

    /// Whether all inputs are signs.
    fn has_signs(&self) -> bool {
        let is_sign = self.layout.lowest == -1 && self.layout.digits.levels == 3;
        is_sign && self.layout.digits.inputs <= u64::BITS as usize
    }
}

/// The values of the rows of a batch.
struct BatchPass<'a> {
    network: &'a TupleNetwork,
    batch: InputBatch<'a>,
    buffers: &'a mut TupleBuffers,
    out: &'a mut Vec<f32>,
}

impl NullaryFnOnce for BatchPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self {
            network,
            batch,
            buffers,
            out,
        } = self;
        let TupleBuffers {
            recent,
            row,
            changes,
            ..
        } = buffers;
        let base = network.prepare(recent, row);
        changes.clear();
        let empty = network.layout.digits.empty;
        let mut count = 0;
        for (input, (old, &value)) in base.digits.iter_mut().zip(batch.base).enumerate() {
            let new = network.digit(value);
            count += usize::from(new != empty);
            if new != *old {
                changes.push(DigitChange::new(input as u32, [*old, new]));
                *old = new;
            }
        }
        for (block, indices) in network.layout.blocks.iter().zip(&mut base.indices) {
            *indices = block.changed(indices, changes);
        }
        for at in 0..batch.ends.len() {
            let mut pieces = count;
            changes.clear();
            for &(input, value) in batch.row_changes(at) {
                let (old, new) = (base.digits[input as usize], network.digit(value));
                pieces += usize::from(new != empty);
                pieces -= usize::from(old != empty);
                changes.push(DigitChange::new(input, [old, new]));
            }
            let rows = row.iter_mut().zip(&base.indices);
            for ((row, base), block) in rows.zip(&network.layout.blocks) {
                *row = block.changed(base, changes);
            }
            out.push(network.value(pieces, row));
        }
    }
}

/// The values of rows of signs.
struct TupleSignPass<'a> {
    network: &'a TupleNetwork,
    base: Signs,
    rows: &'a [Signs],
    buffers: &'a mut TupleBuffers,
    out: &'a mut Vec<f32>,
}

impl NullaryFnOnce for TupleSignPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self {
            network,
            base: from,
            rows,
            buffers,
            out,
        } = self;
        let TupleBuffers { recent, row, .. } = buffers;
        let base = network.prepare(recent, row);
        let change = SignChange::new(base.signs, from);
        for (block, indices) in network.layout.blocks.iter().zip(&mut base.indices) {
            *indices = block.with_signs(indices, change);
        }
        base.signs = from;
        for &signs in rows {
            let change = SignChange::new(from, signs);
            let rows = row.iter_mut().zip(&base.indices);
            for ((row, base), block) in rows.zip(&network.layout.blocks) {
                *row = block.with_signs(base, change);
            }
            let pieces = (signs[0] | signs[1]).count_ones() as usize;
            out.push(network.value(pieces, row));
        }
    }
}

/// Turns a batch of rows whose inputs are all signs into sets of bits.
struct SignBatch<'a> {
    network: &'a TupleNetwork,
    batch: InputBatch<'a>,
    /// Overwritten.
    signs: &'a mut Vec<Signs>,
}

impl NullaryFnOnce for SignBatch<'_> {
    type Output = Signs;

    /// The base row as signs, and all rows in the buffer.
    #[inline(always)]
    fn call(self) -> Signs {
        let Self {
            network,
            batch,
            signs,
        } = self;
        let mut flags = [[0; FLAGS]; 2];
        let [plus, minus] = &mut flags;
        for ((plus, minus), &value) in plus.iter_mut().zip(minus).zip(batch.base) {
            let digit = network.digit(value);
            (*plus, *minus) = (u8::from(digit == 2), u8::from(digit == 0));
        }
        let base = flags.each_ref().map(as_bits);
        signs.clear();
        for at in 0..batch.ends.len() {
            let [mut plus, mut minus] = base;
            for &(input, value) in batch.row_changes(at) {
                let (digit, bit) = (network.digit(value), 1 << input);
                plus = plus & !bit | u64::from(digit == 2) << input;
                minus = minus & !bit | u64::from(digit == 0) << input;
            }
            signs.push([plus, minus]);
        }
        base
    }
}

impl Brain for TupleNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        if self.has_signs() {
            let mut signs = take(&mut scratch.buffers::<TupleBuffers>().signs);
            let base = self.arch.dispatch(SignBatch {
                network: self,
                batch,
                signs: &mut signs,
            });
            self.forward_signs(base, &signs, scratch, out);
            scratch.buffers::<TupleBuffers>().signs = signs;
            return;
        }
        out.clear();
        self.arch.dispatch(BatchPass {
            network: self,
            batch,
            buffers: scratch.buffers(),
            out,
        });
    }

    fn sign_evaluator(&self) -> Option<&dyn SignEvaluator> {
        self.has_signs().then_some(self)
    }
}

impl SignEvaluator for TupleNetwork {
    fn forward_signs(
        &self,
        base: Signs,
        rows: &[Signs],
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) {
        out.clear();
        self.arch.dispatch(TupleSignPass {
            network: self,
            base,
            rows,
            buffers: scratch.buffers(),
            out,
        });
    }
}
