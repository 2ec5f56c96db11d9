//! A run of a set, as the list, the filter and the charts know it, wherever it comes from.

use std::path::Path;
use std::sync::Arc;

use crate::format;
use crate::jobs::JobError;
use crate::model::run::is_perfect;
use finches_engine::metrics::history::History;
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::Preset;
use finches_engine::session::measures::columns_named;
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::progress::ExperimentProgress;
use finches_runs::storage::run_facts::ListedRun;
use finches_runs::storage::run_filter::RunFacts;
use finches_runs::storage::saves::{SavedRunEntry, Saves};

use super::stage::RunStage;

/// The total number of buckets in the histories of all runs, and the fewest and most buckets per
/// column.
const TOTAL_BUCKETS: usize = 1_500_000;
const MIN_BUCKETS: usize = 4;
const MAX_BUCKETS: usize = 1024;

/// What runs of one preset have in common.
#[derive(Clone, Debug)]
pub(super) struct RunKind {
    pub(super) preset: Arc<Preset>,
    pub(super) columns: Arc<Columns>,
}

/// The rows of a run, reduced to what charts need. Its size is bounded for runs of any length.
#[derive(Clone, Debug)]
pub(super) struct RunHistory {
    pub(super) kind: RunKind,
    pub(super) history: History,
}

/// How a run has ended, as far as it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunEnd {
    pub(super) generations: u64,
    /// The generation that met the target.
    pub(super) reached: Option<u64>,
}

/// A run of a set.
#[derive(Debug, Default)]
pub(super) struct RunEntry {
    /// Differs from those of the other runs of the set.
    pub(super) name: String,
    /// The name of its preset, or of its branch of a fork; the title of an experiment.
    pub(super) preset: String,
    pub(super) seed: u64,
    pub(super) status: RunStage,
    /// It is saved, can go on and is not open here.
    pub(super) can_resume: bool,
    /// Generations done, and those of the whole run.
    pub(super) generation: u64,
    pub(super) generations: u64,
    /// How it has ended, or a part of it.
    pub(super) end: Option<RunEnd>,
    /// The latest value of the objective, in its unit.
    pub(super) objective: Option<String>,
    /// What it has in common with others; `None` of a run whose set knows it, or that can't be
    /// opened.
    pub(super) kind: Option<RunKind>,
    /// What a filter and a grouping can ask; `None` of a run that can't be opened.
    pub(super) facts: Option<RunFacts>,
    /// Its rows, or why they can't be read; `None` until they are.
    pub(super) history: Option<Result<RunHistory, String>>,
    /// It is no run but a whole experiment, whose folder is its name.
    pub(super) experiment: Option<ExperimentProgress>,
}

impl RunEntry {
    /// Whether it evolves again when it is opened.
    pub(super) fn goes_on(&self) -> bool {
        self.status == RunStage::Stopped && self.can_resume
    }
}

impl RunKind {
    pub(super) fn new(preset: &Preset, columns: &Columns) -> Self {
        Self {
            preset: Arc::new(preset.clone()),
            columns: Arc::new(columns.clone()),
        }
    }

    /// An empty history for one of `runs` runs, sized to bound their total memory.
    pub(super) fn empty(&self, runs: usize) -> RunHistory {
        let columns = self.columns.all().len();
        RunHistory {
            kind: self.clone(),
            history: History::bounded(columns, capacity(columns, runs)),
        }
    }

    /// The history of a run, from the names and rows of its file.
    pub(super) fn load(&self, runs: usize, names: &[String], rows: &[Row]) -> RunHistory {
        let place = |name: &str| names.iter().position(|known| known == name);
        let places: Vec<Option<usize>> = self.columns.names().map(place).collect();
        let mut loaded = self.empty(runs);
        for row in rows {
            let values = places.iter().map(|place| row.values()[(*place)?]);
            loaded.history.push(&Row::from_values(values.collect()));
        }
        loaded
    }
}

fn capacity(columns: usize, runs: usize) -> usize {
    let fair = TOTAL_BUCKETS / (columns * runs).max(1);
    fair.clamp(MIN_BUCKETS, MAX_BUCKETS)
}

impl RunHistory {
    /// Reads one of `runs` saved runs row by row; `kind` is what the list knows of it.
    pub(super) fn read(
        saves: &Saves,
        (name, kind): (&str, Option<RunKind>),
        runs: usize,
    ) -> Result<Self, JobError> {
        let mut read: Option<History> = None;
        let empty = |names: &[String]| History::bounded(names.len(), capacity(names.len(), runs));
        let each = |names: &[String], row: &Row| {
            read.get_or_insert_with(|| empty(names)).push(row);
        };
        let names = saves.for_each_row(name, each)?;
        let kind = match kind {
            Some(kind) if kind.columns.names().eq(&names) => kind,
            Some(kind) => RunKind {
                columns: Arc::new(columns_named(&names)),
                ..kind
            },
            None => RunKind::new(&saves.run_file(name)?.preset, &columns_named(&names)),
        };
        // A copy has no room to spare, of which a growing one has a lot.
        let history = read.as_ref().map_or_else(|| empty(&names), History::clone);
        Ok(Self { kind, history })
    }
}

