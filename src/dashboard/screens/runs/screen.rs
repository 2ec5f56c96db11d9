//! The Runs screen as a screen of the dashboard, in the row of tabs or alone.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::jobs::WantedAnswers;
use crate::keymap::{Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::{Regions, Wheel};
use crate::screen::{
    ClickTarget, Effect, Effects, ExitMode, KeyHints, Request, Screen, ScreenEvent, ScreenInput,
    ScreenState, Tab,
};

use super::entry::RunEntry;
use super::experiment::{Experiment, ExperimentState};
use super::work::RunsTask;
use super::{RunSource, RunsScreen, RunsTarget, RunsView, header, view};

own_actions! {
    /// What only the Runs screen does.
    pub(super) enum RunsAction {
        Select = "select_run",
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
        OrderRuns = "order_runs",
        HigherBound = "higher_bound",
        LowerBound = "lower_bound",
        /// Shows the next of the opened sets: saved runs, experiments, forks.
        NextSet = "next_set",
        ExportRuns = "export_runs",
        Reload = "reload",
        Curves = "show_curves",
        Table = "show_table",
        Map = "show_map",
        Effects = "show_effects",
        Differences = "show_differences",
    }
}

impl RunsAction {
    /// The action that shows a view.
    pub(super) fn of_view(view: RunsView) -> Self {
        match view {
            RunsView::Curves => Self::Curves,
            RunsView::Table => Self::Table,
            RunsView::Map => Self::Map,
            RunsView::Effects => Self::Effects,
            RunsView::Differences => Self::Differences,
        }
    }
}

/// The keys of the screen, and those that only stand in one of its scopes.
macro_rules! runs_keys {
    ($($more:tt)*) => {
        keys![
            Code(KeyCode::Enter) => Enter, "open a group, or a run", "open";
            Char(' ') => (RunsAction::Select), "select or deselect", "select";
            Char('g') => (RunsAction::GroupRuns), "group by preset, parameter", "group";
            Char('e') => (RunsAction::ExportRuns), "export to files", "export";
            Char('m') => NextMetric, "next column", "column";
            Char('M') => PreviousMetric, "previous column", "";
            Char('/') => Filter, "filter: population>=100, tag=x", "filter";
            Char('i') => ReadValues, "show or hide the crosshair", "read";
            Char('x') => NextXAxis, "axes: games, time, logarithmic", "axis";
            Char('y') => ToggleLogScale, "axes: games, time, logarithmic", "";
            Char('v') => (RunsAction::Views), "saved views", "views";
            Char('D') => (RunsAction::DeleteView), "saved views", "delete";
            Char('o') => (RunsAction::OrderRuns), "order: name, best, done", "order";
            Char('P') => (RunsAction::Pin), "pin: it stays shown", "pin";
            Char('A') => (RunsAction::SelectListed), "select all listed or none", "";
            Char('N') => (RunsAction::ClearSelection), "select all listed or none", "";
            Char('c') => (RunsAction::Curves), "views of the runs", "";
            Char('t') => (RunsAction::Table), "views of the runs", "";
            Char('h') => (RunsAction::Map), "views of the runs", "";
            Char('f') => (RunsAction::Effects), "views of the runs", "";
            Char('d') => (RunsAction::Differences), "views of the runs", "";
            Code(KeyCode::Left) => Left, "crosshair; pair of the map", "";
            Code(KeyCode::Right) => Right, "crosshair; pair of the map", "";
            Shift(KeyCode::Left) => FarLeft, "crosshair; pair of the map", "";
            Shift(KeyCode::Right) => FarRight, "crosshair; pair of the map", "";
            Char('+') => WindowWider, "more generations", "window";
            Char('-') => WindowNarrower, "fewer generations", "";
            Char('b') => (RunsAction::HigherBound), "value to reach", "bound";
            Char('B') => (RunsAction::LowerBound), "value to reach", "";
            Code(KeyCode::Tab) => (RunsAction::NextSet), "next opened set of runs", "";
            Char('r') => (RunsAction::Reload), "reload the runs", "";
            Char('z') => Zoom, "zoom in or out", "zoom";
            Code(KeyCode::Up) => Up, "other row", "";
            Code(KeyCode::Down) => Down, "other row", "";
            Char('k') => Up, "other row", "";
            Char('j') => Down, "other row", "";
            Key::Wheel(Wheel::Up) => Up, "other row", "";
            Key::Wheel(Wheel::Down) => Down, "other row", "";
            Code(KeyCode::PageUp) => PageUp, "other page", "";
            Code(KeyCode::PageDown) => PageDown, "other page", "";
            Code(KeyCode::Home) => First, "other row", "";
            Code(KeyCode::End) => Last, "other row", "";
            Click => Click, "select or deselect", "";
            $($more)*
        ]
    };
}

/// The keys of the screen in the row of tabs.
pub(super) const SCOPE: Scope = Scope::of_screen("runs", runs_keys!());

/// The keys of the screen of an experiment.
pub(crate) const ALONE: Scope = Scope::alone(
    "experiment",
    runs_keys!(
        Char('T') => NextTheme, "next theme", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "";
        Char('?') => Help, "show the keys of this screen", "help";
        Char('q') => Quit, "stop, to continue later; again: quit at once", "stop";
    ),
);

/// The interval at which runs in progress are read again.
const REREAD_INTERVAL: Duration = Duration::from_secs(5);

/// How often the clock of an experiment is redrawn.
const SECOND: Duration = Duration::from_secs(1);

impl Screen for RunsScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Runs",
            short: "Runs",
            action: Action::GoRuns,
            key: '8',
            purpose: "saved runs, experiments, forks",
            scope: self.scope(),
        }
    }

    /// Lists and reads the saved runs.
    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if let RunSource::Saved(saves) = &mut self.sets[0].source
            && context.saves.is_some()
        {
            saves.clone_from(&context.saves);
        }
        self.reread(context.run.as_ref());
        self.read_views();
        self.update(context.run.as_ref());
        Ok(Vec::new())
    }

    /// The wheel moves through the list, or changes the window of a zoomed chart.
    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        if let (Some(_), ScreenInput::Key(key)) = (&self.input, input) {
            self.message.clear();
            self.press_in_input(key);
            self.update(context.run.as_ref());
            return Vec::new();
        }
        let is_zoomed = self.options.zoom.is_zoomed() && self.view == RunsView::Curves;
        let action = match input {
            ScreenInput::Wheel(Wheel::Up) if is_zoomed => Some(Action::WindowNarrower),
            ScreenInput::Wheel(Wheel::Down) if is_zoomed => Some(Action::WindowWider),
            _ => input.action(self.scope()),
        };
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let is_stopping = self
            .experiment()
            .is_some_and(|experiment| experiment.state == ExperimentState::Stopping);
        match action {
            Action::Quit if self.is_alone() => {
                let mode = if is_stopping {
                    ExitMode::Immediately
                } else {
                    ExitMode::SaveFirst
                };
                return vec![Effect::Ask(Request::Leave(mode))];
            }
            Action::Help | Action::NextTheme => return vec![Effect::Do(action)],
            _ => {}
        }
        let live = context.run.as_ref();
        self.message.clear();
        let rows = usize::from(context.area.height).saturating_sub(3);
        if !self.menu.is_open() && self.scroll(action, rows, live) {
            return Vec::new();
        }
        let effects = self.handle(action, live);
        self.update(live);
        effects
    }

    fn click(&mut self, target: &ClickTarget, cell: Position, context: &mut Context) -> Effects {
        let live = context.run.as_ref();
        match target.as_own::<RunsTarget>() {
            Some(RunsTarget::Row(index)) => {
                self.list_mut().go(*index);
                let action = RunsAction::Select.action();
                return self.act(action, context);
            }
            Some(RunsTarget::View(row)) => {
                self.message.clear();
                self.click_view(*row);
            }
            Some(RunsTarget::Chart(body)) => {
                let length = f64::from(body.width.saturating_sub(1).max(1));
                let share = f64::from(cell.x.saturating_sub(body.x)) / length;
                let window = self.window(live);
                let charts = &mut self.options.charts;
                charts.crosshair.move_to_share(share, charts.x_unit, window);
            }
            None => {}
        }
        self.update(live);
        Vec::new()
    }

    /// Takes in a fork of the run, the names of runs, or the folder of an experiment.
    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match (event, &context.run) {
            (ScreenEvent::ForkRequested(request), Some(run)) => self.start_fork(request, run),
            (ScreenEvent::RunsToCompare(names), _) => self.wanted = names.to_vec(),
            (ScreenEvent::ExperimentToShow(path), _) => self.open_folder(path.to_path_buf()),
            (ScreenEvent::Answered(_), live) => {
                self.advance_clock();
                self.take_answers(WantedAnswers::Arrived, live.as_ref());
            }
            (ScreenEvent::Refresh, Some(live)) if self.saves().is_some() => {
                self.figures.is_outdated = true;
                self.list_mut().set_live(live);
            }
            // Nothing is left half typed.
            (ScreenEvent::Left, _) => self.cancel_input(),
            (ScreenEvent::Stopping, _) => self.stop(),
            _ => {}
        }
    }

    /// Works the figures out, unless that was done too recently.
    fn after_frame(&mut self, context: &mut Context) -> bool {
        if let Some((_, preview)) = &mut self.preview
            && preview.after_frame(context)
        {
            return true;
        }
        if !self.figures.is_due() {
            return false;
        }
        let began = Instant::now();
        self.refresh(context.run.as_ref());
        self.figures.end(began);
        self.ask_for_figures();
        true
    }

    /// Runs that another process writes are read again at intervals.
    fn tick(&mut self, passed: Duration, context: &mut Context) -> bool {
        let preview = self.preview.as_mut();
        let has_changed = preview.is_some_and(|(_, preview)| preview.tick(passed, context));
        self.since += passed;
        if self.since >= REREAD_INTERVAL && !self.jobs.is_busy() {
            self.reread_open(context.run.as_ref());
        }
        let seconds = |it: &Self| it.experiment().map(|it| it.clock.now().as_secs());
        let before = seconds(self);
        self.advance_clock();
        // Figures that rested are worked out after a frame.
        has_changed || seconds(self) > before || self.figures.is_due()
    }

    fn state(&self, context: &Context) -> ScreenState {
        let hints = match (&self.input, self.is_alone()) {
            (Some(_), _) => KeyHints::Typing,
            (None, true) => KeyHints::Own,
            (None, false) => KeyHints::OwnFirst,
        };
        let is_read = |experiment: &Experiment| experiment.state == ExperimentState::Read;
        let mut listed = self.list().entries().iter();
        let is_followed = self.experiment().is_some_and(is_read)
            || !self.open_runs(context.run.as_ref()).is_empty()
            || listed.any(RunEntry::is_open_experiment);
        let reread = REREAD_INTERVAL.saturating_sub(self.since);
        let due = match self.is_alone() {
            true => Some(SECOND),
            false if self.figures.is_outdated || self.shown().figures.is_outdated => {
                Some(SECOND / 10)
            }
            false => is_followed.then(|| reread.max(SECOND / 10)),
        };
        // Views are being written, or an experiment does its runs.
        let mut tasks = self.jobs.keys();
        let is_working = tasks.any(|task| matches!(task, RunsTask::Views | RunsTask::Run(_)));
        ScreenState {
            hints,
            is_working,
            due,
            ..ScreenState::default()
        }
    }

    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let is_on_view = self.menu.current().is_some();
        let is_open = self.menu.is_open();
        let own = RunsAction::of(binding.action);
        match (binding.action, own) {
            (Action::Back, _) if self.input.is_some() => "cancel",
            (Action::Enter, _) if self.input.is_some() => "done",
            _ if self.input.is_some() => "",
            (_, Some(RunsAction::DeleteView)) if !is_open || !is_on_view => "",
            (Action::Quit, _) => match self.experiment().map(|it| &it.state) {
                Some(ExperimentState::Stopping) if self.is_alone() => "quit now",
                Some(ExperimentState::Running) | None => binding.hint,
                Some(_) => "quit",
            },
            (Action::Help, _) | (_, Some(RunsAction::DeleteView)) => binding.hint,
            _ if !is_open && self.does_nothing(binding.action) => "",
            (Action::Enter, _) if !is_open => self.opening_words(),
            (_, Some(RunsAction::Views)) if self.saves().is_none() => "",
            (Action::ReadValues | Action::NextXAxis | Action::WindowWider, _)
            | (_, Some(RunsAction::HigherBound))
                if self.view != RunsView::Curves || self.preview.is_some() =>
            {
                ""
            }
            _ if !is_open => binding.hint,
            (Action::Enter, _) if is_on_view => "show",
            (Action::Enter, _) => "save",
            (_, Some(RunsAction::Views)) => "list of runs",
            _ => "",
        }
    }

    fn summary(&self, context: &Context, width: u16) -> Option<Vec<Line<'static>>> {
        let experiment = self.experiment().filter(|_| self.is_alone())?;
        Some(header::summary(experiment, width, &context.theme))
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        view::draw(self, context, area, buf).map(ClickTarget::own)
    }
}
