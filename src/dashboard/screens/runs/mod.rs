//! Screen 8: a set of runs, and questions about it. The runs are saved ones with the live run, or
//! those of an experiment; the views don't know which.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ratatui::layout::Rect;

use crate::jobs::{Jobs, Waker};
use crate::keymap::{self, Scope};
use crate::model::run::RunModel;
use finches_engine::metrics::Column;
use finches_engine::metrics::history::History;
use finches_engine::session::measures::progress;
use finches_lab::experiment::sweep::results::SweepResults;
use finches_lab::experiment::{ExperimentEnd, ExperimentError};
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::fork::ForkDefinition;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::views::{RunGrouping, RunsView};

use self::entry::{RunHistory, RunKind};
use self::experiment::Experiment;
use self::groups::GroupSummary;
use self::input::RunsInput;
use self::islands::IslandsSummary;
use self::list::{RunList, RunRow};
use self::menu::ViewMenu;
use self::options::RunsOptions;
use self::series::{ComparedSeries, average};
use self::work::{RunsAnswer, RunsTask};

mod actions;
mod clock;
mod curves;
mod differences;
mod effects;
mod entry;
mod estimate;
pub mod experiment;
mod export;
mod first_part;
mod fork;
mod groups;
mod header;
mod input;
mod islands;
mod legend;
mod list;
mod list_view;
mod map;
mod menu;
mod options;
mod parameters;
mod screen;
mod series;
pub mod stage;
mod sweep;
mod table;
mod view;
mod work;

pub use self::experiment::{ExperimentSetup, ExperimentState};
pub(crate) use self::screen::ALONE;
use self::screen::{RunsAction, SCOPE};
use self::sweep::{DifferingRuns, PresetValues, SweepView};

/// The folder in which experiments are put by default.
const EXPERIMENTS: &str = "experiments";

/// How an experiment has ended.
type ExperimentResult = Result<ExperimentEnd, ExperimentError>;

/// Where the runs of a set come from.
enum RunSource {
    /// A folder of saved runs, and the run that the dashboard shows.
    Saved(Option<Saves>),
    /// An experiment, which this process does or another has done.
    Experiment(Box<Experiment>),
}

/// A set of runs.
struct RunSet {
    source: RunSource,
    list: RunList,
    /// The names of the runs that are being read.
    pending: BTreeSet<String>,
    /// While it is not shown: the chosen column, and the one that was shown.
    column: (Option<String>, Option<Column>),
}

/// What is worked out of the runs, because it takes too long for every frame.
#[derive(Default)]
struct Figures {
    lines: Vec<RunRow>,
    /// The mean of each line that has several runs, and of how many of them.
    means: Vec<Option<(RunHistory, usize)>>,
    /// What the figures of groups or of differing runs are about, or will be.
    subject: FigureSubject,
    /// For the table of groups.
    groups: Vec<GroupSummary>,
    /// Of the runs of an experiment that exchange champions.
    islands: Option<IslandsSummary>,
    /// For the map and the effects of runs that are none of a sweep.
    differing: Option<SweepResults>,
    /// The column that they are about.
    column: Option<Column>,
    /// Whether runs have changed since.
    is_outdated: bool,
    /// When those of groups or of differing runs were asked for, if they have not arrived.
    asked: Option<Instant>,
    /// When figures were last worked out, and how long it took.
    last: Option<(Instant, Duration)>,
}

/// The view that needs figures, and the runs of each group.
#[derive(Debug, Default, PartialEq, Eq)]
struct FigureSubject {
    view: RunsView,
    groups: Vec<Vec<usize>>,
}

/// What has been worked out: of groups, and of differing runs.
type FigureResult = (Vec<GroupSummary>, Option<Box<SweepResults>>);

/// Works figures out that take too long for a key to wait for.
type FigureWork = Box<dyn FnOnce() -> FigureResult + Send>;

/// The pause after working figures out, as a multiple of its own time. It keeps the cost to the
/// runs low.
const IDLE_FACTOR: u32 = 30;

