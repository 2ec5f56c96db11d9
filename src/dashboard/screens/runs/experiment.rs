//! An experiment as a set of runs: those that this process does, or those in a folder. It is a
//! function of events and time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::Preset;
use finches_engine::session::measures::{fitness, progress};
use finches_lab::experiment::matrix::results::MatrixResults;
use finches_lab::experiment::summary::{PresetSummary, column_of};
use finches_lab::experiment::sweep::halving::parts;
use finches_lab::experiment::sweep::results::{Confirmation, SweepResults};
use finches_lab::experiment::{ExperimentEnd, ExperimentError, ExperimentEvent, Shard};
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::checkpoint::ResumableRun;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::progress::ExperimentProgress;
use finches_runs::storage::experiments::sweep::SweepDefinition;
use finches_runs::storage::run_facts::RunToFilter;
use finches_runs::storage::run_filter::{FactNames, FactValue, RunFacts};
use finches_runs::storage::views::RunGrouping;

use super::clock::ExperimentClock;
use super::entry::{RunEnd, RunEntry, RunKind};
use super::first_part::FirstPart;
use super::groups::GroupOutcomes;
use super::list::{RunList, RunRow};
use super::stage::RunStage;
use super::sweep::PresetValues;

/// An experiment to be shown.
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
    /// It is read from its folder.
    Read,
}

/// A run as far as times are estimated from it.
#[derive(Clone, Debug)]
pub struct Trial {
    pub status: RunStage,
    /// Generations done.
    pub generations: u64,
    /// Those of them that were done before it was started.
    pub(super) earlier: u64,
    /// The part of it that is done, or is to be done now.
    pub part: RunPart,
    has_outcome: bool,
    /// When its checkpoint was replaced that was read of it.
    pub(super) checkpoint: Option<SystemTime>,
    /// When a worker started it, and when its last event arrived.
    started: Duration,
    updated: Duration,
}

impl Trial {
    fn waiting() -> Self {
        Self {
            status: RunStage::Waiting,
            generations: 0,
            earlier: 0,
            part: RunPart::WHOLE,
            has_outcome: false,
            checkpoint: None,
            started: Duration::ZERO,
            updated: Duration::ZERO,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.has_outcome && self.status.is_finished()
    }

    /// Time spent on the run.
    pub(super) fn time_worked(&self) -> Duration {
        self.updated.saturating_sub(self.started)
    }
}

/// An experiment.
pub struct Experiment {
    pub setup: ExperimentSetup,
    pub state: ExperimentState,
    /// Those of the runs that are done here or were done before.
    pub trials: BTreeMap<RunId, Trial>,
    kinds: Vec<RunKind>,
    /// What runs of each preset have in common for a filter.
    facts: Vec<Arc<RunFacts>>,
    /// With successive halving by generations.
    first: Option<FirstPart>,
    /// The summaries of the runs finished so far, by preset.
    pub summaries: BTreeMap<usize, PresetSummary>,
    /// Presets with finished runs that the summaries do not include yet.
    outdated: BTreeSet<usize>,
    /// The results of a sweep so far.
    pub sweep: Option<SweepResults>,
    /// Its best combination with fresh seeds, once these have been run.
    confirmation: Option<Confirmation>,
    /// The table of games and schemes so far.
    pub matrix: Option<MatrixResults>,
    /// Runs with damaged files.
    pub damaged: Vec<StorageError>,
    /// How the experiment ended, if it has.
    pub ended: Option<Result<ExperimentEnd, ExperimentError>>,
    pub(super) clock: ExperimentClock,
    pub(super) folder: Option<Arc<ExperimentFolder>>,
    /// How far another process is with it.
    pub(super) progress: Option<ExperimentProgress>,
    /// The generation that is reached on the way to a fork.
    pub(super) approached: Option<u64>,
    /// Its folder, if that is not to be kept.
    pub(super) temporary: Option<TempDir>,
    /// The column by which its runs are judged.
    pub(super) main_column: String,
    /// Whether all files of its folder have been read once.
    pub(super) is_known: bool,
}

impl Experiment {
    pub(super) fn new(setup: ExperimentSetup) -> Self {
        let manifest = &setup.manifest;
        let sweep = manifest.sweep.as_ref();
        let halves = sweep.is_some_and(SweepDefinition::halves_generations);
        let first = parts(manifest).first().copied().filter(|_| halves);
        let kinds = manifest.presets.iter().zip(&setup.columns);
        Self {
            state: ExperimentState::Running,
            trials: BTreeMap::new(),
            kinds: kinds
                .map(|(preset, columns)| RunKind::new(preset, columns))
                .collect(),
            facts: Vec::new(),
            first: first.map(FirstPart::new),
            summaries: BTreeMap::new(),
            outdated: (0..manifest.presets.len()).collect(),
            sweep: None,
            confirmation: None,
            matrix: None,
            damaged: Vec::new(),
            ended: None,
            clock: ExperimentClock::start(),
            folder: None,
            progress: None,
            approached: None,
            temporary: None,
            main_column: main_column(&setup),
            is_known: true,
            setup,
        }
    }

