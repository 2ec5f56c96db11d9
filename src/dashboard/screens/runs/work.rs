//! The work behind the screen, on other threads: lists and histories of runs, experiments, second
//! runs, saved views and exports.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use crate::format;
use crate::jobs::{Job, JobError, WantedAnswers};
use crate::model::fork::{ForkPurpose, ForkRequest};
use crate::model::run::RunModel;
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_lab::experiment::sweep::halving::parts;
use finches_lab::experiment::sweep::results::Confirmation;
use finches_lab::experiment::{
    ExperimentEnd, ExperimentError, ExperimentEvent, RunSpec, Shard, all_columns, run,
};
use finches_runs::storage::experiments::checkpoint::ResumableRun;
use finches_runs::storage::experiments::manifest::RunId;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::progress::{ExperimentProgress, experiments_below};
use finches_runs::storage::experiments::{ExperimentFolder, RunStatus};
use finches_runs::storage::run_facts::{self, SavedRunFacts};
use finches_runs::storage::saves::SavedRunEntry;
use finches_runs::storage::views::ComparisonViews;

use super::entry::{RunEntry, RunHistory, RunKind};
use super::experiment::{Experiment, ExperimentSetup, ExperimentState};
use super::fork;
use super::menu::describe_gone;
use super::stage::RunStage;
use super::{FigureResult, RunSet, RunSource, RunsScreen, RunsView};

/// Work to be done; of a set, by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunsTask {
    List,
    /// Read the rows of runs.
    Histories(usize),
    /// Work out the figures of groups or of differing runs.
    Figures,
    Export,
    /// Read or write the saved views.
    Views,
    /// Look for experiments, or how far those are that are listed.
    Experiments,
    /// Open the folder of an experiment.
    Open,
    /// Do the runs of an experiment.
    Run(usize),
    /// Look for finished runs in the folder of an experiment.
    Look(usize),
    /// Save a second run that goes on from a generation of a first.
    SecondRun,
}

/// The name of a run, and its index when its rows were asked for.
type RunName = (usize, String);

/// A run whose rows are to be read from an experiment's folder.
type UnreadRun = (RunName, (RunId, RunPart, RunKind));

/// A result of the work.
pub(super) enum RunsAnswer {
    /// The saved runs, latest first, and what a filter can ask about them.
    Listed(Vec<SavedRunEntry>, Box<SavedRunFacts>),
    /// The saved views, and what has been done with them in words.
    Views(ComparisonViews, String),
    /// The rows of a run.
    Read(RunName, Result<Box<RunHistory>, String>),
    Figures(FigureResult),
    /// A message with the paths of the exported files.
    Exported(String),
    /// Experiments, with how far they are.
    Experiments(Vec<RunEntry>),
    Opened(Box<(ExperimentSetup, ExperimentFolder)>),
    /// The folder that was to be opened contains several experiments.
    OpenedSeveral(PathBuf),
    /// How far another process is with an experiment.
    Progress(ExperimentProgress),
    /// The best combination of a sweep with fresh seeds.
    Confirmed(Box<Confirmation>),
    /// A run that another process has begun, and when it was written.
    Begun(RunId, SystemTime, Box<ResumableRun>),
    Event(Box<ExperimentEvent>),
    Ended(Result<ExperimentEnd, ExperimentError>),
    /// The folder of an experiment, which may be temporary.
    Folder(Arc<ExperimentFolder>, Option<TempDir>),
    /// A run has been evolved again up to this generation, on the way to a fork.
    Approached(u64),
    /// A second run has been saved under this name.
    SecondRun(String),
    /// There is no more to say.
    Done,
}

