//! What the keys of the Runs screen do.

use std::path::PathBuf;

use crate::keymap::{self, Action};
use crate::model::run::RunModel;
use crate::screen::{Effect, Effects, Request, passed};
use crate::widgets::crosshair::step_length;
use finches_engine::preset::Preset;
use finches_lab::experiment::again;
use finches_runs::storage::saves::{RunFile, Saves};

use super::entry::RunEntry;
use super::export::{ComparisonExport, source};
use super::list::{ListFilter, MOST_LINES};
use super::screen::RunsAction;
use super::work::{RunsAnswer, RunsTask};
use super::{RunSource, RunsScreen, RunsView, differences, effects, groups, table};

/// The rows of a page of the list.
pub(super) const PAGE: i32 = 10;

/// What the key that opens does with a run of an experiment at first, of which no state is kept.
pub(super) const AGAIN: &str = "evolve again";

impl RunsScreen {
    pub(super) fn handle(&mut self, action: Action, live: Option<&RunModel>) -> Effects {
        let action = if self.menu.is_open() {
            match self.handle_in_menu(action) {
                Some(action) => action,
                None => return Vec::new(),
            }
        } else {
            action
        };
        let has_cursor = self.options.charts.crosshair.is_visible();
        let has_cursor = has_cursor && self.view == RunsView::Curves;
        if let Some(steps) = action.crosshair_steps().filter(|_| has_cursor) {
            self.step(steps, live);
            return Vec::new();
        }
        if let Some(rows) = action.rows(PAGE) {
            self.list_mut().step(rows);
            return Vec::new();
        }
        if is_about_view(action)
            && let Some((_, preview)) = &mut self.preview
        {
            preview.message.clear();
            preview.handle(action, None);
            preview.update(None);
            return Vec::new();
        }
        match action {
            Action::Enter => return self.open(live),
            Action::Fork => return self.fork_current(live),
            Action::Filter => self.start_filter(),
            Action::NextMetric => self.cycle_column(1, live),
            Action::PreviousMetric => self.cycle_column(-1, live),
            Action::ReadValues => self.options.charts.crosshair.toggle(),
            Action::Left | Action::Right if self.view == RunsView::Map => {
                let pair = self
                    .sweep()
                    .and_then(|it| it.other_pair(action == Action::Right));
                self.options.pair = pair;
            }
            Action::NextXAxis => self.next_axis(),
            Action::ToggleLogScale => self.options.charts.toggle_scale(),
            Action::WindowWider => self.options.charts.widen(self.longest(live)),
            Action::WindowNarrower => self.options.charts.narrow(self.longest(live)),
            Action::Back if has_cursor => self.options.charts.crosshair.hide(),
            zoomed if self.options.zoom.handle(zoomed) => {}
            Action::Back if self.list_mut().close_group() => {
                self.view = self.options.left.take().unwrap_or(self.view);
            }
            Action::Back if self.current > 0 => self.show_set(0),
            Action::Back if !self.list().filter().text().is_empty() => {
                self.list_mut().replace_filter(ListFilter::default());
            }
            Action::Back if self.is_alone() => {}
            other => match RunsAction::of(other) {
                Some(own) => self.handle_own(own, live),
                None => return passed(Some(other)),
            },
        }
        Vec::new()
    }

