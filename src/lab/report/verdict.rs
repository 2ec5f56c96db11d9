//! Whether our figures agree with published ones: by a rule, never by hand.

use finches_engine::metrics::stats::paired::t_quantile;
use finches_engine::metrics::stats::ranks::RankTest;
use finches_engine::metrics::stats::spread::Spread;
use finches_engine::metrics::stats::wilson;
use serde::Deserialize;

use crate::words::FigureStyle;

/// What a publication says of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Published {
    /// A figure as it is printed, with the half of its last digit.
    Exactly(f64, f64),
    /// From and to.
    Between(f64, f64),
    /// The mean of runs as it is printed, with the half of its last digit and the number of runs.
    /// Their spread is taken to be that of ours.
    MeanOf(f64, f64, u32),
    /// A share of so many runs, games or generations.
    ShareOf(f64, u32),
    /// A figure of a single run.
    OneRun(f64),
    /// At least this.
    AtLeast(f64),
    /// Less than this.
    Below(f64),
    /// Ahead of another, such that the difference is above 0.
    Ahead,
    /// Nothing.
    #[default]
    Nothing,
}

/// How our figures stand to the published ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They are compatible.
    Agrees,
    /// They are not.
    Differs,
    /// Our interval lies across an end of what is published, or there are too few runs, or nothing
    /// to compare with.
    CannotTell,
    /// Our runs are shorter than the preset's.
    ShorterRun,
}

/// The fewest runs that can agree or differ.
pub const FEWEST_RUNS: usize = 5;

/// The fewest runs whose range can miss a single published run. For the same program the range of n
/// runs misses another in 2 / (n + 1) of cases, since each of n + 1 runs is as likely the lowest,
/// and the highest (a distribution-free prediction interval; Hahn & Meeker 1991, section 5.4).
const FEWEST_FOR_ONE: usize = 19;

/// The highest adjusted p-value of an order that counts as clear.
pub const SIGNIFICANCE: f64 = 0.05;

/// The error of a mean by rounding: that of figures of up to a million.
const ROUNDING: f64 = 1e-9;

/// The rules, for the reader, a line each.
pub const RULES: &str = include_str!("rules.txt");

impl Published {
    /// The range that is compatible with it.
    pub fn range(self) -> Option<(f64, f64)> {
        match self {
            Self::Exactly(value, half) | Self::MeanOf(value, half, _) => {
                Some((value - half, value + half))
            }
            Self::ShareOf(share, of) => Some(wilson(share, of)),
            Self::OneRun(value) => Some((value, value)),
            Self::Between(low, high) => Some((low, high)),
            Self::AtLeast(low) => Some((low, f64::INFINITY)),
            Self::Below(high) => Some((f64::NEG_INFINITY, high)),
            Self::Ahead => Some((0.0, f64::INFINITY)),
            Self::Nothing => None,
        }
    }

    /// That range in words, as a table has it; `None` if nothing is published.
    pub(crate) fn words(self, style: FigureStyle) -> Option<String> {
        let sign = style.sign();
        Some(match self {
            Self::MeanOf(value, _, runs) => {
                format!("{}{sign}, mean of {runs} runs", style.exact(value))
            }
            Self::ShareOf(..) => style.ends(self.range()?),
            Self::Exactly(..) | Self::Between(..) => {
                let (low, high) = self.range()?;
                format!("{} to {}{sign}", style.exact(low), style.exact(high))
            }
            Self::OneRun(value) => format!("{}{sign} in one run", style.exact(value)),
            Self::AtLeast(low) => format!("at least {}{sign}", style.exact(low)),
            Self::Below(high) => format!("below {}{sign}", style.exact(high)),
            Self::Ahead => "above 0".to_owned(),
            Self::Nothing => return None,
        })
    }

