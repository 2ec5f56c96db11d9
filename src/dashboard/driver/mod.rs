//! Carries out what the model asks for: starts, resumes and stops runs, and reads saved files. It
//! does not use the terminal.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;

use finches_engine::preset::Preset;
use finches_engine::rng::any_seed;
use finches_engine::session::cost::RunCost;
use finches_runs::launch::{LaunchError, PreparedRun};
use finches_runs::run::follow::{FollowEvent, RunFollower};
use finches_runs::run::message::{Phase, RunCommand, RunEvent};
use finches_runs::run::pace::Pace;
use finches_runs::run::{Run, RunInfo, WorkerOptions};
use finches_runs::storage::bundled_champions;
use finches_runs::storage::exported_files;
use finches_runs::storage::organize;
use finches_runs::storage::presets;
use finches_runs::storage::saves::RunFile;

use super::app::AppModel;
use super::jobs::{Jobs, Waker};
use super::keymap::{self, GlobalAction, Scope};
use super::model::run::RunModel;
use super::screen::{ExportFile, Request, ScreenEvent};
use super::screens::home::Home;
use super::settings::{DashboardSettings, UiError};

pub(super) use self::start::open_start;

mod start;

/// The current run, and the folder of saved runs.
pub(super) struct Driver {
    pub(super) settings: DashboardSettings,
    run: Option<Run>,
    /// A run that takes much memory or disk, until the user has agreed.
    costly: Option<Box<RunFile>>,
    /// A run of another process.
    following: Option<RunFollower>,
    /// Stops the run, which returns its last events.
    stopping: Option<Jobs<(), Vec<RunEvent>>>,
}

impl Driver {
    pub(super) fn new(settings: DashboardSettings) -> Self {
        Self {
            settings,
            run: None,
            costly: None,
            following: None,
            stopping: None,
        }
    }

    /// Builds the home screen with all presets.
    pub(super) fn home(&self) -> Home {
        let shipped = presets::names()
            .into_iter()
            .filter_map(|name| presets::load(name).ok());
        let folder = self.settings.launch.saves.root().display().to_string();
        let mut home = Home::new(shipped.collect(), folder);
        if self.settings.launch.is_saving {
            home.keep_speeds(
                self.settings.launch.saves.clone(),
                self.settings.launch.threads,
            );
        }
        home
    }

    /// Lists the saved runs.
    pub(super) fn list_runs(&self, model: &mut AppModel) {
        let runs = self.settings.launch.saves.list();
        model.tell(&ScreenEvent::SavedRunsListed(&runs));
    }

    /// Events of the current run, or a channel that never receives.
    pub(super) fn events(&self) -> Receiver<RunEvent> {
        self.run
            .as_ref()
            .map_or_else(crossbeam_channel::never, |run| run.events().clone())
    }

    /// Events of a followed run, or a channel that never receives.
    pub(super) fn followed_events(&self) -> Receiver<FollowEvent> {
        let following = self.following.as_ref();
        following.map_or_else(crossbeam_channel::never, |run| run.events().clone())
    }

    /// Follows a run of another process.
    fn follow(&mut self, name: String, model: &mut AppModel) -> Result<(), UiError> {
        let saves = self.settings.launch.saves.clone();
        model.follow_run(&name);
        self.following = Some(RunFollower::start(saves, name)?);
        Ok(())
    }

    /// Drops a run whose worker has ended.
    pub(super) fn forget_run(&mut self) {
        self.run = None;
    }

    pub(super) fn send(&self, command: RunCommand) {
        if let Some(run) = &self.run {
            // A worker that has ended has already reported why.
            run.send(command);
        }
    }

    /// Starts a preset with the seed of the command line, or a random one.
    fn start_any(&mut self, preset: Preset, model: &mut AppModel) -> Result<(), UiError> {
        let seed = self.settings.seed.unwrap_or_else(any_seed);
        self.start(Box::new(RunFile::new(preset, seed)), model)
    }

    /// Does a run of an experiment again as a saved run, and says where that is.
    fn replay(&mut self, run: Box<RunFile>, model: &mut AppModel) -> Result<(), UiError> {
        self.start(run, model)?;
        let saved = self.run.as_ref().filter(|_| self.costly.is_none());
        if let Some(name) = saved.and_then(|run| run.info().saved_as.as_ref()) {
            let words = format!("this is a copy, evolved from its start and saved as {name}");
            model.context.notify(&words);
        }
        Ok(())
    }

