//! The list of a set of runs: its filter, order, groups and cursor, the selected runs and the
//! pinned ones, and the lines that they are in a chart. It reads no files.

use std::collections::{BTreeMap, BTreeSet};

use crate::format;
use crate::model::run::{RunModel, RunState};
use crate::widgets::series_marker::MARKERS;
use finches_engine::metrics::history::Goal;
use finches_lab::experiment::summary::column_of;
use finches_runs::storage::run_facts::RunToFilter;
use finches_runs::storage::run_filter::{FactNames, FilterError, RunFacts, RunFilter};
use finches_runs::storage::views::RunGrouping;

use super::entry::RunEntry;
use super::parameters::{MISSING, last_word};
use super::stage::RunStage;
use super::sweep::PresetValues;

/// The most lines that can be told apart in a chart.
pub(super) const MOST_LINES: usize = MARKERS.len();

/// The most runs among which differing parameters are looked for at each change of the list.
const MOST_COMPARED: usize = 100;

/// The runs of a set, and the choice of those that are shown.
#[derive(Default)]
pub(super) struct RunList {
    entries: Vec<RunEntry>,
    names: FactNames,
    state: ListState,
    filter: ListFilter,
    order: RunOrder,
    grouping: RunGrouping,
    /// The group whose runs are listed.
    opened: Option<String>,
    /// The rows, kept up to date with all above.
    rows: Vec<RunRow>,
    /// The index of the row under the cursor.
    cursor: usize,
    /// The selected and the pinned runs, by index, in their order.
    selected: Vec<usize>,
    pinned: Vec<usize>,
    /// The ranks of groups that are listed by them; empty for none.
    ranks: BTreeMap<String, usize>,
    /// The column that they are ranked by, in whose order the runs of one are listed.
    ranked_by: Option<(String, Goal)>,
    /// Whether all runs are shown as long as none is selected, not the one under the cursor alone.
    pub(super) shows_all: bool,
    /// Whether presets of all names are one with other parameters, as those of a sweep.
    pub(super) is_of_one_preset: bool,
    /// The values by which presets are named, if they are.
    pub(super) values: Option<PresetValues>,
    /// The number of presets of its runs.
    pub(super) presets: usize,
    /// Whether runs may differ in parameters.
    pub(super) may_differ: bool,
}

/// Whether the runs are known.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ListState {
    #[default]
    Awaited,
    Known,
    /// They have their usual order again when they are next listed.
    SortsAnew,
}

/// A row of the list: a run or a group of runs, by index. A line of a chart is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunRow {
    pub(super) name: String,
    pub(super) members: Vec<usize>,
}

/// The order of the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum RunOrder {
    /// The latest first; of an experiment, by preset and seed.
    #[default]
    AsListed,
    ByName,
    /// By the latest value of a column, the best first.
    Best(String, Goal),
    /// By generations done, the fewest first.
    ByProgress,
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
}

impl RunOrder {
    /// The next order, with the column shown.
    fn next(&self, column: Option<(&str, Goal)>) -> Self {
        match (self, column) {
            (Self::AsListed, _) => Self::ByName,
            (Self::ByName, Some((name, goal))) => Self::Best(name.to_owned(), goal),
            (Self::ByName, None) | (Self::Best(..), _) => Self::ByProgress,
            (Self::ByProgress, _) => Self::AsListed,
        }
    }

    /// The order in words; empty for the usual one.
    pub(super) fn words(&self) -> String {
        match self {
            Self::AsListed => String::new(),
            Self::ByName => "by name".to_owned(),
            Self::Best(column, _) => format!("best {}", column_of(column).short),
            Self::ByProgress => "by generations".to_owned(),
        }
    }
}

/// Why a run can't be shown, in words.
type RunRefusal = String;

