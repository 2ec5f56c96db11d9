//! Lookups side by side: the indices of many are computed at once, and their entries added up.
//!
//! For each row the indices of all lookups are corrected, also those that stay the same. That costs
//! less than to find the others: 1.40 and 1.55 s for 30,000 games of Reversi.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use crate::board_geometry::BoardGeometry;
use crate::genomes::Signs;

use super::network::digit;
use super::shapes::Tuple;

/// Lookups of a block: as many as lines of four and squares of 2×2 on the board of Reversi need,
/// and a little more.
const LANES: usize = 96;

/// Entries that are added up side by side, since each addition waits for the one before it.
const SUMS: usize = 4;

/// Rows of powers that are added up without a branch. Few moves of Reversi flip more discs.
const PARTS: usize = 4;

/// The inputs that a set of bits can hold.
const INPUTS: usize = u64::BITS as usize;

/// The most entries of a table: an index has 16 bits, and one more entry, 0, follows the tables.
pub(super) const LARGEST_TABLE: usize = u16::MAX as usize;

/// The index of each lookup, or a difference of indices: those below 0 wrap.
pub(super) type Indices = [u16; LANES];

/// An input of a row whose digit is not that of another row.
#[derive(Clone, Copy, Debug)]
pub(super) struct DigitChange {
    pub(super) input: u32,
    /// By how much the digit is higher; it wraps below 0.
    pub(super) by: u16,
}

impl DigitChange {
    pub(super) fn new(input: u32, [old, new]: [u8; 2]) -> Self {
        let by = u16::from(new).wrapping_sub(old.into());
        Self { input, by }
    }
}

/// The inputs of a row of signs whose digits are not those of another row.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignChange {
    /// Those that were −1 and are 1.
    raised_by_two: u64,
    /// Those that are higher by 1.
    raised: u64,
    /// Those that were 1 and are −1.
    lowered_by_two: u64,
    /// Those that are lower by 1.
    lowered: u64,
}

impl SignChange {
    #[inline(always)]
    pub(super) fn new([plus, minus]: Signs, [new_plus, new_minus]: Signs) -> Self {
        let (old, new) = (plus | minus, new_plus | new_minus);
        Self {
            raised_by_two: minus & new_plus,
            raised: new_plus & !old | minus & !new,
            lowered_by_two: plus & new_minus,
            lowered: new_minus & !old | plus & !new,
        }
    }
}

/// A lookup: its table by its number, and its squares, the first the least significant digit of the
/// index.
#[derive(Clone, Debug)]
pub(super) struct LookupSpec {
    pub(super) table: usize,
    pub(super) squares: Tuple,
}

/// At most [`LANES`] lookups, whose tables have at most [`LARGEST_TABLE`] entries together.
#[derive(Debug)]
pub(super) struct LookupBlock {
    pub(super) lookups: usize,
    /// The tables by their numbers, in the order of their entries in a stage. An entry of 0
    /// follows, which lanes without a lookup read.
    pub(super) tables: Vec<usize>,
    /// What the digit of each input is multiplied by in each index, 0 in most; and zeros for each
    /// input that the board lacks, one at least.
    powers: Vec<Indices>,
    /// The index of each lookup on an empty board, counted from the start of the stage.
    pub(super) empty: Indices,
    /// The entries of a stage: those of all tables, and the 0.
    pub(super) stage_len: usize,
}

/// The board's inputs and their digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct DigitSpec {
    pub(super) inputs: usize,
    pub(super) levels: u8,
    /// The digit of a square without a piece.
    pub(super) empty: u8,
}

impl DigitSpec {
    pub(super) fn new(geometry: &BoardGeometry, inputs: usize) -> Self {
        let (lowest, levels) = (geometry.lowest, geometry.levels);
        Self {
            inputs,
            levels,
            empty: digit(0.0, lowest, levels),
        }
    }
}

impl LookupBlock {
    /// All lookups in blocks, given the lengths of the tables.
    pub(super) fn all(lookups: &[LookupSpec], lens: &[usize], spec: DigitSpec) -> Vec<Self> {
        let mut blocks: Vec<Self> = Vec::new();
        for lookup in lookups {
            let fits = blocks
                .last()
                .is_some_and(|block| block.has_room(lookup, lens));
            if !fits {
                blocks.push(Self {
                    lookups: 0,
                    tables: Vec::new(),
                    powers: vec![[0; LANES]; spec.inputs.max(INPUTS) + 1],
                    empty: [0; LANES],
                    stage_len: 1,
                });
            }
            let block = blocks.last_mut().expect("there is a block now");
            block.add(lookup, lens, spec);
        }
        for block in &mut blocks {
            block.empty[block.lookups..].fill((block.stage_len - 1) as u16);
        }
        blocks
    }

    fn has_room(&self, lookup: &LookupSpec, lens: &[usize]) -> bool {
        let is_known = self.tables.contains(&lookup.table);
        let more = if is_known { 0 } else { lens[lookup.table] };
        self.lookups < LANES && self.stage_len + more <= LARGEST_TABLE + 1
    }

    fn add(&mut self, lookup: &LookupSpec, lens: &[usize], spec: DigitSpec) {
        if !self.tables.contains(&lookup.table) {
            self.tables.push(lookup.table);
            self.stage_len += lens[lookup.table];
        }
        let before = self
            .tables
            .iter()
            .take_while(|&&table| table != lookup.table);
        let start: usize = before.map(|&table| lens[table]).sum();
        let (mut index, mut power) = (start as u16, 1_u16);
        for &square in &lookup.squares {
            self.powers[square as usize][self.lookups] = power;
            index += u16::from(spec.empty) * power;
            // After the last square it is the length of the table, and not needed.
            power = power.wrapping_mul(spec.levels.into());
        }
        self.empty[self.lookups] = index;
        self.lookups += 1;
    }

