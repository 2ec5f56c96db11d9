//! The runs that can be compared and those that are shown: the list with its filter and cursor, the
//! selection, and the pins. It reads no files.

use crate::model::run::RunModel;
use crate::widgets::series_marker::MARKERS;
use finches_runs::storage::StorageError;
use finches_runs::storage::run_facts::{RunToFilter, SavedRunFacts};
use finches_runs::storage::run_filter::{FactNames, FilterError, RunFacts, RunFilter};
use finches_runs::storage::saves::{RunSummary, SavedRunEntry};

/// The list of runs and the choice of those in the chart.
#[derive(Default)]
pub(super) struct ComparedRuns {
    /// The saved runs, latest first; `None` until they have been listed.
    listed: Option<Vec<SavedRunEntry>>,
    known: SavedRunFacts,
    filter: ListFilter,
    /// The names of the selected runs, in the order of selection.
    pub(super) selected: Vec<String>,
    /// The names of the pinned runs, in the order of pinning.
    pub(super) pinned: Vec<String>,
    /// The index of the run under the cursor.
    pub(super) cursor: usize,
}

/// A filter, and the text that it was read from.
#[derive(Clone, Default)]
pub(super) struct ListFilter {
    text: String,
    filter: RunFilter,
}

impl ListFilter {
    /// The filter as it was typed; empty for none.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn is_empty(&self) -> bool {
        self.filter.is_empty()
    }

    fn fits(&self, run: &RunFacts) -> bool {
        self.filter.fits(run)
    }
}

/// Why a run can't be shown, in words.
type RunRefusal = String;

/// The most runs that can be told apart in the chart.
pub(super) const MOST_RUNS: usize = MARKERS.len();

fn too_many() -> RunRefusal {
    format!("at most {MOST_RUNS} runs can be compared")
}

impl ComparedRuns {
    /// Replaces the saved runs, latest first. Returns the names of selected and pinned runs that no
    /// longer exist; they are dropped.
    pub(super) fn set_listed(
        &mut self,
        listed: Vec<SavedRunEntry>,
        known: SavedRunFacts,
        live: Option<&RunModel>,
    ) -> Vec<String> {
        (self.listed, self.known) = (Some(listed), known);
        let (selected, pinned) = (self.selected.clone(), self.pinned.clone());
        self.choose(&selected, &pinned, live)
    }

    /// Whether the saved runs are known.
    pub(super) fn is_listed(&self) -> bool {
        self.listed.is_some()
    }

    /// Selects and pins these runs instead of others. Returns the names of those that don't exist.
    pub(super) fn choose(
        &mut self,
        selected: &[String],
        pinned: &[String],
        live: Option<&RunModel>,
    ) -> Vec<String> {
        let all = self.all_names(live);
        let exists = |name: &&String| all.contains(name);
        let chosen = |names: &[String]| {
            let names = names.iter().filter(exists).take(MOST_RUNS);
            names.cloned().collect()
        };
        let mut gone: Vec<String> = Vec::new();
        for name in pinned.iter().chain(selected) {
            if !exists(&name) && !gone.contains(name) {
                gone.push(name.clone());
            }
        }
        (self.selected, self.pinned) = (chosen(selected), chosen(pinned));
        gone
    }

    /// The names of all runs, the live run first.
    pub(super) fn all_names(&self, live: Option<&RunModel>) -> Vec<String> {
        let live = live.map(RunModel::name);
        let saved = self.listed.iter().flatten().map(|listed| &listed.name);
        let others = saved.filter(|name| Some(*name) != live.as_ref()).cloned();
        live.iter().cloned().chain(others).collect()
    }

    /// The names of the listed runs: those that are pinned, then those that fit the filter.
    pub(super) fn names(&self, live: Option<&RunModel>) -> Vec<String> {
        let all = self.all_names(live);
        if self.pinned.is_empty() && self.filter.is_empty() {
            return all;
        }
        let pinned = self.pinned.iter().filter(|name| all.contains(name));
        let pinned: Vec<String> = pinned.cloned().collect();
        let mut rest = self.fitting(all, live);
        rest.retain(|name| !pinned.contains(name));
        pinned.into_iter().chain(rest).collect()
    }

    /// The number of runs that fit the filter.
    pub(super) fn fitting_count(&self, live: Option<&RunModel>) -> usize {
        self.fitting(self.all_names(live), live).len()
    }

    fn fitting(&self, mut names: Vec<String>, live: Option<&RunModel>) -> Vec<String> {
        if self.filter.is_empty() {
            return names;
        }
        let live = live.map(|run| {
            let facts = self.facts_of(run, &mut FactNames::default());
            (run.name(), facts)
        });
        names.retain(|name| match (&live, self.known.runs.get(name)) {
            (Some((own, facts)), _) if own == name => self.filter.fits(facts),
            (_, Some(facts)) => self.filter.fits(facts),
            (_, None) => self.filter.fits(&RunFacts::new(name, &[])),
        });
        names
    }

    /// What the filter can ask about the live run.
    fn facts_of(&self, live: &RunModel, names: &mut FactNames) -> RunFacts {
        let name = live.name();
        let summary = self
            .summary(&name)
            .and_then(|summary| summary.as_ref().ok());
        let to_filter = RunToFilter {
            name: &name,
            tags: summary.map_or(&[], |summary| &summary.tags),
            seed: live.facts.seed,
            generation: live.generation,
            preset: &live.preset,
        };
        let columns = live.facts.columns.names().enumerate();
        let columns = columns.map(|(index, column)| (column, live.history.last(index)));
        to_filter.facts(columns, names)
    }