impl Figures {
    /// Whether they are outdated and were not worked out too recently.
    fn is_due(&self) -> bool {
        let rests = |(at, took): (Instant, Duration)| at.elapsed() < took * IDLE_FACTOR;
        self.is_outdated && self.asked.is_none() && !self.last.is_some_and(rests)
    }

    /// Notes how long it took to work figures out.
    fn end(&mut self, began: Instant) {
        self.last = Some((Instant::now(), began.elapsed()));
    }
}

/// The state of the Runs screen.
pub struct RunsScreen {
    /// The saved runs, then other sets that were opened.
    sets: Vec<RunSet>,
    /// The index of the set that is shown.
    current: usize,
    view: RunsView,
    figures: Figures,
    options: RunsOptions,
    /// The text that is being typed.
    input: Option<RunsInput>,
    menu: ViewMenu,
    /// The runs to select once they are listed.
    wanted: Vec<String>,
    jobs: Jobs<RunsTask, RunsAnswer>,
    /// The experiment under the cursor of the list, by its folder, as it is shown beside it.
    preview: Option<(String, Box<Self>)>,
    /// The folders below which experiments are listed.
    roots: Vec<PathBuf>,
    /// The time since runs in progress were last read.
    since: Duration,
    message: String,
}

/// A click target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsTarget {
    /// A row of the list or of the table.
    Row(usize),
    /// A row of the menu of views.
    View(usize),
    /// The plot area of the chart.
    Chart(Rect),
}

impl RunSet {
    fn new(mut source: RunSource) -> Self {
        let list = match &mut source {
            RunSource::Saved(_) => RunList::default(),
            RunSource::Experiment(experiment) => experiment.start_list(),
        };
        Self {
            source,
            list,
            pending: BTreeSet::new(),
            column: (None, None),
        }
    }

    fn experiment(&self) -> Option<&Experiment> {
        match &self.source {
            RunSource::Experiment(experiment) => Some(experiment),
            RunSource::Saved(_) => None,
        }
    }

    /// What a run has in common with others, as far as it is known.
    fn kind(&self, place: usize, live: Option<&RunModel>) -> Option<RunKind> {
        let entry = &self.list.entries()[place];
        match (&self.source, live) {
            (RunSource::Experiment(experiment), _) => Some(experiment.kind(place).clone()),
            (RunSource::Saved(_), Some(live)) if live.name() == entry.name => {
                Some(RunKind::new(&live.facts.preset, &live.facts.columns))
            }
            _ => {
                let loaded = entry.loaded().map(|loaded| &loaded.kind);
                loaded.or(entry.kind.as_ref()).cloned()
            }
        }
    }
}

/// The name of an island, by its index.
fn island_name(place: usize) -> String {
    format!("island {}", place + 1)
}

impl RunsScreen {
    /// The screen in the row of tabs: of the saved runs.
    pub fn new(waker: Waker) -> Self {
        Self::with(RunSet::new(RunSource::Saved(None)), waker)
    }

    /// The screen of an experiment, alone in its dashboard.
    pub fn alone(setup: ExperimentSetup, waker: Waker) -> Self {
        let mut screen = Self::with(RunSet::new(RunSource::Saved(None)), waker);
        screen.show_experiment(setup);
        screen.sets.remove(0);
        screen.current = 0;
        screen.update(None);
        screen
    }

    fn with(set: RunSet, waker: Waker) -> Self {
        Self {
            sets: vec![set],
            current: 0,
            view: RunsView::Curves,
            figures: Figures::default(),
            options: RunsOptions::default(),
            input: None,
            menu: ViewMenu::default(),
            wanted: Vec::new(),
            jobs: Jobs::new(waker),
            preview: None,
            roots: vec![PathBuf::from(EXPERIMENTS)],
            since: Duration::ZERO,
            message: String::new(),
        }
    }

    /// The screen whose views are shown: that of the experiment under the cursor, once it is open.
    fn shown(&self) -> &Self {
        let preview = self.preview.as_ref().map(|(_, preview)| &**preview);
        preview
            .filter(|preview| preview.current > 0)
            .unwrap_or(self)
    }