    /// Handles one of the screen's own actions.
    fn handle_own(&mut self, action: RunsAction, live: Option<&RunModel>) {
        let done = match action {
            RunsAction::Select => self.list_mut().toggle(),
            RunsAction::Pin => self.list_mut().toggle_pin(),
            _ => Ok(()),
        };
        if let Err(refusal) = done {
            self.message = refusal;
        }
        match action {
            RunsAction::Select | RunsAction::Pin | RunsAction::DeleteView => {}
            RunsAction::SelectListed => self.select_listed(),
            RunsAction::ClearSelection => self.list_mut().clear_selection(),
            RunsAction::Views => self.show_or_hide_views(),
            RunsAction::HigherBound => self.options.move_threshold(1),
            RunsAction::LowerBound => self.options.move_threshold(-1),
            RunsAction::GroupRuns => self.list_mut().next_grouping(),
            RunsAction::OrderRuns => {
                let column = self.figures.column.clone();
                let column = column.as_ref().map(|column| (&*column.name, column.goal));
                self.list_mut().next_order(column);
            }
            RunsAction::NextSet => self.show_set((self.current + 1) % self.sets.len()),
            RunsAction::ExportRuns => self.export(live),
            RunsAction::Reload => {
                self.sets[0].list.sort_anew();
                self.reread(live);
            }
            RunsAction::Curves => self.show(RunsView::Curves),
            RunsAction::Table => self.show(RunsView::Table),
            RunsAction::Map => self.show(RunsView::Map),
            RunsAction::Effects => self.show(RunsView::Effects),
            RunsAction::Differences => self.show(RunsView::Differences),
        }
    }

    /// Shows a view, or says why it says nothing about the runs.
    fn show(&mut self, view: RunsView) {
        // What differs says itself which runs it needs.
        match self.refusal(view).filter(|_| view != RunsView::Differences) {
            None => {
                (self.view, self.options.scroll) = (view, 0);
                self.options.left = None;
            }
            Some(refusal) => self.message = refusal,
        }
    }

    /// Moves by a page in a view that consists of lines, of which about `rows` are shown; returns
    /// whether it is one.
    pub(super) fn scroll(&mut self, action: Action, rows: usize, live: Option<&RunModel>) -> bool {
        let page = action.rows(PAGE).filter(|rows| rows.abs() > 1);
        let Some((page, length)) = page.zip(self.length(live)) else {
            return false;
        };
        let scroll = self.options.scroll.saturating_add_signed(page as isize);
        self.options.scroll = scroll.min(length.saturating_sub(rows));
        true
    }

    /// The length of the shown view, if it consists of lines.
    fn length(&self, live: Option<&RunModel>) -> Option<usize> {
        match self.view {
            RunsView::Effects => self.sweep().as_ref().map(effects::length),
            RunsView::Differences => Some(differences::length(&differences::all(self, live))),
            RunsView::Curves | RunsView::Table | RunsView::Map => None,
        }
    }

    /// Opens what is under the cursor: a group, or a run on all screens.
    fn open(&mut self, live: Option<&RunModel>) -> Effects {
        if self.list_mut().open_group() {
            // The map and the effects stay those of the whole set.
            if matches!(self.view, RunsView::Map | RunsView::Effects) {
                self.options.left = Some(std::mem::replace(&mut self.view, RunsView::Curves));
            }
            return Vec::new();
        }
        let Some(place) = self.list().current_run() else {
            return Vec::new();
        };
        let run = &self.list().entries()[place];
        if run.experiment.is_some() {
            let folder = PathBuf::from(&run.name);
            self.message = format!("opening {}", run.name);
            self.open_folder(folder);
            return Vec::new();
        }
        if let Some(refusal) = self.unopened(place) {
            self.message = refusal;
            return Vec::new();
        }
        let is_live = |name: &str| live.is_some_and(|live| live.name() == name);
        let request = match &self.set().source {
            RunSource::Saved(_) if is_live(&run.name) => return vec![Effect::Do(Action::GoRun)],
            RunSource::Saved(_) => Request::Open(run.name.clone()),
            RunSource::Experiment(experiment) => {
                let id = experiment.id(place);
                let preset = &experiment.presets()[id.preset];
                match self.copy_of(preset, id.seed, live) {
                    Some(name) if is_live(&name) => return vec![Effect::Do(Action::GoRun)],
                    Some(name) => Request::Open(name),
                    None => Request::Replay(Box::new(RunFile::new(preset.clone(), id.seed))),
                }
            }
        };
        vec![Effect::Ask(request)]
    }

