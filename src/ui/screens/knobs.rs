//! The settings of a run.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::params::Problem;
use crate::preset::{Intervention, Preset};
use crate::ui::keymap::{Action, Scope, action};
use crate::ui::theme::Theme;
use crate::ui::widgets::text::put;

/// The settings with what is pending.
pub struct KnobsScreen;

/// What a key led to.
pub enum KnobsAnswer {
    Handled,
    Pass(Action),
    Apply(Vec<(String, String)>),
    Leave,
}

impl KnobsScreen {
    pub fn new(preset: &Preset, live_run: bool) -> Self {
        let _ = (preset, live_run);
        Self
    }

    pub fn press(&mut self, key: KeyEvent) -> KnobsAnswer {
        match action(Scope::Knobs, key) {
            None => KnobsAnswer::Handled,
            Some(Action::Discard) => KnobsAnswer::Leave,
            Some(Action::Apply) => KnobsAnswer::Apply(Vec::new()),
            Some(other) => KnobsAnswer::Pass(other),
        }
    }

    pub fn turned(&mut self, intervention: &Intervention) {
        let _ = intervention;
    }

    pub fn refused(&mut self, problem: &Problem) {
        let _ = problem;
    }

    pub fn objective(&mut self, generation: u64, value: f64) {
        let _ = (generation, value);
    }

    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let _ = theme;
        put(buf, area, 0, "knobs");
    }
}
