//! The Compare screen as a screen of the dashboard.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{self, Action, Binding, Scope, keys};
use crate::model::context::Context;
use crate::model::zoom::Zoom;
use crate::mouse::{Regions, Wheel};
use crate::screen::{ClickTarget, Effects, KeyHints, Screen, ScreenEvent, Tab, passed};

use super::{CompareScreen, CompareTarget, CompareTask, REREAD_INTERVAL};

/// Selects all listed runs.
pub(super) const SELECT_LISTED: Action = Action::Own("select_listed");
/// Keeps the run under the cursor in the chart and at the top of the list.
pub(super) const PIN: Action = Action::Own("pin_run");
/// Opens the menu of saved views.
pub(super) const VIEWS: Action = Action::Own("saved_views");
/// Deletes the view under the cursor of the menu.
pub(super) const DELETE_VIEW: Action = Action::Own("delete_view");

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "compare",
    keys![
        Code(KeyCode::Enter) => Enter, "select or deselect a run", "select";
        Char('/') => Filter, "filter the list: population>=100", "filter";
        Char('A') => (SELECT_LISTED), "select all listed or none", "";
        Char('a') => ClearSelection, "select all listed or none", "";
        Char('p') => (PIN), "pin a run: it stays shown", "pin";
        Char('v') => (VIEWS), "save or show a view", "views";
        Char('D') => (DELETE_VIEW), "delete a view; asks first", "delete";
        Char('m') => NextMetric, "next column", "column";
        Char('M') => PreviousMetric, "previous column", "";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: one or ten steps", "";
        Code(KeyCode::Right) => Right, "crosshair: one or ten steps", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: one or ten steps", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: one or ten steps", "";
        Char('g') => GroupRuns, "group by preset or parameter", "group";
        Char('x') => NextXAxis, "x-axis: generations, games or time", "x-axis";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "";
        Char('+') => WindowWider, "show more generations", "window";
        Char('-') => WindowNarrower, "show fewer generations", "";
        Char('b') => HigherBound, "raise or lower the bound to reach", "bound";
        Char('B') => LowerBound, "raise or lower the bound to reach", "";
        Char('l') => ShowFork, "the fork or the list of runs", "";
        Char('e') => ExportRuns, "write the comparison to files", "export";
        Char('r') => Reload, "reload the runs", "";
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

    fn press(&mut self, key: KeyEvent, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        if self.input.is_some() {
            self.message.clear();
            self.press_in_input(key, live);
            self.update_preview(live);
            return Vec::new();
        }
        let action = keymap::action(SCOPE, key);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        self.message.clear();
        let action = self.handle(action, live);
        self.update_preview(live);
        passed(action)
    }

    /// The wheel moves through the list, or changes the window of a zoomed chart.
    fn wheel(&mut self, wheel: Wheel, context: &mut Context) -> Effects {
        let action = match (self.options.zoom, wheel) {
            (Zoom::Out, _) => keymap::wheel(SCOPE, wheel),
            (Zoom::In, Wheel::Up) => Some(Action::WindowNarrower),
            (Zoom::In, Wheel::Down) => Some(Action::WindowWider),
        };
        action.map_or_else(Vec::new, |action| self.act(action, context))
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
            _ => {}
        }
    }

    fn receive_answers(&mut self, context: &mut Context) {
        self.take_answers(WantedAnswers::Arrived, context.run.as_ref());
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

    /// The time until runs in progress are read again.
    fn due(&self, _: &Context) -> Option<Duration> {
        let is_in_progress = !self.runs_in_progress().is_empty();
        is_in_progress.then(|| {
            REREAD_INTERVAL
                .saturating_sub(self.since)
                .max(Duration::from_millis(100))
        })
    }

    /// Leaves nothing half typed.
    fn leave(&mut self) {
        self.cancel_input(None);
    }

    /// Whether views are being written.
    fn is_working(&self) -> bool {
        self.jobs.is_running(&CompareTask::Views)
    }

    fn hints(&self) -> KeyHints {
        match self.input {
            Some(_) => KeyHints::Typing,
            None => KeyHints::OwnFirst,
        }
    }

    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let is_on_view = self.menu.current().is_some();
        match binding.action {
            Action::Back if self.input.is_some() => "cancel",
            Action::Enter if self.input.is_some() => "done",
            _ if self.input.is_some() => "",
            DELETE_VIEW if !self.menu.is_open() || !is_on_view => "",
            Action::Help | Action::Quit | DELETE_VIEW => binding.hint,
            _ if !self.menu.is_open() => binding.hint,
            Action::Enter if is_on_view => "show",
            Action::Enter => "save",
            VIEWS => "list of runs",
            _ => "",
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf).map(ClickTarget::own)
    }
}