    /// The verdict on a sample with this standard deviation.
    pub fn verdict(self, ours: &Spread, deviation: f64, is_lower_bound: bool) -> Agreement {
        if let Self::OneRun(value) = self {
            let is_within = (ours.min..=ours.max).contains(&value);
            return match ours.count {
                FEWEST_RUNS.. if is_within && !is_lower_bound => Agreement::Agrees,
                FEWEST_FOR_ONE.. if value < ours.min => Agreement::Differs,
                FEWEST_FOR_ONE.. if value > ours.max && !is_lower_bound => Agreement::Differs,
                _ => Agreement::CannotTell,
            };
        }
        let Some(ends) = ours.interval else {
            return Agreement::CannotTell;
        };
        let own = deviation / (ours.count as f64).sqrt();
        let freedom = ours.count.max(2) as f64 - 1.0;
        let (value, half, error, freedom) = match self {
            Self::MeanOf(value, half, runs) => {
                (value, half, deviation / f64::from(runs).sqrt(), freedom)
            }
            Self::ShareOf(share, of) => {
                let variance = share * (1.0 - share) / f64::from(of);
                let parts = own.powi(4) / freedom + variance * variance / f64::from(of.max(2) - 1);
                let sum = own * own + variance;
                // Welch 1947; without any error there is nothing to weigh.
                let freedom = if parts > 0.0 { sum * sum / parts } else { 1.0 };
                (share, 0.0, variance.sqrt(), freedom)
            }
            _ => return self.verdict_on_interval(ends, ours.count, is_lower_bound),
        };
        let distance = ours.mean - value;
        let clear = half + t_quantile(freedom) * own.hypot(error) + ROUNDING;
        let is_known = ours.count >= FEWEST_RUNS;
        if is_known && (distance > clear || (distance < -clear && !is_lower_bound)) {
            return Agreement::Differs;
        }
        let range = if let Self::ShareOf(share, of) = self {
            wilson(share, of)
        } else {
            let around = half + t_quantile(freedom) * error;
            (value - around, value + around)
        };
        match Self::Between(range.0, range.1).verdict_on_interval(ends, ours.count, is_lower_bound)
        {
            Agreement::Agrees => Agreement::Agrees,
            _ => Agreement::CannotTell,
        }
    }

    /// The verdict on an interval; `runs` is the size of the smallest sample behind it.
    pub fn verdict_on_interval(
        self,
        (from, to): (f64, f64),
        runs: usize,
        is_lower_bound: bool,
    ) -> Agreement {
        let Some((low, high)) = self.range().filter(|_| runs >= FEWEST_RUNS) else {
            return Agreement::CannotTell;
        };
        if self == Self::Ahead {
            return Agreement::of_side((from, to), low);
        }
        // A mean that equals a published figure may round to either side of it.
        let (low, high) = (low - ROUNDING, high + ROUNDING);
        if from > high || (to < low && !is_lower_bound) {
            Agreement::Differs
        } else if from >= low && (high.is_infinite() || (to <= high && !is_lower_bound)) {
            Agreement::Agrees
        } else {
            Agreement::CannotTell
        }
    }
}

impl Agreement {
    /// The verdict on an order in which the first sample is said to be the higher. `p` is adjusted
    /// for the number of tests.
    pub fn of_order(test: &RankTest, p: f64, sizes: [usize; 2]) -> Self {
        let is_enough = sizes.iter().all(|&size| size >= FEWEST_RUNS);
        if !is_enough || p > SIGNIFICANCE {
            return Self::CannotTell;
        }
        if test.effect > 0.5 {
            Self::Agrees
        } else {
            Self::Differs
        }
    }

    /// The verdict on the share of the points of a player that is said to be the stronger one.
    pub fn of_match(share: &Spread) -> Self {
        let ends = share.interval.filter(|_| share.count >= FEWEST_RUNS);
        ends.map_or(Self::CannotTell, |ends| Self::of_side(ends, 0.5))
    }

    /// The verdict on an interval that is said to lie above a bound.
    fn of_side((low, high): (f64, f64), bound: f64) -> Self {
        if low > bound {
            Self::Agrees
        } else if high < bound {
            Self::Differs
        } else {
            Self::CannotTell
        }
    }

    /// The verdict on a statement that holds in this share of the resamples of runs; `runs` is the
    /// smallest number of runs behind it.
    pub fn of_share(share: f64, runs: usize) -> Self {
        if runs < FEWEST_RUNS {
            Self::CannotTell
        } else if share >= 0.975 {
            Self::Agrees
        } else if share <= 0.025 {
            Self::Differs
        } else {
            Self::CannotTell
        }
    }