impl RunEntry {
    /// A run that has not begun.
    pub(super) fn waiting(name: String, preset: &str, seed: u64, generations: u64) -> Self {
        Self {
            name,
            preset: preset.to_owned(),
            seed,
            generations,
            ..Self::default()
        }
    }

    /// An experiment that can be opened.
    pub(super) fn experiment((folder, title): (&Path, &str), progress: ExperimentProgress) -> Self {
        let counts = [progress.finished, progress.runs].map(|count| count as u64);
        let mut entry = Self::waiting(folder.display().to_string(), title, 0, counts[1]);
        entry.status = match progress.is_open() {
            true => RunStage::Running,
            false if progress.finished == progress.runs => RunStage::Done,
            false => RunStage::Stopped,
        };
        (entry.generation, entry.experiment) = (counts[0], Some(progress));
        entry
    }

    /// Whether it is an experiment that another process works on.
    pub(super) fn is_open_experiment(&self) -> bool {
        self.experiment.is_some_and(|progress| progress.is_open())
    }

    /// Whether it is a run that can be read.
    pub(super) fn is_readable(&self) -> bool {
        self.experiment.is_none() && self.status != RunStage::Damaged
    }

    /// A saved run.
    pub(super) fn saved(listed: SavedRunEntry, known: Option<ListedRun>) -> Self {
        let mut entry = Self::waiting(listed.name, "", 0, 0);
        if let Some(known) = known {
            let (preset, columns) = (known.preset, known.columns);
            (entry.kind, entry.facts) = (Some(RunKind { preset, columns }), Some(known.facts));
        }
        match listed.summary {
            Err(_) => entry.status = RunStage::Damaged,
            Ok(summary) => {
                entry.can_resume = summary.can_resume;
                entry.status = RunStage::of_saved(&summary);
                let kind = entry.kind.as_ref().zip(summary.objective);
                let is_solved = kind.is_some_and(|(kind, value)| {
                    let objective = kind.columns.objective_column();
                    objective.is_some_and(|column| is_perfect(&kind.preset, column, value))
                });
                if is_solved && entry.status.is_finished() {
                    entry.status = RunStage::Solved;
                }
                entry.generation = summary.generation;
                entry.generations = summary.generations;
                entry.objective = summary.objective.map(format::percent);
                let is_met = summary.target.is_some();
                entry.end = Some(RunEnd {
                    generations: summary.generation,
                    reached: is_met.then(|| summary.generation.saturating_sub(1)),
                });
                (entry.preset, entry.seed) = (summary.preset, summary.seed);
            }
        }
        entry
    }

    /// Takes note of how far a run has come that another process evolves, from its rows.
    pub(super) fn update_progress(&mut self) {
        let done = self.loaded().map(|run| run.history.end() + 1);
        if self.status == RunStage::Running && done > Some(self.generation) {
            self.generation = done.unwrap_or_default();
            self.update_objective();
        }
    }

    /// Takes the value of the objective from its rows, if they have one.
    pub(super) fn update_objective(&mut self) {
        let latest = self.loaded().and_then(|run| {
            let place = run.kind.columns.objective()?;
            let value = run.history.last(place)?;
            Some(run.kind.columns.all()[place].figure(value))
        });
        self.objective = latest.or(self.objective.take());
    }

    pub(super) fn loaded(&self) -> Option<&RunHistory> {
        self.history.as_ref()?.as_ref().ok()
    }

    /// Why its rows can't be read.
    pub(super) fn problem(&self) -> Option<&String> {
        self.history.as_ref()?.as_ref().err()
    }

    /// How it has ended, with the value of one column.
    pub(super) fn outcome(&self, column: &str) -> Option<RunOutcome> {
        let RunEnd {
            generations,
            reached,
        } = self.end?;
        let latest = self.latest(column);
        let latest = latest.map(|value| (column.to_owned(), value));
        Some(RunOutcome {
            preset: String::new(),
            seed: self.seed,
            recipe: String::new(),
            generations,
            reached,
            latest: latest.into_iter().collect(),
            rows_checksum: String::new(),
            players_checksum: None,
        })
    }

    /// The latest value of a column. The rows of a run in progress are newer than what the list
    /// knows.
    pub(super) fn latest(&self, column: &str) -> Option<f64> {
        let known = || self.facts.as_ref().and_then(|facts| facts.number(column));
        let read = || {
            let loaded = self.loaded()?;
            loaded.history.last(loaded.kind.columns.place(column)?)
        };
        match self.status {
            RunStage::Running => read().or_else(known),
            _ => known().or_else(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    #[test]
    fn the_histories_of_runs_of_any_length_take_bounded_memory() {
        let columns = columns_named(&["generation", "accuracy_states"]);
        let kind = RunKind::new(&presets::load("nim-2x4").expect("it ships"), &columns);
        let mut run = kind.empty(1000);
        for generation in 0..20_000_u32 {
            let values = vec![Some(f64::from(generation)), Some(0.5)];
            run.history.push(&Row::from_values(values));
        }
        let buckets = run.history.column(0).len();
        assert!(
            buckets * 1000 * columns.all().len() <= TOTAL_BUCKETS,
            "{buckets}"
        );
        assert_eq!(run.history.end(), 19_999);
    }
}