    /// Opens the experiment under the cursor beside the list, unless runs are shown there.
    fn update_preview(&mut self) {
        let run = self
            .list()
            .current_run()
            .map(|place| &self.list().entries()[place]);
        let run = run.filter(|it| it.experiment.is_some() && self.figures.lines.is_empty());
        let folder = run.map(|run| run.name.clone());
        if folder.as_ref() != self.preview.as_ref().map(|(known, _)| known) {
            let waker = self.jobs.waker();
            self.preview = folder.map(|folder| {
                let mut preview = Box::new(Self::new(waker));
                preview.open_folder(PathBuf::from(&folder));
                (folder, preview)
            });
        }
    }

    fn set(&self) -> &RunSet {
        &self.sets[self.current]
    }

    fn list(&self) -> &RunList {
        &self.sets[self.current].list
    }

    fn list_mut(&mut self) -> &mut RunList {
        &mut self.sets[self.current].list
    }

    /// Whether this is the only screen of the dashboard.
    fn is_alone(&self) -> bool {
        !matches!(self.sets[0].source, RunSource::Saved(_))
    }

    fn scope(&self) -> Scope {
        if self.is_alone() { ALONE } else { SCOPE }
    }

    /// The experiment of a set, and its list.
    fn experiment_of(&mut self, set: usize) -> Option<(&mut Experiment, &mut RunList)> {
        let RunSet { source, list, .. } = &mut self.sets[set];
        match source {
            RunSource::Experiment(experiment) => Some((experiment, list)),
            RunSource::Saved(_) => None,
        }
    }

    /// Changes the experiment of a set, if it is one.
    fn change(&mut self, set: usize, how: impl FnOnce(&mut Experiment, &mut RunList)) {
        if let Some((experiment, list)) = self.experiment_of(set) {
            how(experiment, list);
        }
    }

    /// The experiment that is shown.
    pub fn experiment(&self) -> Option<&Experiment> {
        self.set().experiment()
    }

    /// The fork that is shown.
    fn fork(&self) -> Option<(&Experiment, &ForkDefinition)> {
        let experiment = self.experiment()?;
        Some((experiment, experiment.setup.manifest.fork.as_ref()?))
    }

    /// The folder of the saved runs, if these are shown.
    fn saves(&self) -> Option<&Saves> {
        match &self.set().source {
            RunSource::Saved(saves) => saves.as_ref(),
            RunSource::Experiment(_) => None,
        }
    }

    /// How the experiment has ended, and its damaged files.
    pub fn take_ending(&mut self) -> (Option<ExperimentResult>, Vec<StorageError>) {
        let shown = self.experiment_of(self.current);
        shown.map_or_else(Default::default, |(experiment, _)| {
            let damaged = std::mem::take(&mut experiment.damaged);
            (experiment.ended.take(), damaged)
        })
    }

    /// The columns of the shown runs.
    fn columns(&self, live: Option<&RunModel>) -> Vec<Column> {
        let mut all: Vec<Column> = Vec::new();
        for columns in self.kinds(live).iter().map(|kind| &kind.columns) {
            for column in columns.all() {
                let is_known = all.iter().any(|known| known.name == column.name);
                if progress::GENERATION != *column.name && !is_known {
                    all.push(column.clone());
                }
            }
        }
        all
    }

    /// What the runs of each line have in common.
    fn kinds(&self, live: Option<&RunModel>) -> Vec<RunKind> {
        let lines = self.figures.lines.iter();
        let first = lines.filter_map(|line| {
            let mut members = line.members.iter();
            members.find_map(|&place| self.set().kind(place, live))
        });
        first.collect()
    }

    /// The column shown: the selected one, or the objective of the first run that has one.
    fn find_column(&self, live: Option<&RunModel>) -> Option<Column> {
        let kinds = self.kinds(live);
        let named = |name: &str| {
            let mut columns = kinds.iter().flat_map(|kind| kind.columns.all());
            columns.find(|column| column.name == name).cloned()
        };
        let objective = |kind: &RunKind| kind.columns.objective_column().cloned();
        let chosen = self.options.column.as_deref().and_then(named);
        let usual = || kinds.iter().find_map(objective);
        let first = || self.columns(live).into_iter().next();
        // The cursor may stand on an experiment.
        let before = || self.figures.column.clone();
        chosen.or_else(usual).or_else(first).or_else(before)
    }

