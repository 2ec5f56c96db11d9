//! Screen 6: the log entries, filtered by text and level. It reads no file; the event loop passes
//! in new entries while the screen is visible.

use std::collections::VecDeque;

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::keymap::Action;
use crate::screen::ScreenInput;
use crate::widgets::text_input;
use finches_runs::log::{Level, LogEntry, level_index};

use self::screen::{LogAction, SCOPE};
mod screen;
mod sentence;
mod summary;
mod view;

/// The maximum number of entries kept; the oldest are dropped.
const MAX_ENTRIES: usize = 10_000;

/// Levels from the most to the least severe.
const LEVELS: [Level; 5] = [
    Level::ERROR,
    Level::WARN,
    Level::INFO,
    Level::DEBUG,
    Level::TRACE,
];

/// The state of the Log screen.
#[derive(Debug)]
pub struct LogScreen {
    entries: VecDeque<LogEntry>,
    /// The least severe level shown.
    min_level: Level,
    filter: String,
    /// The filter while it is being typed.
    typing: Option<text_input::TextInput>,
    /// The number of the selected entry; `None` follows the newest.
    selected: Option<u64>,
    /// Whether the details of the selected entry are shown.
    shows_details: bool,
}

impl Default for LogScreen {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            min_level: Level::INFO,
            filter: String::new(),
            typing: None,
            selected: None,
            shows_details: false,
        }
    }
}

impl LogScreen {
    /// The number of the next entry to append.
    pub fn next_number(&self) -> u64 {
        self.entries.back().map_or(0, |entry| entry.number + 1)
    }

    /// Appends new entries.
    pub fn append(&mut self, fresh: Vec<LogEntry>) {
        self.entries.extend(fresh);
        let surplus = self.entries.len().saturating_sub(MAX_ENTRIES);
        self.entries.drain(..surplus);
    }

    /// Whether keys are typed into the filter.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// The action of a key or of the wheel, unless a key is being typed.
    fn action_of(&mut self, input: ScreenInput) -> Option<Action> {
        match input {
            ScreenInput::Key(key) if key.kind == KeyEventKind::Release => None,
            ScreenInput::Key(key) if self.typing.is_some() => {
                self.type_filter(key);
                None
            }
            _ => input.action(SCOPE),
        }
    }

    fn type_filter(&mut self, key: KeyEvent) {
        let Some(typing) = &mut self.typing else {
            return;
        };
        match typing.press(key) {
            text_input::TextInputResult::Editing => typing.text().clone_into(&mut self.filter),
            text_input::TextInputResult::Done(_) => self.typing = None,
            text_input::TextInputResult::Canceled => {
                self.filter.clear();
                self.typing = None;
            }
        }
    }

    /// Handles an action; returns it if it is not this screen's.
    fn handle_action(&mut self, action: Action) -> Option<Action> {
        const PAGE: i32 = 15;
        match action {
            Action::Last => self.selected = None,
            Action::Filter => self.typing = Some(text_input::TextInput::new(&self.filter)),
            Action::Enter => self.shows_details = !self.shows_details,
            Action::Back if self.shows_details => self.shows_details = false,
            Action::Back if !self.filter.is_empty() => self.filter.clear(),
            other => match (LogAction::of(other), other.rows(PAGE)) {
                (Some(LogAction::LogLevel), _) => {
                    self.min_level = LEVELS[(level_index(self.min_level) + 1) % LEVELS.len()];
                }
                (None, Some(rows)) => self.step(rows as isize),
                (None, None) => return Some(other),
            },
        }
        None
    }

    /// Selects the entry at an index of the visible ones.
    fn select(&mut self, place: usize) {
        self.selected = self.visible().get(place).map(|entry| entry.number);
    }

    fn step(&mut self, by: isize) {
        let shown = self.visible();
        let last = shown.len().saturating_sub(1);
        let place = self
            .selected_index(&shown)
            .saturating_add_signed(by)
            .min(last);
        self.selected = shown.get(place).map(|entry| entry.number);
    }

    /// The entries that pass the level and the filter.
    fn visible(&self) -> Vec<&LogEntry> {
        let filter = self.filter.to_lowercase();
        let wanted = |entry: &&LogEntry| {
            level_index(entry.level) <= level_index(self.min_level)
                && [entry.line(), sentence::sentence(entry)]
                    .iter()
                    .any(|text| text.to_lowercase().contains(&filter))
        };
        self.entries.iter().filter(wanted).collect()
    }

    /// The index of the selected entry, or of the next one if it is hidden.
    fn selected_index(&self, shown: &[&LogEntry]) -> usize {
        let last = shown.len().saturating_sub(1);
        self.selected.map_or(last, |selected| {
            shown
                .partition_point(|entry| entry.number < selected)
                .min(last)
        })
    }

    /// The generation of the selected entry, if it is about the latest run.
    fn selected_generation(&self) -> Option<u64> {
        let selected = self.selected?;
        let entries = self.entries.iter().rev();
        let mut latest = entries.take_while(|entry| !sentence::is_start(entry));
        let entry = latest.find(|entry| entry.number == selected)?;
        sentence::generation(entry)
    }

    /// The visible entries, one per line, for export.
    pub fn text(&self) -> String {
        let shown = self.visible();
        let lines = shown
            .iter()
            .map(|entry| format!("{} {}\n", entry.date(), entry.line()));
        lines.collect()
    }
}
