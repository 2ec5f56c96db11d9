//! Screen 6: what has happened, as the journal tells it, with a filter by text and by level. It reads no file; the event loop
//! brings what is new while the screen is shown.

use std::collections::VecDeque;

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::journal::{Entry, Level, rank};
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::widgets::entry;

mod view;

/// Entries at hand; the oldest go.
const MOST: usize = 10_000;

/// Levels from the most to the least urgent.
const LEVELS: [Level; 5] = [
    Level::ERROR,
    Level::WARN,
    Level::INFO,
    Level::DEBUG,
    Level::TRACE,
];

/// What has happened.
#[derive(Debug)]
pub struct LogScreen {
    entries: VecDeque<Entry>,
    /// The least urgent level that is shown.
    least: Level,
    filter: String,
    /// The filter while it is typed.
    typing: Option<entry::Entry>,
    /// The number of the chosen entry; the newest is chosen where it is followed.
    chosen: Option<u64>,
    details: Details,
}

/// Whether all that is known of the chosen entry is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Details {
    Shown,
    Hidden,
}

impl Default for LogScreen {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            least: Level::INFO,
            filter: String::new(),
            typing: None,
            chosen: None,
            details: Details::Hidden,
        }
    }
}

impl LogScreen {
    /// The number of the entry to come next.
    pub fn next(&self) -> u64 {
        self.entries.back().map_or(0, |entry| entry.number + 1)
    }

    /// Takes in what has been told since.
    pub fn take_in(&mut self, fresh: Vec<Entry>) {
        self.entries.extend(fresh);
        let surplus = self.entries.len().saturating_sub(MOST);
        self.entries.drain(..surplus);
    }

    /// Whether keys are letters of the filter.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if self.typing.is_some() {
            self.type_filter(key);
            return None;
        }
        self.act(keymap::action(Scope::Log, key)?)
    }

    fn type_filter(&mut self, key: KeyEvent) {
        let Some(typing) = &mut self.typing else {
            return;
        };
        match typing.press(key) {
            entry::Typed::Editing => typing.text().clone_into(&mut self.filter),
            entry::Typed::Done(_) => self.typing = None,
            entry::Typed::Left => {
                self.filter.clear();
                self.typing = None;
            }
        }
    }

    /// Does what a key or the wheel asks for; what is not this screen's business is passed on.
    pub fn act(&mut self, action: Action) -> Option<Action> {
        const PAGE: isize = 15;
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-PAGE),
            Action::PageDown => self.step(PAGE),
            Action::First => self.step(isize::MIN / 2),
            Action::Last | Action::Follow => self.chosen = None,
            Action::Filter => self.typing = Some(entry::Entry::new(&self.filter)),
            Action::LeastLevel => self.least = LEVELS[(rank(self.least) + 1) % LEVELS.len()],
            Action::Enter => {
                self.details = match self.details {
                    Details::Shown => Details::Hidden,
                    Details::Hidden => Details::Shown,
                }
            }
            Action::Back if self.details == Details::Shown => self.details = Details::Hidden,
            Action::Back if !self.filter.is_empty() => self.filter.clear(),
            other => return Some(other),
        }
        None
    }

    /// Chooses the entry in a place among those shown.
    pub fn pick(&mut self, place: usize) {
        self.chosen = self.shown().get(place).map(|entry| entry.number);
    }

    fn step(&mut self, by: isize) {
        let shown = self.shown();
        let last = shown.len().saturating_sub(1);
        let place = self.place(&shown).saturating_add_signed(by).min(last);
        self.chosen = shown.get(place).map(|entry| entry.number);
    }

    /// The entries that level and filter let through.
    fn shown(&self) -> Vec<&Entry> {
        let filter = self.filter.to_lowercase();
        let wanted = |entry: &&Entry| {
            rank(entry.level) <= rank(self.least)
                && (filter.is_empty() || entry.line().to_lowercase().contains(&filter))
        };
        self.entries.iter().filter(wanted).collect()
    }

    /// The place of the chosen entry, or of the one that follows where it is not shown.
    fn place(&self, shown: &[&Entry]) -> usize {
        let last = shown.len().saturating_sub(1);
        self.chosen.map_or(last, |chosen| {
            shown
                .partition_point(|entry| entry.number < chosen)
                .min(last)
        })
    }

    /// What is shown, a line each, for a file.
    pub fn text(&self) -> String {
        let shown = self.shown();
        let lines = shown
            .iter()
            .map(|entry| format!("{} {}\n", entry.date(), entry.line()));
        lines.collect()
    }
}
