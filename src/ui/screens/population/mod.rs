//! Screen 2: the members of a generation, the newest or one whose population was kept, and how the champions of different generations do against each other. It takes keys
//! and holds what is listed; champions meet on a thread of their own.

use std::cell::Cell;
use std::sync::Arc;

use crossbeam_channel::{Receiver, unbounded};
use crossterm::event::{KeyEvent, KeyEventKind};

use crate::evolution::archive::Champion;
use crate::run::Facts;
use crate::session::Census;
use crate::storage::saves::Saves;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Wheel;
use crate::ui::screens::champions::{Champions, Wanted};
use crate::ui::zoom::Zoom;

use self::kept::{Kept, Reading};
use self::rivals::{Report, Rivals};
use self::roll::{Column, Order, Roll};

mod cross;
mod kept;
mod matrix;
mod panes;
mod rivals;
mod roll;
mod table;
mod view;

/// The population.
pub struct PopulationScreen {
    champions: Champions,
    seed: u64,
    roll: Option<Roll>,
    /// The newest generation.
    newest: Option<Arc<Census>>,
    /// Whether the newest generation is listed as it comes; not after an older one was chosen.
    follows: bool,
    kept: Kept,
    message: String,
    order: Order,
    page: Page,
    /// Whether the page is all that is seen.
    zoom: Zoom,
    /// The line of the selected member.
    cursor: usize,
    /// Members listed when they were last drawn.
    listed: Cell<usize>,
    /// The line of the selected champion.
    champion: usize,
    rivals: Rivals,
    news: Receiver<News>,
}

/// Something that a thread of this screen has found.
pub struct News(Piece);

enum Piece {
    Reading(Reading),
    Report(Report),
}

impl From<Reading> for News {
    fn from(reading: Reading) -> Self {
        Self(Piece::Reading(reading))
    }
}

impl From<Report> for News {
    fn from(report: Report) -> Self {
        Self(Piece::Report(report))
    }
}

/// What the keys go to, and what is seen where there is no room for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    Members,
    Champions,
}

/// What can be clicked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A line of the table of members.
    Line(usize),
    Heading(Column),
    /// A line of the matrix.
    Champion(usize),
}

/// Someone to be looked into.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhibit {
    pub champion: Arc<Champion>,
    /// Its place in the population; none where it is a champion.
    pub place: Option<usize>,
}

