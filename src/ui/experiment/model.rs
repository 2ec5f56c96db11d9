//! The model of an experiment's dashboard: what is on screen, as a function of its news, the keys pressed and time passed.
//! Drawing it changes nothing, and it knows no terminal.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::experiment::summary::{Line, Summary};
use crate::experiment::{Ended, News, Shard};
use crate::metrics::history::History;
use crate::metrics::over::Over;
use crate::metrics::{Column, Columns};
use crate::preset::Preset;
use crate::storage::StorageError;
use crate::storage::experiments::manifest::{Cell, Manifest};
use crate::storage::experiments::outcome::Outcome;
use crate::ui::mouse::Regions;
use crate::ui::screens::run::lens::Charts;
use crate::ui::theme::Theme;
use crate::ui::widgets::fan::Fate;
use crate::ui::widgets::needle::Needle;

use super::trial::{Aim, Trial, course};
use super::view;

/// What the dashboard shows an experiment of.
#[derive(Clone, Debug)]
pub struct Setup {
    pub manifest: Manifest,
    /// The columns of each preset.
    pub columns: Vec<Columns>,
    pub shard: Shard,
    pub threads: usize,
    /// The folder of the experiment, in words.
    pub folder: String,
    /// The column that is asked for.
    pub column: Option<String>,
    /// What the charts go over at first.
    pub over: Over,
}

/// Where the experiment stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Stopping,
    Done,
    Failed(String),
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Stop between two games.
    Stop,
    /// Leave without waiting for that.
    LeaveNow,
    /// Leave; nothing goes on.
    Leave,
}

/// Which charts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A chart for each preset, or one for each run where all fit.
    All,
    /// The runs of the selected preset, a chart each.
    One,
}

/// Whether charts share their range of generations and figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    Same,
    Own,
}

/// Everything on screen.
#[derive(Debug)]
pub struct Model {
    pub theme: Theme,
    pub setup: Setup,
    pub state: State,
    pub trials: BTreeMap<Cell, Trial>,
    /// All columns of any preset, and the place of the one shown.
    pub columns: Vec<Column>,
    pub column: usize,
    /// The summary as far as it goes.
    pub summary: Summary,
    /// Runs whose files could not be trusted.
    pub damaged: Vec<StorageError>,
    pub selected: usize,
    pub shown: Shown,
    pub axes: Axes,
    /// Axis, scale and window of the charts.
    pub charts: Charts,
    /// Where values are read.
    pub needle: Needle,
    /// The page of charts.
    pub page: usize,
    pub is_helping: bool,
    pub size: (u16, u16),
    /// The presets whose charts lie where in the latest frame.
    pub regions: Regions<usize>,
    pub now: Duration,
    /// Presets with more finished runs than the summary knows.
    dirty: BTreeSet<usize>,
    /// Generations done by now, and at moments of the last seconds.
    generations: u64,
    past: VecDeque<(Duration, u64)>,
}

/// Over how long a time speed is measured.
const RECENT: Duration = Duration::from_secs(5);

impl Model {
    pub fn new(theme: Theme, setup: Setup) -> Self {
        let columns = union(&setup.columns);
        let main = main_column(&setup);
        let manifest = &setup.manifest;
        let summary = Summary {
            first_seed: manifest.first_seed,
            runs: manifest.runs,
            presets: Vec::new(),
            comparisons: Vec::new(),
        };
        let column = columns.iter().position(|column| column.name == main);
        let mut model = Self {
            theme,
            state: State::Running,
            trials: BTreeMap::new(),
            column: column.unwrap_or(0),
            columns,
            summary,
            damaged: Vec::new(),
            selected: 0,
            shown: Shown::All,
            axes: Axes::Same,
            charts: Charts::along_axis(setup.over),
            needle: Needle::default(),
            page: 0,
            is_helping: false,
            size: (80, 24),
            regions: Regions::default(),
            now: Duration::ZERO,
            dirty: (0..manifest.presets.len()).collect(),
            generations: 0,
            past: VecDeque::new(),
            setup,
        };
        model.sum_up();
        model
    }

    /// Takes in what the experiment tells.
    pub fn apply(&mut self, news: News) {
        let now = self.now;
        match news {
            News::Damaged(fault) => self.damaged.push(fault),
            News::Kept { cell, outcome } | News::Finished { cell, outcome } => {
                self.finish(cell, outcome);
            }
            News::ToDo(cells) => {
                for cell in cells {
                    self.trials.insert(cell, Trial::waiting());
                }
            }
            News::Begun(cell) => self.trial(cell).begin(now),
            News::Rows { cell, rows } => {
                let runs = self.trials.len();
                let columns = &self.setup.columns[cell.preset];
                let trial = self.trials.entry(cell).or_insert_with(Trial::waiting);
                trial.advance(&rows, || course(columns, runs), now);
                self.generations += rows.len() as u64;
            }
            News::Ended(ended) => {
                self.state = match ended {
                    Ok(Ended::Done) => State::Done,
                    Ok(Ended::Halted) => State::Stopping,
                    Err(fault) => State::Failed(fault),
                }
            }
        }
    }