impl RunsScreen {
    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers, live: Option<&RunModel>) {
        if let Some((_, preview)) = &mut self.preview {
            preview.take_answers(wanted, None);
        }
        self.figures.is_outdated |= self.jobs.keys().any(|task| *task != RunsTask::Figures);
        loop {
            while let Some((task, answer)) = self.jobs.next(wanted) {
                self.handle_answer(task, answer, live);
            }
            self.update(live);
            if wanted == WantedAnswers::Arrived || !self.jobs.is_busy() {
                break;
            }
        }
        if wanted == WantedAnswers::All {
            self.catch_up(live);
        }
    }

    fn handle_answer(
        &mut self,
        task: RunsTask,
        answer: Result<RunsAnswer, JobError>,
        live: Option<&RunModel>,
    ) {
        let set = match task {
            RunsTask::Histories(set) | RunsTask::Run(set) | RunsTask::Look(set) => set,
            _ => 0,
        };
        match (task, answer) {
            (_, Ok(RunsAnswer::Read(name, history))) => {
                self.take_history(set, &name, history);
                // The means of all of them don't wait, whatever other figures took.
                if set == self.current && self.sets[set].pending.is_empty() {
                    self.work_out(live);
                }
            }
            (_, Ok(RunsAnswer::Listed(listed, facts))) => self.take_list(listed, *facts, live),
            (_, Ok(RunsAnswer::Views(views, words))) => {
                self.menu.set(views);
                if !words.is_empty() {
                    self.message = words;
                }
            }
            (_, Ok(RunsAnswer::Figures(result))) => {
                if let Some(asked) = self.figures.asked.take() {
                    self.figures.end(asked);
                }
                self.take_figures(result);
            }
            (_, Ok(RunsAnswer::Exported(words))) => self.message = words,
            (_, Ok(RunsAnswer::SecondRun(name))) => self.show_second_run(name, live),
            (_, Ok(RunsAnswer::Experiments(found))) => self.sets[0].list.set_experiments(found),
            (_, Ok(RunsAnswer::Opened(opened))) => {
                self.message.clear();
                self.show_folder(*opened);
            }
            (_, Ok(RunsAnswer::OpenedSeveral(root))) => {
                self.roots.push(root);
                self.list_experiments();
            }
            (_, Ok(RunsAnswer::Progress(progress))) => {
                self.change(set, |it, _| it.progress = Some(progress));
            }
            (_, Ok(RunsAnswer::Confirmed(confirmation))) => {
                self.change(set, |it, _| it.confirm(*confirmation));
            }
            (_, Ok(RunsAnswer::Begun(id, written, run))) => {
                self.change(set, |it, list| it.begin(id, written, &run, list));
            }
            (_, Ok(RunsAnswer::Event(event))) => self.apply_to(set, *event),
            (_, Ok(RunsAnswer::Ended(ended))) => self.end_of(set, ended),
            (_, Ok(RunsAnswer::Folder(folder, temporary))) => {
                self.list_experiments();
                self.change(set, |it, _| {
                    it.setup.folder = folder.root().display().to_string();
                    (it.folder, it.temporary) = (Some(folder), temporary);
                });
            }
            (_, Ok(RunsAnswer::Approached(generation))) => {
                self.change(set, |it, _| it.approached = Some(generation));
            }
            (RunsTask::Look(_), Ok(RunsAnswer::Done)) => {
                if let Some((experiment, _)) = self.experiment_of(set)
                    && !std::mem::replace(&mut experiment.is_known, true)
                {
                    // The figures so far are those of a part of the runs.
                    self.refresh(live);
                    self.take_figures(FigureResult::default());
                    self.ask_for_figures();
                }
            }
            (_, Ok(RunsAnswer::Done)) => {}
            (RunsTask::Run(_), Err(error)) => {
                let words = format!("{error}; finished runs and checkpoints are kept");
                self.end_of(set, Err(ExperimentError::Failed(words)));
            }
            (_, Err(error)) => self.message = error.to_string(),
        }
    }

    /// Works out, on another thread, the figures that the view needs.
    pub(super) fn ask_for_figures(&mut self) {
        if self.figures.subject.groups.is_empty() {
            return;
        }
        let work = self.figure_work();
        self.figures.asked = Some(Instant::now());
        self.jobs
            .ask(RunsTask::Figures, move |_| Ok(RunsAnswer::Figures(work())));
    }

    fn take_history(
        &mut self,
        set: usize,
        (place, name): &RunName,
        read: Result<Box<RunHistory>, String>,
    ) {
        let RunSet { list, pending, .. } = &mut self.sets[set];
        pending.remove(name);
        let known = list.entries().get(*place);
        let is_same = known.is_some_and(|run| run.name == *name);
        let Some(place) = is_same.then_some(*place).or_else(|| list.place(name)) else {
            return;
        };
        if let Err(error) = &read {
            self.message = describe_error(name, error);
        }
        if let Some(entry) = list.entry_mut(place) {
            entry.history = Some(read.map(|history| *history));
            entry.update_progress();
        }
    }

    fn take_list(
        &mut self,
        listed: Vec<SavedRunEntry>,
        mut known: SavedRunFacts,
        live: Option<&RunModel>,
    ) {
        let entries = listed.into_iter().map(|listed| {
            let known = known.runs.remove(&listed.name);
            RunEntry::saved(listed, known)
        });
        let mut entries: Vec<RunEntry> = entries.collect();
        if let Some(live) = live
            && !entries.iter().any(|entry| entry.name == live.name())
        {
            let (preset, seed) = (&live.preset.name, live.facts.seed);
            entries.insert(0, RunEntry::waiting(live.name(), preset, seed, 0));
        }
        let RunSet { list, pending, .. } = &mut self.sets[0];
        pending.clear();
        let mut gone = list.set(entries, known.names);
        if let Some(live) = live {
            list.set_live(live);
        }
        let wanted = std::mem::take(&mut self.wanted);
        if !wanted.is_empty() {
            gone = list.choose(&wanted, &[]);
        }
        if !gone.is_empty() {
            self.message = describe_gone(&gone);
        }
    }

    /// Looks for experiments.
    fn list_experiments(&mut self) {
        let roots = self.roots.clone();
        self.jobs.ask(RunsTask::Experiments, move |job| {
            let folders = roots.iter().flat_map(|root| experiments_below(root));
            let folders = folders.take_while(|_| !job.is_canceled());
            // A folder whose definition can't be read says why when it is opened by its path.
            let found = folders.filter_map(|folder| {
                let (manifest, progress) = ExperimentProgress::read(&folder).ok()?;
                let title = fork::title(&folder, &manifest);
                Some(RunEntry::experiment((&folder, &title), progress))
            });
            Ok(RunsAnswer::Experiments(found.collect()))
        });
    }

    /// Lists the saved runs again, and reads those that are shown.
    pub(super) fn reread(&mut self, live: Option<&RunModel>) {
        self.since = Duration::ZERO;
        if let RunSource::Saved(saves) = &self.sets[0].source {
            match saves.clone() {
                None => {
                    let facts = SavedRunFacts::default();
                    self.take_list(Vec::new(), facts, live);
                }
                Some(saves) => self.jobs.ask(RunsTask::List, move |_| {
                    let (listed, facts) = run_facts::list(&saves);
                    Ok(RunsAnswer::Listed(listed, Box::new(facts)))
                }),
            }
            self.list_experiments();
        }
        self.read(&self.list().displayed());
        self.look();
    }

    /// Reads the runs in progress again.
    pub(super) fn reread_open(&mut self, live: Option<&RunModel>) {
        self.since = Duration::ZERO;
        let open = self.open_runs(live);
        self.read(&open);
        let mut listed = self.sets[0].list.entries().iter();
        if listed.any(RunEntry::is_open_experiment) {
            self.list_experiments();
        }
        self.look();
    }

    /// The shown runs that another process may be writing.
    pub(super) fn open_runs(&self, live: Option<&RunModel>) -> Vec<usize> {
        if self.saves().is_none() {
            return Vec::new();
        }
        let shown = self.figures.lines.iter().flat_map(|line| &line.members);
        let open = shown.copied().filter(|&place| {
            let run = &self.list().entries()[place];
            let is_live = live.is_some_and(|live| self.saves_live(&run.name, live));
            run.status == RunStage::Running && !is_live
        });
        open.collect()
    }

    /// Reads the shown runs that have not been read. Islands are compared with all others.
    pub(super) fn read_missing(&mut self, live: Option<&RunModel>) {
        let entries = self.list().entries();
        let shown = self.figures.lines.iter().flat_map(|line| &line.members);
        let all = if self.list().shows_all {
            entries.len()
        } else {
            0
        };
        let is_saved = self.saves().is_some();
        let missing = shown.copied().chain(0..all).filter(|&place| {
            let run = &entries[place];
            if !is_saved && run.end.is_none() {
                return false;
            }
            let is_live = live.is_some_and(|live| self.saves_live(&run.name, live));
            run.history.is_none() && !is_live && !self.set().pending.contains(&run.name)
        });
        let missing: Vec<usize> = missing.collect();
        if missing.is_empty() {
            return;
        }
        // Only one run is read while the cursor passes many.
        let is_preview = self.list().displayed().is_empty() && missing.len() == 1;
        if !is_preview || self.set().pending.is_empty() {
            self.read(&missing);
        }
    }

    /// Reads runs, with those that are being read.
    fn read(&mut self, places: &[usize]) {
        let index = self.current;
        let RunSet {
            source,
            list,
            pending,
            ..
        } = &mut self.sets[index];
        let places: BTreeSet<usize> = places.iter().copied().collect();
        let is_wanted = |(place, run): &(usize, &RunEntry)| {
            pending.contains(&run.name) || places.contains(place)
        };
        let wanted = list.entries().iter().enumerate().filter(is_wanted);
        let wanted: Vec<(RunName, Option<RunKind>)> = wanted
            .map(|(place, run)| ((place, run.name.clone()), run.kind.clone()))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let runs = list.entries().len().min(4 * wanted.len());
        let task = RunsTask::Histories(index);
        let names = wanted.iter().map(|((_, name), _)| name.clone());
        let mut names: BTreeSet<String> = names.collect();
        match source {
            RunSource::Saved(Some(saves)) => {
                let saves = saves.clone();
                self.jobs.ask(task, move |job| {
                    for (name, kind) in wanted.into_iter().take_while(|_| !job.is_canceled()) {
                        let read = RunHistory::read(&saves, (&name.1, kind), runs);
                        let read = read.map(Box::new).map_err(|error| error.to_string());
                        job.report(RunsAnswer::Read(name, read));
                    }
                    Ok(RunsAnswer::Done)
                });
            }
            RunSource::Experiment(experiment) => {
                let Some(folder) = experiment.folder.clone() else {
                    return;
                };
                let unread = wanted.into_iter().filter_map(|(name, _)| {
                    let unread = experiment.unread(name.0, list)?;
                    Some((name, unread))
                });
                let unread: Vec<UnreadRun> = unread.collect();
                if unread.is_empty() {
                    return;
                }
                let runs = list.entries().len();
                names = unread.iter().map(|(name, ..)| name.1.clone()).collect();
                self.jobs.ask(task, move |job| {
                    read_rows(&folder, unread, runs, job);
                    Ok(RunsAnswer::Done)
                });
            }
            RunSource::Saved(None) => return,
        }
        self.sets[index].pending = names;
    }

    /// Opens the folder of an experiment.
    pub(super) fn open_folder(&mut self, path: PathBuf) {
        let is_it = |known: &Experiment| known.setup.folder == path.display().to_string();
        let is_known = |set: &RunSet| set.experiment().is_some_and(is_it);
        if let Some(known) = self.sets.iter().position(is_known) {
            self.show_set(known);
            return self.look();
        }
        self.jobs.ask(RunsTask::Open, move |_| {
            let folder = match ExperimentFolder::open(std::slice::from_ref(&path)) {
                Ok(mut folders) => folders.swap_remove(0),
                Err(_) if experiments_below(&path).len() > 1 => {
                    return Ok(RunsAnswer::OpenedSeveral(path));
                }
                Err(error) => return Err(error.into()),
            };
            let manifest = folder.manifest().clone();
            let setup = ExperimentSetup {
                columns: all_columns(&manifest)?,
                column: manifest.sweep.as_ref().and_then(|it| it.column.clone()),
                manifest,
                shard: Shard::WHOLE,
                threads: 1,
                folder: path.display().to_string(),
                x_unit: ProgressUnit::Generations,
            };
            Ok(RunsAnswer::Opened(Box::new((setup, folder))))
        });
    }

    /// Shows an experiment that is read from its folder.
    fn show_folder(&mut self, (setup, folder): (ExperimentSetup, ExperimentFolder)) {
        self.show_experiment(setup);
        self.change(self.current, |it, _| {
            (it.state, it.is_known) = (ExperimentState::Read, false);
            it.folder = Some(Arc::new(folder));
        });
        self.look();
    }

    /// Shows an experiment.
    pub(super) fn show_experiment(&mut self, setup: ExperimentSetup) {
        self.options.charts.x_unit = setup.x_unit;
        let experiment = Experiment::new(setup);
        let column = Some(experiment.main_column.clone());
        let source = RunSource::Experiment(Box::new(experiment));
        let mut set = RunSet::new(source);
        set.column = (column, None);
        self.sets.push(set);
        self.show_set(self.sets.len() - 1);
        self.view = self.usual_view();
    }

    /// Looks for runs that have been finished since, in the folder of the shown experiment.
    fn look(&mut self) {
        let index = self.current;
        let shown = self.experiment();
        let read = shown.filter(|experiment| experiment.state == ExperimentState::Read);
        let Some((experiment, Some(folder))) = read.map(|it| (it, it.folder.clone())) else {
            return;
        };
        let ids = folder.manifest().run_ids().into_iter();
        let left = ids.filter_map(|id| match experiment.trials.get(&id) {
            Some(trial) if trial.is_finished() => None,
            known => Some((id, known.and_then(|trial| trial.checkpoint))),
        });
        let ids: Vec<(RunId, Option<SystemTime>)> = left.collect();
        if ids.is_empty() && !experiment.awaits_confirmation() {
            return;
        }
        self.jobs.ask(RunsTask::Look(index), move |job| {
            look_for(&folder, &ids, job);
            Ok(RunsAnswer::Done)
        });
    }

    /// Starts the experiment.
    pub fn start(&mut self, folder: &Arc<ExperimentFolder>) {
        let begun = Arc::clone(folder);
        self.change(self.current, |it, _| it.folder = Some(Arc::clone(folder)));
        self.start_in(move |_| Ok(Some(begun)));
    }

    /// Starts the shown experiment in the folder that its job begins, unless it is canceled before.
    fn start_in(
        &mut self,
        begin: impl FnOnce(&Job<RunsAnswer>) -> Result<Option<Arc<ExperimentFolder>>, JobError>
        + Send
        + 'static,
    ) {
        let Some(setup) = self.experiment().map(|experiment| &experiment.setup) else {
            return;
        };
        let (shard, threads) = (setup.shard, setup.threads);
        self.jobs.ask(RunsTask::Run(self.current), move |job| {
            let Some(folder) = begin(job)? else {
                return Ok(RunsAnswer::Ended(Ok(ExperimentEnd::Halted)));
            };
            Ok(RunsAnswer::Ended(run(&RunSpec {
                folder: &folder,
                shard,
                threads,
                team: None,
                waits: true,
                halt: job.token.flag(),
                on_event: &|event| job.report(RunsAnswer::Event(Box::new(event))),
            })))
        });
    }

    /// Advances the clock of the shown experiment.
    pub(super) fn advance_clock(&mut self) {
        self.change(self.current, |it, _| it.set_time(it.clock.elapsed()));
    }

    /// Stops the runs of experiments between two games.
    pub(super) fn stop(&mut self) {
        for index in 0..self.sets.len() {
            if let Some((experiment, _)) = self.experiment_of(index)
                && experiment.state == ExperimentState::Running
            {
                experiment.state = ExperimentState::Stopping;
                self.jobs.hasten(&RunsTask::Run(index));
            }
        }
    }

    /// Handles an event of the experiment.
    pub fn apply(&mut self, event: ExperimentEvent) {
        self.apply_to(self.current, event);
    }

    fn apply_to(&mut self, set: usize, event: ExperimentEvent) {
        self.change(set, |it, list| it.apply(event, list));
        self.figures.is_outdated = true;
    }

    /// Takes note of the end of the shown experiment.
    pub fn end(&mut self, ended: Result<ExperimentEnd, ExperimentError>) {
        self.end_of(self.current, ended);
    }

    fn end_of(&mut self, set: usize, ended: Result<ExperimentEnd, ExperimentError>) {
        self.change(set, |it, _| it.end(ended));
        self.figures.is_outdated = true;
        if set == self.current {
            // Nothing is left that they would slow down.
            self.figures.last = None;
        }
    }

    /// Does the branches of a fork as an experiment, or saves a second run and compares it with the
    /// first.
    pub(super) fn start_fork(&mut self, request: &ForkRequest, run: &RunModel) {
        self.menu.close();
        self.options.charts.crosshair.hide();
        let saves = match &self.sets[0].source {
            RunSource::Saved(saves) => saves.clone(),
            RunSource::Experiment(_) => None,
        };
        let own = request.clone();
        match &request.purpose {
            ForkPurpose::Compare(manifest) => {
                let manifest = (**manifest).clone();
                let is_known = |set: &RunSet| match &set.source {
                    RunSource::Experiment(known) => known.setup.manifest == manifest,
                    RunSource::Saved(_) => false,
                };
                if let Some(known) = self.sets.iter().position(is_known) {
                    self.show_set(known);
                } else {
                    self.show_experiment(ExperimentSetup {
                        columns: vec![run.facts.columns.clone(); manifest.presets.len()],
                        manifest: manifest.clone(),
                        shard: Shard::WHOLE,
                        threads: request.threads,
                        folder: request.fork.folder(&request.run).display().to_string(),
                        column: None,
                        x_unit: ProgressUnit::Generations,
                    });
                    self.start_in(move |job| fork::begin((&own, &manifest), saves.as_ref(), job));
                }
            }
            ForkPurpose::SecondRun => {
                let generation = format::whole(request.fork.generation());
                self.message = format!("evolving a second run to generation {generation}");
                let list = &mut self.sets[0].list;
                list.choose(std::slice::from_ref(&request.run), &[]);
                self.show_set(0);
                self.view = RunsView::Curves;
                self.jobs.ask(RunsTask::SecondRun, move |job| {
                    let saved = fork::second_run(&own, saves.as_ref(), job);
                    saved.map(RunsAnswer::SecondRun)
                });
            }
        }
        self.update(Some(run));
    }

    fn show_second_run(&mut self, name: String, live: Option<&RunModel>) {
        self.message = format!("{name} is saved; it is continued from the Home screen");
        self.wanted = live.map(RunModel::name).into_iter().chain([name]).collect();
        self.show_set(0);
        self.reread(live);
    }
}

