//! How the lookups of networks of one kind lie in memory: what all members of a population share.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board_geometry::BoardGeometry;

use super::block::{DigitSpec, LookupBlock, LookupSpec};
use super::merge::{SquareSets, indices_within};
use super::shapes::{self, Sharing, Tuple};
use super::{NTuples, NTuplesConfig};

/// Layouts that are kept. Few kinds of networks play at a time.
const KEPT: usize = 4;

/// What a layout depends on.
struct LayoutKey {
    geometry: BoardGeometry,
    tuples: Vec<(Tuple, Sharing)>,
    inputs: u32,
    is_antisymmetric: bool,
}

impl LayoutKey {
    fn new(genome: &NTuples, geometry: &BoardGeometry, config: &NTuplesConfig) -> Self {
        let tuples = genome.shared_tuples();
        let tuples = tuples.map(|(tuple, sharing)| (tuple.clone(), sharing));
        Self {
            geometry: geometry.clone(),
            tuples: tuples.collect(),
            inputs: genome.inputs,
            is_antisymmetric: config.antisymmetric,
        }
    }

    /// Whether this is the key of such networks.
    fn is_of(&self, genome: &NTuples, geometry: &BoardGeometry, config: &NTuplesConfig) -> bool {
        let tuples = self.tuples.iter().map(|(tuple, sharing)| (tuple, *sharing));
        (self.inputs, self.is_antisymmetric) == (genome.inputs, config.antisymmetric)
            && tuples.eq(genome.shared_tuples())
            && self.geometry == *geometry
    }
}

/// A tuple in one of its places.
#[derive(Debug)]
pub(super) struct TuplePlace {
    /// The tuple by its number.
    pub(super) tuple: usize,
    /// Which of the sums of entries it belongs to.
    pub(super) sum: usize,
    /// The inputs of the tuple, in its order.
    squares: Tuple,
    /// For each index of the sum the entry of the tuple.
    pub(super) indices: Vec<u32>,
    /// Whether the board is seen from the other side: all digits are those of negated values, and
    /// the entries are subtracted.
    pub(super) is_opposite: bool,
}

/// A table, made of sums of entries.
#[derive(Debug)]
pub(super) struct MergedTable {
    pub(super) len: usize,
    /// The sums, and for each index of the table that of the sum.
    pub(super) parts: Vec<(usize, Vec<u32>)>,
}

/// Where everything is.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) lowest: i8,
    pub(super) digits: DigitSpec,
    pub(super) places: Vec<TuplePlace>,
    /// The number of entries of each sum. A sum is what the entries of all tuples that lie on the
    /// same squares add up to.
    pub(super) sum_lens: Vec<usize>,
    pub(super) tables: Vec<MergedTable>,
    pub(super) blocks: Vec<LookupBlock>,
}

/// The layout of a network: one that is known, or a new one. Only a new one costs more than
/// comparisons, since every member of every generation asks for it.
pub(super) fn layout(
    genome: &NTuples,
    geometry: &BoardGeometry,
    config: &NTuplesConfig,
) -> Arc<Layout> {
    static KNOWN: Mutex<Vec<(LayoutKey, Arc<Layout>)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut same = known
        .iter()
        .filter(|(key, _)| key.is_of(genome, geometry, config));
    if let Some((_, layout)) = same.next() {
        return Arc::clone(layout);
    }
    let key = LayoutKey::new(genome, geometry, config);
    let layout = Arc::new(Layout::new(&key));
    known.truncate(KEPT - 1);
    known.insert(0, (key, Arc::clone(&layout)));
    layout
}

impl Layout {
    fn new(key: &LayoutKey) -> Self {
        let LayoutKey { geometry, .. } = key;
        let levels = usize::from(geometry.levels);
        let digits = DigitSpec::new(geometry, key.inputs as usize);
        let (places, squares) = places(key);
        let (tables, mut lookups) = lookups(geometry, &places, &squares);
        let lens: Vec<usize> = tables.iter().map(|table| table.len).collect();
        // Lookups with the same table lie in the same block, so that few blocks have a copy of it.
        lookups.sort_by_key(|lookup| (Reverse(lens[lookup.table]), lookup.table));
        let sum_lens = squares
            .iter()
            .map(|squares| levels.pow(squares.len() as u32));
        Self {
            lowest: geometry.lowest,
            digits,
            sum_lens: sum_lens.collect(),
            places,
            tables,
            blocks: LookupBlock::all(&lookups, &lens, digits),
        }
    }
}