    /// Takes in the course of a run that was finished before.
    pub fn recall(&mut self, cell: Cell, course: History) {
        self.trial(cell).course = Some(course);
    }

    fn trial(&mut self, cell: Cell) -> &mut Trial {
        self.trials.entry(cell).or_insert_with(Trial::waiting)
    }

    fn finish(&mut self, cell: Cell, outcome: Outcome) {
        let preset = &self.setup.manifest.presets[cell.preset];
        let trial = self.trials.entry(cell).or_insert_with(Trial::waiting);
        trial.finish(outcome, preset);
        self.dirty.insert(cell.preset);
    }

    /// Whether the summary lags behind.
    pub fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// Brings the summary up to date, preset by preset as the printed one.
    pub fn sum_up(&mut self) {
        let presets = &self.setup.manifest.presets;
        for place in std::mem::take(&mut self.dirty) {
            let own = self.trials.iter().filter(|(cell, _)| cell.preset == place);
            let finished: Vec<(Cell, &Outcome)> = own
                .filter_map(|(cell, trial)| Some((*cell, trial.outcome.as_ref()?)))
                .collect();
            let preset = &presets[place];
            let line = Line::of((place, preset), &finished, self.setup.column.as_deref());
            // A column without a figure is told of when all is done.
            let Ok(line) = line else { continue };
            let lines = &mut self.summary.presets;
            match lines.iter_mut().find(|known| known.preset == preset.name) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
        }
    }

    /// Lets time pass since the beginning; it stands still once nothing goes on.
    pub fn tick(&mut self, now: Duration) {
        if self.is_over() {
            return;
        }
        self.now = now;
        let latest = self.past.back().map(|(at, _)| *at);
        if latest.is_none_or(|at| now.saturating_sub(at) >= RECENT / 10) {
            self.past.push_back((now, self.generations));
        }
        while let Some((at, _)) = self.past.front()
            && now.saturating_sub(*at) > RECENT
        {
            self.past.pop_front();
        }
    }

    /// Generations a second, all runs together, over the last seconds.
    pub fn speed(&self) -> Option<f64> {
        let (from, done) = *self.past.front()?;
        let passed = self.now.saturating_sub(from).as_secs_f64();
        (passed >= 0.5).then(|| (self.generations - done) as f64 / passed)
    }

    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Done | State::Failed(_))
    }

    /// How many runs have that fate.
    pub fn count(&self, fate: Fate) -> usize {
        let trials = self.trials.values();
        trials.filter(|trial| trial.fate == fate).count()
    }

    /// Runs that are finished.
    pub fn done(&self) -> usize {
        let trials = self.trials.values();
        trials.filter(|trial| trial.is_finished()).count()
    }

    pub fn presets(&self) -> &[Preset] {
        &self.setup.manifest.presets
    }

    /// The runs of a preset, by seed.
    pub fn of(&self, preset: usize) -> impl Iterator<Item = (Cell, &Trial)> {
        let trials = self.trials.iter();
        let own = trials.filter(move |(cell, _)| cell.preset == preset);
        own.map(|(cell, trial)| (*cell, trial))
    }

    /// The column shown.
    pub fn column(&self) -> Option<&Column> {
        self.columns.get(self.column)
    }

    /// The place of the column shown among those of a preset.
    pub fn place(&self, preset: usize) -> Option<usize> {
        self.setup.columns[preset].place(&self.column()?.name)
    }

    /// Which figures of the column shown are good: those towards the target where it is about the column.
    pub fn aim(&self) -> Aim {
        let name = self.column().map_or("", |column| &column.name);
        let low = |preset: &Preset| {
            let target = preset.until.split_once("<=");
            target.is_some_and(|(column, _)| column.trim() == name)
        };
        if name == "wrong_decisions" || self.presets().iter().any(low) {
            Aim::Low
        } else {
            Aim::High
        }
    }

    /// Draws into a buffer of its own.
    pub fn draw(&self, width: u16, height: u16) -> Buffer {
        self.drawn(width, height).0
    }

    /// A buffer of its own, and where the charts of which presets are in it.
    pub fn drawn(&self, width: u16, height: u16) -> (Buffer, Regions<usize>) {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        let regions = view::view(self, area, &mut buf);
        (buf, regions)
    }
}

/// All columns that any preset has, in the order of files, without those that only number the rows.
fn union(presets: &[Columns]) -> Vec<Column> {
    let mut union: Vec<Column> = Vec::new();
    for column in presets.iter().flat_map(Columns::all) {
        let numbers = ["generation", "seconds"].contains(&column.name.as_str());
        if !numbers && !union.iter().any(|known| known.name == column.name) {
            union.push(column.clone());
        }
    }
    union
}

/// The column shown first: the one asked for, else of those of the targets and the objectives the one that most presets have.
/// Fitness is one that every run has.
fn main_column(setup: &Setup) -> String {
    if let Some(asked) = &setup.column {
        return asked.clone();
    }
    let targets = setup.manifest.presets.iter().filter_map(Preset::target);
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
    main.unwrap_or_else(|| "best_fitness".to_owned())
}
