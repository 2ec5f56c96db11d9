//! How the lookups of networks of one kind lie in memory: what all members of a population share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board_geometry::BoardGeometry;

use super::block::{Block, DigitSpec, LookupSpec};
use super::merge::{Lookups, indices_within};
use super::network::digit;
use super::shapes::{self, Sharing, Tuple};

/// Layouts that are kept. Few kinds of networks play at a time.
const KEPT: usize = 4;

/// What a layout depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayoutKey {
    pub(super) geometry: BoardGeometry,
    pub(super) tuples: Vec<(Tuple, Sharing)>,
    pub(super) inputs: usize,
    pub(super) stages: usize,
    pub(super) is_antisymmetric: bool,
}

/// A tuple in one of its places.
#[derive(Debug)]
pub(super) struct Place {
    /// The tuple by its number.
    pub(super) tuple: usize,
    /// Which of the sums of entries it belongs to.
    pub(super) sum: usize,
    /// For each index of the sum the entry of the tuple.
    pub(super) indices: Vec<u32>,
    /// Whether the board is seen from the other side: all digits are those of negated values, and the entries are subtracted.
    pub(super) is_opposite: bool,
}

/// A table, made of sums of entries.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) len: usize,
    /// The sums, and for each index of the table that of the sum.
    pub(super) parts: Vec<(usize, Vec<u32>)>,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) lowest: i8,
    pub(super) digits: DigitSpec,
    pub(super) places: Vec<Place>,
    /// The length of each sum: the entries of all tuples that lie on the same squares, added up.
    pub(super) sums: Vec<usize>,
    pub(super) tables: Vec<Table>,
    pub(super) blocks: Vec<Block>,
}

/// The layout for a key: one that is known, or a new one.
pub(super) fn layout(key: LayoutKey) -> Arc<Layout> {
    static KNOWN: Mutex<Vec<(LayoutKey, Arc<Layout>)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, layout)) = known.iter().find(|(other, _)| *other == key) {
        return Arc::clone(layout);
    }
    let layout = Arc::new(Layout::new(&key));
    known.truncate(KEPT - 1);
    known.insert(0, (key, Arc::clone(&layout)));
    layout
}

impl Layout {
    fn new(key: &LayoutKey) -> Self {
        let LayoutKey { geometry, .. } = key;
        let levels = usize::from(geometry.levels);
        let digits = DigitSpec {
            inputs: key.inputs,
            levels: geometry.levels,
            empty: digit(0.0, geometry.lowest, geometry.levels),
            stages: key.stages,
        };
        let (places, squares) = places(key);
        let table_len = |squares: &Tuple| levels.pow(squares.len() as u32);
        let lookups = Lookups::new(&squares, geometry);
        let groups = lookups.groups(levels);
        let mut parts_of = vec![0_u32; squares.len()];
        for place in &places {
            parts_of[place.sum] += 1;
        }
        // A third addition may round, so that the order of additions matters.
        let is_exact = |sum: usize| parts_of[sum] <= 2;
        let (mut tables, mut specs) = (Vec::new(), Vec::<LookupSpec>::new());
        let mut prototypes: Vec<(&Vec<usize>, usize)> = Vec::new();
        for group in &groups {
            let image = prototypes.iter().find_map(|&(prototype, spec)| {
                let symmetry = lookups.symmetry(prototype, group)?;
                Some((spec, &geometry.symmetries[symmetry]))
            });
            if let Some((spec, symmetry)) = image.filter(|_| group.iter().all(|&sum| is_exact(sum)))
            {
                let LookupSpec { table, squares } = &specs[spec];
                let squares = squares.iter().map(|&square| symmetry[square as usize]);
                specs.push(LookupSpec {
                    table: *table,
                    squares: squares.collect(),
                });
                continue;
            }
            let mut union: Tuple = group
                .iter()
                .flat_map(|&sum| &squares[sum])
                .copied()
                .collect();
            union.sort_unstable();
            union.dedup();
            let part = |&sum: &usize| (sum, indices_within(&union, &squares[sum], levels));
            tables.push(Table {
                len: table_len(&union),
                parts: group.iter().map(part).collect(),
            });
            prototypes.push((group, specs.len()));
            specs.push(LookupSpec {
                table: tables.len() - 1,
                squares: union,
            });
        }
        let lens: Vec<usize> = tables.iter().map(|table| table.len).collect();
        Self {
            lowest: geometry.lowest,
            digits,
            places,
            sums: squares.iter().map(table_len).collect(),
            blocks: Block::all(&specs, &lens, digits),
            tables,
        }
    }
}

/// All tuples in all their places, and the squares of each sum in ascending order.
fn places(key: &LayoutKey) -> (Vec<Place>, Vec<Tuple>) {
    let geometry = &key.geometry;
    let levels = usize::from(geometry.levels);
    let mut placed = Vec::new();
    for (number, (tuple, sharing)) in key.tuples.iter().enumerate() {
        for place in shapes::places(geometry, tuple, *sharing) {
            let opposite = place.iter().map(|&at| geometry.opposite[at as usize]);
            let opposite = key.is_antisymmetric.then(|| opposite.collect());
            placed.push((number, place, false));
            placed.extend(opposite.map(|opposite: Tuple| (number, opposite, true)));
        }
    }
    let sorted = |tuple: &Tuple| {
        let mut squares = tuple.clone();
        squares.sort_unstable();
        squares
    };
    let squares = placed.iter().map(|(_, place, _)| (sorted(place), 0));
    let mut sums: BTreeMap<Tuple, usize> = squares.collect();
    for (at, sum) in sums.values_mut().enumerate() {
        *sum = at;
    }
    let place = |(tuple, place, is_opposite): (usize, Tuple, bool)| {
        let squares = sorted(&place);
        Place {
            tuple,
            sum: sums[&squares],
            indices: indices_within(&squares, &place, levels),
            is_opposite,
        }
    };
    let places = placed.into_iter().map(place).collect();
    (places, sums.into_keys().collect())
}