/// The lookups that the sums are merged to, and their tables. Symmetric lookups share a table.
fn lookups(
    geometry: &BoardGeometry,
    places: &[TuplePlace],
    squares: &[Tuple],
) -> (Vec<MergedTable>, Vec<LookupSpec>) {
    let levels = usize::from(geometry.levels);
    let sets = SquareSets::new(squares, geometry);
    let mut parts: Vec<Vec<&TuplePlace>> = vec![Vec::new(); squares.len()];
    for place in places {
        parts[place.sum].push(place);
    }
    // Two entries add up to the same in any order, more of them in the same order.
    let is_same = |sum: usize, symmetry: usize| {
        let [own, others] = [sum, sets.image(sum, symmetry)].map(|sum| &parts[sum]);
        let mut pairs = own.iter().zip(others);
        let is_image = |(own, other): (&&TuplePlace, &&TuplePlace)| {
            let image = shapes::image(&own.squares, &geometry.symmetries[symmetry]);
            (own.tuple, own.is_opposite) == (other.tuple, other.is_opposite)
                && image == other.squares
        };
        own.len() <= 2 || pairs.all(is_image)
    };
    let (mut tables, mut lookups) = (Vec::new(), Vec::<LookupSpec>::new());
    // The first lookup with each table, and its sums.
    let mut firsts: Vec<(usize, Vec<usize>)> = Vec::new();
    for group in sets.groups(levels) {
        let image = firsts.iter().find_map(|(first, sums)| {
            let mut symmetries = sets.symmetries(sums, &group);
            let symmetry =
                symmetries.find(|&symmetry| sums.iter().all(|&sum| is_same(sum, symmetry)))?;
            Some((*first, &geometry.symmetries[symmetry]))
        });
        if let Some((first, symmetry)) = image {
            let LookupSpec { table, squares } = &lookups[first];
            lookups.push(LookupSpec {
                table: *table,
                squares: shapes::image(squares, symmetry),
            });
            continue;
        }
        let all = group.iter().flat_map(|&sum| &squares[sum]);
        let mut union = shapes::sorted(&all.copied().collect::<Tuple>());
        union.dedup();
        let part = |&sum: &usize| (sum, indices_within(&union, &squares[sum], levels));
        tables.push(MergedTable {
            len: levels.pow(union.len() as u32),
            parts: group.iter().map(part).collect(),
        });
        firsts.push((lookups.len(), group));
        lookups.push(LookupSpec {
            table: tables.len() - 1,
            squares: union,
        });
    }
    (tables, lookups)
}

/// All tuples in all their places, and the squares of each sum in ascending order.
fn places(key: &LayoutKey) -> (Vec<TuplePlace>, Vec<Tuple>) {
    let geometry = &key.geometry;
    let levels = usize::from(geometry.levels);
    let mut placed = Vec::new();
    for (number, (tuple, sharing)) in key.tuples.iter().enumerate() {
        for place in shapes::places(geometry, tuple, *sharing) {
            let opposite = || (number, shapes::image(&place, &geometry.opposite), true);
            let opposite = key.is_antisymmetric.then(opposite);
            placed.push((number, place, false));
            placed.extend(opposite);
        }
    }
    let squares = placed
        .iter()
        .map(|(_, place, _)| (shapes::sorted(place), 0));
    let mut sums: BTreeMap<Tuple, usize> = squares.collect();
    for (at, sum) in sums.values_mut().enumerate() {
        *sum = at;
    }
    let place = |(tuple, place, is_opposite): (usize, Tuple, bool)| {
        let squares = shapes::sorted(&place);
        TuplePlace {
            tuple,
            sum: sums[&squares],
            indices: indices_within(&squares, &place, levels),
            squares: place,
            is_opposite,
        }
    };
    let places = placed.into_iter().map(place).collect();
    (places, sums.into_keys().collect())
}