    /// The list of its runs, none of which has begun.
    pub(super) fn start_list(&mut self) -> RunList {
        let manifest = &self.setup.manifest;
        let mut names = FactNames::default();
        let facts = manifest.presets.iter().map(|preset| {
            let of_any = RunToFilter {
                name: "",
                tags: &[],
                seed: 0,
                generation: 0,
                preset,
            };
            Arc::new(of_any.facts(std::iter::empty(), &mut names))
        });
        self.facts = facts.collect();
        let entry = |id: RunId| {
            let (name, preset) = (manifest.run_name(id), &manifest.presets[id.preset]);
            let facts = self.facts_of(id, &mut names);
            let mut entry = RunEntry::waiting(name, &preset.name, id.seed, preset.generations);
            entry.facts = Some(facts);
            entry
        };
        let entries: Vec<RunEntry> = manifest.run_ids().into_iter().map(entry).collect();
        let are_islands = manifest.islands.is_some();
        let grouping = if manifest.runs > 1 && !are_islands {
            RunGrouping::ByPreset
        } else {
            RunGrouping::Each
        };
        let mut list = RunList::of(entries, names, grouping);
        list.values = PresetValues::of(manifest, &self.facts);
        list.shows_all = are_islands;
        list.is_of_one_preset = manifest.sweep.is_some() || manifest.fork.is_some();
        list.update_rows();
        list
    }

    /// What a filter can ask about a run that has not begun.
    fn facts_of(&self, id: RunId, names: &mut FactNames) -> RunFacts {
        let name = self.setup.manifest.run_name(id);
        let mut facts = RunFacts::like(&self.facts[id.preset], &name, &[]);
        facts.set(names, "seed", FactValue::text(&id.seed.to_string()));
        for change in self.setup.manifest.own_changes(id) {
            facts.set(names, &change.key, FactValue::read(&change.value));
        }
        facts
    }

    /// The index of a run in the list.
    pub(super) fn place(&self, id: RunId) -> usize {
        let manifest = &self.setup.manifest;
        id.preset * manifest.runs as usize + (id.seed - manifest.first_seed) as usize
    }

    /// The run with an index.
    pub(super) fn id(&self, place: usize) -> RunId {
        let manifest = &self.setup.manifest;
        let runs = manifest.runs as usize;
        RunId {
            preset: place / runs,
            seed: manifest.first_seed + (place % runs) as u64,
        }
    }

    pub(super) fn kind(&self, place: usize) -> &RunKind {
        &self.kinds[self.id(place).preset]
    }

    /// Handles an event of the experiment.
    pub(super) fn apply(&mut self, news: ExperimentEvent, list: &mut RunList) {
        let (now, runs) = (self.clock.now(), list.entries().len());
        let id = match news {
            ExperimentEvent::Damaged(fault) => return self.damaged.push(fault),
            ExperimentEvent::AlreadyDone { id, part, outcome }
            | ExperimentEvent::Finished { id, part, outcome } => {
                return self.finish((id, part), &outcome, list);
            }
            ExperimentEvent::Scheduled(cells, part) => {
                let first = self.setup.manifest.first_generation();
                for id in cells {
                    let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
                    (trial.status, trial.part) = (RunStage::Waiting, part);
                    trial.generations = trial.generations.max(first);
                    trial.earlier = trial.earlier.max(first);
                    self.show(id, list);
                }
                return;
            }
            ExperimentEvent::Started(id) => {
                let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
                trial.status = RunStage::Running;
                (trial.started, trial.updated) = (now, now);
                id
            }
            ExperimentEvent::Continued {
                id,
                generations,
                names,
                rows,
            } => {
                let loaded = self.kinds[id.preset].load(runs, &names, &rows);
                let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
                (trial.generations, trial.earlier) = (generations, generations);
                if let Some(entry) = list.entry_mut(self.place(id)) {
                    entry.history = Some(Ok(loaded));
                }
                id
            }
            ExperimentEvent::Waits { id, .. } => {
                let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
                trial.status = RunStage::Waiting;
                id
            }
            ExperimentEvent::Rows { id, rows } => {
                self.advance(id, &rows, now, list);
                id
            }
        };
        self.show(id, list);
    }

