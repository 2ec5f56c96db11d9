//! The network grown from tuples: a lookup for each place of each tuple. Entries are whole multiples of a small unit, so that sums do
//! not round, and a position that differs little from another is evaluated by the lookups that change.

use std::collections::BTreeMap;

use crate::board_geometry::BoardGeometry;
use crate::genomes::{Brain, InputBatch, Scratch, SignEvaluator, Signs};

use super::merge::{TupleLookup, indices_within, merged};
use super::shapes::{self, Tuple};
use super::{NTuples, NTuplesConfig};

/// The sum of as many entries as there are lookups stays below this.
const LARGEST_SUM: f64 = (1 << 30) as f64;

/// The most units that 1 is worth.
const FINEST_SCALE: f64 = (1_u64 << 40) as f64;

/// The tables of all lookups.
pub(super) struct TupleNetwork {
    pub(super) lowest: i8,
    pub(super) levels: u8,
    pub(super) inputs: usize,
    /// What the digit of each input is multiplied by in the index of each lookup, input after input; 0 in most. All are added at once:
    /// that costs less than to find those that change: a game of Reversi takes 46 µs, and 51.
    powers: Vec<i32>,
    /// The index of each lookup on an empty board, counted from the start of the stage.
    pub(super) empty: Vec<u32>,
    /// The tables of all lookups in units, and that for each stage.
    pub(super) entries: Vec<i32>,
    /// The length of a stage.
    pub(super) stage_len: usize,
    /// What a unit is worth.
    pub(super) unit: f64,
}

/// Buffers for the indices of lookups.
#[derive(Clone, Debug, Default)]
pub(in crate::genomes) struct TupleBuffers {
    /// The index of each lookup in the base row, and in a row.
    base: Vec<u32>,
    row: Vec<u32>,
    digits: Vec<u8>,
}

/// The entries of all tuples that lie in the same place, added up; the squares are in ascending order.
type Places = BTreeMap<Tuple, Vec<f32>>;

/// The tables of a tuple, one for each stage.
struct TupleTables<'a> {
    stages: Vec<&'a [f32]>,
    levels: usize,
}

impl TupleTables<'_> {
    /// Adds the tables of a tuple in one of its places. For a place seen from the other side, all digits are those of negated
    /// values and the entries are subtracted.
    fn add(&self, places: &mut Places, tuple: &Tuple, is_opposite: bool) {
        let mut squares = tuple.clone();
        squares.sort_unstable();
        let indices = indices_within(&squares, tuple, self.levels);
        let len = indices.len();
        let sums = places
            .entry(squares)
            .or_insert_with(|| vec![0.0; len * self.stages.len()]);
        for (table, sums) in self.stages.iter().zip(sums.chunks_mut(len)) {
            let own = indices.iter().map(|&index| table[index as usize]);
            if is_opposite {
                for (sum, entry) in sums.iter_mut().rev().zip(own) {
                    *sum -= entry;
                }
            } else {
                for (sum, entry) in sums.iter_mut().zip(own) {
                    *sum += entry;
                }
            }
        }
    }
}

/// All lookups of a network with their tables.
fn places(genome: &NTuples, geometry: &BoardGeometry, config: &NTuplesConfig) -> Places {
    let (mut places, mut start) = (Places::new(), 0);
    let stages: Vec<&[f32]> = genome.entries.chunks(genome.stage_len()).collect();
    for (tuple, sharing) in genome.shared_tuples() {
        let end = start + genome.table_len(tuple);
        let tables = TupleTables {
            stages: stages.iter().map(|stage| &stage[start..end]).collect(),
            levels: genome.levels.into(),
        };
        for place in shapes::places(geometry, tuple, sharing) {
            tables.add(&mut places, &place, false);
            if config.antisymmetric {
                let opposite = place.iter().map(|&at| geometry.opposite[at as usize]);
                tables.add(&mut places, &opposite.collect(), true);
            }
        }
        start = end;
    }
    places
}

/// The number of units that 1 is worth where no sum is larger than this: a power of two, so that few entries are rounded.
fn scale(bound: f64) -> f64 {
    let mut scale = FINEST_SCALE;
    while scale * bound > LARGEST_SUM {
        scale /= 2.0;
    }
    scale
}

/// The stage of a game of so many stages with this many pieces on a board of so many squares.
pub(super) fn stage_of(pieces: usize, stages: usize, squares: usize) -> usize {
    pieces * stages / (squares + 1)
}

/// The digit of a value. Values that the board does not have count as the nearest that it has.
pub(super) fn digit(value: f32, lowest: i8, levels: u8) -> u8 {
    let digit = (value - f32::from(lowest)) as i32;
    digit.clamp(0, i32::from(levels) - 1) as u8
}

impl TupleNetwork {
    pub(super) fn new(genome: &NTuples, geometry: &BoardGeometry, config: &NTuplesConfig) -> Self {
        let places = places(genome, geometry, config);
        let largest = places
            .values()
            .flatten()
            .fold(0.0, |largest: f32, entry| largest.max(entry.abs()));
        let scale = scale(f64::from(largest) * places.len() as f64);
        let in_units = |(squares, entries): (Tuple, Vec<f32>)| TupleLookup {
            squares,
            entries: entries
                .into_iter()
                .map(|entry| (f64::from(entry) * scale).round() as i32)
                .collect(),
        };
        let lookups: Vec<TupleLookup> = places.into_iter().map(in_units).collect();
        let inputs = genome.inputs as usize;
        let lookups = merged(&lookups, inputs, genome.levels.into());
        let mut network = Self {
            lowest: geometry.lowest,
            levels: geometry.levels,
            inputs,
            powers: vec![0; inputs * lookups.len()],
            empty: Vec::new(),
            entries: Vec::new(),
            stage_len: 0,
            unit: scale.recip(),
        };
        network.connect(&lookups, genome.stages as usize);
        network
    }

