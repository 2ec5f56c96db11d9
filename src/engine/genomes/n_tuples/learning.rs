//! Tables learn from examples: each moves the entries that its position selects by the same amount.

use crate::board_geometry::BoardGeometry;
use crate::genomes::activation::Activation;
use crate::genomes::training_set::{TrainingExample, TrainingSet};

use super::network::{digit, stage_of};
use super::shapes::Tuple;
use super::{NTuples, NTuplesConfig, bounded};

/// A tuple in one of its places.
struct LearnedPlace {
    squares: Tuple,
    /// Where its table begins in a stage.
    start: usize,
    /// The index of the last entry if the board is seen from the other side: entries are counted
    /// from the end and subtracted.
    opposite: Option<usize>,
}

impl LearnedPlace {
    /// The entry that a position selects, by its number in the stage.
    fn entry(&self, digits: &[u8], levels: usize) -> usize {
        let digits = self.squares.iter().rev().map(|&at| digits[at as usize]);
        let index = digits.fold(0, |index, digit| index * levels + usize::from(digit));
        self.start + self.opposite.map_or(index, |last| last - index)
    }

    fn sign(&self) -> f32 {
        if self.opposite.is_some() { -1.0 } else { 1.0 }
    }
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
        let mut selected = Vec::new();
        for TrainingExample { inputs, targets } in examples.examples() {
            let [Some(target)] = targets[..] else {
                continue;
            };
            self.select(&places, geometry.lowest, inputs, &mut selected);
            let entries = selected.iter().zip(&places);
            let values = entries.map(|(&entry, place)| place.sign() * self.entries[entry]);
            let error = target - squashed(values.sum());
            let change = rate * error / places.len() as f32;
            for (&entry, place) in selected.iter().zip(&places) {
                let entry = &mut self.entries[entry];
                *entry = bounded(*entry + place.sign() * change);
            }
        }
    }

    /// All tuples in all their places, from both sides if the network is antisymmetric.
    fn learned_places(
        &self,
        config: &NTuplesConfig,
        geometry: &BoardGeometry,
    ) -> Vec<LearnedPlace> {
        let mut learned = Vec::new();
        for (tuple, places, start) in self.placed(geometry) {
            let opposite = Self::opposite_places(&places, geometry);
            let opposite = opposite.filter(|_| config.antisymmetric);
            let last = self.table_len(tuple) - 1;
            let opposite = opposite.map(|place| (place, Some(last)));
            let opposite: Vec<_> = opposite.collect();
            let own = places.into_iter().map(|place| (place, None));
            let place = |(squares, opposite)| LearnedPlace {
                squares,
                start,
                opposite,
            };
            learned.extend(own.chain(opposite).map(place));
        }
        learned
    }

    /// The entries that a position selects, one for each place.
    fn select(
        &self,
        places: &[LearnedPlace],
        lowest: i8,
        inputs: &[f32],
        selected: &mut Vec<usize>,
    ) {
        let levels = usize::from(self.levels);
        let digits = inputs
            .iter()
            .map(|&value| digit(value, lowest, self.levels));
        let digits: Vec<u8> = digits.collect();
        let empty = digit(0.0, lowest, self.levels);
        let pieces = digits.iter().filter(|&&digit| digit != empty).count();
        let stage = stage_of(pieces, self.stages as usize, self.inputs as usize);
        let start = stage * self.stage_len();
        selected.clear();
        selected.extend(
            places
                .iter()
                .map(|place| start + place.entry(&digits, levels)),
        );
    }
}
