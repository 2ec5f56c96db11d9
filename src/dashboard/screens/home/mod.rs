//! The Home screen: what to start with, saved runs, and presets grouped by game and publication. It
//! only reports the selection; the app acts on it.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::jobs::{Waker, WantedAnswers};
use crate::keymap::Action;
use crate::model::context::Context;
use crate::model::run::RunModel;
use finches_engine::play::pool::thread_count;
use finches_engine::preset::Preset;
use finches_runs::storage::saves::{RunSummary, Saves};

use self::prompt::Prompt;
use self::rows::{HomeKey, HomeRow};
use self::screen::SCOPE;
use self::start_here::RECOMMENDED;
use self::timing::Timing;
use self::trends::Trends;
mod details;
mod facts;
mod prompt;
mod rows;
mod screen;
mod start_here;
mod timing;
mod trends;
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
    /// The heading of a group.
    Group(String),
    /// The items of a group that are not listed yet.
    More(String),
    Preset(Box<Preset>),
    Run(String),
    /// The champions of a run that cannot be resumed.
    Champions(String),
    Unreadable(String),
}

/// How near runs are to the selected row for their trends to be read, in rows.
const NEAR: usize = 100;

/// The list with its selection and filter.
#[derive(Default)]
pub struct Home {
    items: Vec<HomeItem>,
    /// The champions that come with the program, listed where the saved runs have no such name.
    included: Vec<HomeItem>,
    /// The selected row; without one, the run that was left last, or else the first item.
    selected: Option<HomeKey>,
    /// The groups that were folded or unfolded by hand.
    toggled: BTreeSet<String>,
    /// The groups of which all items are listed.
    whole: BTreeSet<String>,
    /// The group of the latest saved run's preset.
    latest_group: Option<String>,
    filter: String,
    is_typing: bool,
    /// What has been asked about and is done if the key is pressed again.
    asked: Option<(Action, HomeKey)>,
    /// The folder of saved runs, shown while there are none.
    folder: String,
    /// The text that is asked for.
    prompt: Option<Prompt>,
    timing: Timing,
    trends: Trends,
    /// The rows of the list; 0 before it was shown.
    height: u16,
}

impl Home {
    /// A list of presets. Saved runs are added by [`Home::set_saved_runs`]; `folder` is where they
    /// are stored.
    pub fn new(presets: Vec<Preset>, folder: String) -> Self {
        let preset = |preset| HomeItem::Preset {
            preset: Box::new(preset),
            is_changed: false,
        };
        let mut items: Vec<HomeItem> = presets.into_iter().map(preset).collect();
        rows::sort_presets(&mut items);
        Self {
            items,
            folder,
            ..Self::default()
        }
    }

    /// Measures how long presets take on this machine, and keeps it beside these saved runs.
    pub fn keep_speeds(&mut self, saves: Saves, threads: usize) {
        self.timing = Timing::kept(saves, thread_count(threads));
    }

    /// Takes in the results of background work.
    pub fn take_answers(&mut self, wanted: WantedAnswers, waker: &Waker) {
        self.timing.take_answers(wanted, waker);
        self.trends.take_answers(wanted);
    }

    /// Replaces the saved runs, the latest first.
    pub fn set_saved_runs(&mut self, mut runs: Vec<HomeItem>) {
        let can_resume = |item: &HomeItem| match item {
            HomeItem::Run { summary, .. } => summary.can_resume.then(|| summary.preset.clone()),
            _ => None,
        };
        let latest = runs.iter().find_map(can_resume);
        self.items.retain(is_preset);
        let mut presets = self.items.iter();
        let preset = presets.find(|item| Some(item.name()) == latest.as_deref());
        self.latest_group = preset.map(HomeItem::group);
        runs.sort_by_key(HomeItem::is_champion);
        self.items.splice(0..0, runs);
    }

    /// The index of the selected row.
    fn selected_row(&self, rows: &[HomeRow<'_>]) -> Option<usize> {
        let is_selected = |row: &HomeRow<'_>| row.key().is_some() && row.key() == self.selected;
        let is_left = |row: &HomeRow<'_>| match row.item() {
            Some(HomeItem::Run { summary, .. }) => summary.can_resume,
            _ => false,
        };
        // Saved runs are listed with the latest first.
        let left = || rows.iter().position(is_left);
        let first = || rows.iter().position(|row| row.item().is_some());
        let any = || rows.iter().position(|row| row.key().is_some());
        rows.iter()
            .position(is_selected)
            .or_else(left)
            .or_else(first)
            .or_else(any)
    }

