//! Screen 3: a champion seen from the inside, by what its genome is. It takes keys and holds what was found; a champion is
//! looked into on a thread of its own, once, and `view` draws what was found.

use std::path::PathBuf;

use crossbeam_channel::Receiver;
use crossterm::event::{KeyEvent, KeyEventKind};

use crate::evolution::archive::Champion;
use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::screens::champions::{Champions, Wanted};
use crate::ui::screens::population::Exhibit;
use crate::ui::zoom::Zoom;

use self::activity::Activity;
use self::examiner::{Answer, Examiner, Export, Question, Subject};
use self::portrait::{Found, Portrait};
use self::sight::Amount;

mod activity;
mod examiner;
mod graph;
mod portrait;
mod sight;
mod strategy;
mod units;
mod view;

pub use self::activity::Moment;
pub use self::examiner::Finding;

/// A champion from the inside.
pub struct NetScreen {
    champions: Champions,
    examiner: Examiner,
    found: Option<Found>,
    /// Whether the newest champion is shown as it comes; not after an older one was chosen.
    follows: bool,
    /// Which of the things that can be pointed at is pointed at.
    cursor: Cursor,
    /// How many of a network's links are drawn.
    amount: Amount,
    zoom: Zoom,
    activity: Activity,
    message: String,
}

/// A place among what a portrait lets one point at; none before the first portrait.
type Cursor = Option<usize>;

/// Where the cursor is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    Left,
    Right,
    Up,
    Down,
}