/// Reads the rows of finished runs.
fn read_rows(
    folder: &ExperimentFolder,
    unread: Vec<UnreadRun>,
    runs: usize,
    job: &Job<RunsAnswer>,
) {
    for (name, (id, part, kind)) in unread.into_iter().take_while(|_| !job.is_canceled()) {
        let read = folder.rows(id, part);
        let read = read.map(|(names, rows)| Box::new(kind.load(runs, &names, &rows)));
        let read = read.map_err(|error| error.to_string());
        job.report(RunsAnswer::Read(name, read));
    }
}

/// Reports how far the experiment is, the outcomes of finished runs, and the checkpoints of others
/// that have been replaced since. Damaged files stay as they are: the process that does the runs
/// finds them too.
fn look_for(folder: &ExperimentFolder, ids: &[(RunId, Option<SystemTime>)], job: &Job<RunsAnswer>) {
    let (manifest, parts) = (folder.manifest(), parts(folder.manifest()));
    let progress = ExperimentProgress::of(folder.root(), manifest);
    job.report(RunsAnswer::Progress(progress));
    for &(id, known) in ids.iter().take_while(|_| !job.is_canceled()) {
        for &part in &parts {
            let written = folder.checkpoint_time(id, part);
            if let Some(written) = written.filter(|_| written != known)
                && let Ok(Some(run)) = folder.checkpoint(id, part)
            {
                job.report(RunsAnswer::Begun(id, written, Box::new(run)));
            }
        }
        let mut longest = parts.iter().rev();
        let found = longest.find_map(|&part| match folder.status(id, part) {
            RunStatus::Missing => None,
            status => Some((part, status)),
        });
        if let Some((part, RunStatus::Finished(outcome))) = found {
            let done = ExperimentEvent::AlreadyDone { id, part, outcome };
            job.report(RunsAnswer::Event(Box::new(done)));
        }
    }
    let sweep = manifest.sweep.as_ref();
    let sweep = sweep.filter(|_| !job.is_canceled() && !progress.is_open());
    let confirmed = sweep.and_then(|sweep| Confirmation::read(folder.root(), sweep).ok()?);
    if let Some(confirmation) = confirmed {
        job.report(RunsAnswer::Confirmed(Box::new(confirmation)));
    }
}

