//! The experiment as a screen of its dashboard: keys, clicks, events and time.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::keymap::{Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, ExitMode, KeyHints, Request, Screen, ScreenEvent, ScreenState,
    Tab,
};
use crate::widgets::crosshair::{CursorStep, step_length};
use finches_engine::metrics::progress_unit::ProgressUnit;
use finches_runs::storage::experiments::manifest::RunId;

use super::charts;
use super::layout::{layout, shown_sweep};
use super::{AxisMode, ChartScope, ExperimentScreen, ExperimentState, view};

own_actions! {
    /// What only the Experiment screen does.
    pub(super) enum ExperimentAction {
        /// Switches between the same axes for all charts and one each.
        SharedAxes = "toggle_shared_axes",
        /// Shows the next pane of a sweep first.
        NextSweepPane = "next_sweep_pane",
        /// Shows the next two parameters of a sweep in its map.
        NextPair = "next_parameter_pair",
    }
}

/// The keys of the screen.
pub(crate) const SCOPE: Scope = Scope::alone(
    "experiment",
    keys![
        Char('m') => NextMetric, "next column in the charts", "column";
        Char('M') => PreviousMetric, "previous column", "";
        Code(KeyCode::Enter) => Zoom, "show each run of the selected preset, then one run, then \
            all presets", "runs";
        Char('z') => Zoom, "show each run of the selected preset, then one run, then all \
            presets", "";
        Code(KeyCode::Up) => Up, "previous preset, or run", "";
        Code(KeyCode::Down) => Down, "next preset, or run", "preset";
        Char('k') => Up, "previous preset, or run", "";
        Char('j') => Down, "next preset, or run", "";
        Key::Wheel(Wheel::Up) => Up, "previous preset, or run", "";
        Key::Wheel(Wheel::Down) => Down, "next preset, or run", "";
        Click => Click, "on a chart: select its preset, or show its run", "";
        Code(KeyCode::Home) => First, "first or last preset; crosshair: first or last", "";
        Code(KeyCode::End) => Last, "first or last preset; crosshair: first or last", "";
        Code(KeyCode::PageUp) => PageUp, "previous or next page of charts", "";
        Code(KeyCode::PageDown) => PageDown, "previous or next page of charts", "page";
        Char('x') => NextXAxis, "x-axis: generations or games", "x-axis";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: earlier or later", "";
        Code(KeyCode::Right) => Right, "crosshair: earlier or later", "";
        Shift(KeyCode::Left) => FarLeft, "crosshair: ten steps earlier or later", "";
        Shift(KeyCode::Right) => FarRight, "crosshair: ten steps earlier or later", "";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "log";
        Char('+') => WindowWider, "show more or fewer generations", "window";
        Char('-') => WindowNarrower, "show more or fewer generations", "";
        Char('v') => (ExperimentAction::NextSweepPane), "of a sweep: map, lines, parameters, \
            charts", "view";
        Char('p') => (ExperimentAction::NextPair), "of a sweep: next two parameters in \
            the map", "pair";
        Char('a') => (ExperimentAction::SharedAxes), "same axes for all charts, or one per \
            chart", "axes";
        Char('t') => NextTheme, "next theme: dark, light, no colors", "";
        Code(KeyCode::Esc) => Back, "back; never quits", "";
        Char('?') => Help, "show the keys of this screen", "help";
        Char('q') => Quit, "stop, to continue later; again: quit at once", "stop";
    ],
);

/// What only charts obey.
const CHART_ACTIONS: [Action; 6] = [
    Action::NextMetric,
    Action::NextXAxis,
    Action::ReadValues,
    Action::ToggleLogScale,
    Action::WindowWider,
    ExperimentAction::SharedAxes.action(),
];

/// The rows that a page is in the list of a sweep's combinations.
const PAGE: usize = 10;

/// How often the clock is redrawn.
const SECOND: Duration = Duration::from_secs(1);

