//! What keys and the mouse do in the dashboard of an experiment. They change the model and draw nothing.

use crossterm::event::KeyEvent;

use crate::metrics::over::Over;
use crate::ui::keymap::{self, Action, Scope, action};
use crate::ui::mouse::Mouse;
use crate::ui::widgets::needle::Way;

use super::charts;
use super::model::{Ask, Axes, Model, Shown, State};

impl Model {
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// Does what a key means.
    pub fn press(&mut self, key: KeyEvent) -> Option<Ask> {
        let scope = if self.is_helping {
            Scope::Help
        } else {
            Scope::Experiment
        };
        self.act(action(scope, key)?)
    }

    /// Takes what the mouse does; nothing while the help lies over the charts.
    pub fn point(&mut self, mouse: Mouse) {
        if self.is_helping {
            return;
        }
        match mouse {
            Mouse::Click(cell) => {
                if let Some(&preset) = self.regions.at(cell) {
                    self.select(preset);
                }
            }
            Mouse::Wheel(wheel) => {
                let action = keymap::wheel(Scope::Experiment, wheel);
                // Going from preset to preset asks for nothing outside.
                action.and_then(|action| self.act(action));
            }
        }
    }

    fn act(&mut self, action: Action) -> Option<Ask> {
        let presets = self.presets().len();
        match action {
            Action::Back if self.is_helping => self.is_helping = false,
            Action::Back if self.needle.is_down() => self.needle.lift(),
            Action::Back => self.show(Shown::All),
            Action::Help => self.is_helping = true,
            Action::Quit => return Some(self.interrupt()),
            Action::NextMetric => self.turn(1),
            Action::PreviousMetric => self.turn(self.columns.len().saturating_sub(1)),
            // The files of an experiment do not tell the time, so that they are the same wherever it ran.
            Action::GamesAxis => {
                self.charts.over = match self.charts.over {
                    Over::Games => Over::Generations,
                    Over::Generations | Over::Seconds => Over::Games,
                };
                self.needle.restart();
            }
            Action::LogAxis => self.charts.toggle_scale(),
            Action::WindowWider => self.charts.widen(),
            Action::WindowNarrower => self.charts.narrow(self.longest()),
            Action::Read => self.needle.toggle(),
            Action::Left => self.step(Way::Back),
            Action::Right => self.step(Way::On),
            Action::FarLeft => self.step(Way::FarBack),
            Action::FarRight => self.step(Way::FarOn),
            Action::First if self.needle.is_down() => self.step(Way::First),
            Action::Last if self.needle.is_down() => self.step(Way::Last),
            Action::SameAxes if self.axes == Axes::Same => self.axes = Axes::Own,
            Action::SameAxes => self.axes = Axes::Same,
            Action::NextTheme => self.theme = self.theme.following(),
            Action::Up => self.select(self.selected.saturating_sub(1)),
            Action::Down => self.select((self.selected + 1).min(presets.saturating_sub(1))),
            Action::First => self.select(0),
            Action::Last => self.select(presets.saturating_sub(1)),
            Action::PageUp => self.page = self.page.saturating_sub(1),
            Action::PageDown => {
                let last = charts::pages(self).saturating_sub(1);
                self.page = (self.page + 1).min(last);
            }
            Action::Zoom if self.shown == Shown::One => self.show(Shown::All),
            Action::Zoom => self.show(Shown::One),
            _ => {}
        }
        None
    }

    /// Asks to stop, the second time to leave at once; once nothing goes on, just to leave.
    pub fn interrupt(&mut self) -> Ask {
        match self.state {
            State::Running => {
                self.state = State::Stopping;
                self.is_helping = false;
                Ask::Stop
            }
            State::Stopping => Ask::LeaveNow,
            State::Done | State::Failed(_) => Ask::Leave,
        }
    }

    /// Moves the place where values are read.
    fn step(&mut self, way: Way) {
        let window = charts::reach(self);
        self.needle.step(way, self.charts.over, window);
    }

    /// Generations of the run that has done the most.
    fn longest(&self) -> u64 {
        let trials = self.trials.values();
        trials.map(|trial| trial.generations).max().unwrap_or(0)
    }

    fn turn(&mut self, steps: usize) {
        self.column = (self.column + steps) % self.columns.len().max(1);
    }

    /// Selects a preset and turns to the page that its chart is on.
    fn select(&mut self, preset: usize) {
        self.selected = preset;
        self.page = match self.shown {
            Shown::All => charts::page_of(self, preset),
            Shown::One => 0,
        };
    }

    fn show(&mut self, shown: Shown) {
        self.shown = shown;
        self.select(self.selected);
    }
}
