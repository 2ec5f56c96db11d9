//! The first layer of a dense network, over the numbers it is shown: made once for the row that the others are told by, and corrected
//! for each of them.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's instructions"
)]

use std::ops::Range;

use crate::features::Features;
use crate::genomes::Sight;

use super::Mlp;

/// Rows whose first layer is computed in one go, so that the steps of one row fill the waits of the others.
pub(super) const BLOCK: usize = 16;
/// Units of the first layer that are summed side by side.
pub(super) const LANES: usize = 8;
/// Sums that the first layer's additions are dealt out to, so that one need not wait for the other.
const PARTS: usize = 4;

/// The first layer, its units in groups of eight, the last one filled up with nothing; a single unit is not filled up.
#[derive(Debug)]
pub(super) struct First {
    /// Numbers that are shown: features, or the inputs themselves.
    numbers: usize,
    /// Units, those filled up included.
    pub(super) width: usize,
    /// Group after group, and in it input after input, the weights to the units of the group.
    weights: Vec<f64>,
    biases: Vec<f64>,
}

/// The row that is told in full, and the first layer's sums for it.
pub(super) struct Told<'a, const L: usize> {
    pub(super) inputs: &'a [f64],
    pub(super) sums: &'a [[f64; L]],
}

impl First {
    pub(super) fn new(genome: &Mlp, fold: &Fold<'_>) -> Self {
        let (numbers, units) = (fold.numbers(), genome.layers[1] as usize);
        let group = if units == 1 { 1 } else { LANES };
        let width = units.next_multiple_of(group);
        let mut weights = vec![0.0; numbers * width];
        let mut biases = vec![0.0; width];
        for (unit, (bias, row)) in genome.units(1).enumerate() {
            biases[unit] = on_grid(bias.into());
            let start = unit / group * group * numbers + unit % group;
            for (number, weight) in fold.over(row).enumerate() {
                weights[start + number * group] = on_grid(weight);
            }
        }
        Self {
            numbers,
            width,
            weights,
            biases,
        }
    }

    /// The weights of each group of `L` units, input after input.
    #[inline(always)]
    fn groups<const L: usize>(&self) -> impl Iterator<Item = &[[f64; L]]> {
        let (columns, _) = self.weights.as_chunks::<L>();
        columns.chunks_exact(self.numbers)
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

    /// The same, `places` being those of all inputs that are not 0.
    #[inline(always)]
    pub(super) fn sum_few<const L: usize>(
        &self,
        inputs: &[f64],
        places: &[u32],
        sums: &mut [[f64; L]],
    ) {
        let (biases, _) = self.biases.as_chunks::<L>();
        let (places, rest) = places.as_chunks::<PARTS>();
        for ((columns, biases), sums) in self.groups::<L>().zip(biases).zip(sums) {
            let mut parts = [[0.0; L]; PARTS];
            for places in places {
                for part in 0..PARTS {
                    let place = places[part] as usize;
                    add(&mut parts[part], inputs[place], &columns[place]);
                }
            }
            for &place in rest {
                let place = place as usize;
                add(&mut parts[0], inputs[place], &columns[place]);
            }
            *sums = total(biases, &parts);
        }
    }

    /// The sums of rows that differ a little from the one that was told in full: row after row, the groups of each. They are
    /// as many as fit a block; `owners` says which of them each change belongs to.
    ///
    /// All changes are gone through in one loop, because how many a row has can't be foreseen: a loop for each row, left
    /// too early or too late, cost more than the additions.
    #[inline(always)]
    pub(super) fn correct<const L: usize>(
        &self,
        changes: &[(u32, f32)],
        owners: &[u32],
        told: &Told<'_, L>,
        out: &mut [[f32; L]],
    ) {
        for (group, (columns, sums)) in self.groups::<L>().zip(told.sums).enumerate() {
            let mut steps = [[0.0; L]; BLOCK];
            for (&(input, value), &owner) in changes.iter().zip(owners) {
                let step = f64::from(value) - told.inputs[input as usize];
                let steps = &mut steps[owner as usize % BLOCK];
                add(steps, step, &columns[input as usize]);
            }
            let places = out[group..].iter_mut().step_by(self.width / L);
            for (place, steps) in places.zip(&steps) {
                *place = std::array::from_fn(|unit| (sums[unit] + steps[unit]) as f32);
            }
        }
    }
}

/// Notes the places of the inputs that are not 0; whether they are so few that going by them pays.
#[inline(always)]
pub(super) fn note_places(inputs: &[f64], places: &mut Vec<u32>) -> bool {
    places.resize(inputs.len(), 0);
    let mut count = 0;
    for (place, &input) in (0..).zip(inputs) {
        // Whether an input is 0 can't be foreseen, so that every place is written down and some are written over.
        places[count] = place;
        count += usize::from(input != 0.0);
    }
    places.truncate(count);
    2 * count <= inputs.len()
}

/// What numbers are shown to a network, and how they make up its inputs.
pub(super) struct Fold<'a> {
    pub(super) features: Option<&'a Features>,
    pub(super) inputs: usize,
    /// What heavy features count.
    pub(super) weight: f32,
}

impl Fold<'_> {
    fn numbers(&self) -> usize {
        self.features.map_or(self.inputs, Features::count)
    }

    /// The weights of the numbers, given those of the inputs.
    pub(super) fn over<'b>(&'b self, weights: &'b [f32]) -> impl Iterator<Item = f64> {
        (0..self.numbers()).map(|number| match self.features {
            None => weights[number].into(),
            Some(features) => {
                let feeds = features.feeds(number, self.weight);
                feeds
                    .map(|(input, times)| times * f64::from(weights[input]))
                    .sum()
            }
        })
    }
}

/// The changes of a block of rows; notes for each of them the place of its row in the block.
#[inline(always)]
pub(super) fn note_owners<'a>(
    sight: Sight<'a>,
    rows: Range<usize>,
    owners: &mut Vec<u32>,
) -> &'a [(u32, f32)] {
    // Few rows have more changes, so that how many it is need not be foreseen; what is too much is written over.
    const AT_ONCE: usize = 8;
    let first = match rows.start {
        0 => 0,
        row => sight.ends[row - 1] as usize,
    };
    let ends = &sight.ends[rows];
    let last = ends.last().map_or(first, |&end| end as usize);
    if owners.len() < last - first + AT_ONCE {
        owners.resize(last - first + 8 * AT_ONCE, 0);
    }
    let mut from = 0;
    for (row, &end) in (0..).zip(ends) {
        let end = end as usize - first;
        while from < end {
            owners[from..from + AT_ONCE].fill(row);
            from += AT_ONCE;
        }
        from = end;
    }
    &sight.changes[first..last]
}

/// The sums of a group of units, given their biases and the parts that were added up side by side.
#[inline(always)]
fn total<const L: usize>(biases: &[f64; L], parts: &[[f64; L]; PARTS]) -> [f64; L] {
    std::array::from_fn(|unit| {
        let halves = [
            parts[0][unit] + parts[1][unit],
            parts[2][unit] + parts[3][unit],
        ];
        biases[unit] + (halves[0] + halves[1])
    })
}

/// Adds `factor` times `column` to `sums`.
#[inline(always)]
fn add<const L: usize>(sums: &mut [f64; L], factor: f64, column: &[f64; L]) {
    for unit in 0..L {
        sums[unit] += factor * column[unit];
    }
}

/// The nearest multiple of 2⁻²⁴.
pub(super) fn on_grid(weight: f64) -> f64 {
    const STEPS: f64 = 16_777_216.0;
    (weight * STEPS).round() / STEPS
}
