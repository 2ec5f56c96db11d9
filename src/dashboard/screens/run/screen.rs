//! The Run screen as a screen of the dashboard, and what its keys do.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use crate::keymap::{self, Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, KeyHints, Screen, ScreenEvent, ScreenState, Tab, send,
};
use crate::screens::waiting;
use crate::widgets::text::{cut_below, put};
use finches_runs::run::message::{RunCommand, RunEvent};

use super::layout::{self, RunPane, SizeClass, height_class};
use super::{RunScreen, RunTarget, focused_pane, substitutes};

own_actions! {
    /// What only the Run screen does.
    pub(super) enum RunAction {
        NewSample = "new_sample",
        NextGame = "next_game",
        Autoplay = "autoplay",
        Film = "film",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "run",
    keys![
        Code(KeyCode::Tab) => NextPane, "next pane", "pane";
        Char('z') => Zoom, "zoom the pane in or out", "zoom";
        Char('m') => NextMetric, "next metric in the main chart", "metric";
        Char('+') => WindowWider, "show more generations", "window";
        Char('-') => WindowNarrower, "show fewer generations", "";
        Char('x') => NextXAxis, "x-axis: generations, games or time", "x-axis";
        Char('y') => ToggleLogScale, "y-axis: linear or logarithmic", "";
        Char('i') => ReadValues, "show or hide the crosshair", "read";
        Code(KeyCode::Left) => Left, "crosshair: earlier or later", "earlier";
        Code(KeyCode::Right) => Right, "crosshair: earlier or later", "later";
        Shift(KeyCode::Left) => FarLeft, "crosshair: ten steps earlier", "ten steps";
        Shift(KeyCode::Right) => FarRight, "crosshair: ten steps later", "";
        Code(KeyCode::Home) => First, "crosshair: first or last", "first";
        Code(KeyCode::End) => Last, "crosshair: first or last", "last";
        Char('w') => (RunAction::NewSample), "play new sample games", "game";
        Char('g') => (RunAction::NextGame), "next sample game", "";
        Char(',') => PreviousMove, "previous move of the sample game", "";
        Char('.') => NextMove, "next move of the sample game", "";
        Char('a') => (RunAction::Autoplay), "sample game: autoplay on or off", "";
        Char('E') => (RunAction::Film), "write the run so far as a film", "";
        Code(KeyCode::Enter) => Zoom, "zoom the pane in or out", "";
        Click => Click, "focus a pane; again: zoom; in a chart: crosshair", "";
        Key::Wheel(Wheel::Up) => WindowNarrower, "show fewer generations", "";
        Key::Wheel(Wheel::Down) => WindowWider, "show more generations", "";
    ],
);

impl RunScreen {
    /// Shows or hides the crosshair in the charts.
    fn toggle_reading(&self, context: &mut Context) {
        if self.zoom.is_zoomed() && !self.focused(context).is_chart() {
            let next = keymap::label(SCOPE, Action::NextPane);
            context.notify(&format!(
                "this pane has no chart: {next} goes to the next pane"
            ));
            return;
        }
        context.charts.crosshair.toggle();
        if context.charts.crosshair.is_visible() {
            let key = |action| keymap::label(SCOPE, action);
            context.notify(&format!(
                "crosshair: {} {} one step, {} {} ten steps, {} {} first and last; {} closes it",
                key(Action::Left),
                key(Action::Right),
                key(Action::FarLeft),
                key(Action::FarRight),
                key(Action::First),
                key(Action::Last),
                keymap::label(Scope::GLOBAL, Action::Back)
            ));
        }
    }

    /// The panes that fit.
    fn panes(context: &Context) -> Vec<RunPane> {
        let run = context.shown_run();
        let substitutes = run.map(substitutes).unwrap_or_default();
        layout::visible_panes(context.size.0, context.size.1, substitutes)
    }

    fn focused(&self, context: &Context) -> RunPane {
        focused_pane(self.pane, Self::panes(context).into_iter())
    }

    fn next_pane(&mut self, context: &Context) {
        let panes = Self::panes(context);
        let here = panes.iter().position(|pane| *pane == self.pane);
        let next = here.map_or(0, |here| (here + 1) % panes.len().max(1));
        if let Some(pane) = panes.get(next) {
            self.pane = *pane;
        }
    }

    /// Goes back one level: crosshair, zoom, frozen view.
    fn back(&mut self, context: &mut Context) {
        if context.charts.crosshair.is_visible() {
            context.charts.crosshair.hide();
        } else if !self.zoom.handle(Action::Back) {
            context.frozen = None;
        }
    }
}

fn step_reading(steps: i64, context: &mut Context) {
    if let Some(run) = context.frozen.as_deref().or(context.run.as_ref()) {
        context.charts.step_cursor(steps, run);
    }
}

/// Moves the crosshair to a click in a chart.
fn read_at(cell: Position, body: Rect, context: &mut Context) {
    let Some(run) = context.frozen.as_deref().or(context.run.as_ref()) else {
        return;
    };
    let length = f64::from(body.width.saturating_sub(1).max(1));
    let share = f64::from(cell.x.saturating_sub(body.x)) / length;
    context.charts.move_cursor_to_fraction(share, run);
}

impl Screen for RunScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Run",
            short: "Run",
            action: Action::GoRun,
            key: '1',
            purpose: "go to the run",
            scope: SCOPE,
        }
    }

    fn state(&self, context: &Context) -> ScreenState {
        ScreenState {
            can_open: context.run.is_some(),
            hints: KeyHints::GlobalFirst,
            due: context.sample.time_to_change(),
            ..ScreenState::default()
        }
    }

    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if context.run.is_some() {
            return Ok(Vec::new());
        }
        let start = keymap::label(keymap::named("home"), Action::Enter);
        Err(format!("no current run: choose one and press {start}"))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        match action {
            Action::NextMetric => context.charts.metric += 1,
            Action::WindowWider => {
                let generations = context.shown_run().map_or(0, |run| run.generation);
                context.charts.widen(generations);
            }
            Action::WindowNarrower => {
                let generations = context.shown_run().map_or(0, |run| run.generation);
                context.charts.narrow(generations);
            }
            Action::NextXAxis => context.charts.x_unit = context.charts.x_unit.next(),
            Action::ToggleLogScale => context.charts.toggle_scale(),
            Action::PreviousMove => context.sample.step_back(),
            Action::NextMove => context.step_sample_forward(),
            Action::NextPane => self.next_pane(context),
            Action::Zoom => self.zoom.toggle(),
            Action::ReadValues => self.toggle_reading(context),
            Action::Back => self.back(context),
            other => match (other.crosshair_steps(), RunAction::of(other)) {
                (Some(steps), _) => step_reading(steps, context),
                (_, Some(RunAction::NewSample)) => {
                    context.sample.request_new();
                    let requests = send(RunCommand::Resample, context).into_iter();
                    return requests.map(Effect::Ask).collect();
                }
                (_, Some(RunAction::NextGame)) => {
                    let shown = context.frozen.as_deref().or(context.run.as_ref());
                    context.sample.next_game(shown.and_then(|run| run.latest()));
                }
                (_, Some(RunAction::Autoplay)) => context.sample.toggle_autoplay(),
                (_, Some(RunAction::Film)) => context.film_run(),
                (None, None) => return vec![Effect::Do(other)],
            },
        }
        Vec::new()
    }

    /// The first click focuses a pane, the next toggles its zoom. A click in a chart moves the
    /// crosshair.
    fn click(&mut self, target: &ClickTarget, cell: Position, context: &mut Context) -> Effects {
        match target.as_own::<RunTarget>() {
            Some(RunTarget::Pane(pane)) => {
                if self.focused(context) == *pane {
                    self.zoom.toggle();
                }
                self.pane = *pane;
            }
            Some(RunTarget::Chart { pane, body }) => {
                self.pane = *pane;
                read_at(cell, *body, context);
            }
            None => {}
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match (event, context.run.as_ref()) {
            (ScreenEvent::RunShown, _) => self.network.clear(),
            (ScreenEvent::Run(RunEvent::Snapshot(snapshot)), Some(run))
                if context.frozen.is_none() =>
            {
                self.network.show(snapshot, run);
            }
            (ScreenEvent::Answered(wanted), _) => self.take_answers(*wanted),
            _ => {}
        }
    }

    fn tick(&mut self, passed: Duration, context: &mut Context) -> bool {
        let shown = context.frozen.as_deref().or(context.run.as_ref());
        context.sample.tick(passed, shown)
    }

    /// While values are read, only the keys of the crosshair are listed.
    fn hint(&self, binding: &Binding, context: &Context) -> &'static str {
        let moves_crosshair = binding.action.crosshair_steps().is_some();
        match (context.charts.crosshair.is_visible(), binding.action) {
            (true, Action::ReadValues) => "close",
            (_, Action::Back | Action::Help | Action::Quit) => binding.hint,
            (is_reading, _) if is_reading == moves_crosshair => binding.hint,
            _ => "",
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let Some(run) = context.shown_run() else {
            waiting::view(context, area, buf);
            return Regions::default();
        };
        let mut body = area;
        let is_tall = height_class(buf.area.height) > SizeClass::Small;
        if is_tall && run.facts.saved_as.is_none() {
            let (above, line) = cut_below(area, 1);
            let words = " not saved: this run writes nothing to disk";
            put(buf, line, 0, Span::styled(words, context.theme.warning));
            body = above;
        }
        self.draw(context, run, body, buf).map(ClickTarget::own)
    }
}
