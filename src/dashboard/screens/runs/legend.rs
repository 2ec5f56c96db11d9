//! The legend of the chart: for each line the value at the cursor, the latest, the best, the
//! mean of the last generations, and the generation that first reached a threshold. All figures of
//! a group are those of the mean of its runs.

use crate::format;
use crate::screens::run::reading::{format_extremes, format_range};
use crate::theme::Theme;
use crate::widgets::legend::{Legend, LegendEntry};
use crate::widgets::series_marker::{line_style, marker};
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{Bucket, Goal, History};
use finches_engine::text::counted;

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
    let lengths = runs
        .iter()
        .map(|run| run.history.end() + 1 - run.history.start());
    let (which, count) = match lengths.max() {
        Some(longest) if longest <= last => ("all", longest),
        _ => ("last", last),
    };
    let are_groups = runs.iter().any(|run| run.seed.is_none());
    let first = if are_groups { "mean of" } else { "seed" };
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
        format!("{which} {} mean", format::rounded(count as f64)),
    ]);
    let entries = runs.iter().enumerate().map(|(number, run)| {
        let seed = run.seed.filter(|_| !are_groups);
        let runs = || match run.counts {
            (known, all) if known < all => format!("{known} of {}", counted(all as u64, "run")),
            (_, all) => counted(all as u64, "run"),
        };
        let mut figures = vec![seed.map_or_else(runs, |one| one.to_string())];
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
    let value = |bucket: &Bucket| match run.seed {
        None => bucket.mean(),
        Some(_) => (bucket.count > 0).then(|| direction.best(bucket)),
    };
    let values = || history.column(index).iter().map(value);
    let better = match direction {
        Goal::Maximize => f64::max,
        Goal::Minimize => f64::min,
    };
    // The generations of the first bucket that is as good as a value.
    let reached = |least: f64| {
        let is_reached = |value: f64| !direction.is_better(least, value);
        let number = values().position(|value| value.is_some_and(is_reached))? as u64;
        Some(history.bucket_range(history.start() + number * history.span()))
    };
    let best = values().flatten().reduce(better);
    let best = best.and_then(|best| Some(format!("{} g{}", figure(best), reached(best)?.0)));
    let reached = reached(threshold);
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
    use crate::screens::runs::entry::RunKind;
    use finches_engine::metrics::Row;
    use finches_engine::session::measures::columns_named;
    use finches_runs::storage::presets;

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
    fn all_figures_of_a_run_are_those_of_single_generations_and_of_a_group_those_of_its_mean() {
        let columns = columns_named(&["generation", "accuracy_states"]);
        let kind = RunKind::new(&presets::load("nim-2x4").expect("it ships"), &columns);
        let check = |capacity, seed, least, expected: [&str; 4]| {
            let run = ComparedSeries {
                name: String::new(),
                counts: (1, 1),
                seed,
                latest: Some(0.99),
                kind: kind.clone(),
                history: &rising(100, capacity),
            };
            let column = &columns.all()[1];
            assert_eq!(
                row_values(&run, column, Goal::Maximize, least, 100),
                expected
            );
        };
        check(128, Some(1), 0.5, ["99%", "99% g99", "g50", "50%"]);
        check(128, Some(1), 1.0, ["99%", "99% g99", "not reached", "50%"]);
        // Buckets of four generations.
        check(32, Some(1), 0.5, ["99%", "99% g96", "g48–51", "50%"]);
        check(32, None, 0.5, ["99%", "98% g96", "g52–55", "50%"]);
    }

    #[test]
    fn the_mean_is_that_of_the_last_generations() {
        let history = rising(100, 128);
        let last_ten = mean(&history, 1, 10).expect("there are figures");
        assert!((last_ten - 0.945).abs() < 1e-9, "{last_ten}");
        assert_eq!(mean(&History::new(2), 1, 10), None);
    }
}
