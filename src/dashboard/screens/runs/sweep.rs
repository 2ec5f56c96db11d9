//! What the views of a sweep have in common: its results, which of them are selected, and how good
//! a value is.

use finches_lab::experiment::sweep::effects::goodness;
use finches_lab::experiment::sweep::results::SweepResults;

use super::groups;

/// A sweep as it is shown.
pub(super) struct SweepView<'a> {
    pub(super) results: &'a SweepResults,
    /// The two parameters of the map, by index; `None` for the two strongest.
    pub(super) chosen: Option<(usize, usize)>,
}

impl SweepView<'_> {
    /// The two parameters of the map; `None` if there is only one.
    pub(super) fn pair(&self) -> Option<(usize, usize)> {
        let strongest = || match &self.results.effects[..] {
            [a, b, ..] => (a.index, b.index),
            _ => (0, 1),
        };
        (self.results.parameters.len() > 1).then(|| self.chosen.unwrap_or_else(strongest))
    }

    /// The next two parameters, or those before; beyond the last, the two strongest.
    pub(super) fn other_pair(&self, is_next: bool) -> Option<(usize, usize)> {
        let count = self.results.parameters.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let place = pairs.iter().position(|&pair| Some(pair) == self.chosen);
        match (is_next, place) {
            (true, place) => pairs.get(place.map_or(0, |place| place + 1)).copied(),
            (false, Some(place)) => pairs.get(place.checked_sub(1)?).copied(),
            (false, None) => pairs.last().copied(),
        }
    }

    /// A value of the measure in the unit of its column.
    pub(super) fn figure(&self, value: f64) -> String {
        groups::figure(&self.results.measure, value)
    }

    /// The place of a value on the way from the worst to the best, 0..=1.
    pub(super) fn goodness(&self, value: f64) -> f64 {
        let means = self.results.combinations.iter();
        let means = means.filter_map(|one| one.all.map(|all| all.mean));
        goodness(value, means, self.results.is_lowest_best)
    }

    /// The same for the mean of a value of a parameter.
    pub(super) fn level_goodness(&self, mean: f64) -> f64 {
        if self.results.effects_measure.is_none() {
            return self.goodness(mean);
        }
        let effects = self.results.effects.iter();
        let means = effects
            .flat_map(|effect| &effect.levels)
            .map(|level| level.mean);
        goodness(mean, means, self.results.is_lowest_effect_best)
    }
}