    /// The verdict on a figure that is computed and printed as the publication prints it.
    pub fn of_print(ours: &str, published: &str) -> Self {
        if ours == published {
            Self::Agrees
        } else {
            Self::Differs
        }
    }

    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::CannotTell => "can't tell",
            Self::ShorterRun => "can't tell: shorter run",
        }
    }

    /// The class of its color on a page.
    pub fn class(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::CannotTell | Self::ShorterRun => "open",
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use finches_engine::rng::{Purpose, stream};

    fn sample(count: usize, low: f64, high: f64) -> Spread {
        Spread {
            count,
            min: low,
            median: low,
            mean: f64::midpoint(low, high),
            interval: Some((low, high)),
            max: high,
        }
    }

    #[test]
    fn a_match_is_won_above_one_half() {
        for (count, low, high, expected) in [
            (10, 0.51, 0.6, Agreement::Agrees),
            (10, 0.49, 0.6, Agreement::CannotTell),
            (10, 0.3, 0.49, Agreement::Differs),
            (4, 0.51, 0.6, Agreement::CannotTell),
        ] {
            assert_eq!(Agreement::of_match(&sample(count, low, high)), expected);
        }
    }

    #[test]
    fn an_interval_agrees_inside_differs_outside_and_across_nothing_can_be_told() {
        for (published, low, high, expected) in [
            (Published::Between(0.4, 0.75), 0.5, 0.6, Agreement::Agrees),
            (Published::Between(0.4, 0.75), 0.4, 0.75, Agreement::Agrees),
            (
                Published::Between(0.4, 0.75),
                0.3,
                0.45,
                Agreement::CannotTell,
            ),
            (
                Published::Between(0.4, 0.75),
                0.7,
                0.8,
                Agreement::CannotTell,
            ),
            (
                Published::Between(0.4, 0.75),
                0.3,
                0.8,
                Agreement::CannotTell,
            ),
            (Published::Between(0.4, 0.75), 0.1, 0.39, Agreement::Differs),
            (Published::Between(0.4, 0.75), 0.76, 0.8, Agreement::Differs),
            (
                Published::Exactly(13.3, 0.05),
                13.31,
                14.0,
                Agreement::CannotTell,
            ),
            (Published::AtLeast(20.0), 20.0, 90.0, Agreement::Agrees),
            (Published::AtLeast(20.0), 19.0, 90.0, Agreement::CannotTell),
            (Published::Below(0.5), 0.1, 0.5, Agreement::Agrees),
            (Published::Below(0.5), 0.51, 0.6, Agreement::Differs),
            (Published::Nothing, 0.5, 0.6, Agreement::CannotTell),
        ] {
            let verdict = published.verdict(&sample(20, low, high), 0.0, false);
            assert_eq!(verdict, expected, "{published:?}: {low} to {high}");
            let few = published.verdict(&sample(4, low, high), 0.0, false);
            assert_eq!(few, Agreement::CannotTell);
        }
        let mean = [1.0, 1.0, 1.0, 1.0, 0.975].iter().sum::<f64>() / 5.0;
        assert!(mean < 0.995, "the sum rounds");
        let rounded = Published::AtLeast(0.995).verdict(&sample(5, mean, 1.0), 0.0, false);
        assert_eq!(rounded, Agreement::Agrees);
    }

    #[test]
    fn published_means_and_shares_have_errors_of_their_own() {
        // The mean of 100 runs with deviation 4 has the error 0.4; with 25 of ours, t is 2.0639 and
        // the difference has the error √(0.16 + 0.64).
        let mean = Published::MeanOf(13.3, 0.05, 100);
        // 0.661 of 300 is read as 0.6057 to 0.7124; its error is 0.0273.
        let share = Published::ShareOf(0.661, 300);
        for (published, count, deviation, low, high, expected) in [
            (mean, 25, 4.0, 13.0, 13.8, Agreement::Agrees),
            (mean, 25, 4.0, 11.0, 14.2, Agreement::CannotTell),
            (mean, 25, 4.0, 9.55, 13.1, Agreement::Differs),
            (mean, 25, 4.0, 9.65, 13.3, Agreement::CannotTell),
            (share, 25, 0.01, 0.62, 0.63, Agreement::Agrees),
            (share, 25, 0.01, 0.60, 0.62, Agreement::CannotTell),
            (share, 25, 0.01, 0.59, 0.60, Agreement::Differs),
            (share, 4, 0.01, 0.59, 0.60, Agreement::CannotTell),
        ] {
            let verdict = published.verdict(&sample(count, low, high), deviation, false);
            assert_eq!(verdict, expected, "{published:?}: {low} to {high}");
        }
        let bound = mean.verdict(&sample(25, 2.0, 4.0), 4.0, true);
        assert_eq!(bound, Agreement::CannotTell);
    }

    #[test]
    fn a_single_run_agrees_within_the_range_of_ours_and_differs_outside_of_many() {
        let ours = |count| Spread {
            min: 2.0,
            max: 20.0,
            ..sample(count, 6.0, 9.0)
        };
        for (value, count, expected) in [
            (13.0, 20, Agreement::Agrees),
            (1.0, 20, Agreement::Differs),
            (21.0, 20, Agreement::Differs),
            (21.0, 18, Agreement::CannotTell),
            (13.0, 5, Agreement::Agrees),
            (13.0, 4, Agreement::CannotTell),
        ] {
            let verdict = Published::OneRun(value).verdict(&ours(count), 0.0, false);
            assert_eq!(verdict, expected, "{value} of {count}");
        }
    }

    #[test]
    fn fewer_runs_never_turn_a_verdict_round() {
        let mut told = 0;
        for seed in 0..200 {
            let mut rng = stream(seed, Purpose::Chance, 0, 0);
            let values: Vec<f64> = (0..20).map(|_| rng.random::<f64>()).collect();
            let [few, all] = [5, 20].map(|count| {
                let spread = Spread::of(&values[..count], &mut rng).expect("there are values");
                Published::Between(0.5, 0.8).verdict(&spread, 0.3, false)
            });
            told += u32::from(all != Agreement::CannotTell);
            let turned = [few, all];
            assert_ne!(turned, [Agreement::Agrees, Agreement::Differs], "{seed}");
            assert_ne!(turned, [Agreement::Differs, Agreement::Agrees], "{seed}");
        }
        assert!(told > 0);
    }

    #[test]
    fn a_lead_lies_above_0_or_below() {
        for (low, high, expected) in [
            (0.01, 0.2, Agreement::Agrees),
            (-0.01, 0.2, Agreement::CannotTell),
            (0.0, 0.2, Agreement::CannotTell),
            (-0.2, -0.01, Agreement::Differs),
        ] {
            let verdict = Published::Ahead.verdict(&sample(5, low, high), 0.0, false);
            assert_eq!(verdict, expected, "{low} to {high}");
        }
    }

    #[test]
    fn published_ranges_are_said_as_they_are_compared() {
        for (published, expected) in [
            (Published::Exactly(13.3, 0.05), Some("13.25 to 13.35")),
            (Published::Between(0.25, 0.35), Some("0.25 to 0.35")),
            (Published::OneRun(13.0), Some("13 in one run")),
            (
                Published::MeanOf(13.3, 0.05, 100),
                Some("13.3, mean of 100 runs"),
            ),
            (Published::Exactly(9900.0, 0.5), Some("9,899.5 to 9,900.5")),
            (Published::Exactly(-0.25, 0.05), Some("-0.3 to -0.2")),
            (Published::AtLeast(20.0), Some("at least 20")),
            (Published::Below(0.5), Some("below 0.5")),
            (Published::Nothing, None),
        ] {
            assert_eq!(published.words(FigureStyle::NUMBER).as_deref(), expected);
        }
        let share = Published::Between(0.607, 0.715).words(FigureStyle::SHARE);
        assert_eq!(share.as_deref(), Some("60.7 to 71.5%"));
        // Two of three runs: the ends of the interval are no published figures.
        let share = Published::ShareOf(2.0 / 3.0, 3).words(FigureStyle::SHARE);
        assert_eq!(share.as_deref(), Some("20.8 to 93.9%"));
    }

    #[test]
    fn lower_bounds_can_be_too_high_but_never_agree() {
        let published = Published::Exactly(194.1, 0.05);
        let verdict = |low, high| published.verdict(&sample(100, low, high), 0.0, true);
        assert_eq!(verdict(500.0, 900.0), Agreement::Differs);
        assert_eq!(verdict(100.0, 300.0), Agreement::CannotTell);
        assert_eq!(verdict(10.0, 30.0), Agreement::CannotTell);
    }

    #[test]
    fn a_statement_holds_in_nearly_all_resamples_or_in_hardly_any() {
        for (share, runs, expected) in [
            (0.98, 5, Agreement::Agrees),
            (0.9, 5, Agreement::CannotTell),
            (0.01, 5, Agreement::Differs),
            (0.98, 4, Agreement::CannotTell),
        ] {
            assert_eq!(Agreement::of_share(share, runs), expected);
        }
    }

    #[test]
    fn an_order_needs_a_clear_test_and_enough_runs() {
        let test = |effect| RankTest {
            u: 0.0,
            p: 0.0,
            effect,
        };
        for (effect, p, size, expected) in [
            (0.9, 0.01, 10, Agreement::Agrees),
            (0.1, 0.01, 10, Agreement::Differs),
            (0.9, 0.06, 10, Agreement::CannotTell),
            (0.9, 0.01, 4, Agreement::CannotTell),
        ] {
            assert_eq!(Agreement::of_order(&test(effect), p, [size, 10]), expected);
        }
    }
}
