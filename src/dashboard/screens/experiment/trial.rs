//! One run of an experiment as the dashboard knows it: its status and the history of its columns.

use std::time::Duration;

use crate::theme::Theme;
use crate::widgets::plot::Series;
use crate::widgets::x_axis::RunAxis;
use finches_engine::metrics::history::{Bucket, Goal, History};
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::Preset;
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;

use super::status::TrialStatus;

/// The total number of buckets in the histories of all runs, and the fewest and most buckets per
/// column.
const TOTAL_BUCKETS: usize = 1_500_000;
const MIN_BUCKETS: usize = 4;
const MAX_BUCKETS: usize = 512;

/// A run of an experiment.
#[derive(Clone, Debug)]
pub struct Trial {
    pub status: TrialStatus,
    /// Generations done.
    pub generations: u64,
    /// Those of them that were done before it was started.
    earlier: u64,
    /// The part of it that is done, or is to be done now.
    pub part: RunPart,
    /// How it ended, or how a part of it did.
    pub outcome: Option<RunOutcome>,
    pub history: Option<History>,
    /// When a worker started it, and when its last event arrived.
    started: Duration,
    updated: Duration,
}

impl Trial {
    /// A run that has not started.
    pub fn waiting() -> Self {
        Self {
            status: TrialStatus::Waiting,
            generations: 0,
            earlier: 0,
            part: RunPart::WHOLE,
            outcome: None,
            history: None,
            started: Duration::ZERO,
            updated: Duration::ZERO,
        }
    }

    /// A part of it will be done, after a shorter one or not.
    pub fn schedule(&mut self, part: RunPart) {
        (self.status, self.part) = (TrialStatus::Waiting, part);
    }

    pub fn start(&mut self, now: Duration) {
        (self.status, self.started, self.updated) = (TrialStatus::Running, now, now);
    }

    /// Takes over the generations that were done before it was started.
    pub fn resume(&mut self, generations: u64, history: History) {
        (self.generations, self.earlier) = (generations, generations);
        self.history = Some(history);
    }

    /// The generations that were done since it was started.
    pub fn generations_worked(&self) -> u64 {
        self.generations.saturating_sub(self.earlier)
    }

    /// Adds further generations.
    pub fn advance(&mut self, rows: &[Row], empty: impl FnOnce() -> History, now: Duration) {
        let history = self.history.get_or_insert_with(empty);
        for row in rows {
            history.push(row);
            self.generations = row.generation() + 1;
        }
        self.updated = now;
    }

    pub fn finish(&mut self, outcome: RunOutcome, preset: &Preset) {
        self.generations = outcome.generations;
        self.status = match (preset.until.trim().is_empty(), outcome.reached) {
            (true, _) => TrialStatus::Done,
            (false, None) => TrialStatus::Unsolved,
            (false, Some(_)) => TrialStatus::Solved,
        };
        self.outcome = Some(outcome);
    }

    pub fn is_finished(&self) -> bool {
        let is_open = matches!(self.status, TrialStatus::Waiting | TrialStatus::Running);
        self.outcome.is_some() && !is_open
    }

    /// Time spent on the run.
    pub fn time_worked(&self) -> Duration {
        self.updated.saturating_sub(self.started)
    }

    /// Its line for a column, once it has any values. `columns` are those of its preset.
    pub fn line(
        &self,
        column: usize,
        x_unit: ProgressUnit,
        columns: &Columns,
        theme: &Theme,
    ) -> Option<Series<'_>> {
        let history = self.history.as_ref()?;
        Some(Series {
            buckets: history.column(column),
            track: RunAxis::of(x_unit, history, columns),
            style: match self.status {
                TrialStatus::Running => theme.series[0],
                _ => theme.dim,
            },
            games: None,
            tip: Some(self.status.tip(theme)),
        })
    }

    /// The value of a column at a position on the x-axis, at the resolution of the history; `None`
    /// if the run has not got this far.
    pub fn value_at(
        &self,
        column: usize,
        x_unit: ProgressUnit,
        columns: &Columns,
        place: f64,
    ) -> Option<f64> {
        let history = self.history.as_ref()?;
        let track = RunAxis::of(x_unit, history, columns);
        if place > track.place(track.end) {
            return None;
        }
        let generation = track.generation(place);
        let bucket = history.read(column, generation)?.bucket;
        // The last point of a line is exact, not a mean.
        if generation == track.end {
            Some(bucket.last)
        } else {
            bucket.mean()
        }
    }

    /// The buckets of a column, and the generations per bucket.
    pub fn buckets(&self, column: usize) -> Option<(&[Bucket], u64)> {
        let history = self.history.as_ref()?;
        Some((history.column(column), history.span()))
    }

    /// The latest value of a column.
    pub fn latest(&self, column: usize) -> Option<f64> {
        self.history.as_ref()?.last(column)
    }

    /// Its best value in a column and the generations since then, at the resolution of the history.
    pub fn best(&self, column: usize, goal: Goal) -> Option<(f64, u64)> {
        let history = self.history.as_ref()?;
        let (value, at) = history.best(column, goal)?;
        let after = at - history.start() + history.span();
        Some((value, self.generations.saturating_sub(after)))
    }
}

/// An empty history for one of `runs` runs, sized to bound their total memory.
pub fn empty_history(columns: &Columns, runs: usize) -> History {
    let columns = columns.all().len();
    let fair = TOTAL_BUCKETS / (columns * runs).max(1);
    History::bounded(columns, fair.clamp(MIN_BUCKETS, MAX_BUCKETS))
}

/// The history of a saved run, from the column names and rows of its file.
pub fn load_history(columns: &Columns, runs: usize, names: &[String], rows: &[Row]) -> History {
    let places: Vec<Option<usize>> = columns
        .names()
        .map(|name| names.iter().position(|known| known == name))
        .collect();
    let mut history = empty_history(columns, runs);
    for row in rows {
        let values = places.iter().map(|place| row.values()[(*place)?]);
        history.push(&Row::from_values(values.collect()));
    }
    history
}
