//! Summary statistics of a sample, with a confidence interval of the mean.

use rand::RngExt;

use super::paired::t_quantile;
use crate::rng::Stream;

/// Resamples behind an interval.
pub const RESAMPLES: usize = 10_000;

/// Summary statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The size of the sample.
    pub count: usize,
    /// The lowest value.
    pub min: f64,
    /// The middle value; the mean of the two middle ones of an even sample.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The 95% confidence interval of the mean; `None` for a single value.
    pub interval: Option<(f64, f64)>,
    /// The highest value.
    pub max: f64,
}

impl Spread {
    /// Summarizes values in any order; `None` without values. `rng` draws the resamples of the
    /// interval.
    pub fn of(values: &[f64], rng: &mut Stream) -> Option<Self> {
        let sorted = ascending(values);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        Some(Self {
            count: values.len(),
            min,
            median: quantile(&sorted, 0.5),
            mean: mean(&sorted),
            interval: (values.len() > 1).then(|| {
                percentile_interval(|rng| resampled_mean(&sorted, rng), values.len(), rng)
            }),
            max,
        })
    }
}

/// The ratio of two means, with its 95% interval: both samples are resampled. `None` without
/// values in one of them, or if the second mean can be 0.
pub fn ratio_of_means(samples: [&[f64]; 2], rng: &mut Stream) -> Option<(f64, (f64, f64))> {
    if samples.iter().any(|values| values.is_empty()) {
        return None;
    }
    let samples = samples.map(ascending);
    let ratio = |[first, second]: [f64; 2]| first / second;
    let sides = samples.each_ref();
    let known = ratio(sides.map(|values| mean(values)));
    let resample = |rng: &mut Stream| ratio(sides.map(|values| resampled_mean(values, rng)));
    let least = sides.map(Vec::len).into_iter().min().unwrap_or(0);
    let (low, high) = percentile_interval(resample, least.max(2), rng);
    let is_finite = [known, low, high].into_iter().all(f64::is_finite);
    is_finite.then_some((known, (low, high)))
}

/// The values in ascending order.
fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The mean; not a number without values. If they are sorted first, it does not depend on their
/// order to the bit.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Up to `count` of the items, evenly spread, including the first.
pub fn even_sample<T>(items: &[T], count: usize) -> Vec<&T> {
    let count = count.min(items.len());
    let at = |index| &items[index * items.len() / count];
    (0..count).map(at).collect()
}

/// The quantile with linear interpolation (Hyndman & Fan 1996, type 7). `sorted` must be ascending
/// and not empty.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The range of `of` of these values, which are sorted: its mean over all choices. That of all
/// values if there are no more.
pub fn mean_range(sorted: &[f64], of: usize) -> f64 {
    let count = sorted.len();
    if of == 0 || count == 0 {
        return 0.0;
    }
    if of >= count {
        return sorted[count - 1] - sorted[0];
    }
    // The chance that a choice has the value at a place as its highest; by symmetry that of its
    // mirror image as the lowest.
    let mut chance = of as f64 / count as f64;
    let mut range = 0.0;
    for place in (of - 1..count).rev() {
        range += chance * (sorted[place] - sorted[count - 1 - place]);
        chance *= (place + 1 - of) as f64 / place as f64;
    }
    range
}

/// The 95% interval of a figure of samples of this size, at least 2, by the percentile bootstrap
/// (Efron 1979; Efron & Tibshirani 1993, section 13.3). `resample` draws the figure of a resample.
/// That of a small sample would be too narrow; its ends lie as far out as Student's t would have
/// them (the expanded percentile interval: Hesterberg 2015, section 5.3).
fn percentile_interval(
    mut resample: impl FnMut(&mut Stream) -> f64,
    size: usize,
    rng: &mut Stream,
) -> (f64, f64) {
    let mut figures: Vec<f64> = (0..RESAMPLES).map(|_| resample(rng)).collect();
    figures.sort_by(f64::total_cmp);
    let freedom = (size - 1) as f64;
    let outward = t_quantile(freedom) * (size as f64 / freedom).sqrt();
    let tail = libm::erfc(outward / std::f64::consts::SQRT_2) / 2.0;
    (quantile(&figures, tail), quantile(&figures, 1.0 - tail))
}

