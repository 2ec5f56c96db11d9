//! Screen 8: two or more runs over one another on any column: the run that goes on, and saved ones, which are read from disk
//! meanwhile.

use std::collections::BTreeMap;
use std::time::Duration;

use crossbeam_channel::Receiver;
use crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};

use crate::storage::saves::{Listed, Saves};
use crate::ui::app::Effects;
use crate::ui::app::sample::Moved;
use crate::ui::app::watch::Watch;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Wheel;
use crate::ui::widgets::needle::Way;
use crate::ui::widgets::sign::SIGNS;
use crate::ui::zoom::Zoom;

use self::course::{Course, Runner, grouped};
use self::export::Sheet;
use self::look::Look;
use self::reader::{Found, Reader};

mod course;
mod export;
mod figures;
mod list;
mod look;
mod reader;
mod settings;
mod view;

pub use self::reader::Finding;

/// What is known of a run that was chosen, or why it can't be read.
type Known = Result<Course, String>;

/// Runs over one another.
#[derive(Default)]
pub struct CompareScreen {
    saves: Option<Saves>,
    /// The saved runs, the latest first; none before the disk has been looked at.
    listed: Option<Vec<Listed>>,
    /// The runs laid over one another, in the order in which they were chosen.
    chosen: Vec<String>,
    /// The run under the cursor, which is shown for as long as none is chosen.
    pointed: Option<String>,
    known: BTreeMap<String, Known>,
    /// Which run of the list is pointed at.
    cursor: usize,
    look: Look,
    reader: Reader,
    /// Time since growing runs were last read.
    since: Duration,
    message: String,
}

/// Time from one reading of growing runs to the next.
const EVERY: Duration = Duration::from_secs(5);

/// What can be clicked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// A run in the list.
    Run(usize),
    /// The lines of the chart.
    Chart(Rect),
}

impl CompareScreen {
    /// Looks at the disk when the screen is opened.
    pub fn open(&mut self, saves: Option<&Saves>, live: Option<&Watch>) {
        if saves.is_some() {
            self.saves = saves.cloned();
        }
        self.read_again();
        self.point(live);
    }

    /// Where findings come in, to be handed to [`CompareScreen::hear`].
    pub fn findings(&self) -> Receiver<Finding> {
        self.reader.findings().clone()
    }

    pub fn hear(&mut self, finding: Finding, live: Option<&Watch>) {
        self.reader.taken();
        match finding.0 {
            Found::Listed(listed) => self.listed = Some(listed),
            Found::Course(name, course) => {
                if let Err(fault) = &*course {
                    self.message = blamed(&name, fault);
                }
                self.known.insert(name, *course);
            }
            Found::Exported(Ok(words) | Err(words)) => self.message = words,
        }
        self.point(live);
    }

    /// Waits until all that was asked for has come, for whoever has no screen to keep alive.
    pub fn settle(&mut self, live: Option<&Watch>) {
        while self.reader.is_busy() {
            let Ok(finding) = self.reader.findings().recv() else {
                return;
            };
            self.hear(finding, live);
        }
    }