impl NetScreen {
    /// The champions of a run; [`NetScreen::look`] shows the first.
    pub fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        Self {
            champions: Champions::new(facts, saves),
            examiner: Examiner::new(),
            found: None,
            follows: true,
            cursor: None,
            amount: Amount::Strongest,
            zoom: Zoom::Out,
            activity: Activity::default(),
            message: String::new(),
        }
    }

    /// Takes note of the newest champion of the run.
    pub fn latest(&mut self, champion: &Champion) {
        self.champions.latest(champion);
    }

    /// Looks into the newest champion where that is what is shown, unless one is being looked into.
    pub fn look(&mut self) {
        let shown = self.found.as_ref().map(Found::generation);
        let is_old = shown.is_none() || self.champions.live() > shown;
        if self.follows && is_old && !self.examiner.is_busy() {
            self.ask(Wanted::Newest);
        }
    }

    fn ask(&mut self, wanted: Wanted) {
        self.examiner.ask(Question {
            champions: self.champions.clone(),
            subject: Subject::Wanted(wanted),
        });
    }

    /// Looks into someone who was chosen elsewhere.
    pub fn exhibit(&mut self, exhibit: Exhibit) {
        self.follows = false;
        self.message.clear();
        self.examiner.ask(Question {
            champions: self.champions.clone(),
            subject: Subject::Given(exhibit),
        });
    }

    /// Writes what is shown to files.
    fn export(&mut self) {
        let Some(found) = &self.found else {
            "There is nothing to write yet.".clone_into(&mut self.message);
            return;
        };
        self.examiner.write(Export {
            champions: self.champions.clone(),
            exhibit: found.exhibit.clone(),
        });
    }

    /// Where findings come in, to be handed to [`NetScreen::hear`].
    pub fn findings(&self) -> Receiver<Finding> {
        self.examiner.findings().clone()
    }

    /// Takes a finding in, unless another one has been asked for meanwhile.
    pub fn hear(&mut self, finding: Finding) {
        match self.examiner.take(finding) {
            Some(Answer::Seen(wanted, Ok(Some(found)))) => {
                let is_newest = self.champions.live() == Some(found.generation());
                self.follows = self.follows || (wanted.is_some() && is_newest);
                self.show(found);
            }
            Some(Answer::Seen(wanted, Ok(None))) => self.nobody(wanted),
            Some(Answer::Seen(_, Err(fault)) | Answer::Written(Err(fault))) => self.message = fault,
            Some(Answer::Written(Ok(files))) => self.message = written(&files),
            None => {}
        }
    }

    /// There is no champion of the kind that was wanted.
    fn nobody(&mut self, wanted: Option<Wanted>) {
        match wanted {
            Some(Wanted::OlderThan(_)) => {
                "There is no older champion.".clone_into(&mut self.message);
            }
            Some(Wanted::NewerThan(_)) => {
                self.follows = true;
                "There is no newer champion.".clone_into(&mut self.message);
            }
            Some(Wanted::Newest | Wanted::Exactly(_)) | None => {}
        }
    }

    fn show(&mut self, found: Found) {
        let last = found.portrait.places().saturating_sub(1);
        let place = self
            .cursor
            .unwrap_or_else(|| found.portrait.first_place())
            .min(last);
        self.cursor = Some(place);
        self.activity.show_to(&self.champions, Some(&found));
        self.found = Some(found);
    }

    /// Whether what the network makes of a position is looked at.
    pub fn is_active(&self) -> bool {
        self.activity.is_on()
    }

    /// Shows the network the position of a game, where that is looked at.
    pub fn turn_to(&mut self, moment: Option<Moment>) {
        self.activity.turn_to(moment);
        self.activity.show_to(&self.champions, self.found.as_ref());
    }

    /// Waits until what was asked for is found, for whoever has no screen to keep alive.
    pub fn settle(&mut self) {
        while self.examiner.is_at_work() {
            let Ok(finding) = self.examiner.findings().recv() else {
                return;
            };
            self.hear(finding);
        }
    }

    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        self.message.clear();
        match keymap::action(Scope::Net, key)? {
            Action::Left => self.point(Heading::Left),
            Action::Right => self.point(Heading::Right),
            Action::Up => self.point(Heading::Up),
            Action::Down => self.point(Heading::Down),
            Action::OlderChampion => self.turn(Wanted::OlderThan),
            Action::NewerChampion => self.turn(Wanted::NewerThan),
            Action::AllLinks => self.amount = self.amount.other(),
            Action::Activity => self.activity.toggle(),
            Action::Export => self.export(),
            zoomed if self.zoom.takes(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    fn point(&mut self, heading: Heading) {
        if let (Some(found), Some(cursor)) = (&self.found, self.cursor) {
            self.cursor = Some(found.portrait.next(cursor, heading));
        }
    }

    /// Turns to an older or a newer champion.
    fn turn(&mut self, wanted: fn(u64) -> Wanted) {
        let shown = self.found.as_ref().map(Found::generation);
        self.follows = false;
        self.ask(shown.map_or(Wanted::Newest, wanted));
    }

    /// Whether a newer champion than the shown one has come.
    fn newer(&self) -> Option<u64> {
        let shown = self.found.as_ref().map(Found::generation);
        self.champions.live().filter(|&live| Some(live) > shown)
    }

    /// What is shown, and where the cursor is.
    fn shown(&self) -> Option<(&Found, usize)> {
        self.found.as_ref().zip(self.cursor)
    }
}

/// Where files were written.
fn written(files: &[PathBuf]) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!("Written: {}.", names.join(", "))
}

impl Portrait {
    /// How many places the cursor can have.
    fn places(&self) -> usize {
        match self {
            Self::Strategy(strategy) => strategy.len(),
            Self::Units(units) => units.len(),
            Self::Graph(drawing) => drawing.len(),
            Self::Nothing => 0,
        }
    }

    /// Where the cursor is at first.
    fn first_place(&self) -> usize {
        match self {
            Self::Strategy(strategy) => strategy.first_place(),
            Self::Graph(drawing) => drawing.first_place(),
            Self::Units(_) | Self::Nothing => 0,
        }
    }

    /// The place next to another one.
    fn next(&self, from: usize, heading: Heading) -> usize {
        match self {
            Self::Strategy(strategy) => strategy.next(from, heading),
            Self::Units(units) => units.next(from, heading),
            Self::Graph(drawing) => drawing.next(from, heading),
            Self::Nothing => from,
        }
    }
}