    /// Filters the list; the cursor stays on its run, if that fits. An error leaves the filter as
    /// it is.
    pub(super) fn set_filter(
        &mut self,
        text: &str,
        live: Option<&RunModel>,
    ) -> Result<(), FilterError> {
        let filter = match live {
            Some(live) => {
                let mut names = self.known.names.clone();
                self.facts_of(live, &mut names);
                RunFilter::parse(text, &names)?
            }
            None => RunFilter::parse(text, &self.known.names)?,
        };
        let text = text.trim().to_owned();
        self.replace_filter(ListFilter { text, filter }, live);
        Ok(())
    }

    /// Filters the list in the way of another time.
    pub(super) fn replace_filter(&mut self, filter: ListFilter, live: Option<&RunModel>) {
        let current = self.current(live);
        self.filter = filter;
        self.move_to(current.as_deref(), live);
    }

    pub(super) fn filter(&self) -> &ListFilter {
        &self.filter
    }

    /// The run under the cursor.
    pub(super) fn current(&self, live: Option<&RunModel>) -> Option<String> {
        let mut names = self.names(live);
        (self.cursor < names.len()).then(|| names.swap_remove(self.cursor))
    }

    /// Moves the cursor to a run, or to the first one if it is not listed.
    fn move_to(&mut self, name: Option<&str>, live: Option<&RunModel>) {
        let names = self.names(live);
        let place = names.iter().position(|known| Some(known.as_str()) == name);
        self.cursor = place.unwrap_or(0);
    }

    /// Moves the cursor by one run.
    pub(super) fn step_back(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub(super) fn step_on(&mut self, live: Option<&RunModel>) {
        let last = self.names(live).len().saturating_sub(1);
        self.cursor = (self.cursor + 1).min(last);
    }

    /// The names of the runs in the chart: those that are pinned, then those that are selected.
    pub(super) fn displayed(&self) -> impl Iterator<Item = &String> + Clone {
        let selected = self.selected.iter();
        let others = selected.filter(|name| !self.pinned.contains(name));
        self.pinned.iter().chain(others)
    }

    pub(super) fn is_displayed(&self, name: &str) -> bool {
        self.displayed().any(|displayed| displayed == name)
    }

    pub(super) fn is_pinned(&self, name: &str) -> bool {
        self.pinned.iter().any(|pinned| pinned == name)
    }

    /// Whether the chart is full.
    fn is_full(&self) -> bool {
        self.displayed().count() >= MOST_RUNS
    }

    /// Selects or deselects the run under the cursor. Returns its name if it is shown from now on.
    pub(super) fn toggle(&mut self, live: Option<&RunModel>) -> Result<Option<String>, RunRefusal> {
        let Some(name) = self.current(live) else {
            return Ok(None);
        };
        if self.is_pinned(&name) {
            return Err(format!("{name} is pinned, so it is shown in any case"));
        }
        if let Some(index) = self.selected.iter().position(|selected| *selected == name) {
            self.selected.remove(index);
            return Ok(None);
        }
        if self.is_full() {
            return Err(too_many());
        }
        self.selected.push(name.clone());
        Ok(Some(name))
    }

    /// Selects all listed runs that can be opened. Returns those that are shown from now on, and
    /// how many had no place.
    pub(super) fn select_listed(&mut self, live: Option<&RunModel>) -> (Vec<String>, usize) {
        let (mut added, mut left_out) = (Vec::new(), 0);
        let live_name = live.map(RunModel::name);
        for name in self.names(live) {
            let is_readable =
                live_name.as_ref() == Some(&name) || self.summary(&name).is_some_and(Result::is_ok);
            if self.is_displayed(&name) || !is_readable {
                continue;
            }
            if self.is_full() {
                left_out += 1;
                continue;
            }
            self.selected.push(name.clone());
            added.push(name);
        }
        (added, left_out)
    }

    /// Pins or unpins the run under the cursor, which follows it. Returns its name if it is shown
    /// from now on.
    pub(super) fn toggle_pin(
        &mut self,
        live: Option<&RunModel>,
    ) -> Result<Option<String>, RunRefusal> {
        let Some(name) = self.current(live) else {
            return Ok(None);
        };
        let is_new = !self.is_displayed(&name);
        if let Some(index) = self.pinned.iter().position(|pinned| *pinned == name) {
            self.pinned.remove(index);
        } else if is_new && self.is_full() {
            return Err(too_many());
        } else {
            self.pinned.push(name.clone());
        }
        self.move_to(Some(&name), live);
        Ok(is_new.then_some(name))
    }

    /// The summary of a saved run, or why it can't be opened.
    pub(super) fn summary(&self, name: &str) -> Option<&Result<RunSummary, StorageError>> {
        let mut listed = self.listed.iter().flatten();
        let found = listed.find(|listed| listed.name == name);
        found.map(|listed| &listed.summary)
    }

    /// Whether a process has a saved run open.
    pub(super) fn is_open(&self, name: &str) -> bool {
        let summary = self.summary(name).and_then(|summary| summary.as_ref().ok());
        summary.is_some_and(|summary| summary.is_open)
    }
}
