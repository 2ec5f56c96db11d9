//! The legend of the chart: for each line the value at the cursor, the latest, the best, the
//! mean of the last generations, and the generation that first reached a threshold. The figures of
//! a group are those of the mean of its runs, but for its target: there it is the mean of the
//! generations in which its runs met it, as in the table, beside the published one.

use crate::format;
use crate::screens::run::reading::{format_extremes, format_range};
use crate::theme::Theme;
use crate::widgets::legend::{Legend, LegendEntry};
use crate::widgets::series_marker::{line_style, marker};
use finches_engine::metrics::Column;
use finches_engine::metrics::history::{Bucket, Goal};
use finches_engine::text::counted;

use super::groups;
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
    let heading = match lengths.max() {
        Some(longest) if longest <= last => "mean".to_owned(),
        _ => format!("last {} mean", format::rounded(last as f64)),
    };
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
    let is_target = options.threshold.is_none();
    let bound = threshold.map(|bound| {
        let bound = format!("{sign_of_bound} {}", column.figure(bound));
        match (are_groups, is_target) {
            (false, _) => bound,
            (true, true) => "met at".to_owned(),
            (true, false) => format!("mean {bound}"),
        }
    });
    let published = |run: &ComparedSeries<'_>| {
        let time = run.published_time(column, options.charts.x_unit);
        let time = time.filter(|_| is_target).map(|time| format!("g{time}"));
        time.or_else(|| run.published_value(column).map(|it| column.figure(it)))
    };
    let has_published = runs.iter().any(|run| published(run).is_some());
    let paper = has_published.then(|| "the paper".to_owned());
    // What runs are judged by comes first, since the last ones may not fit.
    headings.extend(bound.into_iter().chain(paper));
    headings.extend(["last", "best"].map(str::to_owned));
    headings.push(heading);
    let entries = runs.iter().enumerate().map(|(number, run)| {
        let seed = run.seed.filter(|_| !are_groups);
        let runs = || match run.counts.map(|count| count as u64) {
            [known, ended, all] if known == all && ended == all => counted(all, "run"),
            [known, ended, _] if known > ended => {
                format!("{}, {ended} done", counted(known, "run"))
            }
            [known, _, all] => format!("{known} of {}", counted(all, "run")),
        };
        let mut figures = vec![seed.map_or_else(runs, |one| one.to_string())];
        if let Some(cursor) = cursor {
            figures.extend(read(run, column, options, cursor));
        }
        let mut values = row_values(run, column, direction, threshold, last);
        if are_groups && is_target && threshold.is_some() {
            let time = run.to_target.clone();
            values[2] = Some(time.unwrap_or_else(|| "-".to_owned()));
        }
        let [latest, best, reached, mean] = values;
        let paper = has_published.then(|| published(run).unwrap_or_else(|| "-".to_owned()));
        figures.extend([reached, paper, latest, best, mean].into_iter().flatten());
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

/// The latest value, the best with its generation, the generation that reached the threshold, if
/// there is one, and the mean of the last generations.
fn row_values(
    run: &ComparedSeries<'_>,
    column: &Column,
    direction: Goal,
    threshold: Option<f64>,
    last: u64,
) -> [Option<String>; 4] {
    let none = || "-".to_owned();
    let Some(index) = run.place(&column.name) else {
        return [
            Some(none()),
            Some(none()),
            threshold.map(|_| none()),
            Some(none()),
        ];
    };
    let history = run.history;
    let figure = |value: f64| match run.seed {
        None => groups::figure(&column.name, value),
        Some(_) => column.figure(value),
    };
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
    let reached = threshold.map(|bound| match reached(bound) {
        Some((first, last)) => format!("g{}", format_range(first, last)),
        None => "not reached".to_owned(),
    });
    let latest = match run.seed {
        None => values().next_back().flatten(),
        Some(_) => history.last(index),
    };
    [
        Some(latest.map_or_else(none, figure)),
        Some(best.unwrap_or_else(none)),
        reached,
        Some(mean(run, index, last).map_or_else(none, figure)),
    ]
}

/// The threshold: the target or, if another is chosen, a fraction of the highest possible or
/// observed value, or its complement if the column is minimized. `None` without either.
fn threshold(
    runs: &[ComparedSeries<'_>],
    column: &Column,
    direction: Goal,
    options: &RunsOptions,
) -> Option<f64> {
    let target = |run: &ComparedSeries<'_>| run.kind.preset.stop_condition();
    let mut targets = runs.iter().filter_map(target);
    let target = targets.find(|target| target.column() == column.name);
    let Some(share) = options.threshold.map(f64::from) else {
        return target.map(|target| target.bound());
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
    Some(match direction {
        Goal::Maximize => highest * share / 100.0,
        Goal::Minimize => highest * (100.0 - share) / 100.0,
    })
}

/// The mean of the last generations of a line, rounded up to whole buckets.
fn mean(run: &ComparedSeries<'_>, index: usize, last: u64) -> Option<f64> {
    let (buckets, span) = (run.history.column(index), run.history.span());
    let count = last.div_ceil(span) as usize;
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
                words: String::new(),
                counts: [1, 1, 1],
                seed,
                to_target: None,
                kind: kind.clone(),
                history: &rising(100, capacity),
            };
            let column = &columns.all()[1];
            assert_eq!(
                row_values(&run, column, Goal::Maximize, Some(least), 100),
                expected.map(|text| Some(text.to_owned()))
            );
        };
        check(128, Some(1), 0.5, ["99%", "99% g99", "g50", "50%"]);
        check(128, Some(1), 1.0, ["99%", "99% g99", "not reached", "50%"]);
        // Buckets of four generations.
        check(32, Some(1), 0.5, ["99%", "99% g96", "g48–51", "50%"]);
        check(32, None, 0.5, ["97.5%", "97.5% g96", "g52–55", "49.5%"]);
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
            words: String::new(),
            counts: [1, 1, 1],
            seed: Some(1),
            to_target: None,
            kind: RunKind::new(&preset, &columns),
            history: &history,
        };
        let column = &columns.all()[1];
        let mut options = RunsOptions::default();
        let bound = |options: &RunsOptions| {
            threshold(std::slice::from_ref(&run), column, Goal::Minimize, options)
        };
        assert_eq!(bound(&options), Some(0.0));
        options.move_threshold(0);
        // A tenth of 7, not one that is rounded.
        let reached = row_values(&run, column, Goal::Minimize, bound(&options), 100);
        assert_eq!(reached[2].as_deref(), Some("g1"));
        let published = run.published_time(column, ProgressUnit::Generations);
        assert_eq!(
            (published, options.window(&[run], Some(column)).1),
            (Some(91.0), 91.0)
        );
    }

    #[test]
    fn a_group_shows_the_mean_time_of_its_runs_beside_the_published_one() {
        let columns = columns_named(&["generation", "wrong_decisions"]);
        let mut history = History::bounded(2, 8);
        for (at, wrong) in [(0.0, 7.0), (1.0, 0.7), (2.0, 0.0)] {
            history.push(&Row::from_values(vec![Some(at), Some(wrong)]));
        }
        let kind = |preset: &str| RunKind::new(&presets::load(preset).expect("it ships"), &columns);
        let figures = |preset, chosen| {
            let run = ComparedSeries {
                name: String::new(),
                words: String::new(),
                counts: [3, 3, 3],
                seed: None,
                to_target: Some("≥ g1.33".to_owned()),
                kind: kind(preset),
                history: &history,
            };
            let options = RunsOptions {
                threshold: chosen,
                ..RunsOptions::default()
            };
            let column = &columns.all()[1];
            let legend = legend(&[run], column, &options, None, &Theme::dark());
            let own = legend
                .headings
                .into_iter()
                .zip(legend.entries[0].figures.clone());
            own.map(|(heading, figure)| format!("{heading}: {figure}"))
                .filter(|one| {
                    !["mean of", "last:", "best:"]
                        .iter()
                        .any(|it| one.starts_with(it))
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(
            figures("hynek-21", None),
            ["met at: ≥ g1.33", "the paper: g91", "mean: 2.57"]
        );
        assert_eq!(
            figures("hynek-21", Some(90)),
            ["mean ≤ 0.70: g1", "mean: 2.57"]
        );
        assert_eq!(figures("nim-2x4", None), ["mean: 2.57"], "it has no target");
    }

    #[test]
    fn the_mean_is_that_of_the_last_generations_of_a_line_whatever_else_is_drawn() {
        let columns = columns_named(&["generation", "accuracy_states"]);
        let kind = RunKind::new(&presets::load("nim-2x4").expect("it ships"), &columns);
        let of = |history: &History| {
            let run = ComparedSeries {
                name: String::new(),
                words: String::new(),
                counts: [1, 1, 1],
                seed: Some(1),
                to_target: None,
                kind: kind.clone(),
                history,
            };
            mean(&run, 1, 10)
        };
        let found = of(&rising(100, 128)).expect("there are figures");
        assert!((found - 0.945).abs() < 1e-9, "{found}");
        assert_eq!(of(&History::new(2)), None);
    }
}