    /// Takes a key, with the run that goes on; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent, live: Option<&Watch>) -> Option<Action> {
        self.message.clear();
        self.act(keymap::action(Scope::Compare, key)?, live)
    }

    fn act(&mut self, action: Action, live: Option<&Watch>) -> Option<Action> {
        let passed = self.do_or_pass(action, live);
        self.point(live);
        passed
    }

    fn do_or_pass(&mut self, action: Action, live: Option<&Watch>) -> Option<Action> {
        let reads = self.look.needle.is_down();
        match action {
            Action::Enter => self.toggle(live),
            Action::ClearChosen => self.chosen.clear(),
            Action::NextMetric => self.turn(1, live),
            Action::PreviousMetric => self.turn(-1, live),
            Action::Read => self.look.needle.toggle(),
            Action::Left => self.step(Way::Back, live),
            Action::Right => self.step(Way::On, live),
            Action::FarLeft => self.step(Way::FarBack, live),
            Action::FarRight => self.step(Way::FarOn, live),
            Action::First if reads => self.step(Way::First, live),
            Action::Last if reads => self.step(Way::Last, live),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = self.names(live).len().saturating_sub(1),
            Action::Up => self.cursor = self.cursor.saturating_sub(1),
            Action::Down => {
                let last = self.names(live).len().saturating_sub(1);
                self.cursor = (self.cursor + 1).min(last);
            }
            Action::GamesAxis => self.look.turn_axis(),
            Action::LogAxis => self.look.charts.toggle_scale(),
            Action::WindowWider => self.look.charts.widen(),
            Action::WindowNarrower => {
                let runs = self.runners(live);
                let longest = runs.iter().map(|run| run.history.end() + 1).max();
                let longest = longest.unwrap_or(0);
                drop(runs);
                self.look.charts.narrow(longest);
            }
            Action::HigherBound => self.look.raise_bound(),
            Action::LowerBound => self.look.lower_bound(),
            Action::GroupRuns => self.look.turn_grouping(),
            Action::ExportRuns => self.export(live),
            Action::ReadAgain => self.read_again(),
            Action::Back if reads => self.look.needle.lift(),
            zoomed if self.look.zoom.takes(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    /// The wheel goes through the list, or where the chart fills the screen, changes its window.
    pub fn wheel(&mut self, wheel: Wheel, live: Option<&Watch>) {
        let action = match (self.look.zoom, wheel) {
            (Zoom::Out, _) => keymap::wheel(Scope::Compare, wheel),
            (Zoom::In, Wheel::Up) => Some(Action::WindowNarrower),
            (Zoom::In, Wheel::Down) => Some(Action::WindowWider),
        };
        if let Some(action) = action {
            self.act(action, live);
        }
    }

    pub fn click(&mut self, pointed: Pointed, cell: Position, live: Option<&Watch>) -> Effects {
        self.message.clear();
        match pointed {
            Pointed::Run(place) => {
                self.cursor = place;
                self.toggle(live);
                self.point(live);
            }
            Pointed::Chart(body) => {
                let length = f64::from(body.width.saturating_sub(1).max(1));
                let share = f64::from(cell.x.saturating_sub(body.x)) / length;
                let window = self.window(live);
                self.look.needle.put(share, self.look.charts.over, window);
            }
        }
        Effects::new()
    }

    /// Lets time pass: runs that another process writes are read again now and then.
    pub fn pass(&mut self, passed: Duration) -> Moved {
        self.since += passed;
        if self.since >= EVERY && !self.reader.is_busy() {
            self.since = Duration::ZERO;
            let growing = self.growing();
            self.read(growing);
        }
        Moved::No
    }

    /// Time until growing runs are read again.
    pub fn due(&self) -> Option<Duration> {
        let is_growing = !self.growing().is_empty();
        is_growing.then(|| {
            EVERY
                .saturating_sub(self.since)
                .max(Duration::from_millis(100))
        })
    }

    /// The runs that are shown: those that are chosen, or the one under the cursor.
    fn laid(&self) -> impl Iterator<Item = &String> {
        self.chosen.iter().chain(&self.pointed)
    }

    /// Keeps the run under the cursor in sight while none is chosen. One at a time is read: a cursor may pass many.
    fn point(&mut self, live: Option<&Watch>) {
        self.pointed = None;
        let Some(name) = self.names(live).get(self.cursor).cloned() else {
            return;
        };
        if !self.chosen.is_empty() {
            return;
        }
        let is_live = live.map(live_name).as_ref() == Some(&name);
        if !is_live && !self.known.contains_key(&name) && !self.reader.is_busy() {
            self.read(vec![name.clone()]);
        }
        self.pointed = Some(name);
    }

    /// The shown runs that some process has open.
    fn growing(&self) -> Vec<String> {
        let is_open = |name: &&String| {
            let mut listed = self.listed.iter().flatten();
            listed.any(|listed| {
                let brief = listed.brief.as_ref();
                listed.name == **name && brief.is_ok_and(|brief| brief.is_open)
            })
        };
        self.laid().filter(is_open).cloned().collect()
    }

    fn read_again(&mut self) {
        self.since = Duration::ZERO;
        if let Some(saves) = &self.saves {
            self.reader.list(saves);
            self.read(self.chosen.clone());
        } else {
            self.listed = Some(Vec::new());
        }
    }

    fn read(&mut self, names: Vec<String>) {
        if let (Some(saves), false) = (&self.saves, names.is_empty()) {
            self.reader.read(saves, names);
        }
    }

    /// All runs there are to choose from, the one that goes on first.
    fn names(&self, live: Option<&Watch>) -> Vec<String> {
        let live = live.map(live_name);
        let saved = self.listed.iter().flatten().map(|listed| &listed.name);
        let others = saved.filter(|name| Some(*name) != live.as_ref()).cloned();
        live.iter().cloned().chain(others).collect()
    }

    fn toggle(&mut self, live: Option<&Watch>) {
        let Some(name) = self.names(live).get(self.cursor).cloned() else {
            return;
        };
        if let Some(place) = self.chosen.iter().position(|chosen| *chosen == name) {
            self.chosen.remove(place);
        } else if self.chosen.len() == SIGNS.len() {
            self.message = format!("more than {} runs can't be told apart", SIGNS.len());
        } else {
            self.chosen.push(name.clone());
            if live.map(live_name).as_ref() != Some(&name) {
                self.read(vec![name]);
            }
        }
    }

    /// The runs of the chart as far as they are known.
    fn runners<'a>(&'a self, live: Option<&'a Watch>) -> Vec<Runner<'a>> {
        let runner = |name: &'a String| match (live, self.known.get(name)) {
            (Some(watch), _) if live_name(watch) == *name => Some(Runner::live(name, watch)),
            (_, Some(Ok(course))) => Some(Runner::saved(name, course)),
            _ => None,
        };
        self.laid().filter_map(runner).collect()
    }

    /// The runs as they are shown, some of them perhaps taken together, on a column.
    fn shown<'a>(&'a self, live: Option<&'a Watch>, column: &str) -> Vec<Runner<'a>> {
        let runs = self.runners(live);
        if self.look.is_grouped() {
            grouped(runs, column)
        } else {
            runs
        }
    }

    /// The columns that at least one shown run has.
    fn columns(runs: &[Runner<'_>]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in runs.iter().flat_map(|run| run.columns.names()) {
            if name != "generation" && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The column shown: the one turned to, else that by which the first run is judged.
    fn column(&self, runs: &[Runner<'_>]) -> Option<String> {
        let names = Self::columns(runs);
        let wanted = self
            .look
            .column
            .as_ref()
            .filter(|column| names.contains(column));
        let judged = runs.iter().find_map(|run| {
            let place = run.columns.objective()?;
            Some(&run.columns.all()[place].name)
        });
        wanted.or(judged).or(names.first()).cloned()
    }

    fn turn(&mut self, by: i64, live: Option<&Watch>) {
        let runs = self.runners(live);
        let names = Self::columns(&runs);
        let shown = self.column(&runs);
        let here = names.iter().position(|name| Some(name) == shown.as_ref());
        let count = names.len().max(1) as i64;
        let next = (here.unwrap_or(0) as i64 + by).rem_euclid(count) as usize;
        let next = names.get(next).cloned();
        drop(runs);
        self.look.column = next;
    }

    /// What the chart shows from left to right.
    fn window(&self, live: Option<&Watch>) -> (f64, f64) {
        let runs = self.runners(live);
        let column = self.column(&runs).unwrap_or_default();
        self.look.window(&self.shown(live, &column))
    }

    fn step(&mut self, way: Way, live: Option<&Watch>) {
        let window = self.window(live);
        self.look.needle.step(way, self.look.charts.over, window);
    }

    fn export(&mut self, live: Option<&Watch>) {
        let runs = self.runners(live);
        let (Some(column), Some(saves)) = (self.column(&runs), self.saves.clone()) else {
            "there is nothing to write yet".clone_into(&mut self.message);
            return;
        };
        drop(runs);
        let sheet = Sheet::of(&self.shown(live, &column), &column, self.look.charts.over);
        match sheet {
            Ok(sheet) => self.reader.export(&saves, sheet),
            Err(fault) => self.message = fault,
        }
    }
}

/// What is wrong with a run, from its name on: the folder is the same for all.
fn blamed(name: &str, fault: &str) -> String {
    match fault.find(&format!("{name}/")) {
        Some(place) => fault[place..].to_owned(),
        None => format!("{name}: {fault}"),
    }
}

/// The name of the run that goes on, also where it is not saved.
fn live_name(watch: &Watch) -> String {
    let saved = watch.facts.saved_as.clone();
    saved.unwrap_or_else(|| format!("{} #{}", watch.facts.preset.name, watch.facts.seed))
}
