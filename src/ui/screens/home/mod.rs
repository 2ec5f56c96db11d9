//! The Home screen: a list of presets, grouped by game and publication, and of saved runs. It only reports the selection; the
//! app acts on it.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::preset::Preset;
use crate::storage::saves::RunSummary;

use self::screen::SCOPE;
mod screen;
mod view;

/// An item of the list.
#[derive(Clone, Debug)]
pub enum HomeItem {
    Run {
        name: String,
        summary: Box<RunSummary>,
    },
    /// A saved run that cannot be opened, and the reason.
    Unreadable { name: String, reason: String },
    Preset {
        preset: Box<Preset>,
        /// Whether its parameters were changed in this session.
        is_changed: bool,
    },
}

/// The selected item.
#[derive(Clone, Debug)]
pub enum HomeChoice {
    Nothing,
    Preset(Box<Preset>),
    Run(String),
    /// The champions of a run that cannot be resumed.
    Champions(String),
    Unreadable(String),
}

/// The list with its selection and filter.
#[derive(Clone, Debug)]
pub struct Home {
    items: Vec<HomeItem>,
    /// The index of the selected item among those that match the filter; `None` before the first selection.
    selected: Option<usize>,
    filter: String,
    is_typing: bool,
    /// The folder of saved runs, shown while there are none.
    folder: String,
}

/// The heading of presets without a publication.
const NO_PUBLICATION: &str = "Not from a publication";

impl HomeItem {
    /// The heading an item is listed under.
    fn group(&self) -> String {
        match self {
            Self::Run { summary, .. } if !summary.can_resume => "Champions to play".to_owned(),
            Self::Run { .. } | Self::Unreadable { .. } => "Saved runs".to_owned(),
            Self::Preset { preset, .. } => {
                let paper = preset.source.split(',').next().unwrap_or_default();
                let paper = if paper.is_empty() {
                    NO_PUBLICATION
                } else {
                    paper
                };
                format!("{} · {paper}", game_heading(preset.game.name()))
            }
        }
    }

    fn matches(&self, filter: &str) -> bool {
        let text = match self {
            Self::Run { name, summary } => format!("{name} {} {}", summary.preset, summary.game),
            Self::Unreadable { name, .. } => name.clone(),
            Self::Preset { preset, .. } => {
                format!("{} {} {}", preset.name, preset.about, preset.source)
            }
        };
        let text = text.to_lowercase();
        filter
            .to_lowercase()
            .split_whitespace()
            .all(|word| text.contains(word))
    }
}

/// The year in a heading; 0 if there is none.
fn year(group: &str) -> u32 {
    let numbers = group.split(|letter: char| !letter.is_ascii_digit());
    numbers
        .filter_map(|number| number.parse().ok())
        .max()
        .unwrap_or(0)
}

/// A game's name as a heading: `dots_and_boxes` becomes `Dots and boxes`.
fn game_heading(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl Home {
    /// A list of presets. Saved runs are added by [`Home::set_saved_runs`]; `folder` is where they are stored.
    pub fn new(presets: Vec<Preset>, folder: String) -> Self {
        let mut items: Vec<HomeItem> = presets
            .into_iter()
            .map(|preset| HomeItem::Preset {
                preset: Box::new(preset),
                is_changed: false,
            })
            .collect();
        // The sort is stable, so that names keep their order within a group. Groups with a publication come first, newest first;
        // groups without a year come last.
        items.sort_by_key(|item| {
            let group = item.group();
            (group.contains(NO_PUBLICATION), Reverse(year(&group)), group)
        });
        Self {
            items,
            selected: None,
            filter: String::new(),
            is_typing: false,
            folder,
        }
    }

    /// Replaces the saved runs. The selection stays on its item if that still exists.
    pub fn set_saved_runs(&mut self, runs: Vec<HomeItem>) {
        let selected = self.selected.and_then(|index| self.shown().nth(index));
        let selected = selected.map(identity);
        self.items
            .retain(|item| matches!(item, HomeItem::Preset { .. }));
        self.items.splice(0..0, runs);
        let index = |wanted| self.shown().position(|item| identity(item) == wanted);
        self.selected = selected.map(|selected| index(selected).unwrap_or(0));
    }

    /// The index of the selected item. The default is the first saved run, or the first preset if there are only bundled
    /// champions.
    pub fn selected(&self) -> usize {
        let first = || {
            let mut shown = self.shown();
            let preset = shown.position(|item| matches!(item, HomeItem::Preset { .. }));
            preset.filter(|_| self.saved_run_count() == 0).unwrap_or(0)
        };
        self.selected.unwrap_or_else(first)
    }

    /// The number of saved runs, without bundled champions.
    pub fn saved_run_count(&self) -> usize {
        let is_run = |item: &&HomeItem| match item {
            HomeItem::Run { summary, .. } => summary.can_resume,
            HomeItem::Unreadable { .. } => true,
            HomeItem::Preset { .. } => false,
        };
        self.items.iter().filter(is_run).count()
    }

    fn shown(&self) -> impl Iterator<Item = &HomeItem> {
        self.items.iter().filter(|item| item.matches(&self.filter))
    }

    /// Moves the selection by `by` items, clamped to the list.
    pub fn step(&mut self, by: i32) {
        let last = self.shown().count().saturating_sub(1) as i64;
        let index = self.selected() as i64 + i64::from(by);
        self.selected = Some(index.clamp(0, last.max(0)) as usize);
    }

    /// Selects an item by its index; returns whether it was already selected.
    fn select(&mut self, index: usize) -> bool {
        let was_selected = self.selected() == index;
        self.selected = Some(index);
        self.is_typing = false;
        was_selected
    }

    pub fn choice(&self) -> HomeChoice {
        match self.shown().nth(self.selected()) {
            None => HomeChoice::Nothing,
            Some(HomeItem::Preset { preset, .. }) => HomeChoice::Preset(preset.clone()),
            Some(HomeItem::Run { name, summary }) if !summary.can_resume => {
                HomeChoice::Champions(name.clone())
            }
            Some(HomeItem::Run { name, .. }) => HomeChoice::Run(name.clone()),
            Some(HomeItem::Unreadable { reason, .. }) => HomeChoice::Unreadable(reason.clone()),
        }
    }

    /// Replaces a preset after its parameters were changed.
    pub fn replace_preset(&mut self, changed: &Preset) {
        for item in &mut self.items {
            if let HomeItem::Preset { preset, is_changed } = item
                && preset.name == changed.name
            {
                (**preset).clone_from(changed);
                *is_changed = true;
            }
        }
    }

    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
    }

    pub fn start_filter(&mut self) {
        self.is_typing = true;
    }

    pub fn clear_filter(&mut self) {
        self.filter.clear();
        self.selected = Some(0);
    }

    /// Handles a key while the filter is being typed.
    pub fn type_key(&mut self, key: KeyEvent) {
        let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
        match key.code {
            KeyCode::Esc => {
                self.is_typing = false;
                self.clear_filter();
            }
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Up => self.step(-1),
            KeyCode::Down => self.step(1),
            KeyCode::Backspace => {
                self.filter.pop();
                self.selected = Some(0);
            }
            KeyCode::Char(letter) if !key.modifiers.intersects(held) => {
                self.filter.push(letter);
                self.selected = Some(0);
            }
            _ => {}
        }
    }
}

/// A key that identifies an item.
fn identity(item: &HomeItem) -> (u8, String) {
    match item {
        HomeItem::Run { name, .. } | HomeItem::Unreadable { name, .. } => (0, name.clone()),
        HomeItem::Preset { preset, .. } => (1, preset.name.clone()),
    }
}
