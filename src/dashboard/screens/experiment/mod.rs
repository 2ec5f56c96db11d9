//! The screen of an experiment, alone in its dashboard: charts of all runs, the running ones, and
//! the summary so far. It is a function of events, keys and time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::jobs::{Jobs, Waker};
use crate::model::chart_options::ChartOptions;
use finches_engine::metrics::history::Goal;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Column, Columns};
use finches_engine::preset::Preset;
use finches_engine::session::measures::{fitness, progress};
use finches_lab::experiment::matrix::results::MatrixResults;
use finches_lab::experiment::summary::{PresetSummary, Summary};
use finches_lab::experiment::sweep::halving::parts;
use finches_lab::experiment::sweep::results::SweepResults;
use finches_lab::experiment::{ExperimentEnd, ExperimentError, ExperimentEvent, Shard};
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::SweepDefinition;

use self::clock::ExperimentClock;
use self::first_part::FirstPart;
use self::status::TrialStatus;
use self::sweep::SweepView;
use self::trial::{Trial, empty_history, load_history};
use self::work::{ExperimentAnswer, ExperimentTask};

mod charts;
mod clock;
mod estimate;
mod first_part;
mod layout;
mod matrix_table;
mod one_run;
mod reading;
mod running;
mod screen;
pub mod status;
pub mod sweep;
mod table;
pub mod trial;
mod view;
mod work;

pub(crate) use self::screen::SCOPE;

/// The experiment that the dashboard shows.
#[derive(Clone, Debug)]
pub struct ExperimentSetup {
    pub manifest: Manifest,
    /// The columns of each preset.
    pub columns: Vec<Columns>,
    pub shard: Shard,
    pub threads: usize,
    /// The folder of the experiment, as shown.
    pub folder: String,
    /// The column given on the command line.
    pub column: Option<String>,
    /// The initial unit of the x-axis.
    pub x_unit: ProgressUnit,
}

/// The state of the experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExperimentState {
    Running,
    Stopping,
    Done,
    Failed(String),
}

/// Which charts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartScope {
    /// A chart for each preset, or for each run if all fit.
    AllPresets,
    /// A chart for each run of the selected preset.
    OnePreset,
    /// One run with all its values.
    OneRun(RunId),
}

/// Whether all charts have the same axis ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisMode {
    Shared,
    PerChart,
}

/// The screen of an experiment.
pub struct ExperimentScreen {
    pub setup: ExperimentSetup,
    pub state: ExperimentState,
    pub trials: BTreeMap<RunId, Trial>,
    /// With successive halving by generations.
    first: Option<FirstPart>,
    /// The columns of all presets, and the index of the one shown.
    pub columns: Vec<Column>,
    pub column: usize,
    /// The summary of the runs finished so far.
    pub summary: Summary,
    /// Runs with damaged files.
    pub damaged: Vec<StorageError>,
    pub selected: usize,
    pub scope: ChartScope,
    pub axes: AxisMode,
    /// What is shown of a sweep; `None` if the experiment is none.
    pub sweep: Option<SweepView>,
    /// The table of games and schemes so far; `None` if the experiment is none.
    matrix: Option<MatrixResults>,
    /// Axis, scale and window of the charts.
    pub charts: ChartOptions,
    /// The current page of charts, from 0.
    pub page: usize,
    /// How the experiment ended, if it has.
    pub ended: Option<Result<ExperimentEnd, ExperimentError>>,
    clock: ExperimentClock,
    folder: Option<Arc<ExperimentFolder>>,
    jobs: Jobs<ExperimentTask, ExperimentAnswer>,
    updates: SummaryUpdates,
}

/// When the summary is updated.
struct SummaryUpdates {
    /// Presets with finished runs that the summary does not include yet.
    outdated: BTreeSet<usize>,
    /// When the summary was last updated, and how long that took.
    last: Option<(Instant, Duration)>,
}

/// The pause after an update of the summary, as a multiple of its own time. It keeps the cost to
/// the runs low.
const IDLE_FACTOR: u32 = 30;

impl SummaryUpdates {
    /// Whether the summary is outdated and was not updated too recently.
    fn is_due(&self) -> bool {
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < took * IDLE_FACTOR;
        !self.outdated.is_empty() && !self.last.is_some_and(rests)
    }
}