    /// Why a run of an experiment can't be opened on all screens, or the command that does it in
    /// place of a dashboard that is one of an experiment.
    fn unopened(&self, place: usize) -> Option<String> {
        let experiment = self.experiment()?;
        let manifest = &experiment.setup.manifest;
        if manifest.fork.is_some() {
            let words = "a branch has no other screens; a fork with 0 seeds saves a second run";
            return Some(words.to_owned());
        }
        if manifest.islands.is_some() {
            let words = "an island can't be evolved again alone: others sent it members";
            return Some(words.to_owned());
        }
        let command = || match again::command(manifest, experiment.id(place)) {
            Some(command) => format!("on all screens, from its start: {command}"),
            None => "its preset has no name that a command can give".to_owned(),
        };
        self.is_alone().then(command)
    }

    /// What the key that opens does, in a word or two; empty if it would refuse.
    pub(super) fn opening_words(&self) -> &'static str {
        let run = self.list().current_run();
        let is_refused = run.is_some_and(|place| self.unopened(place).is_some());
        match self.experiment() {
            _ if self.list().has_groups() => "its runs",
            Some(_) if is_refused && !self.is_alone() => "",
            Some(_) if is_refused => "its command",
            Some(experiment) => {
                let id = run.map(|place| experiment.id(place));
                let preset = id.map(|id| (&experiment.presets()[id.preset], id.seed));
                let copy = preset.and_then(|(preset, seed)| self.alike(preset, seed).next());
                copy.map_or(AGAIN, |_| "open its copy")
            }
            None if run.is_some_and(|place| self.list().entries()[place].goes_on()) => "resume",
            None => "open",
        }
    }

    /// The saved run that a run of an experiment has become when it was opened before: one with its
    /// preset and seed, and without changes. The live run may not be listed yet.
    fn copy_of(&self, preset: &Preset, seed: u64, live: Option<&RunModel>) -> Option<String> {
        let is_it = |live: &&RunModel| live.facts.preset == *preset && live.facts.seed == seed;
        if let Some(live) = live.filter(is_it) {
            return Some(live.name());
        }
        let RunSource::Saved(Some(saves)) = &self.sets[0].source else {
            return None;
        };
        // A run records the changes of its schedule.
        let own = preset.scheduled().unwrap_or_default();
        let is_copy = |run: &&RunEntry| {
            let file = saves.run_file(&run.name);
            file.is_ok_and(|file| file.interventions.iter().all(|change| own.contains(change)))
        };
        let mut alike = self.alike(preset, seed);
        alike.find(is_copy).map(|run| run.name.clone())
    }

    /// The saved runs with a preset and a seed, which may have been changed since.
    fn alike<'a>(&'a self, preset: &'a Preset, seed: u64) -> impl Iterator<Item = &'a RunEntry> {
        let is_its = |run: &RunEntry| run.kind.as_ref().is_some_and(|it| *it.preset == *preset);
        let runs = self.sets[0].list.entries().iter();
        runs.filter(move |run| run.preset == preset.name && run.seed == seed && is_its(run))
    }

    /// Forks the run under the cursor, if there is one.
    fn fork_current(&mut self, live: Option<&RunModel>) -> Effects {
        let entries = self.list().entries();
        let place = self.list().current_run();
        let place = place.filter(|&place| entries[place].experiment.is_none());
        let name = place.map(|place| match &self.set().source {
            RunSource::Saved(_) => Some(entries[place].name.clone()),
            RunSource::Experiment(experiment) => {
                let id = experiment.id(place);
                self.copy_of(&experiment.presets()[id.preset], id.seed, live)
            }
        });
        match name {
            Some(Some(name)) if live.is_none_or(|live| live.name() != name) => {
                return vec![Effect::Ask(Request::Fork(name))];
            }
            Some(None) => {
                let enter = keymap::label(self.scope(), Action::Enter);
                let words = || format!("{enter} opens it as a saved run, which can be forked");
                self.message = place.and_then(|it| self.unopened(it)).unwrap_or_else(words);
            }
            _ => return vec![Effect::Do(Action::Fork)],
        }
        Vec::new()
    }

    /// Whether the key of an action would do nothing now.
    pub(super) fn does_nothing(&self, action: Action) -> bool {
        let list = self.list();
        let run = list.current_run().map(|place| &list.entries()[place]);
        let is_run = run.is_some_and(|run| run.experiment.is_none());
        match RunsAction::of(action) {
            Some(RunsAction::Pin) => !is_run,
            Some(RunsAction::Select) => !is_run && !list.has_groups(),
            Some(RunsAction::ExportRuns) => self.shown().figures.lines.is_empty(),
            _ => list.rows().is_empty(),
        }
    }

    /// Selects all listed runs, as many as can be compared.
    fn select_listed(&mut self) {
        let left_out = self.list_mut().select_listed();
        if left_out > 0 {
            self.message =
                format!("at most {MOST_LINES} runs can be compared; {left_out} more are listed");
        }
    }

    /// The files of an experiment contain no times, so that they are the same on every machine.
    fn next_axis(&mut self) {
        self.options.next_axis();
        let has_times = self.experiment().is_none();
        let unit = finches_engine::metrics::progress_unit::ProgressUnit::Seconds;
        if !has_times && self.options.charts.x_unit == unit {
            self.options.next_axis();
        }
    }

    /// The length of the longest shown run, in generations.
    fn longest(&self, live: Option<&RunModel>) -> u64 {
        let runs = self.series(live);
        let longest = runs.iter().map(|run| run.history.end() + 1).max();
        longest.unwrap_or(0)
    }

    fn cycle_column(&mut self, by: i64, live: Option<&RunModel>) {
        let columns = self.columns(live);
        let shown = self.figures.column.as_ref().map(|column| &column.name);
        let here = columns
            .iter()
            .position(|column| Some(&column.name) == shown);
        let count = columns.len().max(1) as i64;
        let next = (here.unwrap_or(0) as i64 + by).rem_euclid(count) as usize;
        self.options.column = columns.into_iter().nth(next).map(|column| column.name);
    }

    fn step(&mut self, steps: i64, live: Option<&RunModel>) {
        let window = self.window(live);
        let charts = &mut self.options.charts;
        let length = step_length(charts.x_unit, window);
        charts.crosshair.step(steps, length, window);
    }

    /// Writes the curves and the table to files: beside the runs.
    fn export(&mut self, live: Option<&RunModel>) {
        let saves = match &self.set().source {
            RunSource::Experiment(experiment) => {
                Some(Saves::at(PathBuf::from(&experiment.setup.folder)))
            }
            RunSource::Saved(saves) => saves.clone(),
        };
        if let Some((read, all)) = self.loading(RunsView::Curves) {
            self.message = format!("{read} of {all} runs are read; export them when all are");
            return;
        }
        if let Some(column) = &self.figures.column {
            let groups = groups::of_list(self, &column.name);
            self.figures.groups = groups::summaries(groups);
        }
        let series = self.series(live);
        let column = self.figures.column.as_ref().filter(|_| !series.is_empty());
        let (Some(column), Some(saves)) = (column, saves) else {
            "there are no curves to export yet".clone_into(&mut self.message);
            return;
        };
        let x_unit = self.options.charts.x_unit;
        let entries = self.list().entries();
        let members = self.figures.lines.iter().flat_map(|line| &line.members);
        let seeds = members.map(|&place| entries[place].seed);
        let source = source(&series, &seeds.collect());
        match ComparisonExport::of((&series, &source), column, x_unit, table::records(self)) {
            Ok(export) => {
                let export = export.with_view(self);
                self.jobs.ask(RunsTask::Export, move |_| {
                    Ok(RunsAnswer::Exported(export.write(&saves)?))
                });
            }
            Err(error) => self.message = error.to_string(),
        }
    }
}

/// Whether an action changes or writes what is shown beside the list.
fn is_about_view(action: Action) -> bool {
    let views = RunsView::ALL.map(|view| RunsAction::of_view(view).action());
    let is_column = matches!(action, Action::NextMetric | Action::PreviousMetric);
    is_column || views.contains(&action) || action == RunsAction::ExportRuns.action()
}