    /// Shows an opened set by its own column: the last one, or that which it is judged by.
    fn show_set(&mut self, index: usize) {
        let left = (self.options.column.take(), self.figures.column.take());
        self.sets[self.current].column = left;
        self.current = index;
        (self.options.column, self.figures.column) = self.sets[index].column.clone();
    }

    /// Whether the column has been chosen, and is not the one by which the shown runs are judged.
    fn is_other_column(&self) -> bool {
        let chosen = self.options.column.as_ref();
        let main = self.experiment().map(|it| it.main_column.as_str());
        chosen.is_some_and(|chosen| main.is_none_or(|main| *chosen != main))
    }

    /// How many of the files behind a view have been read, and of how many, as long as its figures
    /// are those of a part of the runs.
    fn loading(&self, view: RunsView) -> Option<(usize, usize)> {
        let entries = self.list().entries();
        if let Some(experiment) = self.experiment().filter(|it| !it.is_known) {
            let all = experiment.progress.map_or(entries.len(), |it| it.finished);
            return Some((experiment.done().min(all), all));
        }
        let members = self.figures.lines.iter().flat_map(|line| &line.members);
        let shown = members.map(|&place| &entries[place]);
        let read = shown.clone().filter(|run| run.history.is_some()).count();
        let is_awaited = |name| self.set().pending.contains(name);
        let left = shown.filter(|run| run.history.is_none() && is_awaited(&run.name));
        let left = left.count();
        (view == RunsView::Curves && left > 0 && read + left > 1).then_some((read, read + left))
    }

