//! A column over the series of many runs: median and quartiles for each preset.

use std::collections::BTreeSet;

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::stats::spread::quantile;

use super::ExperimentError;
use super::collect::{CollectedRuns, FinishedRun};

/// The curve of a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The name of the preset.
    pub preset: String,
    /// The number of runs behind the curve.
    pub runs: usize,
    /// At most 500 points from left to right.
    pub points: Vec<CurvePoint>,
}

/// The distribution over the runs at one point on the x-axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Generations or games, as on the x-axis.
    pub at: f64,
    /// A quarter of the runs is below.
    pub lower_quartile: f64,
    /// Half of the runs are below.
    pub median: f64,
    /// A quarter of the runs is above.
    pub upper_quartile: f64,
}

impl CurvePoint {
    /// A point of a single value.
    pub fn single(at: f64, value: f64) -> Self {
        Self {
            at,
            lower_quartile: value,
            median: value,
            upper_quartile: value,
        }
    }
}

/// The maximum number of points of a curve.
const MAX_POINTS: usize = 500;

/// The curves of all presets that have finished runs.
pub fn curves(
    runs: &CollectedRuns<'_>,
    column: &str,
    over: ProgressUnit,
) -> Result<Vec<Curve>, ExperimentError> {
    curves_of(runs, column, over, None, |_| true)
}