impl ExperimentScreen {
    pub fn new(setup: ExperimentSetup, waker: Waker) -> Self {
        let columns = all_columns(&setup.columns);
        let main = main_column(&setup);
        let manifest = &setup.manifest;
        let summary = Summary {
            first_seed: manifest.first_seed,
            runs: manifest.runs,
            presets: Vec::new(),
            comparisons: Vec::new(),
        };
        let column = columns.iter().position(|column| column.name == main);
        let sweep = manifest.sweep.as_ref();
        let halves = sweep.is_some_and(SweepDefinition::halves_generations);
        let mut screen = Self {
            state: ExperimentState::Running,
            trials: BTreeMap::new(),
            first: parts(manifest)
                .first()
                .filter(|_| halves)
                .map(|&part| FirstPart::new(part)),
            column: column.unwrap_or(0),
            columns,
            summary,
            damaged: Vec::new(),
            selected: 0,
            scope: ChartScope::AllPresets,
            axes: AxisMode::Shared,
            sweep: None,
            matrix: None,
            charts: ChartOptions::with_axis(setup.x_unit),
            page: 0,
            ended: None,
            clock: ExperimentClock::start(),
            folder: None,
            jobs: Jobs::new(waker),
            updates: SummaryUpdates {
                outdated: (0..manifest.presets.len()).collect(),
                last: None,
            },
            setup,
        };
        screen.update_summary();
        screen
    }

    /// Handles an event of the experiment.
    pub fn apply(&mut self, news: ExperimentEvent) {
        let now = self.clock.now();
        match news {
            ExperimentEvent::Damaged(fault) => self.damaged.push(fault),
            ExperimentEvent::AlreadyDone { id, part, outcome } => {
                if self.trials.get(&id).is_some_and(|trial| trial.part != part) {
                    // That of a shorter part; the longer one is read from the file.
                    self.trial(id).history = None;
                }
                self.finish((id, part), outcome);
            }
            ExperimentEvent::Finished { id, part, outcome } => self.finish((id, part), outcome),
            ExperimentEvent::Scheduled(cells, part) => {
                for cell in cells {
                    self.trial(cell).schedule(part);
                }
            }
            ExperimentEvent::Started(cell) => self.trial(cell).start(now),
            ExperimentEvent::Continued {
                id,
                generations,
                names,
                rows,
            } => {
                let runs = self.trials.len();
                let history = load_history(&self.setup.columns[id.preset], runs, &names, &rows);
                self.trial(id).resume(generations, history);
            }
            ExperimentEvent::Rows { id: cell, rows } => {
                let runs = self.trials.len();
                let columns = &self.setup.columns[cell.preset];
                let trial = self.trials.entry(cell).or_insert_with(Trial::waiting);
                trial.advance(&rows, || empty_history(columns, runs), now);
                self.clock.count(rows.len() as u64);
            }
        }
    }

    /// Takes note of the end of the experiment.
    pub fn end(&mut self, ended: Result<ExperimentEnd, ExperimentError>) {
        self.state = match &ended {
            Ok(ExperimentEnd::Done | ExperimentEnd::Waiting) => ExperimentState::Done,
            Ok(ExperimentEnd::Halted) => ExperimentState::Stopping,
            Err(error) => ExperimentState::Failed(error.to_string()),
        };
        self.ended = Some(ended);
        self.update_summary();
    }

    fn trial(&mut self, cell: RunId) -> &mut Trial {
        self.trials.entry(cell).or_insert_with(Trial::waiting)
    }

    fn finish(&mut self, (cell, part): (RunId, RunPart), outcome: RunOutcome) {
        let preset = &self.setup.manifest.presets[cell.preset];
        let trial = self.trials.entry(cell).or_insert_with(Trial::waiting);
        trial.part = part;
        if let Some(first) = &mut self.first {
            first.finish(cell, &outcome, preset);
        }
        trial.finish(outcome, preset);
        self.updates.outdated.insert(cell.preset);
    }

    /// Updates the summary preset by preset, as in the printed table.
    pub fn update_summary(&mut self) {
        for place in std::mem::take(&mut self.updates.outdated) {
            let presets = &self.setup.manifest.presets;
            if let Some(first) = &mut self.first {
                first.update(place, &presets[place], self.setup.column.as_deref());
            }
            let own = self.trials.iter().filter(|(cell, _)| cell.preset == place);
            let finished: Vec<(RunId, &RunOutcome)> = own
                .filter_map(|(cell, trial)| Some((*cell, trial.outcome.as_ref()?)))
                .collect();
            let preset = &presets[place];
            let matrix = self.setup.manifest.matrix.as_ref();
            let judged = matrix.map(|matrix| matrix.cells[place].column.as_str());
            let column = judged.or(self.setup.column.as_deref());
            let line = PresetSummary::of((place, preset), &finished, column);
            // A column without values is reported at the end.
            let Ok(line) = line else { continue };
            let lines = &mut self.summary.presets;
            match lines.iter_mut().find(|known| known.preset == preset.name) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
        }
        self.update_sweep();
        let manifest = &self.setup.manifest;
        if let Some(definition) = &manifest.matrix {
            let lines = &self.summary.presets;
            self.matrix = Some(MatrixResults::of_summaries(manifest, definition, lines));
        }
    }