    /// Takes note of a run that another process has begun.
    pub(super) fn begin(
        &mut self,
        id: RunId,
        written: SystemTime,
        run: &ResumableRun,
        list: &mut RunList,
    ) {
        let loaded = self.kinds[id.preset].load(list.entries().len(), &run.names, &run.rows);
        let is_open = self.progress.is_some_and(|progress| progress.is_open());
        let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
        trial.generations = run.checkpoint.state.generation;
        trial.checkpoint = Some(written);
        trial.status = if is_open {
            RunStage::Running
        } else {
            RunStage::Stopped
        };
        if let Some(entry) = list.entry_mut(self.place(id)) {
            entry.history = Some(Ok(loaded));
        }
        self.show(id, list);
    }

    /// The time left until another process has finished all runs.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let running = self
            .trials
            .iter()
            .filter(|(_, trial)| trial.status == RunStage::Running);
        let shares = running.map(|(id, trial)| {
            let limit = trial
                .part
                .generations(self.presets()[id.preset].generations);
            trial.generations as f64 / limit.max(1) as f64
        });
        self.progress?.time_left(shares.sum())
    }

    /// Adds generations to a run.
    fn advance(&mut self, id: RunId, rows: &[Row], now: Duration, list: &mut RunList) {
        let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
        (trial.status, trial.updated) = (RunStage::Running, now);
        let runs = list.entries().len();
        let (place, kind) = (self.place(id), &self.kinds[id.preset]);
        let Some(entry) = list.entry_mut(place) else {
            return;
        };
        let empty = || Ok(kind.empty(runs));
        let Ok(loaded) = entry.history.get_or_insert_with(empty) else {
            return;
        };
        for row in rows {
            loaded.history.push(row);
            if let Some(trial) = self.trials.get_mut(&id) {
                trial.generations = row.generation() + 1;
            }
        }
    }

    /// Shows how far a run is in the list.
    fn show(&self, id: RunId, list: &mut RunList) {
        let Some(trial) = self.trials.get(&id) else {
            return;
        };
        if let Some(entry) = list.entry_mut(self.place(id)) {
            (entry.status, entry.generation) = (trial.status, trial.generations);
            entry.update_objective();
        }
    }

    fn finish(&mut self, (id, part): (RunId, RunPart), outcome: &RunOutcome, list: &mut RunList) {
        let preset = &self.setup.manifest.presets[id.preset];
        let trial = self.trials.entry(id).or_insert_with(Trial::waiting);
        let is_longer = trial.has_outcome && trial.part != part;
        trial.part = part;
        trial.has_outcome = true;
        trial.generations = outcome.generations;
        trial.status = match (preset.until.trim().is_empty(), outcome.reached) {
            (true, _) => RunStage::Done,
            (false, None) => RunStage::Unsolved,
            (false, Some(_)) => RunStage::Solved,
        };
        if let Some(first) = &mut self.first {
            first.finish(id, outcome, preset);
        }
        self.outdated.insert(id.preset);
        let place = self.place(id);
        let names = list.names_mut();
        let mut facts = self.facts_of(id, names);
        let generations = FactValue::Number(outcome.generations as f64);
        facts.set(names, progress::GENERATION.name, generations);
        for (name, value) in &outcome.latest {
            facts.set(names, name, FactValue::Number(*value));
        }
        let Some(entry) = list.entry_mut(place) else {
            return;
        };
        entry.end = Some(RunEnd {
            generations: outcome.generations,
            reached: outcome.reached,
        });
        let columns = &self.kinds[id.preset].columns;
        let objective = columns.objective_column();
        let value = objective.and_then(|column| Some((column, facts.number(&column.name)?)));
        entry.objective = value.map(|(column, value)| column.figure(value));
        entry.facts = Some(facts);
        // That of a shorter part; the longer one is read from the file.
        if is_longer
            && entry
                .loaded()
                .is_some_and(|run| run.history.end() + 1 < outcome.generations)
        {
            entry.history = None;
        }
        self.show(id, list);
    }

    /// Takes note of the end of the experiment.
    pub(super) fn end(&mut self, ended: Result<ExperimentEnd, ExperimentError>) {
        self.state = match &ended {
            Ok(ExperimentEnd::Done | ExperimentEnd::Waiting) => ExperimentState::Done,
            Ok(ExperimentEnd::Halted) => ExperimentState::Stopping,
            Err(error) => ExperimentState::Failed(error.to_string()),
        };
        self.ended = Some(ended);
    }