impl RunList {
    /// Replaces the runs. What has been read of those that stay is kept. Returns the names of
    /// selected and pinned runs that no longer exist; they are dropped.
    pub(super) fn set(&mut self, entries: Vec<RunEntry>, names: FactNames) -> Vec<String> {
        let state = std::mem::replace(&mut self.state, ListState::Known);
        self.names = names;
        let gone = self.replace(|before| {
            let (mut all, runs): (Vec<RunEntry>, Vec<RunEntry>) = before
                .into_iter()
                .partition(|entry| entry.experiment.is_some());
            let read = (0..).zip(runs);
            let read = read.map(|(place, run)| (run.name, (place, run.history)));
            let mut read: BTreeMap<String, (usize, _)> = read.collect();
            let known = entries.into_iter().map(|mut entry| {
                let (place, history) = read.remove(&entry.name).unzip();
                entry.history = history.flatten();
                (place.filter(|_| state == ListState::Known), entry)
            });
            let mut known: Vec<(Option<usize>, RunEntry)> = known.collect();
            // New ones come first, the others stay where they are.
            known.sort_by_key(|(place, _)| *place);
            all.extend(known.into_iter().map(|(_, entry)| entry));
            all
        });
        if state == ListState::Awaited {
            let mut rows = self.rows.iter();
            let run = rows.position(|row| self.entries[row.members[0]].experiment.is_none());
            self.cursor = run.unwrap_or(0);
        }
        gone
    }

    /// Replaces the experiments, which are listed before the runs.
    pub(super) fn set_experiments(&mut self, experiments: Vec<RunEntry>) {
        self.replace(|runs| {
            let runs = runs.into_iter().filter(|run| run.experiment.is_none());
            experiments.into_iter().chain(runs).collect()
        });
    }

    /// Replaces the entries. The cursor and what is chosen stay. Returns the names of selected and
    /// pinned runs that no longer exist.
    fn replace(&mut self, with: impl FnOnce(Vec<RunEntry>) -> Vec<RunEntry>) -> Vec<String> {
        let [selected, pinned] = [&self.selected, &self.pinned].map(|places| self.names_of(places));
        let current = self.current().map(|row| row.name.clone());
        self.entries = with(std::mem::take(&mut self.entries));
        let gone = self.choose(&selected, &pinned);
        self.move_to(current.as_deref());
        gone
    }

    /// A list of runs that are known from the start.
    pub(super) fn of(entries: Vec<RunEntry>, names: FactNames, grouping: RunGrouping) -> Self {
        let mut list = Self {
            entries,
            names,
            state: ListState::Known,
            grouping,
            ..Self::default()
        };
        list.update_rows();
        list
    }