    /// The rows of a run, as far as they have been read, with what it is.
    fn rows_of<'a>(
        &'a self,
        place: usize,
        live: Option<&'a RunModel>,
    ) -> Option<(RunKind, &'a History)> {
        let run = &self.list().entries()[place];
        match live.filter(|live| self.saves_live(&run.name, live)) {
            Some(live) => {
                let kind = RunKind::new(&live.facts.preset, &live.facts.columns);
                Some((kind, &live.history))
            }
            None => run
                .loaded()
                .map(|loaded| (loaded.kind.clone(), &loaded.history)),
        }
    }

    /// The lines whose runs have been read.
    fn series<'a>(&'a self, live: Option<&'a RunModel>) -> Vec<ComparedSeries<'a>> {
        let lines = self.figures.lines.iter().zip(&self.figures.means);
        let series = lines.filter_map(|(line, mean)| {
            let first = *line.members.first()?;
            let entries = self.list().entries();
            let members = line.members.iter();
            let ended = members.filter(|&&place| entries[place].end.is_some());
            // Of a group, some runs may be selected.
            let mut rows = self.list().rows().iter();
            let whole = rows.find(|row| row.name == line.name).unwrap_or(line);
            let (kind, history) = match mean {
                Some((mean, _)) => (mean.kind.clone(), &mean.history),
                None if line.members.len() > 1 => return None,
                None => self.rows_of(first, live)?,
            };
            Some(ComparedSeries {
                name: self.label(line),
                words: self.words(line),
                counts: [
                    mean.as_ref().map_or(1, |mean| mean.1),
                    ended.count(),
                    whole.members.len(),
                ],
                seed: mean.is_none().then_some(entries[first].seed),
                to_target: groups::time_to_target(self, line),
                kind,
                history,
            })
        });
        series.collect()
    }

    /// The name of a row where there is little room: of presets that are named by values, these.
    fn label(&self, row: &RunRow) -> String {
        self.named(row, PresetValues::short)
    }

    /// The name of a row, with the names of the parameters of its values.
    fn words(&self, row: &RunRow) -> String {
        self.named(row, PresetValues::words)
    }

    /// The name of a row on screen: the values of its preset, with the seed of a run of it; of an
    /// island, its number; of an experiment, its title.
    fn named(&self, row: &RunRow, name: fn(&PresetValues, &str) -> Option<String>) -> String {
        let run = &self.list().entries()[row.members[0]];
        if run.experiment.is_some() {
            return run.preset.clone();
        }
        let manifest = self.experiment().map(|it| &it.setup.manifest);
        if manifest.is_some_and(|it| it.islands.is_some()) && !self.list().has_groups() {
            return island_name(row.members[0]);
        }
        let values = self.list().values.as_ref();
        let words = if self.list().has_groups() {
            values.and_then(|values| name(values, &row.name))
        } else {
            let values = values.and_then(|values| name(values, &run.preset));
            values.map(|values| format!("{values} seed {}", run.seed))
        };
        words.unwrap_or_else(|| row.name.clone())
    }

    /// Whether a run of the set is the live one.
    fn saves_live(&self, name: &str, live: &RunModel) -> bool {
        matches!(self.set().source, RunSource::Saved(_)) && live.name() == name
    }

    /// The x-axis limits of the chart.
    fn window(&self, live: Option<&RunModel>) -> (f64, f64) {
        let column = self.figures.column.as_ref();
        self.options.window(&self.series(live), column)
    }

    /// The sweep that is shown or, of another column or of other runs, these as if they were one.
    fn sweep(&self) -> Option<SweepView<'_>> {
        let results = if self.is_sweep() {
            self.experiment()?.sweep.as_ref()?
        } else {
            self.figures.differing.as_ref()?
        };
        let chosen = self.options.pair.as_ref();
        Some(SweepView { results, chosen })
    }

    /// Whether the runs are those of a sweep, judged as the sweep judges them.
    fn is_sweep(&self) -> bool {
        let manifest = self.experiment().map(|it| &it.setup.manifest);
        manifest.is_some_and(|it| it.sweep.is_some()) && !self.is_other_column()
    }

    /// The sweep, if the list has its combinations by rank.
    fn ranked_sweep(&self) -> Option<&SweepResults> {
        let list = self.list();
        let has_ranks = list.has_groups() && *list.grouping() == RunGrouping::ByPreset;
        self.experiment()?.sweep.as_ref().filter(|_| has_ranks)
    }

    /// What figures the view needs.
    fn figure_subject(&self) -> FigureSubject {
        let list = self.list();
        let members = |row: &RunRow| row.members.clone();
        let groups = match self.view {
            RunsView::Map | RunsView::Effects if self.is_sweep() => Vec::new(),
            RunsView::Map | RunsView::Effects => vec![list.displayed_or_all()],
            _ => list.rows().iter().map(members).collect(),
        };
        let view = self.view;
        FigureSubject { view, groups }
    }

    /// The work behind the figures that the view needs.
    fn figure_work(&self) -> FigureWork {
        let column = self.figures.column.as_ref();
        match (&self.figures.subject.groups[..], column) {
            (_, column) if !matches!(self.view, RunsView::Map | RunsView::Effects) => {
                let column = column.map_or("", |column| column.name.as_str());
                let groups = groups::of_list(self, column);
                Box::new(|| (groups::summaries(groups), None))
            }
            ([members], Some(column)) => {
                let runs = DifferingRuns::of((self.set(), self.view), members, column);
                Box::new(|| (Vec::new(), runs.and_then(|it| it.results()).map(Box::new)))
            }
            _ => Box::new(FigureResult::default),
        }
    }

    fn take_figures(&mut self, (groups, differing): FigureResult) {
        (self.figures.groups, self.figures.differing) = (groups, differing.map(|it| *it));
    }

    /// Why a view has nothing to say about the runs, if so.
    fn refusal(&self, view: RunsView) -> Option<String> {
        let experiment = self.experiment().map(|it| &it.setup.manifest);
        let varied = experiment.and_then(|manifest| manifest.sweep.as_ref());
        match view {
            RunsView::Map if varied.is_some_and(|sweep| sweep.keys.len() < 2) => {
                Some("this sweep varies one parameter, and a map shows two".to_owned())
            }
            RunsView::Map | RunsView::Effects if self.fork().is_some() => Some(format!(
                "{}: a fork is compared by the pairs of runs with the same seed",
                view.name()
            )),
            RunsView::Map | RunsView::Effects if !self.list().may_differ => Some(format!(
                "{}: these runs differ in no parameter",
                view.name()
            )),
            RunsView::Curves | RunsView::Table | RunsView::Map | RunsView::Effects => None,
            RunsView::Differences if self.figures.lines.len() > 1 => None,
            RunsView::Differences => Some(format!(
                "select two runs with {} to see what differs",
                keymap::label(self.scope(), RunsAction::Select.action())
            )),
        }
    }

    /// The view that suits the shown set at first.
    fn usual_view(&self) -> RunsView {
        let manifest = self.experiment().map(|it| &it.setup.manifest);
        if manifest.is_some_and(|it| it.sweep.is_some() || it.matrix.is_some()) {
            RunsView::Table
        } else {
            RunsView::Curves
        }
    }

    /// Brings what is shown up to date after a key, and asks for what has not been read.
    fn update(&mut self, live: Option<&RunModel>) {
        if let (RunSource::Saved(_), Some(live)) = (&self.set().source, live) {
            self.list_mut().set_live(live);
        }
        let is_of_parameters = matches!(self.view, RunsView::Map | RunsView::Effects);
        if is_of_parameters && self.refusal(self.view).is_some() {
            self.view = RunsView::Curves;
        }
        let lines = self.list().lines();
        let before = std::mem::replace(&mut self.figures.lines, lines);
        let column = self.find_column(live);
        let is_same = before == self.figures.lines && column == self.figures.column;
        self.figures.column = column;
        if !is_same {
            self.work_out(live);
        }
        let subject = self.figure_subject();
        if !is_same || subject != self.figures.subject {
            self.figures.subject = subject;
            self.take_figures(FigureResult::default());
            self.ask_for_figures();
        }
        self.read_missing(live);
        self.update_preview();
    }

    /// Brings everything up to date. The figures of groups and of differing runs follow.
    fn refresh(&mut self, live: Option<&RunModel>) {
        self.list_mut().update_rows();
        self.update(live);
        self.work_out(live);
        self.update(live);
        self.figures.is_outdated = false;
    }

    /// Brings everything up to date at once. For callers without an event loop.
    pub fn catch_up(&mut self, live: Option<&RunModel>) {
        self.refresh(live);
        self.jobs.cancel(&RunsTask::Figures);
        self.figures.asked = None;
        self.take_figures(self.figure_work()());
    }

    /// Sets the time since the experiment began.
    pub fn set_time(&mut self, now: Duration) {
        self.change(self.current, |it, _| it.set_time(now));
    }

    /// Works out the figures that a chart needs.
    fn work_out(&mut self, live: Option<&RunModel>) {
        self.change(self.current, Experiment::update);
        let column = self.figures.column.as_ref();
        let name = column.map_or("", |column| column.name.as_str());
        let means = self
            .figures
            .lines
            .iter()
            .map(|line| self.mean(line, name, live));
        self.figures.means = means.collect();
        self.figures.islands = islands::summary(self);
    }

    /// The mean of a line that has several runs, unless most of them are still to be read.
    fn mean(
        &self,
        line: &RunRow,
        column: &str,
        live: Option<&RunModel>,
    ) -> Option<(RunHistory, usize)> {
        let entries = self.list().entries();
        let is_awaited = |place: &&usize| {
            let run = &entries[**place];
            run.history.is_none() && self.set().pending.contains(&run.name)
        };
        let awaited = line.members.iter().filter(is_awaited).count();
        if line.members.len() == 1 || 2 * awaited > line.members.len() {
            return None;
        }
        let runs = line.members.iter().filter_map(|&place| {
            let (kind, history) = self.rows_of(place, live)?;
            let is_met = entries[place].end.is_some_and(|end| end.reached.is_some());
            Some((kind, history, is_met))
        });
        let runs: Vec<_> = runs.collect();
        Some((average(&runs, column)?, runs.len()))
    }
}