    /// Lays out the tables, and finds the index of each lookup on an empty board.
    fn connect(&mut self, lookups: &[TupleLookup], stages: usize) {
        let empty_digit = self.empty_digit() as u32;
        for (at, lookup) in lookups.iter().enumerate() {
            let (mut index, mut power) = (self.stage_len as u32, 1);
            for &square in &lookup.squares {
                self.powers[square as usize * lookups.len() + at] = power as i32;
                index += empty_digit * power;
                power *= u32::from(self.levels);
            }
            self.empty.push(index);
            self.stage_len += lookup.entries.len() / stages;
        }
        for stage in 0..stages {
            for lookup in lookups {
                let len = lookup.entries.len() / stages;
                self.entries.extend(&lookup.entries[stage * len..][..len]);
            }
        }
    }

    /// What the digit of an input is multiplied by in the index of each lookup.
    pub(super) fn powers_of(&self, input: usize) -> &[i32] {
        &self.powers[input * self.empty.len()..][..self.empty.len()]
    }

    fn digit(&self, value: f32) -> u8 {
        digit(value, self.lowest, self.levels)
    }

    /// The digit of a square without a piece.
    pub(super) fn empty_digit(&self) -> i32 {
        self.digit(0.0).into()
    }

    fn stage(&self, stage: usize) -> &[i32] {
        &self.entries[stage * self.stage_len..][..self.stage_len]
    }

    /// The stage of the game with this many pieces on the board.
    fn stage_of(&self, pieces: usize) -> usize {
        stage_of(pieces, self.entries.len() / self.stage_len, self.inputs)
    }

    fn sum(&self, pieces: usize, indices: &[u32]) -> i32 {
        let entries = self.stage(self.stage_of(pieces));
        indices.iter().map(|&index| entries[index as usize]).sum()
    }

    /// Adds to the digit of an input in the index of every lookup.
    fn shift(&self, input: usize, by: i32, indices: &mut [u32]) {
        let indices = indices.iter_mut().zip(self.powers_of(input));
        // Many additions are fast on every processor, many multiplications are not.
        match by {
            1 => indices.for_each(|(index, &power)| *index = index.wrapping_add_signed(power)),
            2 => indices.for_each(|(index, &power)| *index = index.wrapping_add_signed(2 * power)),
            -1 => indices.for_each(|(index, &power)| *index = index.wrapping_add_signed(-power)),
            _ => indices.for_each(|(index, &power)| *index = index.wrapping_add_signed(by * power)),
        }
    }

    /// The value of a row: a base row, of which only the indices are given, with some inputs changed, each given with the difference
    /// of its digits.
    fn changed_value(
        &self,
        base: &[u32],
        pieces: usize,
        changes: impl Iterator<Item = (usize, i32)>,
        indices: &mut Vec<u32>,
    ) -> f32 {
        indices.clear();
        indices.extend_from_slice(base);
        for (input, by) in changes {
            self.shift(input, by, indices);
        }
        (f64::from(self.sum(pieces, indices)) * self.unit) as f32
    }

    /// The indices of a base row, given its pieces with their digits.
    fn base_row(&self, pieces: impl Iterator<Item = (usize, u8)>, indices: &mut Vec<u32>) {
        indices.clone_from(&self.empty);
        let empty = self.empty_digit();
        for (input, digit) in pieces {
            self.shift(input, i32::from(digit) - empty, indices);
        }
    }
}

impl Brain for TupleNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let TupleBuffers { base, row, digits } = &mut scratch.tuples;
        digits.clear();
        digits.extend(batch.base.iter().map(|&value| self.digit(value)));
        let empty = self.digit(0.0);
        let pieces = digits.iter().copied().enumerate();
        let pieces = pieces.filter(|&(_, digit)| digit != empty);
        let count = pieces.clone().count();
        self.base_row(pieces, base);
        out.clear();
        for at in 0..batch.ends.len() {
            let changes = batch.row_changes(at).iter();
            let changes = changes.map(|&(input, value)| (input as usize, self.digit(value)));
            let pieces = changes.clone().fold(count, |pieces, (input, digit)| {
                pieces + usize::from(digit != empty) - usize::from(digits[input] != empty)
            });
            let steps =
                changes.map(|(input, digit)| (input, i32::from(digit) - i32::from(digits[input])));
            out.push(self.changed_value(base, pieces, steps, row));
        }
    }

    fn sign_evaluator(&self) -> Option<&dyn SignEvaluator> {
        let has_signs = self.lowest == -1 && self.levels == 3;
        (has_signs && self.inputs <= u64::BITS as usize).then_some(self)
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
        let buffers = &mut scratch.tuples;
        let [plus, minus] = base;
        let own = bits(plus).map(|input| (input, 2));
        let pieces = own.chain(bits(minus).map(|input| (input, 0)));
        self.base_row(pieces, &mut buffers.base);
        out.clear();
        for &[new_plus, new_minus] in rows {
            let (old, new) = (plus | minus, new_plus | new_minus);
            // By how much the digit of an input rises: by 2 where a minus becomes a plus.
            let steps = [
                (minus & new_plus, 2),
                (plus & new_minus, -2),
                (new_plus & !old | minus & !new, 1),
                (new_minus & !old | plus & !new, -1),
            ];
            let changes = steps.into_iter();
            let changes = changes.flat_map(|(set, by)| bits(set).map(move |input| (input, by)));
            let pieces = new.count_ones() as usize;
            out.push(self.changed_value(&buffers.base, pieces, changes, &mut buffers.row));
        }
    }
}

/// The numbers of the bits that are set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
