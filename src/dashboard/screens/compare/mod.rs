//! Screen 8: compares the live run and saved runs on any column. Saved runs are read from disk in
//! the background.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::layout::Rect;

use crate::format;
use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::keymap::{self, Action, Scope};
use crate::model::fork::ForkRequest;
use crate::model::run::RunModel;
use finches_engine::session::measures::progress;
use finches_runs::storage::run_facts::{self, SavedRunFacts};
use finches_runs::storage::saves::{SavedRunEntry, Saves};
use finches_runs::storage::views::ComparisonViews;

use self::export::ComparisonExport;
use self::fork::{ForkUpdate, ForkView};
use self::input::CompareInput;
use self::options::ComparisonOptions;
use self::runs::ComparedRuns;
use self::screen::SCOPE;
use self::series::{ComparedSeries, SavedRunHistory, grouped};
use self::views::{ViewMenu, describe_gone};
mod actions;
mod export;
mod fork;
mod input;
mod list;
mod options;
mod parameters;
mod runs;
mod screen;
mod series;
mod table;
mod view;
mod views;

/// The data of a selected run, or the reason why it cannot be read.
type LoadedHistory = Result<SavedRunHistory, String>;

/// The background work of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CompareTask {
    List,
    /// Read a run.
    Read(String),
    Export,
    /// Read or write the saved views.
    Views,
    /// Work out a fork of the run.
    Fork,
}

/// A result of background work.
enum CompareAnswer {
    /// The saved runs, latest first, and what a filter can ask about them.
    Listed(Vec<SavedRunEntry>, Box<SavedRunFacts>),
    /// The saved views, and what has been done with them in words.
    Views(ComparisonViews, String),
    Read(String, Box<SavedRunHistory>),
    /// A message with the paths of the exported files.
    Exported(String),
    Fork(ForkUpdate),
    /// A second run has been saved under this name.
    SecondRun(String),
}

/// The state of the Compare screen.
pub struct CompareScreen {
    saves: Option<Saves>,
    /// The list of runs, and which of them are compared.
    runs: ComparedRuns,
    /// The run under the cursor, shown while none is selected.
    preview: Option<String>,
    known: BTreeMap<String, LoadedHistory>,
    /// The runs to select once they are listed.
    wanted: Vec<String>,
    options: ComparisonOptions,
    /// The text that is being typed.
    input: Option<CompareInput>,
    menu: ViewMenu,
    /// The fork that is shown in place of the runs.
    fork: Option<ForkView>,
    is_fork_hidden: bool,
    jobs: Jobs<CompareTask, CompareAnswer>,
    /// The time since runs in progress were last read.
    since: Duration,
    message: String,
}

/// The interval at which runs in progress are read again.
const REREAD_INTERVAL: Duration = Duration::from_secs(5);

/// A click target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareTarget {
    /// A run in the list.
    Run(usize),
    /// A row of the menu of views.
    View(usize),
    /// The plot area of the chart.
    Chart(Rect),
}

impl CompareScreen {
    pub fn new(waker: Waker) -> Self {
        Self {
            saves: None,
            runs: ComparedRuns::default(),
            preview: None,
            known: BTreeMap::new(),
            wanted: Vec::new(),
            options: ComparisonOptions::default(),
            input: None,
            menu: ViewMenu::default(),
            fork: None,
            is_fork_hidden: false,
            jobs: Jobs::new(waker),
            since: Duration::ZERO,
            message: String::new(),
        }
    }

