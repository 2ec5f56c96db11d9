//! The network grown from tuples: a lookup for each place of each tuple. Entries are whole multiples of a small unit, so that sums do
//! not round.

use std::collections::BTreeMap;

use pulp::Arch;

use crate::board_geometry::BoardGeometry;
use crate::genomes::recent::NetworkId;
use crate::simd;

use super::block::{self, Block, DigitSpec};
use super::merge::{TupleLookup, indices_within, merged};
use super::shapes::{self, Tuple};
use super::{NTuples, NTuplesConfig};

/// The sum of as many entries as there are lookups stays below this.
const LARGEST_SUM: f64 = (1 << 30) as f64;

/// The most units that 1 is worth.
const FINEST_SCALE: f64 = (1_u64 << 40) as f64;

/// The tables of all lookups.
pub(super) struct TupleNetwork {
    pub(super) id: NetworkId,
    pub(super) arch: Arch,
    pub(super) lowest: i8,
    pub(super) digits: DigitSpec,
    pub(super) blocks: Vec<Block>,
    /// What a unit is worth.
    pub(super) unit: f64,
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
        let digits = DigitSpec {
            inputs,
            levels: geometry.levels,
            empty: digit(0.0, geometry.lowest, geometry.levels),
            stages: genome.stages as usize,
        };
        Self {
            id: NetworkId::next(),
            arch: simd::arch(),
            lowest: geometry.lowest,
            digits,
            blocks: block::blocks(&lookups, digits),
            unit: scale.recip(),
        }
    }

    /// The stage of the game with this many pieces on the board.
    #[inline]
    pub(super) fn stage_of(&self, pieces: usize) -> usize {
        match self.digits.stages {
            1 => 0,
            stages => stage_of(pieces, stages, self.digits.inputs),
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
