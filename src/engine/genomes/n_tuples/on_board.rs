//! Tuples on the board: what each makes of the squares in all its places, and its value in a
//! position.

use crate::board_geometry::BoardGeometry;
use crate::genomes::{FirstLayerKind, FirstLayerNode, TupleFacts};

use super::network::{digit, stage_of};
use super::shapes::{self, Sharing, Tuple};
use super::{NTuples, NTuplesConfig};

impl NTuples {
    /// The tuples with their places and the start of their tables.
    pub(super) fn placed<'a>(
        &'a self,
        geometry: &'a BoardGeometry,
    ) -> impl Iterator<Item = (&'a Tuple, Vec<Tuple>, usize)> {
        let mut start = 0;
        self.shared_tuples()
            .map(move |(tuple, sharing): (&Tuple, Sharing)| {
                let places = shapes::places(geometry, tuple, sharing);
                let own = start;
                start += self.table_len(tuple);
                (tuple, places.into_iter().collect(), own)
            })
    }

    /// The places of a tuple as they are from the other side.
    pub(super) fn opposite_places<'a>(
        places: &'a [Tuple],
        geometry: &'a BoardGeometry,
    ) -> impl Iterator<Item = Tuple> + 'a {
        let places = places.iter();
        places.map(|place| shapes::image(place, &geometry.opposite))
    }

    /// The sum of all tuples, then each of them, with a weight for each square.
    pub(super) fn maps(
        &self,
        config: &NTuplesConfig,
        geometry: &BoardGeometry,
    ) -> Vec<FirstLayerNode> {
        let mut sums = vec![0.0; self.inputs as usize];
        let (entries, mut maps) = (self.entries.to_vec(), Vec::new());
        for (tuple, places, start) in self.placed(geometry) {
            let effects: Vec<f32> = (0..tuple.len())
                .map(|digit| self.mean_effect(&entries, start, tuple, digit))
                .collect();
            let mut weights = vec![0.0; self.inputs as usize];
            let mut add = |place: &Tuple| {
                for (&input, effect) in place.iter().zip(&effects) {
                    weights[input as usize] += effect;
                }
            };
            places.iter().for_each(&mut add);
            if config.antisymmetric {
                for place in Self::opposite_places(&places, geometry) {
                    add(&place);
                }
            }
            for (sum, weight) in sums.iter_mut().zip(&weights) {
                *sum += weight;
            }
            let tables = self.tables(&entries, start, tuple);
            let facts = self.facts(tuple, places.len(), tables, geometry);
            maps.push(FirstLayerNode {
                kind: FirstLayerKind::Tuple(facts),
                weights,
                outgoing: None,
            });
        }
        let all = FirstLayerNode {
            kind: FirstLayerKind::Sum,
            weights: sums,
            outgoing: None,
        };
        [vec![all], maps].concat()
    }

    fn facts<'a>(
        &self,
        tuple: &Tuple,
        places: usize,
        tables: impl Iterator<Item = &'a [f32]>,
        geometry: &BoardGeometry,
    ) -> TupleFacts {
        let entries: Vec<(usize, f32)> = tables
            .flat_map(|table| table.iter().copied().enumerate())
            .collect();
        let by_value = |one: &&(usize, f32), other: &&(usize, f32)| one.1.total_cmp(&other.1);
        let named = |found: Option<&(usize, f32)>| {
            let &(index, entry) = found.expect("every table has entries");
            let levels = usize::from(self.levels);
            let value = |digit: usize| {
                let level = index / levels.pow(digit as u32) % levels;
                geometry.lowest + level as i8
            };
            ((0..tuple.len()).map(value).collect(), entry)
        };
        TupleFacts {
            inputs: tuple.clone(),
            places,
            entries: self.table_len(tuple),
            highest: named(entries.iter().max_by(by_value)),
            lowest: named(entries.iter().min_by(by_value)),
        }
    }

    /// What each tuple adds to the value of a position.
    pub(super) fn tuple_values(
        &self,
        config: &NTuplesConfig,
        geometry: &BoardGeometry,
        raw_inputs: &[f32],
    ) -> Vec<f32> {
        let levels = usize::from(self.levels);
        let digits: Vec<u8> = raw_inputs
            .iter()
            .map(|&value| digit(value, geometry.lowest, self.levels))
            .collect();
        let empty = digit(0.0, geometry.lowest, self.levels);
        let pieces = digits.iter().filter(|&&digit| digit != empty).count();
        let stage = stage_of(pieces, self.stages as usize, self.inputs as usize);
        let entries = self.entries.to_vec();
        let value = |(tuple, places, start): (&Tuple, Vec<Tuple>, usize)| {
            let table = self.tables(&entries, start, tuple).nth(stage);
            let table = table.expect("every stage has its tables");
            let index = |place: &Tuple| -> usize {
                let values = place
                    .iter()
                    .rev()
                    .map(|&at| usize::from(digits[at as usize]));
                values.fold(0, |index, digit| index * levels + digit)
            };
            let own: f32 = places.iter().map(|place| table[index(place)]).sum();
            if !config.antisymmetric {
                return own;
            }
            let opposite = Self::opposite_places(&places, geometry);
            let opposite: f32 = opposite
                .map(|place| table[table.len() - 1 - index(&place)])
                .sum();
            own - opposite
        };
        self.placed(geometry).map(value).collect()
    }
}