    /// Starts a run, or asks first if it takes much memory or disk.
    fn start(&mut self, run: Box<RunFile>, model: &mut AppModel) -> Result<(), UiError> {
        let excess = RunCost::of(&run.preset).excess();
        if let Some(excess) = excess.filter(|_| !self.settings.launch.allow_cost) {
            model.ask_about_cost(format!("{} {excess}.", run.preset.name));
            self.costly = Some(run);
            return Ok(());
        }
        self.start_now(*run, model)
    }

    /// Starts the run whose cost the user has agreed to.
    fn start_costly(&mut self, model: &mut AppModel) -> Result<(), UiError> {
        match self.costly.take() {
            Some(run) => self.start_now(*run, model),
            None => Ok(()),
        }
    }

    /// Starts a run, which is shown even if it can't be saved.
    fn start_now(&mut self, run: RunFile, model: &mut AppModel) -> Result<(), UiError> {
        let launch = &self.settings.launch;
        let mut run = launch.start(run)?;
        let saved = launch.is_saving.then(|| run.save(&launch.saves));
        self.replace_run(run, Phase::Running, model)?;
        if let (Some(Err(error)), Some(run)) = (saved, &mut model.context.run) {
            run.apply(RunEvent::NotSaved(error.to_string()));
        }
        Ok(())
    }

    /// Carries out a request that takes time.
    pub(super) fn perform(&mut self, request: Request, model: &mut AppModel) {
        let done = match request {
            Request::Start(preset) => self.start_any(*preset, model),
            Request::Replay(run) => self.replay(run, model),
            Request::StartCostly => self.start_costly(model),
            Request::Open(name) => self.open(&name, Phase::Running, model),
            Request::Fork(name) => self.fork(&name, model),
            Request::Play(name) => self.play(&name, model),
            Request::Delete(name) => self.delete(&name, model),
            Request::Rename { run, name } => self.rename(&run, &name, model),
            Request::Tag { run, tags } => self.tag(&run, &tags, model),
            Request::OpenFolder(name) => self.open_folder(&name, model),
            Request::Export(export) => self.export(&export, model),
            Request::Rescan => {
                self.list_runs(model);
                Ok(())
            }
            Request::Send(command) => {
                self.send(command);
                Ok(())
            }
            Request::Leave(_) => Ok(()),
        };
        if let Err(error) = done {
            report_error(model, &error);
        }
    }

    /// Opens a saved run, paused, and the dialog in which it is forked.
    fn fork(&mut self, name: &str, model: &mut AppModel) -> Result<(), UiError> {
        self.open(name, Phase::Paused, model)?;
        model.edit_fork();
        Ok(())
    }

    /// Opens a saved run, which begins in this phase.
    fn open(&mut self, name: &str, phase: Phase, model: &mut AppModel) -> Result<(), UiError> {
        let launch = &self.settings.launch;
        let loaded = launch.saves.load(name)?;
        let session = launch.session(&loaded)?;
        let run = PreparedRun::resume(&launch.saves, &loaded, session)?;
        self.replace_run(run, phase, model)
    }

    /// Replaces the current run, which is saved first.
    fn replace_run(
        &mut self,
        run: PreparedRun,
        phase: Phase,
        model: &mut AppModel,
    ) -> Result<(), UiError> {
        if let Some(run) = self.run.take() {
            run.stop();
        }
        let launch = &self.settings.launch;
        let past = run.past()?;
        let worker = WorkerOptions {
            paused: phase == Phase::Paused,
            ..launch
                .worker_on_screen(&run, &past)
                .map_err(LaunchError::from)?
        };
        let (pace, breakpoints) = (worker.pace, worker.breakpoints.texts());
        let seconds = run.seconds;
        let run = launch.spawn(run, worker)?;
        let mut run_model = RunModel::new(run.info().clone(), seconds);
        run_model.timing.follow(Arc::clone(run.progress()));
        run_model.pace = pace;
        run_model.breakpoints.texts = breakpoints;
        run_model.load_history(&past);
        model.show_run(run_model);
        if pace != Pace::FULL {
            let key = |action: GlobalAction| keymap::label(Scope::GLOBAL, action.action());
            let (faster, slower) = (key(GlobalAction::Faster), key(GlobalAction::Slower));
            model.context.notify(&format!(
                "pace: {pace}; {faster} is faster, {slower} slower"
            ));
        }
        self.run = Some(run);
        Ok(())
    }

