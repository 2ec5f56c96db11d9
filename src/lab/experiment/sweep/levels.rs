//! The values of a parameter in a sweep as few levels: the values themselves, or ranges with
//! equally many combinations each.

use std::collections::BTreeSet;

use finches_engine::metrics::stats::spread::quantile;
use finches_runs::storage::experiments::sweep::SweepDesign;

/// Most different numbers that are levels of their own in a grid. Drawn numbers are ranges if there
/// are more than ranges.
const MOST_NUMBERS: usize = 8;

/// The number of ranges that more numbers are divided into.
const RANGES: usize = 4;

/// The levels of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Levels {
    /// The values, or the ranges; numbers in ascending order.
    pub(super) names: Vec<String>,
    /// The level of each combination.
    pub(super) places: Vec<usize>,
}

impl Levels {
    /// The levels of the values of all combinations.
    pub(super) fn of<'a>(
        design: SweepDesign,
        values: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let most = if design == SweepDesign::Grid {
            MOST_NUMBERS
        } else {
            RANGES
        };
        let numbers: Option<Vec<f64>> = values.clone().map(|text| text.parse().ok()).collect();
        let mut names: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for value in values.clone() {
            if known.insert(value) {
                names.push(value.to_owned());
            }
        }
        match numbers {
            Some(numbers) if names.len() > most => Self::ranges(&numbers),
            numbers => {
                if numbers.is_some() {
                    let number = |text: &String| text.parse().unwrap_or(f64::NAN);
                    names.sort_by(|a, b| number(a).total_cmp(&number(b)));
                }
                let place = |value: &str| names.iter().position(|name| name == value);
                let places = values.map(|value| place(value).unwrap_or(0)).collect();
                Self { names, places }
            }
        }
    }

    fn ranges(numbers: &[f64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let bounds = (1..RANGES).map(|index| quantile(&sorted, index as f64 / RANGES as f64));
        let mut bounds: Vec<f64> = bounds.collect();
        bounds.dedup_by(|a, b| a.total_cmp(b).is_eq());
        let mut places: Vec<usize> = numbers
            .iter()
            .map(|number| bounds.iter().filter(|bound| number >= bound).count())
            .collect();
        // Between quantiles of numbers that are often equal, there may be none.
        let used: BTreeSet<usize> = places.iter().copied().collect();
        let used: Vec<usize> = used.into_iter().collect();
        for place in &mut places {
            *place = used.partition_point(|level| level < place);
        }
        let name = |level: usize| {
            let own = numbers.iter().zip(&places);
            let own = own
                .filter(|(_, place)| **place == level)
                .map(|(one, _)| *one);
            let low = short(own.clone().fold(f64::INFINITY, f64::min));
            let high = short(own.fold(f64::NEG_INFINITY, f64::max));
            if low == high {
                low
            } else {
                format!("{low} to {high}")
            }
        };
        Self {
            names: (0..used.len()).map(name).collect(),
            places,
        }
    }
}

/// A number with three significant digits.
fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(values: &[&str]) -> (Vec<String>, Vec<usize>) {
        let levels = Levels::of(SweepDesign::Grid, values.iter().copied());
        (levels.names, levels.places)
    }

    #[test]
    fn few_values_are_levels_and_many_numbers_are_ranges() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            levels(&["10", "2", "10"]),
            (names(&["2", "10"]), vec![1, 0, 1])
        );
        assert_eq!(
            levels(&["b", "a", "b"]),
            (names(&["b", "a"]), vec![0, 1, 0])
        );
        let many: Vec<String> = (1..=12)
            .map(|one| format!("{}", f64::from(one) * 0.25))
            .collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (found, places) = levels(&many);
        assert_eq!(
            found,
            ["0.25 to 0.75", "1 to 1.5", "1.75 to 2.25", "2.5 to 3"]
        );
        assert_eq!(places, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn drawn_whole_numbers_are_ranges_as_other_numbers_are() {
        let design = SweepDesign::Random(9);
        let check = |values: &[&str], names: &[&str], places: &[usize]| {
            let levels = Levels::of(design, values.iter().copied());
            assert_eq!(
                (&levels.names[..], &levels.places[..]),
                (
                    &names.iter().map(ToString::to_string).collect::<Vec<_>>()[..],
                    places
                )
            );
        };
        check(
            &["1", "2", "3", "4", "5", "6", "7", "8"],
            &["1 to 2", "3 to 4", "5 to 6", "7 to 8"],
            &[0, 0, 1, 1, 2, 2, 3, 3],
        );
        check(&["4", "1", "2", "3"], &["1", "2", "3", "4"], &[3, 0, 1, 2]);
        check(
            &["1", "1", "1", "1", "1", "2", "3", "4", "5"],
            &["1 to 2", "3 to 5"],
            &[0, 0, 0, 0, 0, 0, 1, 1, 1],
        );
    }
}