    /// Lists groups by their ranks, from the first to the last, and the runs of each by a column.
    /// The cursor stays on its group, or on the first.
    pub(super) fn set_ranks<'a>(
        &mut self,
        groups: impl Iterator<Item = &'a str>,
        (column, goal): (&str, Goal),
    ) {
        self.ranked_by = Some((column.to_owned(), goal));
        let current = self.current().filter(|_| self.cursor > 0);
        let current = current.map(|row| row.name.clone());
        let ranked = (0..).zip(groups);
        self.ranks = ranked.map(|(rank, name)| (name.to_owned(), rank)).collect();
        self.update_rows();
        self.move_to(current.as_deref());
    }

    pub(super) fn entries(&self) -> &[RunEntry] {
        &self.entries
    }

    /// A run, to be changed in what the rows don't depend on.
    pub(super) fn entry_mut(&mut self, place: usize) -> Option<&mut RunEntry> {
        self.entries.get_mut(place)
    }

    pub(super) fn names_mut(&mut self) -> &mut FactNames {
        &mut self.names
    }

    /// Gives the runs their usual order again when they are next listed.
    pub(super) fn sort_anew(&mut self) {
        if self.state == ListState::Known {
            self.state = ListState::SortsAnew;
        }
    }

    /// Whether the runs are known.
    pub(super) fn is_listed(&self) -> bool {
        self.state != ListState::Awaited
    }

    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == name)
    }

    /// Selects and pins these runs instead of others. Returns the names of those that don't exist.
    pub(super) fn choose(&mut self, selected: &[String], pinned: &[String]) -> Vec<String> {
        let mut gone: Vec<String> = Vec::new();
        let mut places = |names: &[String]| {
            let mut found = Vec::new();
            for name in names {
                match self.place(name) {
                    Some(place) => found.push(place),
                    None if !gone.contains(name) => gone.push(name.clone()),
                    None => {}
                }
            }
            found
        };
        let pinned = places(pinned);
        (self.selected, self.pinned) = (places(selected), pinned);
        self.update_rows();
        gone
    }

    /// Takes note of what is known of the live run now. A new one comes first.
    pub(super) fn set_live(&mut self, run: &RunModel) {
        let name = run.name();
        let place = self.place(&name).unwrap_or_else(|| {
            let entry = RunEntry::waiting(name.clone(), &run.preset.name, run.facts.seed, 0);
            self.replace(|mut entries| {
                entries.insert(0, entry);
                entries
            });
            0
        });
        let to_filter = RunToFilter {
            name: &name,
            tags: &[],
            seed: run.facts.seed,
            generation: run.generation,
            preset: &run.preset,
        };
        let columns = run.facts.columns.names().enumerate();
        let columns = columns.map(|(index, column)| (column, run.history.last(index)));
        let mut facts = to_filter.facts(columns, &mut self.names);
        if let Some(known) = &self.entries[place].facts {
            facts.keep_tags_of(known);
        }
        self.entries[place].facts = Some(facts);
        if !self.filter.filter.is_empty() || self.order != RunOrder::AsListed {
            self.update_rows();
        }
        let entry = &mut self.entries[place];
        (entry.generation, entry.generations) = (run.generation, run.preset.generations);
        let objective = run.objective_column().zip(run.objective_now());
        entry.objective = objective.map(|(column, value)| column.figure(value));
        entry.status = match run.state {
            state if state.is_running() => RunStage::Running,
            RunState::Done if run.solved().is_some() => RunStage::Solved,
            RunState::Done => RunStage::Done,
            _ => RunStage::Stopped,
        };
        entry.can_resume = false;
    }

    /// The rows: pinned runs, then the runs or groups that fit the filter.
    pub(super) fn rows(&self) -> &[RunRow] {
        &self.rows
    }

    /// Whether the rows are groups.
    pub(super) fn has_groups(&self) -> bool {
        self.grouping != RunGrouping::Each && self.opened.is_none()
    }

    pub(super) fn grouping(&self) -> &RunGrouping {
        &self.grouping
    }

    pub(super) fn set_grouping(&mut self, grouping: RunGrouping) {
        (self.grouping, self.opened, self.cursor) = (grouping, None, 0);
        self.update_rows();
    }

    /// Groups the runs in the next way: not at all, by preset, then by each parameter in which they
    /// differ.
    pub(super) fn next_grouping(&mut self) {
        if self.grouping == RunGrouping::Each {
            return self.set_grouping(RunGrouping::ByPreset);
        }
        let differing = self.differing(&self.displayed_or_all());
        let next = match &self.grouping {
            RunGrouping::Each | RunGrouping::ByPreset => 0,
            RunGrouping::ByParameter(key) => {
                let place = differing.iter().position(|known| known == key);
                place.map_or(differing.len(), |place| place + 1)
            }
        };
        let key = differing.into_iter().nth(next);
        self.set_grouping(key.map_or(RunGrouping::Each, RunGrouping::ByParameter));
    }

    /// The parameters in which runs differ from others of their preset. What differs between
    /// presets alone is no cause: they differ in much at once.
    pub(super) fn differing(&self, places: &[usize]) -> Vec<String> {
        let mut presets: BTreeMap<&str, Vec<&RunFacts>> = BTreeMap::new();
        for entry in places.iter().map(|&place| &self.entries[place]) {
            let preset = presets.entry(self.preset_of(entry)).or_default();
            preset.extend(&entry.facts);
        }
        let found = presets.values().flat_map(|runs| RunFacts::differing(runs));
        found.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn preset_of<'a>(&self, entry: &'a RunEntry) -> &'a str {
        if self.is_of_one_preset {
            ""
        } else {
            &entry.preset
        }
    }

    /// The group that a run belongs to.
    fn group_of(&self, entry: &RunEntry) -> String {
        match &self.grouping {
            RunGrouping::Each => entry.name.clone(),
            RunGrouping::ByPreset => entry.preset.clone(),
            RunGrouping::ByParameter(key) => {
                let value = entry.facts.as_ref().and_then(|facts| facts.text(key));
                let value = value.map_or(MISSING.to_owned(), |text| format::parameter(&text));
                let group = format!("{} {value}", last_word(key));
                if self.presets > 1 {
                    // What differs comes first.
                    format!("{group}, {}", entry.preset)
                } else {
                    group
                }
            }
        }
    }

    /// The group whose runs are listed.
    pub(super) fn opened(&self) -> Option<&String> {
        self.opened.as_ref()
    }

    /// Lists the runs of the group under the cursor; returns whether there is one.
    pub(super) fn open_group(&mut self) -> bool {
        if !self.has_groups() {
            return false;
        }
        self.opened = self.current().map(|row| row.name.clone());
        self.cursor = 0;
        self.update_rows();
        self.opened.is_some()
    }

    /// Lists the groups again, if the runs of one are listed.
    pub(super) fn close_group(&mut self) -> bool {
        let Some(group) = self.opened.take() else {
            return false;
        };
        self.update_rows();
        self.move_to(Some(&group));
        true
    }

    pub(super) fn order(&self) -> &RunOrder {
        &self.order
    }

    pub(super) fn set_order(&mut self, order: RunOrder) {
        self.order = order;
        self.update_rows();
    }

    /// Orders the rows in the next way; the cursor stays on its row.
    pub(super) fn next_order(&mut self, column: Option<(&str, Goal)>) {
        let current = self.current().map(|row| row.name.clone());
        self.set_order(self.order.next(column));
        self.move_to(current.as_deref());
    }

    /// Brings the rows up to date.
    pub(super) fn update_rows(&mut self) {
        let entries = self.entries.iter().enumerate();
        let runs = entries.filter(|(_, run)| run.is_readable());
        let (runs, presets): (Vec<usize>, BTreeSet<&str>) = runs
            .map(|(place, run)| (place, self.preset_of(run)))
            .unzip();
        let presets = presets.len();
        let may_differ =
            presets > 1 || runs.len() > MOST_COMPARED || !self.differing(&runs).is_empty();
        (self.presets, self.may_differ) = (presets, may_differ);
        let is_pinned = |place: &usize| self.pinned.contains(place);
        let mut places: Vec<usize> = (0..self.entries.len())
            .filter(|place| !is_pinned(place) && self.fits(&self.entries[*place]))
            .collect();
        self.sort(&mut places);
        let rows = if self.has_groups() {
            places.extend(self.pinned.iter().rev());
            places.retain(|&place| self.entries[place].is_readable());
            self.ordered(self.groups(&places))
        } else {
            let all = self.pinned.iter().copied().chain(places);
            all.map(|place| self.row(place)).collect()
        };
        self.rows = rows;
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    fn row(&self, place: usize) -> RunRow {
        RunRow {
            name: self.entries[place].name.clone(),
            members: vec![place],
        }
    }

    /// Whether a run fits the filter and belongs to the opened group.
    fn fits(&self, entry: &RunEntry) -> bool {
        let is_inside = |group: &String| self.group_of(entry) == *group;
        if !self.opened.as_ref().is_none_or(is_inside) {
            return false;
        }
        let filter = &self.filter.filter;
        match &entry.facts {
            _ if filter.is_empty() => true,
            Some(facts) => filter.fits(facts),
            None => filter.fits(&RunFacts::new(&entry.name, &[])),
        }
    }

    fn sort(&self, places: &mut [usize]) {
        let entry = |place: &usize| &self.entries[*place];
        match &self.order {
            RunOrder::AsListed => {
                let ranked = self.ranked_by.as_ref().filter(|_| self.opened.is_some());
                if let Some((column, goal)) = ranked {
                    sort_by_goal(places, *goal, |place| entry(place).latest(column));
                    // With a target, the first to meet it is the best.
                    let time = |run: &RunEntry| run.end?.reached;
                    places.sort_by_key(|place| time(entry(place)).unwrap_or(u64::MAX));
                }
            }
            RunOrder::ByName => places.sort_by_key(|place| &entry(place).name),
            RunOrder::ByProgress => places.sort_by_key(|place| entry(place).generation),
            RunOrder::Best(column, goal) => {
                sort_by_goal(places, *goal, |place| entry(place).latest(column));
            }
        }
    }

    /// Groups have the order of their first runs or, if the best come first, that of their means.
    fn ordered(&self, mut groups: Vec<RunRow>) -> Vec<RunRow> {
        match &self.order {
            RunOrder::ByName => groups.sort_by(|a, b| a.name.cmp(&b.name)),
            RunOrder::Best(column, goal) => {
                sort_by_goal(&mut groups, *goal, |row| self.mean(row, column));
            }
            RunOrder::AsListed if !self.ranks.is_empty() => {
                groups.sort_by_key(|row| self.ranks.get(&row.name));
            }
            RunOrder::AsListed | RunOrder::ByProgress => {}
        }
        groups
    }

    /// The latest value of a column of a run, or the mean of those of finished runs: what others
    /// have is not of the same generations.
    pub(super) fn mean(&self, row: &RunRow, column: &str) -> Option<f64> {
        let members = row.members.iter().map(|&place| &self.entries[place]);
        let members = members.filter(|run| row.members.len() == 1 || run.end.is_some());
        let values = members.filter_map(|run| run.latest(column));
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), one| (sum + one, count + 1.0));
        (count > 0.0).then(|| sum / count)
    }

    fn groups(&self, places: &[usize]) -> Vec<RunRow> {
        let mut rows: Vec<RunRow> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for &place in places {
            let name = self.group_of(&self.entries[place]);
            let row = *known.entry(name.clone()).or_insert(rows.len());
            if row == rows.len() {
                let members = Vec::new();
                rows.push(RunRow { name, members });
            }
            rows[row].members.push(place);
        }
        rows
    }

    /// The number of runs that fit the filter, and of all.
    pub(super) fn counts(&self) -> (usize, usize) {
        let runs = self
            .entries
            .iter()
            .filter(|entry| entry.experiment.is_none());
        let fitting = runs.clone().filter(|entry| self.fits(entry));
        (fitting.count(), runs.count())
    }

    /// Filters the list; the cursor stays on its row, if that fits. An error leaves the filter as
    /// it is.
    pub(super) fn set_filter(&mut self, text: &str) -> Result<(), FilterError> {
        let filter = RunFilter::parse(text, &self.names)?;
        let text = text.trim().to_owned();
        self.replace_filter(ListFilter { text, filter });
        Ok(())
    }

    /// Filters the list in the way of another time.
    pub(super) fn replace_filter(&mut self, filter: ListFilter) {
        let current = self.current().map(|row| row.name.clone());
        self.filter = filter;
        self.update_rows();
        self.move_to(current.as_deref());
    }

    pub(super) fn filter(&self) -> &ListFilter {
        &self.filter
    }

    /// The row under the cursor.
    pub(super) fn current(&self) -> Option<&RunRow> {
        self.rows.get(self.cursor)
    }

    /// The run under the cursor.
    pub(super) fn current_run(&self) -> Option<usize> {
        let row = self.current().filter(|_| !self.has_groups());
        row.and_then(|row| row.members.first().copied())
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Moves the cursor to a row, or to the first one if it is not listed.
    fn move_to(&mut self, name: Option<&str>) {
        let place = self.rows.iter().position(|row| Some(&*row.name) == name);
        self.cursor = place.unwrap_or(0);
    }

    /// Moves the cursor to the row with this index, or to the last one.
    pub(super) fn go(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
    }

    /// Moves the cursor by a number of rows.
    pub(super) fn step(&mut self, rows: i32) {
        self.go(self.cursor.saturating_add_signed(rows as isize));
    }

    pub(super) fn selected(&self) -> &[usize] {
        &self.selected
    }

    pub(super) fn pinned(&self) -> &[usize] {
        &self.pinned
    }

    pub(super) fn clear_selection(&mut self) {
        self.selected.clear();
    }

    /// The names of some runs.
    pub(super) fn names_of(&self, places: &[usize]) -> Vec<String> {
        let names = places.iter().map(|&place| self.entries[place].name.clone());
        names.collect()
    }

    /// The runs that are chosen to be shown: those that are pinned, then those that are selected.
    pub(super) fn displayed(&self) -> Vec<usize> {
        let selected = self.selected.iter();
        let others = selected.filter(|place| !self.pinned.contains(place));
        self.pinned.iter().chain(others).copied().collect()
    }

    /// The runs that are chosen to be shown or, without a choice, all listed ones.
    pub(super) fn displayed_or_all(&self) -> Vec<usize> {
        let displayed = self.displayed();
        if !displayed.is_empty() {
            return displayed;
        }
        let members = self.rows.iter().flat_map(|row| &row.members).copied();
        members
            .filter(|&place| self.entries[place].is_readable())
            .collect()
    }

    /// The lines of a chart. Without a choice, they are the groups or the run under the cursor.
    pub(super) fn lines(&self) -> Vec<RunRow> {
        let displayed = self.displayed();
        let mut lines = match (self.has_groups(), displayed.is_empty()) {
            (false, true) if self.shows_all => self.rows.clone(),
            (true, true) => self.rows.clone(),
            (true, false) => self.ordered(self.groups(&displayed)),
            (false, true) => {
                let row = self.current().into_iter();
                let runs = row.filter(|row| self.entries[row.members[0]].experiment.is_none());
                runs.cloned().collect()
            }
            (false, false) => displayed.iter().map(|&place| self.row(place)).collect(),
        };
        let is_cut = lines.len() > MOST_LINES && displayed.is_empty();
        lines.truncate(MOST_LINES);
        if self.has_groups() {
            // Ranks change while runs go on, and a line keeps its marker and color.
            lines.sort_by_key(|line| line.members.iter().min().copied());
        }
        if let Some(row) = self.current().filter(|_| is_cut)
            && lines.iter().all(|line| line.name != row.name)
        {
            lines[MOST_LINES - 1] = row.clone();
        }
        lines
    }

    /// Whether a row is selected, or a part of it.
    pub(super) fn is_selected(&self, row: &RunRow) -> bool {
        let mut members = row.members.iter();
        members.any(|place| self.selected.contains(place))
    }

    pub(super) fn is_pinned(&self, row: &RunRow) -> bool {
        !self.has_groups() && row.members.iter().any(|place| self.pinned.contains(place))
    }

    /// Whether the chart is full.
    fn is_full(&self) -> bool {
        !self.has_groups() && self.displayed().len() >= MOST_LINES
    }

    /// Selects or deselects the row under the cursor.
    pub(super) fn toggle(&mut self) -> Result<(), RunRefusal> {
        let Some(row) = self.current().cloned() else {
            return Ok(());
        };
        if self.is_pinned(&row) {
            let name = &row.name;
            return Err(format!("{name} is pinned, so it is shown in any case"));
        }
        let is_experiment = |&place: &usize| self.entries[place].experiment.is_some();
        if row.members.iter().any(is_experiment) {
            return Err("an experiment is opened, not selected".to_owned());
        }
        if self.is_selected(&row) {
            self.selected.retain(|place| !row.members.contains(place));
            return Ok(());
        }
        if self.is_full() {
            return Err(too_many());
        }
        self.selected.extend(row.members);
        Ok(())
    }

    /// Selects all listed runs that can be opened. Returns how many had no place.
    pub(super) fn select_listed(&mut self) -> usize {
        let is_shown = |place: &usize| self.selected.contains(place) || self.pinned.contains(place);
        let listed = self.rows.iter().flat_map(|row| &row.members).copied();
        let listed = listed.filter(|&place| self.entries[place].is_readable());
        let mut new: Vec<usize> = listed.filter(|place| !is_shown(place)).collect();
        let room = MOST_LINES.saturating_sub(self.displayed().len());
        let is_bounded = usize::from(!self.has_groups());
        let left_out = is_bounded * new.len().saturating_sub(room);
        new.truncate(new.len() - left_out);
        self.selected.extend(new);
        left_out
    }

    /// Pins or unpins the run under the cursor, which follows it.
    pub(super) fn toggle_pin(&mut self) -> Result<(), RunRefusal> {
        let run = self.current_run();
        let Some(place) = run.filter(|&place| self.entries[place].experiment.is_none()) else {
            return Err("only a run can be pinned".to_owned());
        };
        let name = self.entries[place].name.clone();
        if let Some(index) = self.pinned.iter().position(|pinned| *pinned == place) {
            self.pinned.remove(index);
        } else if !self.selected.contains(&place) && self.is_full() {
            return Err(too_many());
        } else {
            self.pinned.push(place);
        }
        self.update_rows();
        self.move_to(Some(&name));
        Ok(())
    }
}

/// Orders by a value, the best first; what has none comes last.
fn sort_by_goal<T>(all: &mut [T], goal: Goal, value: impl Fn(&T) -> Option<f64>) {
    let badness = |one: &T| match (value(one), goal) {
        (None, _) => f64::INFINITY,
        (Some(value), Goal::Maximize) => -value,
        (Some(value), Goal::Minimize) => value,
    };
    // Whole numbers in the order of `total_cmp`, so that each value is looked up once.
    all.sort_by_cached_key(|one| {
        let bits = badness(one).to_bits() as i64;
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    });
}

fn too_many() -> RunRefusal {
    format!("at most {MOST_LINES} runs can be compared")
}
