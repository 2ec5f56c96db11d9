//! The Compare screen as a screen of the dashboard.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::model::zoom::Zoom;
use crate::mouse::{Regions, Wheel};
use crate::screen::{
    ClickTarget, Effects, KeyHints, Screen, ScreenEvent, ScreenInput, ScreenState, Tab, passed,
};

use super::{CompareScreen, CompareTarget, CompareTask, REREAD_INTERVAL};

own_actions! {
    /// What only the Compare screen does.
    pub(super) enum CompareAction {
        /// Selects all listed runs.
        SelectListed = "select_listed",
        ClearSelection = "clear_selection",
        /// Keeps the run under the cursor in the chart and at the top of the list.
        Pin = "pin_run",
        /// Opens the menu of saved views.
        Views = "saved_views",
        /// Deletes the view under the cursor of the menu.
        DeleteView = "delete_view",
        GroupRuns = "group_runs",
        HigherBound = "higher_bound",
        LowerBound = "lower_bound",
        ShowFork = "show_fork",
        ExportRuns = "export_runs",
        Reload = "reload",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "compare",
    keys![
        Code(KeyCode::Enter) => Enter, "select or deselect a run", "select";
        Char('/') => Filter, "filter the list: population>=100", "filter";
        Char('A') => (CompareAction::SelectListed), "select all listed or none", "";
        Char('a') => (CompareAction::ClearSelection), "select all listed or none", "";
        Char('p') => (CompareAction::Pin), "pin a run: it stays shown", "pin";
        Char('v') => (CompareAction::Views), "save or show a view", "views";
        Char('D') => (CompareAction::DeleteView), "delete a view; asks first", "delete";
        Char('m') => NextMetric, "next column", "column";
        Char('M') => PreviousMetric, "previous column", "";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: one or ten steps", "";
        Code(KeyCode::Right) => Right, "crosshair: one or ten steps", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: one or ten steps", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: one or ten steps", "";
        Char('g') => (CompareAction::GroupRuns), "group by preset or parameter", "group";
        Char('x') => NextXAxis, "x-axis: generations, games or time", "x-axis";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "";
        Char('+') => WindowWider, "show more generations", "window";
        Char('-') => WindowNarrower, "show fewer generations", "";
        Char('b') => (CompareAction::HigherBound), "raise or lower the bound to reach", "bound";
        Char('B') => (CompareAction::LowerBound), "raise or lower the bound to reach", "";
        Char('l') => (CompareAction::ShowFork), "the fork or the list of runs", "";
        Char('e') => (CompareAction::ExportRuns), "write the comparison to files", "export";
        Char('r') => (CompareAction::Reload), "reload the runs", "";
        Char('z') => Zoom, "zoom the chart in or out", "zoom";
        Code(KeyCode::Up) => Up, "previous run", "";
        Code(KeyCode::Down) => Down, "next run", "";
        Char('k') => Up, "previous run", "";
        Char('j') => Down, "next run", "";
        Key::Wheel(Wheel::Up) => Up, "previous run", "";
        Key::Wheel(Wheel::Down) => Down, "next run", "";
        Code(KeyCode::Home) => First, "first or last run or value", "";
        Code(KeyCode::End) => Last, "first or last run or value", "";
        Click => Click, "select a run, or read a value", "";
    ],
);

impl Screen for CompareScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Compare",
            short: "Cmp",
            action: Action::GoCompare,
            key: '8',
            purpose: "compare runs",
            scope: SCOPE,
        }
    }

    /// Lists and reads the saved runs.
    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if context.saves.is_some() {
            self.saves.clone_from(&context.saves);
        }
        self.reread(context.run.as_ref());
        self.read_views();
        self.update_preview(context.run.as_ref());
        Ok(Vec::new())
    }

    /// The wheel moves through the list, or changes the window of a zoomed chart.
    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        if let (Some(_), ScreenInput::Key(key)) = (&self.input, input) {
            self.message.clear();
            self.press_in_input(key, live);
            self.update_preview(live);
            return Vec::new();
        }
        let action = match (self.options.zoom, input) {
            (Zoom::In, ScreenInput::Wheel(Wheel::Up)) => Some(Action::WindowNarrower),
            (Zoom::In, ScreenInput::Wheel(Wheel::Down)) => Some(Action::WindowWider),
            _ => input.action(SCOPE),
        };
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        self.message.clear();
        let action = self.handle(action, live);
        self.update_preview(live);
        passed(action)
    }

    fn click(&mut self, target: &ClickTarget, cell: Position, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        match target.as_own::<CompareTarget>() {
            Some(CompareTarget::Run(index)) => {
                self.message.clear();
                self.runs.cursor = *index;
                self.toggle(live);
                self.update_preview(live);
            }
            Some(CompareTarget::View(row)) => {
                self.message.clear();
                self.click_view(*row, live);
                self.update_preview(live);
            }
            Some(CompareTarget::Chart(body)) => {
                let length = f64::from(body.width.saturating_sub(1).max(1));
                let share = f64::from(cell.x.saturating_sub(body.x)) / length;
                let window = self.window(live);
                let charts = &mut self.options.charts;
                charts.crosshair.move_to_share(share, charts.x_unit, window);
            }
            None => {}
        }
        Vec::new()
    }

    /// Takes in a fork of the run, or the names of runs.
    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match (event, &context.run) {
            (ScreenEvent::ForkRequested(request), Some(run)) => self.start_fork(request, run),
            (ScreenEvent::RunsToCompare(names), _) => self.wanted = names.to_vec(),
            (ScreenEvent::Answered, live) => {
                self.take_answers(WantedAnswers::Arrived, live.as_ref());
            }
            // Nothing is left half typed.
            (ScreenEvent::Left, _) => self.cancel_input(None),
            _ => {}
        }
    }

    /// Runs that another process writes are read again at intervals.
    fn tick(&mut self, passed: Duration, _: &mut Context) -> bool {
        self.since += passed;
        if self.since >= REREAD_INTERVAL && !self.jobs.is_busy() {
            self.since = Duration::ZERO;
            let runs_in_progress = self.runs_in_progress();
            self.read(runs_in_progress);
        }
        false
    }

    fn state(&self, _: &Context) -> ScreenState {
        let hints = match self.input {
            Some(_) => KeyHints::Typing,
            None => KeyHints::OwnFirst,
        };
        // Runs in progress are read again.
        let due = (!self.runs_in_progress().is_empty()).then(|| {
            REREAD_INTERVAL
                .saturating_sub(self.since)
                .max(Duration::from_millis(100))
        });
        ScreenState {
            hints,
            // Views are being written.
            is_working: self.jobs.is_running(&CompareTask::Views),
            due,
            ..ScreenState::default()
        }
    }

    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let is_on_view = self.menu.current().is_some();
        let is_open = self.menu.is_open();
        match (binding.action, CompareAction::of(binding.action)) {
            (Action::Back, _) if self.input.is_some() => "cancel",
            (Action::Enter, _) if self.input.is_some() => "done",
            _ if self.input.is_some() => "",
            (_, Some(CompareAction::DeleteView)) if !is_open || !is_on_view => "",
            (Action::Help | Action::Quit, _) | (_, Some(CompareAction::DeleteView)) => binding.hint,
            _ if !is_open => binding.hint,
            (Action::Enter, _) if is_on_view => "show",
            (Action::Enter, _) => "save",
            (_, Some(CompareAction::Views)) => "list of runs",
            _ => "",
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf).map(ClickTarget::own)
    }
}