    /// The selected row.
    fn selected(&self) -> Option<HomeRow<'_>> {
        let mut rows = self.rows();
        let index = self.selected_row(&rows)?;
        Some(rows.swap_remove(index))
    }

    /// The number of saved runs that are not only champions.
    fn saved_run_count(&self) -> usize {
        let is_run = |item: &&HomeItem| !is_preset(item) && !item.is_champion();
        self.items.iter().filter(is_run).count()
    }

    /// Moves the selection by `by` rows, clamped to the list.
    pub fn step(&mut self, by: i32) {
        let rows = self.rows();
        let selected = self.selected_row(&rows).unwrap_or(0);
        let at = rows[..selected].iter().filter_map(HomeRow::key).count();
        let keys: Vec<HomeKey> = rows.iter().filter_map(HomeRow::key).collect();
        let last = keys.len().saturating_sub(1) as i64;
        let index = (at as i64 + i64::from(by)).clamp(0, last) as usize;
        self.selected = keys.get(index).cloned();
    }

    /// Reads what has become of the listed runs near the selected one.
    fn read_trends(&mut self, context: &Context) {
        let Some(saves) = &context.saves else { return };
        let mut trends = std::mem::take(&mut self.trends);
        let rows = self.rows();
        let first = self.selected_row(&rows).unwrap_or(0).saturating_sub(NEAR);
        let runs = rows
            .iter()
            .skip(first)
            .take(2 * NEAR)
            .filter_map(|row| match row.item()? {
                HomeItem::Run { name, summary } => Some((name.as_str(), &**summary)),
                _ => None,
            });
        trends.read(runs, saves, &context.waker);
        self.trends = trends;
    }

    /// Selects a row by its index; returns whether a click on it acts: if it was selected, and for
    /// headings.
    fn select(&mut self, index: usize) -> bool {
        let rows = self.rows();
        let was_selected = self.selected_row(&rows) == Some(index);
        let Some(key) = rows.get(index).and_then(HomeRow::key) else {
            return false;
        };
        let is_heading = matches!(key, HomeKey::Group(_) | HomeKey::More(_));
        self.selected = Some(key);
        self.is_typing = false;
        was_selected || is_heading
    }

    /// Selects a saved run, so that Enter opens no other.
    pub fn select_run(&mut self, name: &str) {
        self.selected = Some(HomeKey::Run(name.to_owned()));
    }

    /// The name of the selected saved run, and its tags.
    fn selected_run(&self) -> Option<(&str, &[String])> {
        match self.selected()?.item()? {
            HomeItem::Run { name, summary } => Some((name, &summary.tags)),
            HomeItem::Unreadable { name, .. } => Some((name, &[])),
            HomeItem::Preset { .. } => None,
        }
    }

    /// The presets whose speed is of interest: the selected one, the recommended ones, and those of
    /// unfolded groups.
    fn presets_to_time(&self) -> impl Iterator<Item = &Preset> {
        let rows = self.rows();
        let unfolded = rows.iter().filter(|_| !self.is_filtered());
        let unfolded: Vec<_> = unfolded.filter_map(HomeRow::item).collect();
        let selected = self.selected().and_then(|row| row.item());
        let selected = selected.and_then(HomeItem::unchanged_preset);
        let recommended = RECOMMENDED.iter();
        let recommended = recommended.filter_map(|start| self.preset(start.name));
        let unfolded = unfolded.into_iter().filter_map(HomeItem::unchanged_preset);
        selected.into_iter().chain(recommended).chain(unfolded)
    }

    /// The preset of this name, if its parameters were not changed.
    fn preset(&self, name: &str) -> Option<&Preset> {
        let mut presets = self.items.iter().filter_map(HomeItem::unchanged_preset);
        presets.find(|preset| preset.name == name)
    }

    /// The preset of a run, if no parameter but the number of generations was changed.
    fn unchanged_preset(&self, run: &RunModel) -> Option<&Preset> {
        let preset = self.preset(&run.preset.name)?;
        let wanted = Preset {
            generations: run.preset.generations,
            ..preset.clone()
        };
        (run.changes.is_empty() && wanted == run.preset).then_some(preset)
    }

    /// What identifies the selected row.
    fn selected_key(&self) -> Option<HomeKey> {
        self.selected()?.key()
    }

    pub fn choice(&self) -> HomeChoice {
        let row = self.selected();
        match row {
            Some(HomeRow::Heading(group)) => return HomeChoice::Group(group.name),
            Some(HomeRow::More(group, _)) => return HomeChoice::More(group),
            _ => {}
        }
        match row.and_then(|row| row.item()) {
            None => HomeChoice::Nothing,
            Some(HomeItem::Preset { preset, .. }) => HomeChoice::Preset(preset.clone()),
            Some(HomeItem::Run { name, summary }) if !summary.can_resume => {
                HomeChoice::Champions(name.clone())
            }
            Some(HomeItem::Run { name, .. }) => HomeChoice::Run(name.clone()),
            Some(HomeItem::Unreadable { reason, .. }) => HomeChoice::Unreadable(reason.clone()),
        }
    }

    /// The champions of a game that come with the program.
    fn champions_of(&self, game: &str) -> Option<String> {
        self.items.iter().find_map(|item| match item {
            HomeItem::Run { name, summary } if !summary.can_resume => {
                (summary.game.name() == game).then(|| name.clone())
            }
            _ => None,
        })
    }

    /// Whether a group is unfolded. At first, saved runs are, the group of the latest run's preset
    /// and, where there is room, the first groups of presets.
    fn is_open(&self, group: &str) -> bool {
        self.is_open_beside(group, &self.groups_that_fit())
    }

    /// As [`Self::is_open`], given the groups that fit.
    fn is_open_beside(&self, group: &str, fitting: &[String]) -> bool {
        let is_first = rows::GROUPS_OF_RUNS.contains(&group)
            || self.latest_group.as_deref() == Some(group)
            || fitting.iter().any(|it| it == group);
        is_first != self.toggled.contains(group)
    }

    /// Unfolds a group, or folds it.
    fn toggle(&mut self, group: String) {
        if !self.toggled.remove(&group) {
            self.toggled.insert(group);
        }
    }

    /// Unfolds the selected group, or lists all of it.
    fn unfold(&mut self) {
        match self.choice() {
            HomeChoice::Group(group) if !self.is_open(&group) => self.toggle(group),
            HomeChoice::More(group) => self.list_all(group),
            _ => {}
        }
    }

    /// Lists all items of a group, and selects the first of those that were not listed.
    fn list_all(&mut self, group: String) {
        let before = self.selected_row(&self.rows());
        self.whole.insert(group);
        let rows = self.rows();
        let next = before.and_then(|row| rows.get(row)?.key());
        self.selected = next;
    }

    /// Folds the selected group or the group of the selected item, and selects its heading.
    fn fold(&mut self) {
        let group = match self.selected() {
            Some(HomeRow::Heading(group)) => group.name,
            Some(HomeRow::Item(item)) => item.group(),
            Some(HomeRow::More(group, _)) => group,
            Some(HomeRow::Gap | HomeRow::Title(_) | HomeRow::Start(..)) | None => return,
        };
        if self.is_filtered() {
            return;
        }
        if self.is_open(&group) {
            self.toggle(group.clone());
        }
        self.whole.remove(&group);
        self.selected = Some(HomeKey::Group(group));
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

    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
    }

    /// Starts to type a filter from nothing.
    fn start_filter(&mut self) {
        self.clear_filter();
        self.is_typing = true;
    }

    fn clear_filter(&mut self) {
        self.is_typing = false;
        self.filter.clear();
        self.selected = None;
    }

    /// Handles a key while the filter is being typed.
    fn type_key(&mut self, key: KeyEvent) {
        let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
        match key.code {
            KeyCode::Esc => self.clear_filter(),
            KeyCode::Up => self.step(-1),
            KeyCode::Down => self.step(1),
            KeyCode::Backspace => {
                self.filter.pop();
                self.selected = None;
            }
            KeyCode::Char(letter) if !key.modifiers.intersects(held) => {
                self.filter.push(letter);
                self.selected = None;
            }
            _ => {}
        }
    }
}

fn is_preset(item: &HomeItem) -> bool {
    matches!(item, HomeItem::Preset { .. })
}
