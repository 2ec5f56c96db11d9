//! Home: the presets by paper and game, and the saved runs. It starts nothing itself; it says what is chosen.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::preset::Preset;
use crate::storage::saves::Brief;

mod view;

pub use self::view::view;

/// What can be chosen.
#[derive(Clone, Debug)]
pub enum Item {
    Run {
        name: String,
        brief: Box<Brief>,
    },
    /// A saved run that can't be opened, and why.
    Unreadable {
        name: String,
        reason: String,
    },
    Preset {
        preset: Box<Preset>,
        changed: Changed,
    },
}

/// Whether a preset's settings were changed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    Yes,
    No,
}

/// What is chosen.
#[derive(Clone, Debug)]
pub enum Choice {
    Nothing,
    Preset(Box<Preset>),
    Run(String),
    /// The champions of a run that can't go on.
    Champions(String),
    Unreadable(String),
}

/// The list with its selection and filter.
#[derive(Clone, Debug)]
pub struct Home {
    items: Vec<Item>,
    /// The chosen item's place among those that pass the filter, once one has been chosen.
    selected: Option<usize>,
    filter: String,
    typing: Typing,
    /// Where runs are saved, to be named to a newcomer.
    folder: String,
}

/// Whether a click has selected an item or means the one selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clicked {
    First,
    Again,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typing {
    Yes,
    No,
}

/// What presets without a publication are listed under.
const BEYOND: &str = "Beyond the papers";

impl Item {
    /// The heading an item is listed under.
    fn group(&self) -> String {
        match self {
            Self::Run { brief, .. } if !brief.can_go_on => "Champions to play".to_owned(),
            Self::Run { .. } | Self::Unreadable { .. } => "Saved runs".to_owned(),
            Self::Preset { preset, .. } => {
                let paper = preset.source.split(',').next().unwrap_or_default();
                let paper = if paper.is_empty() { BEYOND } else { paper };
                format!("{} · {paper}", game_word(preset.game.name()))
            }
        }
    }

    fn matches(&self, filter: &str) -> bool {
        let text = match self {
            Self::Run { name, brief } => format!("{name} {} {}", brief.preset, brief.game),
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

/// The year of a heading; 0 where it tells none.
fn year(group: &str) -> u32 {
    let numbers = group.split(|letter: char| !letter.is_ascii_digit());
    numbers
        .filter_map(|number| number.parse().ok())
        .max()
        .unwrap_or(0)
}

/// A game's name as a heading: `dots_and_boxes` becomes `Dots and boxes`.
fn game_word(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl Home {
    /// A list of presets; saved runs come by [`Home::list`]. `folder` is where they are kept.
    pub fn new(presets: Vec<Preset>, folder: String) -> Self {
        let mut items: Vec<Item> = presets
            .into_iter()
            .map(|preset| Item::Preset {
                preset: Box::new(preset),
                changed: Changed::No,
            })
            .collect();
        // Stable, so that names keep their order within a group. What comes from a paper is listed first, the newest before the
        // others and those that tell no year last.
        items.sort_by_key(|item| {
            let group = item.group();
            (group.contains(BEYOND), Reverse(year(&group)), group)
        });
        Self {
            items,
            selected: None,
            filter: String::new(),
            typing: Typing::No,
            folder,
        }
    }

    /// Replaces the saved runs; the selection stays with its item where that is still there.
    pub fn list(&mut self, runs: Vec<Item>) {
        let chosen = self.selected.and_then(|place| self.shown().nth(place));
        let chosen = chosen.map(identity);
        self.items
            .retain(|item| matches!(item, Item::Preset { .. }));
        self.items.splice(0..0, runs);
        let place = |chosen| self.shown().position(|item| identity(item) == chosen);
        self.selected = chosen.map(|chosen| place(chosen).unwrap_or(0));
    }

    /// The place of the chosen item. Until one is chosen it is the first of the saved runs; where there are none but the
    /// champions that come along, the first preset.
    pub fn selected(&self) -> usize {
        let first = || {
            let mut shown = self.shown();
            let preset = shown.position(|item| matches!(item, Item::Preset { .. }));
            preset.filter(|_| self.runs() == 0).unwrap_or(0)
        };
        self.selected.unwrap_or_else(first)
    }

    /// How many runs have been saved here, champions by themselves not counted.
    pub fn runs(&self) -> usize {
        let is_run = |item: &&Item| match item {
            Item::Run { brief, .. } => brief.can_go_on,
            Item::Unreadable { .. } => true,
            Item::Preset { .. } => false,
        };
        self.items.iter().filter(is_run).count()
    }

    fn shown(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.matches(&self.filter))
    }

    /// Moves the selection by so many items, within the list.
    pub fn step(&mut self, by: i32) {
        let last = self.shown().count().saturating_sub(1) as i64;
        let place = self.selected() as i64 + i64::from(by);
        self.selected = Some(place.clamp(0, last.max(0)) as usize);
    }

    /// Selects an item by its place; whether it was selected before.
    pub fn click(&mut self, place: usize) -> Clicked {
        let again = self.selected() == place;
        self.selected = Some(place);
        self.typing = Typing::No;
        if again {
            Clicked::Again
        } else {
            Clicked::First
        }
    }

    pub fn choice(&self) -> Choice {
        match self.shown().nth(self.selected()) {
            None => Choice::Nothing,
            Some(Item::Preset { preset, .. }) => Choice::Preset(preset.clone()),
            Some(Item::Run { name, brief }) if !brief.can_go_on => Choice::Champions(name.clone()),
            Some(Item::Run { name, .. }) => Choice::Run(name.clone()),
            Some(Item::Unreadable { reason, .. }) => Choice::Unreadable(reason.clone()),
        }
    }

    /// Takes over a preset whose settings were changed.
    pub fn change(&mut self, changed: &Preset) {
        for item in &mut self.items {
            if let Item::Preset {
                preset,
                changed: mark,
            } = item
                && preset.name == changed.name
            {
                (**preset).clone_from(changed);
                *mark = Changed::Yes;
            }
        }
    }

    pub fn is_typing(&self) -> bool {
        self.typing == Typing::Yes
    }

    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
    }

    pub fn type_filter(&mut self) {
        self.typing = Typing::Yes;
    }

    pub fn clear_filter(&mut self) {
        self.filter.clear();
        self.selected = Some(0);
    }

    /// Takes a key while the filter is typed.
    pub fn typed(&mut self, key: KeyEvent) {
        let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
        match key.code {
            KeyCode::Esc => {
                self.typing = Typing::No;
                self.clear_filter();
            }
            KeyCode::Enter => self.typing = Typing::No,
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

/// What tells an item from the others.
fn identity(item: &Item) -> (u8, String) {
    match item {
        Item::Run { name, .. } | Item::Unreadable { name, .. } => (0, name.clone()),
        Item::Preset { preset, .. } => (1, preset.name.clone()),
    }
}
