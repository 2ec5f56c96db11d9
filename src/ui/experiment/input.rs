//! Handles keys and the mouse in the dashboard of an experiment.

use crossterm::event::KeyEvent;

use crate::metrics::progress_unit::ProgressUnit;
use crate::ui::keymap::{self, Action, Scope, action};
use crate::ui::mouse::MouseInput;
use crate::ui::widgets::crosshair::{CursorStep, step_length};

use super::charts;
use super::model::{AxisMode, ChartScope, ExitRequest, ExperimentModel, ExperimentState};

impl ExperimentModel {
    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = (width, height);
    }

    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> Option<ExitRequest> {
        let scope = if self.is_helping {
            Scope::Help
        } else {
            Scope::Experiment
        };
        self.handle_action(action(scope, key)?)
    }

    /// Handles a mouse input. Ignored while the help is open.
    pub fn point(&mut self, mouse: MouseInput) {
        if self.is_helping {
            return;
        }
        match mouse {
            MouseInput::Click(cell) => {
                if let Some(&preset) = self.regions.target_at(cell) {
                    self.select(preset);
                }
            }
            MouseInput::Wheel(wheel) => {
                let action = keymap::wheel(Scope::Experiment, wheel);
                // Selecting a preset never returns a request.
                action.and_then(|action| self.handle_action(action));
            }
        }
    }

    fn handle_action(&mut self, action: Action) -> Option<ExitRequest> {
        let presets = self.presets().len();
        match action {
            Action::Back if self.is_helping => self.is_helping = false,
            Action::Back if self.charts.crosshair.is_visible() => self.charts.crosshair.hide(),
            Action::Back => self.show(ChartScope::AllPresets),
            Action::Help => self.is_helping = true,
            Action::Quit => return Some(self.interrupt()),
            Action::NextMetric => self.next_column(1),
            Action::PreviousMetric => self.next_column(self.columns.len().saturating_sub(1)),
            // The files of an experiment contain no times, so that they are the same on every machine.
            Action::NextXAxis => {
                self.charts.x_unit = match self.charts.x_unit {
                    ProgressUnit::Games => ProgressUnit::Generations,
                    ProgressUnit::Generations | ProgressUnit::Seconds => ProgressUnit::Games,
                };
                self.charts.crosshair.move_to_end();
            }
            Action::ToggleLogScale => self.charts.toggle_scale(),
            Action::WindowWider => self.charts.widen(),
            Action::WindowNarrower => self.charts.narrow(self.longest()),
            Action::ReadValues => self.charts.crosshair.toggle(),
            Action::Left => self.move_crosshair(CursorStep::Back),
            Action::Right => self.move_crosshair(CursorStep::Forward),
            Action::FarLeft => self.move_crosshair(CursorStep::FarBack),
            Action::FarRight => self.move_crosshair(CursorStep::FarForward),
            Action::First if self.charts.crosshair.is_visible() => {
                self.move_crosshair(CursorStep::First);
            }
            Action::Last if self.charts.crosshair.is_visible() => {
                self.move_crosshair(CursorStep::Last);
            }
            Action::ToggleSharedAxes if self.axes == AxisMode::Shared => {
                self.axes = AxisMode::PerChart;
            }
            Action::ToggleSharedAxes => self.axes = AxisMode::Shared,
            Action::NextTheme => self.theme = self.theme.next(),
            Action::Up => self.select(self.selected.saturating_sub(1)),
            Action::Down => self.select((self.selected + 1).min(presets.saturating_sub(1))),
            Action::First => self.select(0),
            Action::Last => self.select(presets.saturating_sub(1)),
            Action::PageUp => self.page = self.page.saturating_sub(1),
            Action::PageDown => {
                let last = charts::pages(self).saturating_sub(1);
                self.page = (self.page + 1).min(last);
            }
            Action::Zoom if self.scope == ChartScope::OnePreset => {
                self.show(ChartScope::AllPresets);
            }
            Action::Zoom => self.show(ChartScope::OnePreset),
            _ => {}
        }
        None
    }

    /// Requests to stop the first time and to quit at once the second time; after the end, just to quit.
    pub fn interrupt(&mut self) -> ExitRequest {
        match self.state {
            ExperimentState::Running => {
                self.state = ExperimentState::Stopping;
                self.is_helping = false;
                ExitRequest::Stop
            }
            ExperimentState::Stopping => ExitRequest::LeaveNow,
            ExperimentState::Done | ExperimentState::Failed(_) => ExitRequest::Leave,
        }
    }

    /// Moves the crosshair.
    fn move_crosshair(&mut self, way: CursorStep) {
        let window = charts::whole_window(self);
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

    /// Selects a preset and shows the page with its chart.
    fn select(&mut self, preset: usize) {
        self.selected = preset;
        self.page = match self.scope {
            ChartScope::AllPresets => charts::page_of(self, preset),
            ChartScope::OnePreset => 0,
        };
    }

    fn show(&mut self, shown: ChartScope) {
        self.scope = shown;
        self.select(self.selected);
    }
}