    /// Opens the Play screen against the champion of a saved run.
    fn play(&self, name: &str, model: &mut AppModel) -> Result<(), UiError> {
        let saves = &self.settings.launch.saves;
        if let Some(game) = name.strip_prefix("champion-") {
            bundled_champions::add(saves, game)?;
        }
        let file = saves.run_file(name)?;
        if saves.champions(name)?.is_empty() {
            return Err(UiError::Unusable(format!(
                "{name}: no champion has been saved yet"
            )));
        }
        let arena = file
            .preset
            .arena()
            .map_err(|error| UiError::Unusable(error.to_string()))?;
        let facts = RunInfo {
            interventions: file.interventions,
            threads: self.settings.launch.threads,
            saved_as: Some(name.to_owned()),
            ..RunInfo::new(file.preset, file.seed, arena)
        };
        let kept = Some((saves.clone(), name.to_owned()));
        model.show_champions(&facts, kept.as_ref());
        Ok(())
    }

    fn delete(&self, name: &str, model: &mut AppModel) -> Result<(), UiError> {
        self.settings.launch.saves.delete(name)?;
        self.list_runs(model);
        model.context.notify(&format!("{name} is deleted"));
        Ok(())
    }

    fn rename(&self, run: &str, name: &str, model: &mut AppModel) -> Result<(), UiError> {
        self.settings.launch.saves.rename(run, name)?;
        self.list_runs(model);
        model.context.notify(&format!("{run} is now {name}"));
        Ok(())
    }

    fn tag(&self, run: &str, tags: &[String], model: &mut AppModel) -> Result<(), UiError> {
        self.settings.launch.saves.set_tags(run, tags)?;
        self.list_runs(model);
        Ok(())
    }

    /// Opens the folder of a run, or shows and copies its path where there is no desktop.
    fn open_folder(&self, name: &str, model: &mut AppModel) -> Result<(), UiError> {
        let folder = self.settings.launch.saves.folder(name)?;
        let path = std::path::absolute(&folder).unwrap_or(folder);
        let shown = path.display().to_string();
        if organize::open_in_file_manager(&path) {
            model.context.notify(&format!("opened {shown}"));
        } else {
            model.context.notify(&format!("copied: {shown}"));
            model.context.copied = Some(shown);
        }
        Ok(())
    }

    /// Writes an exported file and reports its path: in the folder of its run, or in the current
    /// directory.
    fn export(&self, export: &ExportFile, model: &mut AppModel) -> Result<(), UiError> {
        let folder = match &export.run {
            Some(run) => self.settings.launch.saves.exports_folder(run)?,
            None => PathBuf::from("."),
        };
        let ending = format!(".{}", export.ending);
        let parts = [(ending.as_str(), &export.text)];
        let written = exported_files::export(&folder, &export.stem, &parts)?;
        let words = format!("wrote {}", written[0].display());
        tracing::info!("{words}");
        model.context.notify(&words);
        Ok(())
    }

    /// Stops the run in the background, so that the screen stays responsive.
    pub(super) fn stop(&mut self, waker: &Waker) {
        if let Some(run) = self.run.take() {
            let jobs = self.stopping.insert(Jobs::new(waker.clone()));
            jobs.ask((), |_| Ok(run.stop()));
        }
    }

    /// Whether the run is being stopped.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.as_ref().is_some_and(Jobs::is_busy)
    }

    /// The last events of the run, once it has stopped.
    pub(super) fn last_events(&mut self) -> Vec<RunEvent> {
        let answer = self.stopping.as_mut().and_then(Jobs::receive);
        answer.and_then(|((), last)| last.ok()).unwrap_or_default()
    }

    /// Hands over the run, to continue without a screen.
    pub(super) fn hand_over(&mut self) -> Option<Run> {
        self.run.take()
    }

    /// Abandons the run until the process ends. Stopping it would have to wait for a game and a
    /// save.
    pub(super) fn abandon(&mut self) {
        if let Some(run) = self.run.take() {
            std::mem::forget(run);
        }
    }
}

/// Shows an error on screen and logs it.
fn report_error(model: &mut AppModel, error: &UiError) {
    let words = error.to_string().replace('\n', "; ");
    tracing::warn!("{words}");
    model.context.report_error(words);
}