/// The mean of a resample of the same size, drawn with replacement.
pub fn resampled_mean(values: &[f64], rng: &mut Stream) -> f64 {
    let sum: f64 = (0..values.len())
        .map(|_| values[rng.random_range(0..values.len())])
        .sum();
    sum / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn spread(values: &[f64]) -> Option<Spread> {
        Spread::of(values, &mut stream(0, Purpose::Bootstrap, 0, 0))
    }

    fn check_quantile(share: f64, expected: f64) {
        let found = quantile(&[1.0, 2.0, 4.0, 8.0], share);
        assert!((found - expected).abs() < 1e-12, "{share}: {found}");
    }

    #[test]
    fn quantiles_are_those_of_common_statistics_programs() {
        check_quantile(0.0, 1.0);
        check_quantile(0.25, 1.75);
        check_quantile(0.5, 3.0);
        check_quantile(0.75, 5.0);
        check_quantile(1.0, 8.0);
        assert!((quantile(&[7.0], 0.3) - 7.0).abs() < 1e-12);
    }

    #[test]
    fn the_range_of_some_values_is_the_mean_of_all_choices() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let pairs = [1.0, 3.0, 7.0, 2.0, 6.0, 4.0];
        for (of, expected) in [
            (0, 0.0),
            (1, 0.0),
            (2, mean(&pairs)),
            (3, (3.0 + 7.0 + 7.0 + 6.0) / 4.0),
            (4, 7.0),
            (9, 7.0),
        ] {
            let found = mean_range(&values, of);
            assert!((found - expected).abs() < 1e-12, "{of}: {found}");
        }
        assert!(mean_range(&[], 2).abs() < 1e-12);
    }

    #[test]
    fn a_spread_does_not_depend_on_the_order_and_nothing_has_none() {
        assert_eq!(spread(&[]), None);
        let one = spread(&[3.0]).expect("there is a value");
        assert_eq!((one.min, one.median, one.max), (3.0, 3.0, 3.0));
        assert_eq!(one.interval, None);
        assert_eq!(spread(&[0.1, 0.7, 0.2]), spread(&[0.7, 0.2, 0.1]));
    }

    #[test]
    fn a_ratio_of_means_has_the_errors_of_both() {
        let rng = || stream(0, Purpose::Bootstrap, 0, 0);
        let first: Vec<f64> = (0..100).map(|value| f64::from(value) + 150.0).collect();
        let second: Vec<f64> = first.iter().map(|value| value / 2.0).collect();
        let (ratio, (low, high)) =
            ratio_of_means([&first, &second], &mut rng()).expect("there are values");
        assert!((ratio - 2.0).abs() < 1e-12);
        // Each mean has a relative standard error of 2.8866 / 199.5; that of their ratio is the
        // root of two times it.
        let error = 2.0 * 1.96 * (2.8866 / 199.5) * f64::sqrt(2.0);
        assert!((low - (2.0 - error)).abs() < 0.01, "{low} {error}");
        assert!((high - (2.0 + error)).abs() < 0.01, "{high} {error}");
        for impossible in [&[][..], &[0.0, 0.0], &[0.0, 1.0]] {
            assert_eq!(ratio_of_means([&first, impossible], &mut rng()), None);
        }
    }

    #[test]
    fn the_interval_of_a_few_values_holds_their_mean_nearly_as_often_as_it_says() {
        // Sums of twelve uniform numbers are nearly normal, with mean 6. Without the correction
        // the interval holds it in about 340 cases.
        let mut rng = stream(1, Purpose::Chance, 0, 0);
        let mut draw = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>();
        let held = (0..400).filter(|_| {
            let values = [(); 5].map(|()| draw());
            let interval = spread(&values).expect("there are values").interval;
            let (low, high) = interval.expect("there are several");
            (low..=high).contains(&6.0)
        });
        let held = held.count();
        assert!((350..=396).contains(&held), "{held} of 400");
    }

    #[test]
    fn the_interval_of_a_mean_is_near_that_of_the_normal_distribution_where_there_are_many_values()
    {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let interval = spread(&values).expect("there are values").interval;
        let (low, high) = interval.expect("there are several");
        // Mean 49.5, standard error 28.866 / 10.
        let expected = (49.5 - 1.96 * 2.8866, 49.5 + 1.96 * 2.8866);
        assert!((low - expected.0).abs() < 0.25, "{low} {expected:?}");
        assert!((high - expected.1).abs() < 0.25, "{high} {expected:?}");
    }
}