    /// Takes in results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers, live: Option<&RunModel>) {
        let handle = |it: &mut Self, task, answer| it.handle_answer(task, answer, live);
        Jobs::take(self, wanted, |it| &mut it.jobs, handle);
    }

    fn handle_answer(
        &mut self,
        task: CompareTask,
        answer: Result<CompareAnswer, JobError>,
        live: Option<&RunModel>,
    ) {
        match (task, answer) {
            (_, Ok(CompareAnswer::Read(name, history))) => {
                self.known.insert(name, Ok(*history));
            }
            (CompareTask::Read(name), Err(error)) => {
                let error = error.to_string();
                if self.displayed_names().any(|displayed| *displayed == name) {
                    self.message = describe_error(&name, &error);
                }
                self.known.insert(name, Err(error));
            }
            (_, Ok(CompareAnswer::Listed(listed, facts))) => {
                let mut gone = self.runs.set_listed(listed, *facts, live);
                let wanted = std::mem::take(&mut self.wanted);
                if !wanted.is_empty() {
                    gone = self.runs.choose(&wanted, &[], live);
                    self.read(self.runs.displayed().cloned().collect());
                }
                if !gone.is_empty() {
                    self.message = describe_gone(&gone);
                }
            }
            (_, Ok(CompareAnswer::Views(views, words))) => {
                self.menu.set(views);
                if !words.is_empty() {
                    self.message = words;
                }
            }
            (_, Ok(CompareAnswer::Exported(words))) => self.message = words,
            (_, Ok(CompareAnswer::SecondRun(name))) => {
                self.show_second_run(name, live);
            }
            (_, Ok(CompareAnswer::Fork(update))) => {
                if let Some(fork) = &mut self.fork {
                    fork.take(update);
                }
            }
            (_, Err(error)) => self.message = error.to_string(),
        }
        self.update_preview(live);
    }

    /// The names of the runs shown: those pinned and selected, or the one under the cursor.
    fn displayed_names(&self) -> impl Iterator<Item = &String> {
        self.runs.displayed().chain(&self.preview)
    }

    /// Shows the run under the cursor while none is selected. Only one is read at a time, since the
    /// cursor may pass many.
    fn update_preview(&mut self, live: Option<&RunModel>) {
        self.preview = None;
        let Some(name) = self.runs.current(live) else {
            return;
        };
        if self.runs.displayed().next().is_some() {
            return;
        }
        let is_live = live.map(RunModel::name).as_ref() == Some(&name);
        if !is_live && !self.known.contains_key(&name) && !self.jobs.is_busy() {
            self.read(vec![name.clone()]);
        }
        self.preview = Some(name);
    }

    /// The shown runs that a process has open.
    fn runs_in_progress(&self) -> Vec<String> {
        let names = self.displayed_names();
        names
            .filter(|name| self.runs.is_open(name))
            .cloned()
            .collect()
    }

    fn reread(&mut self, live: Option<&RunModel>) {
        self.since = Duration::ZERO;
        if let Some(saves) = &self.saves {
            let saves = saves.clone();
            self.jobs.ask(CompareTask::List, move |_| {
                let (listed, facts) = run_facts::list(&saves);
                Ok(CompareAnswer::Listed(listed, Box::new(facts)))
            });
            self.read(self.runs.displayed().cloned().collect());
        } else if !self.runs.is_listed() {
            let facts = SavedRunFacts::default();
            self.runs.set_listed(Vec::new(), facts, live);
        }
    }

    fn read(&mut self, names: Vec<String>) {
        let Some(saves) = &self.saves else { return };
        for name in names {
            let (saves, task) = (saves.clone(), CompareTask::Read(name.clone()));
            self.jobs.ask(task, move |_| {
                let history = SavedRunHistory::read(&saves, &name)?;
                Ok(CompareAnswer::Read(name, Box::new(history)))
            });
        }
    }

    /// Reads the shown runs that have not been read.
    fn read_missing(&mut self, live: Option<&RunModel>) {
        let live = live.map(RunModel::name);
        let is_missing =
            |name: &&String| live.as_ref() != Some(*name) && !self.known.contains_key(*name);
        let names = self.runs.displayed().filter(is_missing);
        self.read(names.cloned().collect());
    }

    /// Works out a fork and shows it, or saves a second run and compares it with the first.
    fn start_fork(&mut self, request: &ForkRequest, run: &RunModel) {
        self.fork = ForkView::of(request, &run.facts.columns);
        self.is_fork_hidden = false;
        self.menu.close();
        self.options.charts.crosshair.hide();
        if self.fork.is_none() {
            let generation = format::whole(request.fork.generation());
            self.message = format!("evolving a second run to generation {generation}");
            self.runs.selected = vec![request.run.clone()];
        }
        let (request, saves) = (request.clone(), self.saves.clone());
        self.jobs.ask(CompareTask::Fork, move |job| {
            fork::work_out(&request, saves.as_ref(), job)
        });
    }

    /// Whether a line of the chart is the mean of several runs.
    fn is_averaged(&self) -> bool {
        self.shown_fork().is_some() || self.options.is_grouped()
    }

    /// The fork, unless the list of runs is shown.
    fn shown_fork(&self) -> Option<&ForkView> {
        self.fork.as_ref().filter(|_| !self.is_fork_hidden)
    }

    fn show_or_hide_fork(&mut self) {
        if self.fork.is_some() {
            self.is_fork_hidden = !self.is_fork_hidden;
        } else {
            let key = keymap::label(Scope::GLOBAL, Action::Fork);
            self.message = format!("there is no fork yet: {key} forks the current run");
        }
    }

    fn show_second_run(&mut self, name: String, live: Option<&RunModel>) {
        self.message = format!("{name} is saved; it is continued from the Home screen");
        self.runs.selected.push(name);
        self.reread(live);
        if let Some(live) = live {
            let live = live.name();
            self.runs.selected.retain(|name| *name != live);
            self.runs.selected.insert(0, live);
        }
    }

    /// The runs of the chart that have been read.
    fn series<'a>(&'a self, live: Option<&'a RunModel>) -> Vec<ComparedSeries<'a>> {
        let series_of = |name: &'a String| match (live, self.known.get(name)) {
            (Some(watch), _) if watch.name() == *name => Some(ComparedSeries::live(name, watch)),
            (_, Some(Ok(saved_run))) => Some(ComparedSeries::saved(name, saved_run)),
            _ => None,
        };
        match self.shown_fork() {
            Some(fork) => fork.examples(),
            None => self.displayed_names().filter_map(series_of).collect(),
        }
    }

    /// The series shown for a column: the runs, averaged by preset if they are grouped.
    fn shown_series<'a>(
        &'a self,
        live: Option<&'a RunModel>,
        column: &str,
    ) -> Vec<ComparedSeries<'a>> {
        if let Some(fork) = self.shown_fork() {
            return fork.series(column);
        }
        let runs = self.series(live);
        if self.options.is_grouped() {
            grouped(runs, &self.options.grouping, column)
        } else {
            runs
        }
    }

    /// The columns of all shown runs.
    fn columns(runs: &[ComparedSeries<'_>]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in runs.iter().flat_map(|run| run.columns.names()) {
            if progress::GENERATION != *name && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The column shown: the selected one, or the objective of the first run that has one.
    fn column(&self, runs: &[ComparedSeries<'_>]) -> Option<String> {
        let names = Self::columns(runs);
        let wanted = self
            .options
            .column
            .as_ref()
            .filter(|column| names.contains(column));
        let judged = runs.iter().find_map(|run| {
            let index = run.columns.objective()?;
            Some(&run.columns.all()[index].name)
        });
        wanted.or(judged).or(names.first()).cloned()
    }

    /// The x-axis limits of the chart.
    fn window(&self, live: Option<&RunModel>) -> (f64, f64) {
        let runs = self.series(live);
        let column = self.column(&runs).unwrap_or_default();
        self.options.window(&self.shown_series(live, &column))
    }

    fn export(&mut self, live: Option<&RunModel>) {
        let runs = self.series(live);
        let (Some(column), Some(saves)) = (self.column(&runs), self.saves.clone()) else {
            "nothing to export yet".clone_into(&mut self.message);
            return;
        };
        drop(runs);
        let export = ComparisonExport::of(
            &self.shown_series(live, &column),
            &column,
            self.options.charts.x_unit,
        );
        match export {
            Ok(export) => self.jobs.ask(CompareTask::Export, move |_| {
                Ok(CompareAnswer::Exported(export.write(&saves)?))
            }),
            Err(error) => self.message = error.to_string(),
        }
    }
}

/// The error of a run, without the folder, which is the same for all runs.
fn describe_error(name: &str, error: &str) -> String {
    match error.find(&format!("{name}/")) {
        Some(index) => error[index..].to_owned(),
        None => format!("{name}: {error}"),
    }
}
