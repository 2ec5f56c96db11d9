//! The legend of the chart: for each line the value at the cursor, the latest, the best, the
//! mean of the last generations, and the generation that first reached a threshold.

use crate::format;
use crate::screens::run::reading::{format_extremes, format_range};
use crate::theme::Theme;
use crate::widgets::legend::{Legend, LegendEntry};
use crate::widgets::series_marker::{line_style, marker};
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{Bucket, Goal, History};

use super::options::RunsOptions;
use super::series::ComparedSeries;

/// The number of last generations to average if no window is set.
const DEFAULT_LAST: u64 = 100;

/// The table below the chart, one row per run.
pub(super) fn legend(
    runs: &[ComparedSeries<'_>],
    column: &Column,
    options: &RunsOptions,
    cursor: Option<f64>,
    theme: &Theme,
) -> Legend {
    let direction = column.goal;
    let threshold = threshold(runs, column, direction, options);
    let last = options.charts.window.unwrap_or(DEFAULT_LAST);
    let are_groups = runs.iter().any(|run| run.seed.is_none());
    let first = if are_groups { "runs" } else { "seed" };
    let mut headings = vec![first.to_owned()];
    if cursor.is_some() {
        headings.extend(["value", "at gen", "range"].map(str::to_owned));
    }
    let sign_of_bound = match direction {
        Goal::Maximize => ">=",
        Goal::Minimize => "<=",
    };
    headings.extend([
        "last".to_owned(),
        "best".to_owned(),
        format!("{sign_of_bound} {}", column.figure(threshold)),
        format!("last {} mean", format::rounded(last as f64)),
    ]);
    let entries = runs.iter().enumerate().map(|(number, run)| {
        let seed = run.seed.filter(|_| !are_groups);
        let mut figures = vec![seed.map_or_else(|| run.count.to_string(), |one| one.to_string())];
        if let Some(cursor) = cursor {
            figures.extend(read(run, column, options, cursor));
        }
        figures.extend(row_values(run, column, direction, threshold, last));
        LegendEntry {
            sign: marker(number, theme),
            style: line_style(number, theme),
            name: run.name.clone(),
            figures,
        }
    });
    Legend {
        entries: entries.collect(),
        headings,
    }
}

/// A run's column at the cursor: the value, its generations, and its range.
fn read(
    run: &ComparedSeries<'_>,
    column: &Column,
    options: &RunsOptions,
    cursor: f64,
) -> [String; 3] {
    let none = || "-".to_owned();
    let track = run.track(options.charts.x_unit);
    let (begin, end) = (track.place(track.start), track.place(track.end));
    if cursor > end {
        return ["ended".to_owned(), format::count(track.end as f64), none()];
    }
    let found = run.place(&column.name).filter(|_| cursor >= begin);
    let found = found.and_then(|index| run.history.read(index, track.generation(cursor)));
    let Some(found) = found else {
        return [none(), none(), none()];
    };
    let mean = found.bucket.mean().unwrap_or(found.bucket.last);
    [
        column.figure(mean),
        format_range(found.first, found.last),
        format_extremes(column, &found).unwrap_or_else(none),
    ]
}

/// The latest value, the best with its generation, the generation that reached the threshold, and
/// the mean of the last generations.
fn row_values(
    run: &ComparedSeries<'_>,
    column: &Column,
    direction: Goal,
    threshold: f64,
    last: u64,
) -> [String; 4] {
    let none = || "-".to_owned();
    let Some(index) = run.place(&column.name) else {
        return [none(), none(), none(), none()];
    };
    let history = run.history;
    let figure = |value: f64| column.figure(value);
    let best = history.best(index, direction);
    let best = best.map(|(value, generation)| format!("{} g{generation}", figure(value)));
    let reached = reached(history, index, direction, threshold);
    let reached = reached.map(|(first, last)| format!("g{}", format_range(first, last)));
    [
        run.latest.map_or_else(none, figure),
        best.unwrap_or_else(none),
        reached.unwrap_or_else(|| "not reached".to_owned()),
        mean(history, index, last).map_or_else(none, figure),
    ]
}

/// The threshold: a fraction of the highest possible or observed value, or its complement if the
/// column is minimized.
fn threshold(
    runs: &[ComparedSeries<'_>],
    column: &Column,
    direction: Goal,
    options: &RunsOptions,
) -> f64 {
    let highest = runs.iter().filter_map(|run| {
        let index = run.place(&column.name)?;
        run.history.max(index)
    });
    let highest = if column.is_share() {
        1.0
    } else {
        highest.fold(0.0, f64::max)
    };
    match direction {
        Goal::Maximize => highest * options.threshold(),
        Goal::Minimize => highest * (1.0 - options.threshold()),
    }
}

/// The generations of the first bucket that reaches a threshold.
fn reached(history: &History, index: usize, direction: Goal, threshold: f64) -> Option<(u64, u64)> {
    let reaches = |bucket: &Bucket| {
        bucket.count > 0 && !direction.is_better(threshold, direction.best(bucket))
    };
    let number = history.column(index).iter().position(reaches)? as u64;
    Some(history.bucket_range(history.start() + number * history.span()))
}

/// The mean of the last generations, rounded up to whole buckets.
fn mean(history: &History, index: usize, last: u64) -> Option<f64> {
    let buckets = history.column(index);
    let count = last.div_ceil(history.span()) as usize;
    let (mut sum, mut rows) = (0.0, 0.0);
    for bucket in &buckets[buckets.len().saturating_sub(count)..] {
        if let Some(mean) = bucket.mean() {
            sum += mean * f64::from(bucket.count);
            rows += f64::from(bucket.count);
        }
    }
    (rows > 0.0).then(|| sum / rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::metrics::Row;

    /// Values that rise by 0.01 per generation, in at most `capacity` buckets.
    fn rising(generations: u32, capacity: usize) -> History {
        let mut history = History::bounded(2, capacity);
        for generation in 0..generations {
            let at = f64::from(generation);
            history.push(&Row::from_values(vec![Some(at), Some(at / 100.0)]));
        }
        history
    }

    #[test]
    fn a_bound_is_reached_in_the_generations_of_the_first_bucket_that_reaches_it() {
        let fine = rising(100, 128);
        assert_eq!(reached(&fine, 1, Goal::Maximize, 0.5), Some((50, 50)));
        assert_eq!(reached(&fine, 1, Goal::Maximize, 1.0), None);
        assert_eq!(reached(&fine, 1, Goal::Minimize, 0.5), Some((0, 0)));
        let coarse = rising(100, 32);
        assert_eq!(coarse.span(), 4);
        assert_eq!(reached(&coarse, 1, Goal::Maximize, 0.5), Some((48, 51)));
    }

    #[test]
    fn best_and_mean_are_those_of_the_run() {
        let history = rising(100, 128);
        assert_eq!(history.best(1, Goal::Maximize), Some((0.99, 99)));
        assert_eq!(history.best(1, Goal::Minimize), Some((0.0, 0)));
        let last_ten = mean(&history, 1, 10).expect("there are figures");
        assert!((last_ten - 0.945).abs() < 1e-9, "{last_ten}");
        assert_eq!(mean(&History::new(2), 1, 10), None);
    }
}
