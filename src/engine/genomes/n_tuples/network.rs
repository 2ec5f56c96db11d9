//! The network grown from tuples: a lookup for each place of each tuple. Entries are whole
//! multiples of a small unit, so that sums do not round.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use std::sync::Arc;

use pulp::Arch;

use crate::board_geometry::BoardGeometry;
use crate::genomes::recent::NetworkId;
use crate::simd;

use super::block::LookupBlock;
use super::layout::{self, Layout, MergedTable};
use super::{NTuples, NTuplesConfig};

/// The sum of as many entries as there are lookups stays below this.
const LARGEST_SUM: f64 = (1 << 30) as f64;

/// The most units that 1 is worth.
const FINEST_SCALE: f64 = (1_u64 << 40) as f64;

/// The tables of all lookups.
pub(super) struct TupleNetwork {
    pub(super) id: NetworkId,
    pub(super) arch: Arch,
    pub(super) layout: Arc<Layout>,
    pub(super) stages: usize,
    /// The entries of each block in units, stage after stage.
    entries: Vec<Vec<i32>>,
    /// What a unit is worth.
    pub(super) unit: f64,
}

/// The sums of entries of each stage, one after the other; where each begins, and where the last
/// ends.
struct Sums<T> {
    stages: Vec<Vec<T>>,
    starts: Vec<usize>,
}

/// Adds up the entries of all tuples that lie on the same squares.
fn sums(genome: &NTuples, layout: &Layout) -> Sums<f32> {
    let (mut starts, mut tables) = (vec![0], vec![0]);
    for len in &layout.sum_lens {
        starts.push(starts[starts.len() - 1] + len);
    }
    for (tuple, _) in genome.shared_tuples() {
        tables.push(tables[tables.len() - 1] + genome.table_len(tuple));
    }
    let stage = |entries: &[f32]| {
        let mut stage = vec![0.0; starts[starts.len() - 1]];
        for place in &layout.places {
            let table = &entries[tables[place.tuple]..tables[place.tuple + 1]];
            let sums = &mut stage[starts[place.sum]..starts[place.sum + 1]];
            let own = place.indices.iter().map(|&index| table[index as usize]);
            if place.is_opposite {
                for (sum, entry) in sums.iter_mut().rev().zip(own) {
                    *sum -= entry;
                }
            } else {
                for (sum, entry) in sums.iter_mut().zip(own) {
                    *sum += entry;
                }
            }
        }
        stage
    };
    let entries = genome.entries.to_vec();
    let stages = entries.chunks(genome.stage_len());
    Sums {
        stages: stages.map(stage).collect(),
        starts,
    }
}

impl Sums<i32> {
    /// The entries of a table in a stage.
    fn add_table(&self, stage: usize, table: &MergedTable, entries: &mut Vec<i32>) {
        let start = entries.len();
        entries.resize(start + table.len, 0);
        for (sum, indices) in &table.parts {
            let own = &self.stages[stage][self.starts[*sum]..self.starts[*sum + 1]];
            for (entry, &index) in entries[start..].iter_mut().zip(indices) {
                *entry += own[index as usize];
            }
        }
    }
}

/// The number of units that 1 is worth where no sum is larger than this: a power of two, so that
/// few entries are rounded.
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
        let layout = layout::layout(genome, geometry, config);
        let Sums { stages, starts } = sums(genome, &layout);
        let all = stages.iter().flatten();
        let largest = all.fold(0.0, |largest: f32, sum| largest.max(sum.abs()));
        let scale = scale(f64::from(largest) * layout.sum_lens.len() as f64);
        let in_units = |&sum: &f32| (f64::from(sum) * scale).round() as i32;
        let stages = stages
            .iter()
            .map(|stage| stage.iter().map(in_units).collect());
        let sums = Sums {
            stages: stages.collect(),
            starts,
        };
        let block = |block: &LookupBlock| {
            let stages = sums.stages.len();
            let mut entries = Vec::with_capacity(block.stage_len * stages);
            for stage in 0..stages {
                for &table in &block.tables {
                    sums.add_table(stage, &layout.tables[table], &mut entries);
                }
                entries.push(0);
            }
            entries
        };
        Self {
            id: NetworkId::next(),
            arch: simd::arch(),
            entries: layout.blocks.iter().map(block).collect(),
            unit: scale.recip(),
            stages: genome.stages as usize,
            layout,
        }
    }

    /// The stage of the game with this many pieces on the board.
    #[inline]
    pub(super) fn stage_of(&self, pieces: usize) -> usize {
        match self.stages {
            1 => 0,
            stages => stage_of(pieces, stages, self.layout.digits.inputs),
        }
    }

    /// Each block with its entries in a stage.
    #[inline(always)]
    pub(super) fn stage(&self, stage: usize) -> impl Iterator<Item = (&LookupBlock, &[i32])> {
        let blocks = self.layout.blocks.iter().zip(&self.entries);
        blocks.map(move |(block, entries)| {
            let start = stage * block.stage_len;
            (block, &entries[start..start + block.stage_len])
        })
    }
}
