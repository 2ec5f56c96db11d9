//! What the keys of the Compare screen do.

use crate::keymap::Action;
use crate::model::run::RunModel;
use crate::widgets::crosshair::{CursorStep, step_length};

use super::CompareScreen;
use super::parameters::{RunParameters, differences};
use super::runs::MOST_RUNS;
use super::screen::CompareAction;

impl CompareScreen {
    pub(super) fn handle(&mut self, action: Action, live: Option<&RunModel>) -> Option<Action> {
        let action = if self.menu.is_open() {
            self.handle_in_menu(action, live)?
        } else {
            action
        };
        let has_cursor = self.options.charts.crosshair.is_visible();
        if let Some(step) = CursorStep::of(action).filter(|_| has_cursor) {
            self.step(step, live);
            return None;
        }
        let has_fork = self.shown_fork().is_some() || self.menu.is_open();
        match action {
            Action::Enter if !has_fork => self.toggle(live),
            Action::Filter => self.start_filter(),
            Action::NextMetric => self.cycle_column(1, live),
            Action::PreviousMetric => self.cycle_column(-1, live),
            Action::ReadValues => self.options.charts.crosshair.toggle(),
            Action::First => self.runs.cursor = 0,
            Action::Last => self.runs.cursor = self.runs.names(live).len().saturating_sub(1),
            Action::Up => self.runs.step_back(),
            Action::Down => self.runs.step_on(live),
            Action::NextXAxis => self.options.next_axis(),
            Action::ToggleLogScale => self.options.charts.toggle_scale(),
            Action::WindowWider => {
                let longest = self.longest(live);
                self.options.charts.widen(longest);
            }
            Action::WindowNarrower => {
                let longest = self.longest(live);
                self.options.charts.narrow(longest);
            }
            Action::Back if has_cursor => self.options.charts.crosshair.hide(),
            zoomed if self.options.zoom.handle(zoomed) => {}
            other => match CompareAction::of(other) {
                Some(own) if self.handle_own(own, has_fork, live) => {}
                _ => return Some(other),
            },
        }
        None
    }

    /// Handles one of the screen's own actions, and returns whether it applies now. With a fork or
    /// the menu there is no list of runs.
    fn handle_own(
        &mut self,
        action: CompareAction,
        has_fork: bool,
        live: Option<&RunModel>,
    ) -> bool {
        match action {
            CompareAction::SelectListed | CompareAction::Pin if has_fork => return false,
            CompareAction::SelectListed => self.select_listed(live),
            CompareAction::Pin => self.toggle_pin(live),
            CompareAction::ClearSelection => self.runs.selected.clear(),
            CompareAction::Views => self.show_or_hide_views(),
            CompareAction::HigherBound => self.options.raise_threshold(),
            CompareAction::LowerBound => self.options.lower_threshold(),
            CompareAction::GroupRuns => self.next_grouping(live),
            CompareAction::ShowFork => self.show_or_hide_fork(),
            CompareAction::ExportRuns => self.export(live),
            CompareAction::Reload => self.reread(live),
            CompareAction::DeleteView => return false,
        }
        true
    }

    /// Selects or deselects the run under the cursor.
    pub(super) fn toggle(&mut self, live: Option<&RunModel>) {
        let toggled = self.runs.toggle(live);
        self.read_new(toggled, live);
    }

    /// Pins or unpins the run under the cursor.
    fn toggle_pin(&mut self, live: Option<&RunModel>) {
        let toggled = self.runs.toggle_pin(live);
        self.read_new(toggled, live);
    }

    /// Reads the run that is shown from now on, if there is one, or says why it is not.
    fn read_new(&mut self, shown: Result<Option<String>, String>, live: Option<&RunModel>) {
        match shown {
            Ok(name) => {
                let live = live.map(RunModel::name);
                self.read(
                    name.filter(|name| live.as_ref() != Some(name))
                        .into_iter()
                        .collect(),
                );
            }
            Err(refusal) => self.message = refusal,
        }
    }

    /// Selects all listed runs, as many as can be compared.
    fn select_listed(&mut self, live: Option<&RunModel>) {
        let (mut added, left_out) = self.runs.select_listed(live);
        if left_out > 0 {
            self.message =
                format!("at most {MOST_RUNS} runs can be compared; {left_out} more are listed");
        }
        let live = live.map(RunModel::name);
        added.retain(|name| live.as_ref() != Some(name));
        self.read(added);
    }

    /// The length of the longest shown run, in generations.
    fn longest(&self, live: Option<&RunModel>) -> u64 {
        let runs = self.series(live);
        let longest = runs.iter().map(|run| run.history.end() + 1).max();
        longest.unwrap_or(0)
    }

    /// Groups the shown runs in the next way.
    fn next_grouping(&mut self, live: Option<&RunModel>) {
        let runs = self.series(live);
        let parameters: Vec<&RunParameters> = runs.iter().map(|run| &*run.parameters).collect();
        let differing = differences(&parameters).into_iter();
        let differing: Vec<String> = differing.map(|one| one.key).collect();
        drop(runs);
        self.options.next_grouping(&differing);
    }

    fn cycle_column(&mut self, by: i64, live: Option<&RunModel>) {
        let runs = self.series(live);
        let names = Self::columns(&runs);
        let shown = self.column(&runs);
        let here = names.iter().position(|name| Some(name) == shown.as_ref());
        let count = names.len().max(1) as i64;
        let next = (here.unwrap_or(0) as i64 + by).rem_euclid(count) as usize;
        let next = names.get(next).cloned();
        drop(runs);
        self.options.column = next;
    }

    fn step(&mut self, way: CursorStep, live: Option<&RunModel>) {
        let window = self.window(live);
        let charts = &mut self.options.charts;
        let length = step_length(charts.x_unit, window);
        charts.crosshair.step(way, length, window);
    }
}
