//! The lines of a chart: a run, or the mean of several.

use std::sync::Arc;

use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::history::History;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Column, Row};
use finches_engine::session::measures::{columns_named, progress};

use super::entry::{RunHistory, RunKind};

/// A line: one run, or several runs averaged.
#[derive(Clone, Debug)]
pub(super) struct ComparedSeries<'a> {
    pub(super) name: String,
    /// The name where there is room.
    pub(super) words: String,
    /// The numbers of runs that it is the mean of, of finished ones, and of all of the line.
    pub(super) counts: [usize; 3],
    /// The seed of a single run; the mean of a group has none.
    pub(super) seed: Option<u64>,
    /// The generation in which its runs have met their target, on average; `None` without one.
    pub(super) to_target: Option<String>,
    pub(super) kind: RunKind,
    pub(super) history: &'a History,
}

impl ComparedSeries<'_> {
    pub(super) fn track(&self, x_unit: ProgressUnit) -> RunAxis<'_> {
        RunAxis::of(x_unit, self.history, &self.kind.columns)
    }

    pub(super) fn place(&self, column: &str) -> Option<usize> {
        self.kind.columns.place(column)
    }

    /// The published generation in which runs of the preset met their target, if that is of the
    /// column and the axis one of generations.
    pub(super) fn published_time(&self, column: &Column, x_unit: ProgressUnit) -> Option<f64> {
        let (name, value) = self.kind.preset.reported_value()?;
        let target = self.kind.preset.stop_condition()?;
        let is_it = progress::GENERATION == *name && target.column() == column.name;
        (is_it && x_unit == ProgressUnit::Generations).then_some(value)
    }

    /// The published value of the column for runs of the preset.
    pub(super) fn published_value(&self, column: &Column) -> Option<f64> {
        let (name, value) = self.kind.preset.reported_value()?;
        (name == column.name).then_some(value)
    }

    /// The number of games behind a value of a column, if it is a sample.
    pub(super) fn sample(&self, column: &Column) -> Option<u32> {
        self.kind.preset.measures.games_of(column.basis)
    }
}

/// The fewest and the most generations at which averaged runs are sampled, and the most values that
/// are read for that.
const POINTS: (usize, usize) = (60, 400);
const MAX_READ: usize = 40_000;

/// Averages runs, given with whether they have met their target. Those that have keep their last
/// values, because they ended for that reason. A generation holds the values of these and of all
/// runs that reached it: the mean is over these runs, and minimum and maximum are the lowest and
/// the highest run. It ends where no more than half of the runs are left, because a few say little
/// about all. `None` without any.
pub(super) fn average(runs: &[(RunKind, &History, bool)], column: &str) -> Option<RunHistory> {
    let (first, ..) = runs.first()?;
    let names = [progress::GENERATION, progress::GAMES, progress::SECONDS];
    let names = names.map(|measure| measure.name).into_iter();
    let names: Vec<String> = names.chain([column]).map(str::to_owned).collect();
    let places = runs.iter().map(|(kind, history, is_solved)| {
        let places = names.iter().map(|name| kind.columns.place(name));
        (places.collect::<Vec<_>>(), *history, *is_solved)
    });
    let runs: Vec<_> = places.collect();
    let starts = runs.iter().map(|(_, history, _)| history.start());
    let ends = runs.iter().map(|(_, history, _)| history.end());
    let (start, end) = (starts.min()?, ends.max()?);
    let points = (MAX_READ / runs.len()).clamp(POINTS.0, POINTS.1);
    // Within the finest buckets there is nothing more to sample.
    let finest = runs.iter().map(|(_, history, _)| history.span());
    let step = (end.saturating_sub(start) / points as u64).max(finest.min()?);
    let mut history = History::bounded(names.len(), POINTS.1 + 1);
    let sampled = (start..end).step_by(step as usize).chain([end]);
    for generation in sampled {
        let is_there = |(_, run, is_solved): &&(_, &History, bool)| {
            let has_ended = generation > run.end() && !is_solved;
            !run.is_empty() && generation >= run.start() && !has_ended
        };
        let begun = runs.iter().filter(|(_, run, _)| !run.is_empty()).count();
        let left = runs.iter().filter(is_there).count();
        if left < begun && 2 * left <= begun && !history.is_empty() {
            break;
        }
        for (places, run, _) in runs.iter().filter(is_there) {
            let last = generation.min(run.end());
            let figure = |place: &Option<usize>| run.read((*place)?, last)?.bucket.mean();
            let values = std::iter::once(Some(generation as f64));
            let values = values.chain(places[1..].iter().map(figure));
            history.push(&Row::from_values(values.collect()));
        }
    }
    let columns = Arc::new(columns_named(&names));
    let kind = first.clone();
    Some(RunHistory {
        kind: RunKind { columns, ..kind },
        history,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    fn saved_run(preset: &str, value: f64, generations: u32) -> RunHistory {
        let names = ["generation", "games", "seconds", "accuracy_states"].map(str::to_owned);
        let preset = presets::load(preset).expect("it ships");
        let mut run = RunKind::new(&preset, &columns_named(&names)).empty(1);
        for generation in 0..generations {
            let at = f64::from(generation);
            let values = [at, at * 100.0, at, value];
            run.history
                .push(&Row::from_values(values.map(Some).to_vec()));
        }
        run
    }

    #[test]
    fn runs_become_their_mean_and_the_range_between_them() {
        let runs = [
            saved_run("nim-2x4", 0.2, 100),
            saved_run("nim-2x4", 0.6, 50),
        ];
        let averaged = |is_solved| {
            let runs = runs
                .iter()
                .map(|run| (run.kind.clone(), &run.history, is_solved));
            let mean = average(&runs.collect::<Vec<_>>(), "accuracy_states");
            mean.expect("there are runs")
        };
        let mean = averaged(false);
        let place = mean.kind.columns.place("accuracy_states");
        let place = place.expect("it is kept");
        let read = |generation| {
            let read = mean.history.read(place, generation);
            read.expect("it is there").bucket
        };
        let both = read(49);
        assert!((both.mean().expect("two figures") - 0.4).abs() < 1e-9);
        assert_eq!((both.min, both.max), (0.2, 0.6));
        assert_eq!(mean.history.end(), 49, "one of two is not the mean of both");
        let rest = averaged(true).history.read(place, 99).expect("it is there");
        assert_eq!(
            (rest.bucket.min, rest.bucket.max),
            (0.2, 0.6),
            "it keeps its value"
        );
        assert!(average(&[], "accuracy_states").is_none());
    }
}