impl PopulationScreen {
    /// The screen of a run, and where it is saved.
    pub fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        let (out, news) = unbounded();
        Self {
            champions: Champions::new(facts, saves),
            seed: facts.seed,
            roll: None,
            newest: None,
            follows: true,
            kept: Kept::new(out.clone()),
            message: String::new(),
            order: Column::Fitness.order(),
            page: Page::Members,
            zoom: Zoom::Out,
            cursor: 0,
            listed: Cell::new(1),
            champion: 0,
            rivals: Rivals::new(out),
            news,
        }
    }

    /// Takes note of the newest champion of the run.
    pub fn latest(&mut self, champion: &Champion) {
        self.champions.latest(champion);
    }

    /// Takes note of the newest generation, and lists its members unless an older one was chosen.
    pub fn look(&mut self, census: Option<&Arc<Census>>) {
        let Some(census) = census.filter(|census| !census.members.is_empty()) else {
            return;
        };
        self.newest = Some(Arc::clone(census));
        if self.follows {
            self.list(census);
        }
    }

    /// Lists the members of a generation, unless they are listed already.
    fn list(&mut self, census: &Arc<Census>) {
        let is_listed = |roll: &Roll| Arc::ptr_eq(&roll.census, census);
        if !self.roll.as_ref().is_some_and(is_listed) {
            self.roll = Some(Roll::new(Arc::clone(census), self.order));
            self.step(0);
        }
    }

    /// Where news of champions that meet and of populations that are read come in, to be handed to [`PopulationScreen::hear`].
    pub fn news(&self) -> Receiver<News> {
        self.news.clone()
    }

    pub fn hear(&mut self, news: News) {
        match news.0 {
            Piece::Reading(reading) => self.read(reading),
            Piece::Report(report) => self.rivals.hear(report),
        }
    }

    /// Takes in what has come of reading a population.
    fn read(&mut self, reading: Reading) {
        match self.kept.take(reading) {
            Some((_, Ok(Some(census)))) => {
                self.follows = false;
                self.list(&census);
            }
            Some((Wanted::NewerThan(_), Ok(None))) => self.follow(),
            Some((_, Ok(None))) => {
                "no older population is kept".clone_into(&mut self.message);
            }
            Some((_, Err(fault))) => self.message = fault,
            None => {}
        }
    }

    /// Lists the newest generation, and those that come.
    fn follow(&mut self) {
        self.follows = true;
        if let Some(newest) = self.newest.clone() {
            self.list(&newest);
        }
    }

    /// Waits until populations are read and champions that meet have done so, for whoever has no screen to keep alive.
    pub fn settle(&mut self) {
        while self.kept.is_reading() || self.rivals.is_playing() {
            let Ok(news) = self.news.recv() else {
                return;
            };
            self.hear(news);
        }
    }

    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let action = keymap::action(Scope::Population, key)?;
        self.act(action)
    }

    pub fn wheel(&mut self, wheel: Wheel) {
        if let Some(action) = keymap::wheel(Scope::Population, wheel) {
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) -> Option<Action> {
        const FAR: isize = isize::MAX / 4;
        let page = self.listed.get().max(1) as isize;
        self.message.clear();
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-page),
            Action::PageDown => self.step(page),
            Action::First => self.step(-FAR),
            Action::Last => self.step(FAR),
            Action::NextOrder => self.next_order(),
            Action::Reverse => self.sort(self.order.reversed()),
            Action::NextPane => self.turn_page(),
            Action::Meet => self.meet(),
            Action::OlderPopulation => self.turn(Wanted::OlderThan),
            Action::NewerPopulation if self.follows => self.kept.forget(),
            Action::NewerPopulation => self.turn(Wanted::NewerThan),
            zoomed if self.zoom.takes(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    pub fn click(&mut self, spot: Spot) {
        match spot {
            Spot::Line(line) => {
                self.page = Page::Members;
                self.cursor = line;
                self.step(0);
            }
            Spot::Heading(column) if column == self.order.column => {
                self.sort(self.order.reversed());
            }
            Spot::Heading(column) => self.sort(column.order()),
            Spot::Champion(line) => {
                self.page = Page::Champions;
                self.champion = line;
                self.step(0);
            }
        }
    }

    /// Turns to an older or a newer population.
    fn turn(&mut self, wanted: fn(u64) -> Wanted) {
        self.page = Page::Members;
        let shown = self.roll.as_ref().map(|roll| roll.census.generation);
        let wanted = shown.map_or(Wanted::Newest, wanted);
        self.kept.read(self.champions.clone(), wanted);
    }

    fn turn_page(&mut self) {
        self.page = match self.page {
            Page::Members => Page::Champions,
            Page::Champions => Page::Members,
        };
    }

    /// Goes through the lines of the page, and never out.
    fn step(&mut self, by: isize) {
        let lines = match self.page {
            Page::Members => self.roll.as_ref().map_or(0, |roll| roll.members().len()),
            Page::Champions => self.rivals.matrix.as_ref().map_or(0, matrix::Matrix::len),
        };
        let cursor = match self.page {
            Page::Members => &mut self.cursor,
            Page::Champions => &mut self.champion,
        };
        let last = lines.saturating_sub(1);
        *cursor = (*cursor).min(last).saturating_add_signed(by).min(last);
    }

    fn next_order(&mut self) {
        let Some(roll) = &self.roll else { return };
        let here = roll.columns.iter().position(|&it| it == self.order.column);
        let next = here.map_or(0, |here| (here + 1) % roll.columns.len());
        self.sort(roll.columns[next].order());
    }

    fn sort(&mut self, order: Order) {
        self.order = order;
        if let Some(roll) = &mut self.roll {
            roll.sort(order);
        }
    }

    /// Lets champions meet, or ends that.
    fn meet(&mut self) {
        self.page = Page::Champions;
        if self.rivals.is_playing() {
            self.rivals.stop();
        } else {
            self.rivals.begin(self.champions.clone(), self.seed);
        }
    }

    /// The selected member, or the selected champion.
    pub fn selected(&self) -> Option<Exhibit> {
        match self.page {
            Page::Members => {
                let roll = self.roll.as_ref()?;
                let member = roll.members().get(self.cursor)?;
                let champion = Champion {
                    generation: roll.census.generation,
                    fitness: member.fitness.unwrap_or(f64::NAN),
                    genome: roll.census.members[member.place].clone(),
                };
                Some(Exhibit {
                    champion: Arc::new(champion),
                    place: Some(member.place),
                })
            }
            Page::Champions => {
                let champions = &self.rivals.matrix.as_ref()?.champions;
                Some(Exhibit {
                    champion: Arc::clone(champions.get(self.champion)?),
                    place: None,
                })
            }
        }
    }
}