/// The error of a run, without the folder, which is the same for all runs.
fn describe_error(name: &str, error: &str) -> String {
    match error.find(&format!("{name}/")) {
        Some(index) => error[index..].to_owned(),
        None => format!("{name}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Waker;
    use crate::model::context::Context;
    use crate::screen::Screen;
    use crate::screens::runs::SCOPE;
    use crate::theme::Theme;
    use finches_engine::metrics::Row;
    use finches_runs::storage::experiments::manifest::Manifest;
    use finches_runs::storage::experiments::outcome::RunOutcome;
    use finches_runs::storage::presets;

    #[test]
    fn the_mean_is_that_of_all_runs_once_the_last_is_read_whatever_other_figures_took() {
        let preset = presets::load("nim-2x4-value").expect("it ships");
        let manifest = Manifest::new(vec![preset], 1, 2).expect("the names differ");
        let ids = manifest.run_ids();
        let setup = ExperimentSetup {
            columns: all_columns(&manifest).expect("it is sound"),
            manifest,
            shard: Shard::WHOLE,
            threads: 1,
            folder: String::new(),
            column: None,
            x_unit: ProgressUnit::Generations,
        };
        let mut screen = RunsScreen::alone(setup, Waker::default());
        for &id in &ids {
            let outcome = RunOutcome {
                preset: "nim-2x4-value".to_owned(),
                seed: id.seed,
                recipe: String::new(),
                generations: 1,
                reached: None,
                latest: std::collections::BTreeMap::new(),
                rows_checksum: String::new(),
                players_checksum: None,
            };
            let part = RunPart::WHOLE;
            screen.apply(ExperimentEvent::AlreadyDone { id, part, outcome });
        }
        screen.catch_up(None);
        let names = screen.list().names_of(&[0, 1]);
        screen.sets[0].pending = names.iter().cloned().collect();
        // Other figures were worked out, and that took long.
        screen.figures.last = Some((Instant::now(), Duration::from_secs(60)));
        let kind = screen.experiment().map(|it| it.kind(0).clone());
        let kind = kind.expect("it is an experiment");
        let columns: Vec<String> = kind.columns.names().map(str::to_owned).collect();
        for (place, name) in names.into_iter().enumerate() {
            let row = Row::from_values(vec![Some(0.0); columns.len()]);
            let history = Ok(Box::new(kind.load(2, &columns, &[row])));
            let read = Ok(RunsAnswer::Read((place, name), history));
            screen.handle_answer(RunsTask::Histories(0), read, None);
        }
        let mean = screen.figures.means[0].as_ref();
        assert_eq!(mean.map(|(_, runs)| *runs), Some(2));
        // The end is not waited for, although nothing else changes any more.
        screen.end(Ok(ExperimentEnd::Done));
        let mut context = Context::new(Theme::dark(), Waker::default(), SCOPE);
        assert!(screen.tick(Duration::ZERO, &mut context), "a frame");
        assert!(screen.after_frame(&mut context), "the figures");
    }
}