    /// Updates the results of a sweep from the summary.
    fn update_sweep(&mut self) {
        let manifest = &self.setup.manifest;
        let lines = &self.summary.presets;
        let Some(definition) = &manifest.sweep else {
            return;
        };
        if lines.len() != manifest.presets.len() {
            return;
        }
        let first = self.first.as_ref().map(FirstPart::summaries);
        let first = first.filter(|first| first.len() == manifest.presets.len());
        let results = SweepResults::of_summaries(manifest, definition, (lines, first.as_deref()));
        match &mut self.sweep {
            Some(sweep) => sweep.results = results,
            None => self.sweep = Some(SweepView::new(results)),
        }
        let best = self.sweep.as_ref().filter(|sweep| sweep.follows_best);
        if let Some(best) = best.and_then(|sweep| sweep.results.best()) {
            self.selected = best.index;
        }
    }

    /// Sets the elapsed time. It stops once the experiment has ended.
    pub fn set_time(&mut self, now: Duration) {
        if !self.is_over() {
            self.clock.set(now);
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(
            self.state,
            ExperimentState::Done | ExperimentState::Failed(_)
        )
    }

    /// The number of runs with a status.
    pub fn count(&self, status: TrialStatus) -> usize {
        let trials = self.trials.values();
        trials.filter(|trial| trial.status == status).count()
    }

    /// The number of finished runs.
    pub fn done(&self) -> usize {
        let trials = self.trials.values();
        trials.filter(|trial| trial.is_finished()).count()
    }

    pub fn presets(&self) -> &[Preset] {
        &self.setup.manifest.presets
    }

    /// The runs of a preset, by seed.
    pub fn trials_of(&self, preset: usize) -> impl Iterator<Item = (RunId, &Trial)> {
        let trials = self.trials.iter();
        let own = trials.filter(move |(cell, _)| cell.preset == preset);
        own.map(|(cell, trial)| (*cell, trial))
    }

    /// The column shown.
    pub fn column(&self) -> Option<&Column> {
        self.columns.get(self.column)
    }

    /// The index of the shown column among those of a preset.
    pub fn column_place(&self, preset: usize) -> Option<usize> {
        self.setup.columns[preset].place(&self.column()?.name)
    }

    /// Whether high or low values of the shown column are better, from the target if it is about
    /// this column.
    pub fn goal(&self) -> Goal {
        let Some(column) = self.column() else {
            return Goal::Maximize;
        };
        let low = |preset: &Preset| {
            let target = preset.until.split_once("<=");
            target.is_some_and(|(target, _)| target.trim() == column.name)
        };
        if self.presets().iter().any(low) {
            Goal::Minimize
        } else {
            column.goal
        }
    }
}

/// The columns of all presets, in file order, without generation and time.
fn all_columns(presets: &[Columns]) -> Vec<Column> {
    let mut union: Vec<Column> = Vec::new();
    for column in presets.iter().flat_map(Columns::all) {
        let numbers = [progress::GENERATION, progress::SECONDS];
        if numbers.iter().all(|one| *one != *column.name)
            && !union.iter().any(|known| known.name == column.name)
        {
            union.push(column.clone());
        }
    }
    union
}

/// The column shown first: the one given on the command line, or else the target or objective that
/// most presets have. Every run has fitness.
fn main_column(setup: &ExperimentSetup) -> String {
    if let Some(asked) = &setup.column {
        return asked.clone();
    }
    let targets = setup
        .manifest
        .presets
        .iter()
        .filter_map(Preset::stop_condition);
    let targets = targets.map(|target| target.column().to_owned());
    let objective = |columns: &Columns| Some(columns.all()[columns.objective()?].name.clone());
    let objectives = setup.columns.iter().filter_map(objective);
    let having = |name: &str| {
        let presets = setup.columns.iter();
        presets
            .filter(|columns| columns.place(name).is_some())
            .count()
    };
    let better = |best: String, other: String| {
        if having(&other) > having(&best) {
            other
        } else {
            best
        }
    };
    let main = targets.chain(objectives).reduce(better);
    main.unwrap_or_else(|| fitness::BEST.name.to_owned())
}
