//! The children of tree nodes as arrays of the numbers that their upper confidence bounds consist
//! of, so that the bounds of several children are computed at once.

use std::ops::Range;

/// Children whose bounds are computed in parallel.
const LANES: usize = 4;

/// The terms of the bounds of all children in a tree, siblings one after another.
#[derive(Debug, Default)]
pub(super) struct BoundTerms {
    /// The mean value of each child's simulations, infinite if there are none.
    means: Vec<[f32; LANES]>,
    /// 1 / the square root of each child's visits, 0 if there are none.
    inverse_sqrts: Vec<[f32; LANES]>,
}

impl BoundTerms {
    pub(super) fn clear(&mut self) {
        self.means.clear();
        self.inverse_sqrts.clear();
    }

    /// Adds siblings without simulations and returns the slot of the first.
    pub(super) fn add_siblings(&mut self, count: usize) -> usize {
        let first = self.means.len();
        let vectors = count.div_ceil(LANES);
        self.means.resize(first + vectors, [f32::INFINITY; LANES]);
        self.inverse_sqrts.resize(first + vectors, [0.0; LANES]);
        if let (Some(last), 1..) = (self.means.last_mut(), count % LANES) {
            last[count % LANES..].fill(f32::NEG_INFINITY);
        }
        first * LANES
    }

    /// Sets the terms of a child with simulations.
    pub(super) fn set(&mut self, slot: usize, mean: f32, inverse_sqrt: f32) {
        self.means[slot / LANES][slot % LANES] = mean;
        self.inverse_sqrts[slot / LANES][slot % LANES] = inverse_sqrt;
    }

    /// The sibling with the highest bound, mean + `factor` · inverse root, counted from the first;
    /// the first in a tie. `slots` are those of the siblings.
    pub(super) fn highest(&self, slots: Range<usize>, factor: f32) -> usize {
        let vectors = slots.start / LANES..slots.end.div_ceil(LANES);
        let terms = self.means[vectors.clone()]
            .iter()
            .zip(&self.inverse_sqrts[vectors]);
        let (mut best, mut found) = ([f32::NEG_INFINITY; LANES], [0_u32; LANES]);
        for (vector, (means, inverse_sqrts)) in (0..).zip(terms) {
            for lane in 0..LANES {
                let bound = means[lane] + factor * inverse_sqrts[lane];
                let is_better = bound > best[lane];
                best[lane] = if is_better { bound } else { best[lane] };
                found[lane] = if is_better { vector } else { found[lane] };
            }
        }
        let mut highest = (f32::NEG_INFINITY, 0);
        for lane in 0..LANES {
            let index = found[lane] as usize * LANES + lane;
            let is_earlier = best[lane] >= highest.0 && index < highest.1;
            if best[lane] > highest.0 || is_earlier {
                highest = (best[lane], index);
            }
        }
        highest.1
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn the_first_of_the_highest_bounds_is_found_among_any_number_of_siblings() {
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        let mut terms = BoundTerms::default();
        for round in 0..400 {
            let count = rng.random_range(1..=13);
            let first = terms.add_siblings(count);
            let slots = first..first + count;
            assert_eq!(terms.highest(slots.clone(), 0.7), 0, "none was simulated");
            // Few different numbers, so that ties are frequent.
            let mut bounds = Vec::new();
            for slot in slots.clone() {
                let mean = rng.random_range(-3..=3) as f32 / 4.0;
                let inverse_sqrt = rng.random_range(1..=3) as f32 / 4.0;
                terms.set(slot, mean, inverse_sqrt);
                bounds.push(mean + 0.7 * inverse_sqrt);
            }
            let highest = bounds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let expected = bounds.iter().position(|&bound| bound >= highest);
            assert_eq!(Some(terms.highest(slots, 0.7)), expected, "round {round}");
        }
    }
}