impl Screen for ExperimentScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Experiment",
            short: "Exp",
            action: Action::GoRun,
            key: '1',
            purpose: "show the experiment",
            scope: SCOPE,
        }
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        match action {
            Action::Quit if self.state == ExperimentState::Stopping => {
                return vec![Effect::Ask(Request::Leave(ExitMode::Immediately))];
            }
            Action::Quit => return vec![Effect::Ask(Request::Leave(ExitMode::SaveFirst))],
            Action::Help | Action::NextTheme => return vec![Effect::Do(action)],
            action => self.handle(action, context),
        }
        Vec::new()
    }

    fn click(&mut self, target: &ClickTarget, _: Position, context: &mut Context) -> Effects {
        match (target, self.scope) {
            (ClickTarget::Row(place), ChartScope::OnePreset) => self.show_run(|_| *place, context),
            (ClickTarget::Row(preset), ChartScope::AllPresets) => self.select(*preset, context),
            _ => {}
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, _: &mut Context) {
        match event {
            ScreenEvent::Stopping if self.state == ExperimentState::Running => {
                self.state = ExperimentState::Stopping;
                self.stop();
            }
            ScreenEvent::Answered => {
                self.set_time(self.clock.elapsed());
                self.receive_found();
            }
            _ => {}
        }
    }

    /// Updates the summary, unless it was updated too recently.
    fn after_frame(&mut self, _: &mut Context) -> bool {
        if !self.updates.is_due() {
            return false;
        }
        let began = Instant::now();
        self.update_summary();
        self.updates.last = Some((Instant::now(), began.elapsed()));
        true
    }

    fn tick(&mut self, _: Duration, _: &mut Context) -> bool {
        let before = self.clock.now().as_secs();
        self.set_time(self.clock.elapsed());
        self.clock.now().as_secs() > before
    }

    fn state(&self, _: &Context) -> ScreenState {
        ScreenState {
            hints: KeyHints::Own,
            is_working: self.is_running(),
            due: Some(SECOND),
            ..ScreenState::default()
        }
    }

    fn hint(&self, binding: &Binding, context: &Context) -> &'static str {
        match ExperimentAction::of(binding.action) {
            Some(ExperimentAction::NextSweepPane) if self.sweep.is_none() => return "",
            Some(ExperimentAction::NextPair)
                if shown_sweep(self).is_none_or(|sweep| !sweep.has_pairs()) =>
            {
                return "";
            }
            _ => {}
        }
        match (binding.action, &self.state) {
            (Action::Quit, ExperimentState::Stopping) => "quit now",
            (Action::Quit, ExperimentState::Done | ExperimentState::Failed(_)) => "quit",
            (Action::Zoom, _) if !binding.hint.is_empty() => match self.scope {
                ChartScope::AllPresets => "runs",
                ChartScope::OnePreset => "run",
                ChartScope::OneRun(_) => "all",
            },
            (Action::Down, _)
                if matches!(self.scope, ChartScope::OneRun(_)) && !binding.hint.is_empty() =>
            {
                "run"
            }
            (Action::Down, _) if shown_sweep(self).is_some() && !binding.hint.is_empty() => "rank",
            (action, _) if shown_sweep(self).is_some() && CHART_ACTIONS.contains(&action) => "",
            (Action::Down, _) if self.presets().len() == 1 => "",
            (Action::PageDown, _)
                if charts::pages(self, layout(self, context.area).charts) == 1 =>
            {
                ""
            }
            _ => binding.hint,
        }
    }

    fn summary(&self, context: &Context, width: u16) -> Option<Vec<Line<'static>>> {
        Some(view::summary(self, width, &context.theme))
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        view::view(self, &context.theme, area, buf).map(ClickTarget::Row)
    }
}