    /// What the digit of an input is multiplied by in each index.
    pub(super) fn powers_of(&self, input: usize) -> &[u16] {
        &self.powers[input][..self.lookups]
    }

    /// The indices of a row, given those of another.
    #[inline(always)]
    pub(super) fn changed(&self, from: &Indices, changes: &[DigitChange]) -> Indices {
        let mut indices = *from;
        for change in changes {
            let powers = &self.powers[change.input as usize];
            for lane in 0..LANES {
                indices[lane] = indices[lane].wrapping_add(powers[lane].wrapping_mul(change.by));
            }
        }
        indices
    }

    /// The indices of a row of signs, given those of another.
    #[inline(always)]
    pub(super) fn with_signs(&self, from: &Indices, change: SignChange) -> Indices {
        let powers = self.powers.first_chunk();
        let powers = powers.expect("there are powers for every bit");
        let mut indices = *from;
        let steps_up = steps(powers, change.raised_by_two, change.raised);
        for lane in 0..LANES {
            indices[lane] = indices[lane].wrapping_add(steps_up[lane]);
        }
        // Only the opponent's moves lower inputs.
        if change.lowered_by_two | change.lowered != 0 {
            let steps_down = steps(powers, change.lowered_by_two, change.lowered);
            for lane in 0..LANES {
                indices[lane] = indices[lane].wrapping_sub(steps_down[lane]);
            }
        }
        indices
    }

    /// The sum of the entries, given those of the stage.
    #[inline(always)]
    pub(super) fn value(&self, entries: &[i32], indices: &Indices) -> i32 {
        let mut sums = [0; SUMS];
        let used = self.lookups.next_multiple_of(SUMS);
        let (parts, _) = indices[..used].as_chunks::<SUMS>();
        for part in parts {
            for (sum, &index) in sums.iter_mut().zip(part) {
                *sum += entries[usize::from(index)];
            }
        }
        sums.iter().sum()
    }
}

/// By how much the indices change where some inputs change by 2 and some by 1.
#[inline(always)]
fn steps(powers: &[Indices; INPUTS + 1], by_two: u64, by_one: u64) -> Indices {
    let (twice, mut steps) = (sum(powers, by_two), few(powers, by_one));
    for lane in 0..LANES {
        steps[lane] = steps[lane].wrapping_add(twice[lane].wrapping_mul(2));
    }
    steps
}

/// The powers of a set of inputs, added up.
#[inline(always)]
fn sum(powers: &[Indices; INPUTS + 1], mut inputs: u64) -> Indices {
    let mut sums: Indices = [0; LANES];
    while inputs != 0 {
        let mut parts = [&powers[INPUTS]; PARTS];
        for part in &mut parts {
            *part = &powers[inputs.trailing_zeros() as usize];
            inputs &= inputs.wrapping_sub(1);
        }
        let [a, b, c, d] = parts;
        for lane in 0..LANES {
            let [one, other] = [[a, b], [c, d]].map(|[a, b]| a[lane].wrapping_add(b[lane]));
            sums[lane] = sums[lane].wrapping_add(one).wrapping_add(other);
        }
    }
    sums
}

/// The same, faster for one input or none.
#[inline(always)]
fn few(powers: &[Indices; INPUTS + 1], inputs: u64) -> Indices {
    if inputs & inputs.wrapping_sub(1) == 0 {
        powers[inputs.trailing_zeros() as usize]
    } else {
        sum(powers, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: DigitSpec = DigitSpec {
        inputs: 64,
        levels: 3,
        empty: 1,
    };

    /// Lookups of one square each, the first of which have tables of these lengths, and the others
    /// that of the first.
    fn blocks(lookups: usize, lens: &[usize]) -> Vec<LookupBlock> {
        let lookup = |at: usize| LookupSpec {
            table: if at < lens.len() { at } else { 0 },
            squares: vec![at as u32 % 64],
        };
        let lookups: Vec<LookupSpec> = (0..lookups).map(lookup).collect();
        LookupBlock::all(&lookups, lens, DIGITS)
    }

    #[test]
    fn more_lookups_or_entries_than_a_block_holds_need_another() {
        let counts = |blocks: &[LookupBlock]| -> Vec<[usize; 2]> {
            blocks
                .iter()
                .map(|block| [block.lookups, block.stage_len])
                .collect()
        };
        assert_eq!(counts(&blocks(LANES, &[3])), [[LANES, 4]]);
        // A table that two blocks use is in both.
        assert_eq!(counts(&blocks(LANES + 1, &[3])), [[LANES, 4], [1, 4]]);
        let full = [LARGEST_TABLE - 3, 3];
        assert_eq!(counts(&blocks(2, &full)), [[2, LARGEST_TABLE + 1]]);
        let more = [LARGEST_TABLE - 3, 4];
        assert_eq!(counts(&blocks(2, &more)), [[1, LARGEST_TABLE - 2], [1, 5]]);
    }

    #[test]
    fn lanes_without_a_lookup_read_the_last_entry() {
        for lens in [&[3][..], &[LARGEST_TABLE - 3, 3]] {
            let block = blocks(2, lens).remove(0);
            assert!(
                block.empty[2..]
                    .iter()
                    .all(|&index| usize::from(index) == block.stage_len - 1)
            );
            let mut entries = vec![1; block.stage_len];
            entries[block.stage_len - 1] = 0;
            assert_eq!(block.value(&entries, &block.empty), 2);
        }
    }
}
