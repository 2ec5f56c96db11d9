//! The Compare screen as a screen of the dashboard.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::model::zoom::Zoom;
use crate::ui::mouse::{Regions, Wheel};
use crate::ui::screen::{ClickTarget, Effects, Screen, Tab, passed};

use super::{CompareScreen, CompareTarget, REREAD_INTERVAL};

impl Screen for CompareScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Compare",
            short: "Cmp",
            action: Action::GoCompare,
            scope: Scope::Compare,
        }
    }

    /// Lists and reads the saved runs.
    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if context.saves.is_some() {
            self.saves.clone_from(&context.saves);
        }
        self.reread();
        self.update_preview(context.run.as_ref());
        Ok(Vec::new())
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
            (Zoom::Out, _) => keymap::wheel(Scope::Compare, wheel),
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
                self.cursor = *index;
                self.toggle(live);
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

    fn receive_answers(&mut self, context: &mut Context) {
        while let Some((task, answer)) = self.jobs.receive() {
            self.handle_answer(task, answer, context.run.as_ref());
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

    /// The time until runs in progress are read again.
    fn due(&self, _: &Context) -> Option<Duration> {
        let is_in_progress = !self.runs_in_progress().is_empty();
        is_in_progress.then(|| {
            REREAD_INTERVAL
                .saturating_sub(self.since)
                .max(Duration::from_millis(100))
        })
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf).map(ClickTarget::own)
    }
}