impl ExperimentScreen {
    fn handle(&mut self, action: Action, context: &Context) {
        let last = self.presets().len().saturating_sub(1);
        let has_cursor = self.charts.crosshair.is_visible();
        if let Some(step) = CursorStep::of(action).filter(|_| has_cursor) {
            return self.move_crosshair(step, context);
        }
        match action {
            Action::Back if has_cursor => self.charts.crosshair.hide(),
            Action::Back => match self.scope {
                ChartScope::OneRun(_) => self.show(ChartScope::OnePreset, context),
                _ => self.show(ChartScope::AllPresets, context),
            },
            Action::NextMetric => self.next_column(1),
            Action::PreviousMetric => self.next_column(self.columns.len().saturating_sub(1)),
            // The files of an experiment contain no times, so that they are the same on every
            // machine.
            Action::NextXAxis => {
                self.charts.x_unit = match self.charts.x_unit {
                    ProgressUnit::Games => ProgressUnit::Generations,
                    ProgressUnit::Generations | ProgressUnit::Seconds => ProgressUnit::Games,
                };
                self.charts.crosshair.move_to_end();
            }
            Action::ToggleLogScale => self.charts.toggle_scale(),
            Action::WindowWider => self.charts.widen(self.longest()),
            Action::WindowNarrower => self.charts.narrow(self.longest()),
            Action::ReadValues => self.charts.crosshair.toggle(),
            Action::Up | Action::Down | Action::First | Action::Last
                if matches!(self.scope, ChartScope::OneRun(_)) =>
            {
                self.show_run(
                    |place| match action {
                        Action::Up => place.saturating_sub(1),
                        Action::Down => place + 1,
                        Action::First => 0,
                        _ => usize::MAX,
                    },
                    context,
                );
            }
            Action::Up => self.select_rank(|rank| rank.saturating_sub(1), context),
            Action::Down => self.select_rank(|rank| (rank + 1).min(last), context),
            Action::First => self.select_rank(|_| 0, context),
            Action::Last => self.select_rank(|_| last, context),
            Action::PageUp if shown_sweep(self).is_some() => {
                self.select_rank(|rank| rank.saturating_sub(PAGE), context);
            }
            Action::PageDown if shown_sweep(self).is_some() => {
                self.select_rank(|rank| (rank + PAGE).min(last), context);
            }
            Action::PageUp => self.page = self.page.saturating_sub(1),
            Action::PageDown => {
                let pages = charts::pages(self, layout(self, context.area).charts);
                self.page = (self.page + 1).min(pages - 1);
            }
            Action::Zoom => match self.scope {
                ChartScope::AllPresets => self.show(ChartScope::OnePreset, context),
                ChartScope::OnePreset => self.show_run(|_| 0, context),
                ChartScope::OneRun(_) => self.show(ChartScope::AllPresets, context),
            },
            _ => match (ExperimentAction::of(action), &mut self.sweep) {
                (Some(ExperimentAction::SharedAxes), _) => {
                    self.axes = match self.axes {
                        AxisMode::Shared => AxisMode::PerChart,
                        AxisMode::PerChart => AxisMode::Shared,
                    }
                }
                (Some(ExperimentAction::NextSweepPane), Some(sweep)) => sweep.next_pane(),
                (Some(ExperimentAction::NextPair), Some(sweep)) => sweep.next_pair(),
                _ => {}
            },
        }
    }

    fn move_crosshair(&mut self, way: CursorStep, context: &Context) {
        let area = layout(self, context.area).charts;
        let window = charts::whole_window(self, &context.theme, area);
        let length = step_length(self.charts.x_unit, window);
        self.charts.crosshair.step(way, length, window);
    }

    /// The most generations that a run has done.
    fn longest(&self) -> u64 {
        let trials = self.trials.values();
        trials.map(|trial| trial.generations).max().unwrap_or(0)
    }

    fn next_column(&mut self, steps: usize) {
        self.column = (self.column + steps) % self.columns.len().max(1);
    }

    /// Selects the preset at another place of the list: the order of the experiment, or of the
    /// combinations of a sweep by rank.
    fn select_rank(&mut self, step: impl Fn(usize) -> usize, context: &Context) {
        let ranked = shown_sweep(self).map(|sweep| &sweep.results.combinations);
        let preset = match ranked {
            None => step(self.selected),
            Some(ranked) => {
                let rank = ranked.iter().position(|one| one.index == self.selected);
                let chosen = ranked.get(step(rank.unwrap_or(0)));
                chosen.map_or(self.selected, |one| one.index)
            }
        };
        self.select(preset, context);
    }

    /// Selects a preset and shows the page with its chart.
    fn select(&mut self, preset: usize, context: &Context) {
        if let Some(sweep) = &mut self.sweep {
            sweep.follows_best = false;
        }
        self.selected = preset;
        self.page = match self.scope {
            ChartScope::AllPresets => {
                charts::page_of(self, preset, layout(self, context.area).charts)
            }
            ChartScope::OnePreset | ChartScope::OneRun(_) => 0,
        };
    }

    /// Shows one run of the selected preset, by its place among them; of those that are too large,
    /// the last.
    fn show_run(&mut self, step: impl Fn(usize) -> usize, context: &Context) {
        let runs = self.trials_of(self.selected).map(|(id, _)| id);
        let runs: Vec<RunId> = runs.collect();
        let shown = runs
            .iter()
            .position(|&id| self.scope == ChartScope::OneRun(id));
        let place = step(shown.unwrap_or(0)).min(runs.len().saturating_sub(1));
        if let Some(&id) = runs.get(place) {
            self.show(ChartScope::OneRun(id), context);
        }
    }

    fn show(&mut self, shown: ChartScope, context: &Context) {
        self.scope = shown;
        self.select(self.selected, context);
    }
}
