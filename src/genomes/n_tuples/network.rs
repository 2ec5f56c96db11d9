//! The network grown from tuples: a lookup for each place of each tuple. Entries are whole multiples of a small unit, so that sums do
//! not round, and a position that differs little from another is evaluated by the lookups that change.

use std::collections::BTreeMap;

use crate::board_geometry::BoardGeometry;
use crate::genomes::{Brain, InputBatch, Scratch, SignEvaluator, Signs};

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
    /// The lookups whose tables an input selects from, input after input.
    uses: Vec<InputUse>,
    /// Where the uses of each input end.
    ends: Vec<u32>,
    /// The index of each lookup on an empty board, counted from the start of the stage.
    pub(super) empty: Vec<u32>,
    /// The tables of all lookups in units, and that for each stage.
    pub(super) entries: Vec<i32>,
    /// The length of a stage.
    pub(super) stage_len: usize,
    /// What a unit is worth.
    pub(super) unit: f64,
}

/// A digit of a lookup's index.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputUse {
    pub(super) lookup: u32,
    /// What the value of the digit is multiplied by.
    pub(super) power: i32,
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

/// The index in a table whose digits are in another order: `order[d]` is the place of digit `d`.
fn reordered(index: usize, order: &[usize], levels: usize) -> usize {
    let digits = order.iter().enumerate();
    let digits = digits.map(|(digit, &place)| {
        index / levels.pow(digit as u32) % levels * levels.pow(place as u32)
    });
    digits.sum()
}

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
        let order = tuple.iter().map(|input| {
            let place = squares.iter().position(|square| square == input);
            place.expect("they are the same squares")
        });
        let order: Vec<usize> = order.collect();
        let len = self.stages[0].len();
        let sums = places
            .entry(squares)
            .or_insert_with(|| vec![0.0; len * self.stages.len()]);
        for (table, sums) in self.stages.iter().zip(sums.chunks_mut(len)) {
            for (index, entry) in table.iter().enumerate() {
                let place = reordered(index, &order, self.levels);
                if is_opposite {
                    sums[len - 1 - place] -= entry;
                } else {
                    sums[place] += entry;
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

/// Adds the table of each place to that of a longer one that has all its squares, if there is one: fewer lookups, the same sums.
fn folded(places: Places, levels: usize) -> Places {
    let mut places: Vec<(Tuple, Vec<f32>)> = places.into_iter().collect();
    places.sort_by_key(|(squares, _)| squares.len());
    let mut with_square: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, (squares, _)) in places.iter().enumerate() {
        for square in squares {
            with_square.entry(*square).or_default().push(at);
        }
    }
    let mut kept = Places::new();
    for at in 0..places.len() {
        let (squares, table) = std::mem::take(&mut places[at]);
        let mut with_first = with_square[&squares[0]].iter();
        let longer = with_first.find(|&&other| {
            let others = &places[other].0;
            others.len() > squares.len() && squares.iter().all(|square| others.contains(square))
        });
        match longer {
            Some(&other) => add_shorter((&squares, &table), &mut places[other], levels),
            None => {
                kept.insert(squares, table);
            }
        }
    }
    kept
}

/// Adds the table of a place, and that for each stage, to the tables of a place that has all its squares.
fn add_shorter(
    (squares, table): (&Tuple, &[f32]),
    (others, sums): &mut (Tuple, Vec<f32>),
    levels: usize,
) {
    let power = |digit: usize| levels.pow(digit as u32);
    let digits = squares.iter().enumerate().map(|(digit, square)| {
        let place = others.iter().position(|other| other == square);
        (power(place.expect("it has all squares")), power(digit))
    });
    let digits: Vec<(usize, usize)> = digits.collect();
    let [len, len_of_others] = [squares, &*others].map(|tuple| power(tuple.len()));
    for (table, sums) in table.chunks(len).zip(sums.chunks_mut(len_of_others)) {
        for (index, sum) in sums.iter_mut().enumerate() {
            let own = digits.iter().map(|(from, to)| index / from % levels * to);
            *sum += table[own.sum::<usize>()];
        }
    }
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
        let mut places = places(genome, geometry, config);
        if config.shortest > 0 {
            places = folded(places, genome.levels.into());
        }
        let stages = genome.stages as usize;
        let largest = places
            .values()
            .flatten()
            .fold(0.0, |largest: f32, entry| largest.max(entry.abs()));
        let bound = f64::from(largest) * places.len() as f64;
        let scale = scale(bound);
        let mut network = Self {
            lowest: geometry.lowest,
            levels: geometry.levels,
            inputs: genome.inputs as usize,
            uses: Vec::new(),
            ends: Vec::new(),
            empty: Vec::new(),
            entries: Vec::new(),
            stage_len: 0,
            unit: scale.recip(),
        };
        let mut length = 0;
        for table in places.values() {
            network.empty.push(length);
            length += (table.len() / stages) as u32;
        }
        network.stage_len = length as usize;
        for stage in 0..stages {
            for table in places.values() {
                let len = table.len() / stages;
                let entries = table[stage * len..][..len].iter();
                let units = entries.map(|&entry| (f64::from(entry) * scale).round() as i32);
                network.entries.extend(units);
            }
        }
        network.connect(&places);
        let mut empty = std::mem::take(&mut network.empty);
        for input in 0..network.inputs {
            network.shift(input, network.empty_digit(), &mut empty);
        }
        network.empty = empty;
        network
    }

    /// Lists the lookups of each input.
    fn connect(&mut self, places: &Places) {
        for input in 0..self.inputs as u32 {
            for (lookup, squares) in (0..).zip(places.keys()) {
                if let Some(digit) = squares.iter().position(|&square| square == input) {
                    let power = i32::from(self.levels).pow(digit as u32);
                    self.uses.push(InputUse { lookup, power });
                }
            }
            self.ends.push(self.uses.len() as u32);
        }
    }

    pub(super) fn uses_of(&self, input: usize) -> &[InputUse] {
        let start = input.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.uses[start as usize..self.ends[input] as usize]
    }

    fn digit(&self, value: f32) -> u8 {
        digit(value, self.lowest, self.levels)
    }

    /// The digit of a square without a piece.
    pub(super) fn empty_digit(&self) -> i32 {
        self.digit(0.0).into()
    }

    /// Adds a digit to the index of every lookup of an input.
    fn shift(&self, input: usize, by: i32, indices: &mut [u32]) {
        for usage in self.uses_of(input) {
            let index = &mut indices[usage.lookup as usize];
            *index = index.wrapping_add_signed(by * usage.power);
        }
    }

    /// Changes the digit of an input, and returns by how much the sum of a stage rises.
    fn shift_counting(&self, stage: &[i32], input: usize, by: i32, indices: &mut [u32]) -> i32 {
        let mut gain = 0;
        for usage in self.uses_of(input) {
            let index = &mut indices[usage.lookup as usize];
            gain -= stage[*index as usize];
            *index = index.wrapping_add_signed(by * usage.power);
            gain += stage[*index as usize];
        }
        gain
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

    /// The value of a row: a base row with some inputs changed, each given with the difference of its digits.
    fn changed_value(
        &self,
        base: &BaseSum,
        pieces: usize,
        changes: impl Iterator<Item = (usize, i32)>,
        indices: &mut [u32],
    ) -> f32 {
        let stage = self.stage_of(base.pieces);
        let entries = self.stage(stage);
        let mut sum = base.sum;
        for (input, by) in changes {
            sum += self.shift_counting(entries, input, by, indices);
        }
        if self.stage_of(pieces) != stage {
            sum = self.sum(pieces, indices);
        }
        (f64::from(sum) * self.unit) as f32
    }

    /// The indices of a base row, given its pieces with their digits.
    fn base_row(
        &self,
        pieces: impl Iterator<Item = (usize, u8)>,
        indices: &mut Vec<u32>,
    ) -> BaseSum {
        indices.clone_from(&self.empty);
        let (empty, mut count) = (self.empty_digit(), 0);
        for (input, digit) in pieces {
            self.shift(input, i32::from(digit) - empty, indices);
            count += 1;
        }
        BaseSum {
            sum: self.sum(count, indices),
            pieces: count,
        }
    }
}

/// What is known of a base row.
struct BaseSum {
    sum: i32,
    pieces: usize,
}

impl Brain for TupleNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        let TupleBuffers { base, row, digits } = &mut scratch.tuples;
        digits.clear();
        digits.extend(batch.base.iter().map(|&value| self.digit(value)));
        let empty = self.digit(0.0);
        let pieces = digits.iter().copied().enumerate();
        let known = self.base_row(pieces.filter(|&(_, digit)| digit != empty), base);
        out.clear();
        for at in 0..batch.ends.len() {
            row.clone_from(base);
            let changes = batch.row_changes(at).iter();
            let changes = changes.map(|&(input, value)| (input as usize, self.digit(value)));
            let pieces = changes
                .clone()
                .fold(known.pieces, |pieces, (input, digit)| {
                    pieces + usize::from(digit != empty) - usize::from(digits[input] != empty)
                });
            let steps =
                changes.map(|(input, digit)| (input, i32::from(digit) - i32::from(digits[input])));
            out.push(self.changed_value(&known, pieces, steps, row));
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
        let known = self.base_row(pieces, &mut buffers.base);
        out.clear();
        for &[new_plus, new_minus] in rows {
            buffers.row.clone_from(&buffers.base);
            // By how much the sign of an input rises: by one for each plus that is new and each minus that is gone.
            let gains = [new_plus & !plus, minus & !new_minus];
            let losses = [plus & !new_plus, new_minus & !minus];
            let gains = gains.into_iter().flat_map(bits).map(|input| (input, 1));
            let losses = losses.into_iter().flat_map(bits).map(|input| (input, -1));
            let pieces = (new_plus | new_minus).count_ones() as usize;
            let changes = gains.chain(losses);
            out.push(self.changed_value(&known, pieces, changes, &mut buffers.row));
        }
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