/// The curves of the presets with a name that is wanted, if they have finished runs. With a number
/// of stretches, they are made of the first value of a run and the last one of each stretch.
pub fn curves_of(
    runs: &CollectedRuns<'_>,
    column: &str,
    over: ProgressUnit,
    stretches: Option<u64>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<Curve>, ExperimentError> {
    let mut curves = Vec::new();
    let presets = runs.manifest.presets.iter().enumerate();
    for (index, preset) in presets.filter(|(_, preset)| is_wanted(&preset.name)) {
        let runs = runs.of_preset(index);
        let all_series = runs.map(|run| figure_series(run, column, over));
        let mut all_series = all_series.collect::<Result<Vec<_>, _>>()?;
        if let Some(stretches) = stretches {
            for series in &mut all_series {
                let mut kept = last_of_stretches(series, preset.generations, stretches).into_iter();
                series.retain(|_| kept.next() == Some(true));
            }
        }
        if !all_series.is_empty() {
            curves.push(Curve {
                preset: preset.name.clone(),
                runs: all_series.len(),
                points: points(&all_series),
            });
        }
    }
    Ok(curves)
}

/// Which points of a series over generations are kept of a run of at most so many generations: the
/// first one, and the last one of each of at most so many equal stretches.
pub(crate) fn last_of_stretches(
    series: &[(f64, f64)],
    generations: u64,
    stretches: u64,
) -> Vec<bool> {
    let length = generations.div_ceil(stretches).max(1) as f64;
    let stretch = |(at, _): &(f64, f64)| (at / length).ceil();
    let next = series.iter().skip(1).map(stretch).map(Some).chain([None]);
    let points = series.iter().zip(next).enumerate();
    points
        .map(|(place, (point, next))| place == 0 || next != Some(stretch(point)))
        .collect()
}

/// The mean of a column over the generations of a run in which it was measured.
pub(super) fn run_mean(
    run: &FinishedRun<'_>,
    column: &str,
) -> Result<Option<f64>, ExperimentError> {
    let values = figure_series(run, column, ProgressUnit::Generations)?;
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    Ok((!values.is_empty()).then(|| sum / values.len() as f64))
}

/// The (x, value) pairs of one run.
type FigureSeries = Vec<(f64, f64)>;

fn figure_series(
    run: &FinishedRun<'_>,
    column: &str,
    over: ProgressUnit,
) -> Result<FigureSeries, ExperimentError> {
    let (columns, rows) = run.rows()?;
    let place = |name: &str| columns.iter().position(|known| known == name);
    let (Some(at), Some(value)) = (place(over.column()), place(column)) else {
        let name = run.folder.manifest().run_name(run.id);
        return Err(ExperimentError::Usage(format!(
            "run {name} has no column `{column}`; there are {}",
            columns.join(", ")
        )));
    };
    let points = rows.iter();
    Ok(points
        .filter_map(|row| Some((row.values()[at]?, row.values()[value]?)))
        .filter(|(_, value)| value.is_finite())
        .collect())
}

/// The distribution at each point. A run that has ended keeps its last value, since it ended
/// because it met its target.
fn points(all_series: &[FigureSeries]) -> Vec<CurvePoint> {
    let latest = |series: &FigureSeries, at: f64| {
        let later = series.partition_point(|(x, _)| *x <= at);
        Some(series[later.checked_sub(1)?].1)
    };
    let point = |at: f64| {
        let mut values: Vec<f64> = all_series
            .iter()
            .filter_map(|one| latest(one, at))
            .collect();
        values.sort_by(f64::total_cmp);
        (!values.is_empty()).then(|| CurvePoint {
            at,
            lower_quartile: quantile(&values, 0.25),
            median: quantile(&values, 0.5),
            upper_quartile: quantile(&values, 0.75),
        })
    };
    x_values(all_series).into_iter().filter_map(point).collect()
}

/// The x values at which any run has a value, or an even sample of them.
fn x_values(all_series: &[FigureSeries]) -> Vec<f64> {
    // Generations and games are whole numbers.
    let all: BTreeSet<u64> = all_series
        .iter()
        .flatten()
        .map(|(at, _)| *at as u64)
        .collect();
    let all: Vec<f64> = all.into_iter().map(|at| at as f64).collect();
    if all.len() <= MAX_POINTS {
        return all;
    }
    let last = all.len() - 1;
    (0..MAX_POINTS)
        .map(|index| all[index * last / (MAX_POINTS - 1)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_has_ended_keeps_its_last_value() {
        let all_series = [
            vec![(0.0, 0.5), (1.0, 1.0)],
            vec![(0.0, 0.25), (1.0, 0.25), (2.0, 0.75)],
            vec![(1.0, 0.5)],
        ];
        let medians = |points: Vec<CurvePoint>| -> Vec<(f64, f64)> {
            points
                .iter()
                .map(|point| (point.at, point.median))
                .collect()
        };
        assert_eq!(
            medians(points(&all_series)),
            [(0.0, 0.375), (1.0, 0.5), (2.0, 0.75)]
        );
    }

    #[test]
    fn the_first_point_and_the_last_one_of_each_stretch_are_kept() {
        let kept = |at: &[f64]| -> Vec<f64> {
            let series: FigureSeries = at.iter().map(|&at| (at, 0.5)).collect();
            let kept = last_of_stretches(&series, 100, 4);
            let points = at.iter().zip(kept);
            points
                .filter(|(_, kept)| *kept)
                .map(|(at, _)| *at)
                .collect()
        };
        let all: Vec<f64> = (0..=90).map(f64::from).collect();
        assert_eq!(kept(&all), [0.0, 25.0, 50.0, 75.0, 90.0]);
        assert_eq!(kept(&[10.0, 20.0, 60.0]), [10.0, 20.0, 60.0]);
        let once = kept(&[1.0, 2.0, 3.0, 26.0, 27.0, 100.0]);
        assert_eq!(once, [1.0, 3.0, 27.0, 100.0]);
        assert_eq!(kept(&once), once);
        assert!(kept(&[]).is_empty());
    }

    #[test]
    fn long_series_are_thinned_and_keep_their_ends() {
        let series: FigureSeries = (0..12_345).map(|at| (f64::from(at), 0.0)).collect();
        let x_values = x_values(&[series]);
        assert_eq!(x_values.len(), MAX_POINTS);
        assert_eq!((x_values[0], x_values[MAX_POINTS - 1]), (0.0, 12_344.0));
    }
}
