//! The legend of the chart: for each line the value at the cursor, the latest, the best, the
//! mean of the last generations, and the generation that first reached a threshold. All figures of
//! a group are those of the mean of its runs.

use crate::format;
use crate::screens::run::reading::{format_extremes, format_range};
use crate::theme::Theme;
use crate::widgets::legend::{Legend, LegendEntry};
use crate::widgets::series_marker::{line_style, marker};
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{Bucket, Goal};
use finches_engine::text::counted;

use super::options::{RunsOptions, USUAL};
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
    let heading = match lengths.max() {
        Some(longest) if longest <= last => "mean".to_owned(),
        _ => format!("last {} mean", format::rounded(last as f64)),
    };
    let end = runs.iter().map(|run| run.history.end()).max().unwrap_or(0);
    let are_groups = runs.iter().any(|run| run.seed.is_none());
    let first = if are_groups { "mean of" } else { "seed" };
    let mut headings = vec![first.to_owned()];
    if cursor.is_some() {
        headings.extend(["value", "at gen", "range"].map(str::to_owned));
    }
    let sign_of_bound = match direction {
        Goal::Maximize => theme.sign("≥", ">="),
        Goal::Minimize => theme.sign("≤", "<="),
    };
    headings.extend([
        "last".to_owned(),
        "best".to_owned(),
        format!("{sign_of_bound} {}", column.figure(threshold)),
        heading,
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
        figures.extend(row_values(run, column, direction, threshold, (last, end)));
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
    (last, end): (u64, u64),
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
    let latest = match run.seed {
        None => values().next_back().flatten(),
        Some(_) => history.last(index),
    };
    [
        latest.map_or_else(none, figure),
        best.unwrap_or_else(none),
        reached.unwrap_or_else(|| "not reached".to_owned()),
        mean(run, index, last, end).map_or_else(none, figure),
    ]
}

/// The threshold: the target or, of columns without one or if another is chosen, a fraction of the
/// highest possible or observed value, or its complement if the column is minimized.
fn threshold(
    runs: &[ComparedSeries<'_>],
    column: &Column,
    direction: Goal,
    options: &RunsOptions,
) -> f64 {
    let target = |run: &ComparedSeries<'_>| run.kind.preset.stop_condition();
    let mut targets = runs.iter().filter_map(target);
    let target = targets.find(|target| target.column() == column.name);
    let share = match (options.threshold, target) {
        (None, Some(target)) => return target.bound(),
        (chosen, _) => f64::from(chosen.unwrap_or(USUAL)),
    };
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
        Goal::Maximize => highest * share / 100.0,
        Goal::Minimize => highest * (100.0 - share) / 100.0,
    }
}

/// The mean of the last generations, rounded up to whole buckets: those before `end`, the last of
/// all lines, for runs that have met their target, which keep their last values.
fn mean(run: &ComparedSeries<'_>, index: usize, last: u64, end: u64) -> Option<f64> {
    let (buckets, span) = (run.history.column(index), run.history.span());
    let after = if run.is_solved {
        ((end - run.history.end()) / span).min(last / span)
    } else {
        0
    };
    let count = (last.div_ceil(span) - after) as usize;
    let own = &buckets[buckets.len().saturating_sub(count)..];
    let repeated = buckets.iter().rev().find(|bucket| bucket.count > 0);
    let repeated = repeated.into_iter().cycle().take(after as usize);
    let (mut sum, mut rows) = (0.0, 0.0);
    for bucket in own.iter().chain(repeated) {
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
    use finches_engine::metrics::history::History;
    use finches_engine::metrics::progress_unit::ProgressUnit;
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
                is_solved: false,
                kind: kind.clone(),
                history: &rising(100, capacity),
            };
            let column = &columns.all()[1];
            assert_eq!(
                row_values(&run, column, Goal::Maximize, least, (100, 99)),
                expected
            );
        };
        check(128, Some(1), 0.5, ["99%", "99% g99", "g50", "50%"]);
        check(128, Some(1), 1.0, ["99%", "99% g99", "not reached", "50%"]);
        // Buckets of four generations.
        check(32, Some(1), 0.5, ["99%", "99% g96", "g48–51", "50%"]);
        check(32, None, 0.5, ["98%", "98% g96", "g52–55", "50%"]);
    }

    #[test]
    fn the_threshold_is_the_target_until_another_is_chosen_and_is_met_by_the_value_it_shows() {
        let columns = columns_named(&["generation", "wrong_decisions"]);
        let mut history = History::bounded(2, 8);
        for (at, wrong) in [(0.0, 7.0), (1.0, 0.7), (2.0, 0.6)] {
            history.push(&Row::from_values(vec![Some(at), Some(wrong)]));
        }
        let preset = presets::load("hynek-21").expect("it ships");
        let run = ComparedSeries {
            name: String::new(),
            counts: (1, 1),
            seed: Some(1),
            is_solved: false,
            kind: RunKind::new(&preset, &columns),
            history: &history,
        };
        let column = &columns.all()[1];
        let mut options = RunsOptions::default();
        let bound = |options: &RunsOptions| {
            threshold(std::slice::from_ref(&run), column, Goal::Minimize, options)
        };
        assert_eq!(bound(&options).to_string(), "0");
        options.move_threshold(0);
        // A tenth of 7, not one that is rounded.
        let reached = row_values(&run, column, Goal::Minimize, bound(&options), (100, 2));
        assert_eq!(reached[2], "g1");
        let published = run.published_time(column, ProgressUnit::Generations);
        assert_eq!(
            (published, options.window(&[run], Some(column)).1),
            (Some(91.0), 91.0)
        );
    }

    #[test]
    fn the_mean_is_that_of_the_last_generations() {
        let columns = columns_named(&["generation", "accuracy_states"]);
        let kind = RunKind::new(&presets::load("nim-2x4").expect("it ships"), &columns);
        let of = |history: &History, is_solved, end| {
            let run = ComparedSeries {
                name: String::new(),
                counts: (1, 1),
                seed: Some(1),
                is_solved,
                kind: kind.clone(),
                history,
            };
            mean(&run, 1, 10, end)
        };
        let rising = rising(100, 128);
        let check = |is_solved, end, expected: f64| {
            let found = of(&rising, is_solved, end).expect("there are figures");
            assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
        };
        check(false, 99, 0.945);
        check(false, 103, 0.945);
        // Six generations of its own, then four more at 0.99.
        check(true, 103, (6.0 * 0.965 + 4.0 * 0.99) / 10.0);
        check(true, 500, 0.99);
        assert_eq!(of(&History::new(2), false, 0), None);
    }
}
