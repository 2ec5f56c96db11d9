//! Tables learn from examples: each moves the entries that its position selects by the same amount.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use pulp::NullaryFnOnce;

use crate::board_geometry::BoardGeometry;
use crate::genomes::activation::Activation;
use crate::genomes::training_set::{TrainingExample, TrainingSet};
use crate::simd;

use super::block::{DigitChange, DigitSpec, LookupBlock, LookupSpec};
use super::network::{digit, stage_of};
use super::shapes::Tuple;
use super::{NTuples, NTuplesConfig, bounded};

/// A tuple in one of its places: which entry of a stage it selects, and how that counts.
struct LearnedPlace {
    /// The entry on an empty board.
    at_empty: i32,
    /// 1, or −1 where the board is seen from the other side: entries are then counted downwards and
    /// subtracted.
    sign: i8,
}

/// All tuples in all their places, from both sides if the network is antisymmetric.
struct LearnedPlaces {
    places: Vec<LearnedPlace>,
    /// The indices of the places, block after block.
    blocks: Vec<LookupBlock>,
    digits: DigitSpec,
    lowest: i8,
}

/// The hyperbolic tangent of a value.
pub(super) fn squashed(value: f32) -> f32 {
    let mut value = [value];
    Activation::Tanh.apply(&mut value);
    value[0]
}

impl NTuples {
    /// Learns each example in turn, as a logistic regression does: the entries of its position move
    /// so that the value loses the share `rate` of the error.
    pub(super) fn learn(
        &mut self,
        config: &NTuplesConfig,
        geometry: &BoardGeometry,
        examples: &TrainingSet,
        rate: f32,
    ) {
        let places = self.learned_places(config, geometry);
        let mut entries = self.entries.to_vec();
        simd::arch().dispatch(Learning {
            genome: self,
            entries: &mut entries,
            places: &places,
            examples,
            rate,
        });
        self.entries = self.entries.with(&entries);
    }

    fn learned_places(&self, config: &NTuplesConfig, geometry: &BoardGeometry) -> LearnedPlaces {
        let digits = DigitSpec::new(geometry, self.inputs as usize);
        let (mut lookups, mut places, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        for (table, (tuple, own, start)) in self.placed(geometry).enumerate() {
            let levels = usize::from(self.levels);
            let powers = (0..tuple.len() as u32).map(|digit| levels.pow(digit));
            let empty = usize::from(digits.empty) * powers.sum::<usize>();
            let opposite = Self::opposite_places(&own, geometry);
            let opposite: Vec<Tuple> = opposite.filter(|_| config.antisymmetric).collect();
            let last = start + self.table_len(tuple) - 1;
            let place = |entry: usize, sign: i8| LearnedPlace {
                at_empty: entry as i32,
                sign,
            };
            places.extend(own.iter().map(|_| place(start + empty, 1)));
            places.extend(opposite.iter().map(|_| place(last - empty, -1)));
            let squares = own.into_iter().chain(opposite);
            lookups.extend(squares.map(|squares| LookupSpec { table, squares }));
            lens.push(self.table_len(tuple));
        }
        LearnedPlaces {
            places,
            blocks: LookupBlock::all(&lookups, &lens, digits),
            digits,
            lowest: geometry.lowest,
        }
    }
}

/// The tables while they learn.
struct Learning<'a> {
    genome: &'a NTuples,
    entries: &'a mut [f32],
    places: &'a LearnedPlaces,
    examples: &'a TrainingSet,
    rate: f32,
}

impl NullaryFnOnce for Learning<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let LearnedPlaces {
            places,
            blocks,
            digits,
            lowest,
        } = self.places;
        let (stages, stage_len) = (self.genome.stages as usize, self.genome.stage_len());
        let rate = self.rate / places.len() as f32;
        let (mut pieces, mut selected) = (Vec::new(), Vec::new());
        for TrainingExample { inputs, targets } in self.examples.examples() {
            let [Some(target)] = targets[..] else {
                continue;
            };
            pieces.clear();
            for (input, &value) in inputs.iter().enumerate() {
                let found = digit(value, *lowest, digits.levels);
                if found != digits.empty {
                    pieces.push(DigitChange::new(input as u32, [digits.empty, found]));
                }
            }
            let start = stage_of(pieces.len(), stages, digits.inputs) * stage_len;
            let entries = &mut self.entries[start..start + stage_len];
            selected.clear();
            let mut left = &places[..];
            for block in blocks {
                let indices = block.changed(&block.empty, &pieces);
                let (own, others) = left.split_at(block.lookups);
                let lookups = indices.iter().zip(&block.empty).zip(own);
                selected.extend(lookups.map(|((&index, &empty), place)| {
                    let steps = i32::from(index) - i32::from(empty);
                    (place.at_empty + i32::from(place.sign) * steps) as usize
                }));
                left = others;
            }
            let chosen = selected.iter().zip(places);
            let values = chosen.map(|(&entry, place)| f32::from(place.sign) * entries[entry]);
            let change = rate * (target - squashed(values.sum()));
            for (&entry, place) in selected.iter().zip(places) {
                let entry = &mut entries[entry];
                *entry = bounded(*entry + f32::from(place.sign) * change);
            }
        }
    }
}