    /// Updates the summaries preset by preset, as in the printed table, and what follows of them.
    pub(super) fn update(&mut self, list: &mut RunList) {
        if self.outdated.is_empty() {
            return;
        }
        let manifest = &self.setup.manifest;
        let runs = manifest.runs as usize;
        for place in std::mem::take(&mut self.outdated) {
            let preset = &manifest.presets[place];
            let column = self.column_of(place);
            if let Some(first) = &mut self.first {
                first.update(place, preset, Some(&column));
            }
            let members: Vec<usize> = (place * runs..(place + 1) * runs).collect();
            let preset = (place, Arc::clone(&self.kinds[place].preset));
            let outcomes = GroupOutcomes::of(list, preset, &members, &column);
            if let Some(line) = outcomes.summary() {
                self.summaries.insert(place, line);
            }
        }
        let lines: Vec<PresetSummary> = self.summaries.values().cloned().collect();
        if let Some(definition) = &manifest.matrix {
            self.matrix = Some(MatrixResults::of_summaries(manifest, definition, &lines));
        }
        let is_whole = lines.len() == manifest.presets.len();
        if let Some(definition) = manifest.sweep.as_ref().filter(|_| is_whole) {
            let first = self.first.as_ref().map(FirstPart::summaries);
            let first = first.filter(|first| first.len() == lines.len());
            let both = (&lines[..], first.as_deref());
            let mut results = SweepResults::of_summaries(manifest, definition, both);
            results.confirmation.clone_from(&self.confirmation);
            let goal = column_of(&self.main_column).goal;
            let ranked = results.combinations.iter().map(|one| one.preset.as_str());
            list.set_ranks(ranked, (&self.main_column, goal));
            self.sweep = Some(results);
        }
    }

    /// Takes in the runs of the best combination of a sweep with fresh seeds.
    pub(super) fn confirm(&mut self, confirmation: Confirmation) {
        self.confirmation = Some(confirmation);
        self.outdated.insert(0);
    }

    /// Whether such runs may still be found in its folder.
    pub(super) fn awaits_confirmation(&self) -> bool {
        let sweep = self.setup.manifest.sweep.as_ref();
        let done = self.confirmation.as_ref().and_then(|one| one.best);
        done.is_none() && sweep.is_some_and(|sweep| sweep.confirm > 0)
    }

    /// The column that a preset is judged by.
    fn column_of(&self, preset: usize) -> String {
        let matrix = self.setup.manifest.matrix.as_ref();
        let judged = matrix.map(|matrix| matrix.cells[preset].column.clone());
        let objective = self.setup.columns[preset].objective_column();
        let objective = objective.map(|column| column.name.clone());
        let chosen = judged.or_else(|| self.setup.column.clone()).or(objective);
        chosen.unwrap_or_else(|| fitness::BEST.name.to_owned())
    }

    /// The summary of a group, if it has all runs of a preset.
    pub(super) fn summary_of(&self, row: &RunRow, list: &RunList) -> Option<PresetSummary> {
        let is_of_presets = *list.grouping() == RunGrouping::ByPreset;
        let is_whole = row.members.len() as u64 == self.setup.manifest.runs;
        let preset = self.id(*row.members.first()?).preset;
        let known = self.summaries.get(&preset);
        known.filter(|_| is_of_presets && is_whole).cloned()
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(
            self.state,
            ExperimentState::Done | ExperimentState::Failed(_)
        )
    }

    /// Whether no process works on it.
    pub(super) fn is_ended(&self) -> bool {
        let is_open = self.progress.is_some_and(|progress| progress.is_open());
        self.is_over() || (self.state == ExperimentState::Read && !is_open)
    }

    /// Sets the elapsed time. It stops once the experiment has ended.
    pub(super) fn set_time(&mut self, now: Duration) {
        if !self.is_over() {
            self.clock.set(now);
        }
    }

    /// The number of finished runs.
    pub fn done(&self) -> usize {
        let trials = self.trials.values();
        trials.filter(|trial| trial.is_finished()).count()
    }

    pub(super) fn presets(&self) -> &[Preset] {
        &self.setup.manifest.presets
    }

    /// A run whose rows are on disk and not here.
    pub(super) fn unread(&self, place: usize, list: &RunList) -> Option<(RunId, RunPart, RunKind)> {
        let id = self.id(place);
        let trial = self.trials.get(&id)?;
        let is_unread = trial.has_outcome && list.entries()[place].history.is_none();
        is_unread.then(|| (id, trial.part, self.kind(place).clone()))
    }
}

/// The column shown first: the one given on the command line, or else the target or objective that
/// most presets have. Every run has fitness.
fn main_column(setup: &ExperimentSetup) -> String {
    let presets = setup.manifest.presets.iter().zip(&setup.columns);
    let own = presets.filter_map(|(preset, columns)| {
        let target = preset.stop_condition();
        let objective = || Some(columns.objective_column()?.name.clone());
        target
            .map(|target| target.column().to_owned())
            .or_else(objective)
    });
    let having = |name: &String| {
        let columns = setup.columns.iter();
        columns
            .filter(|columns| columns.place(name).is_some())
            .count()
    };
    // Of several, `max_by_key` returns the last.
    let own: Vec<String> = own.collect();
    let most = own.into_iter().rev().max_by_key(having);
    let chosen = setup.column.clone().or(most);
    chosen.unwrap_or_else(|| fitness::BEST.name.to_owned())
}
