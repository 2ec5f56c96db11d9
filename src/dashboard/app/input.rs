//! Passes keys and the mouse to the overlay or the current screen.

use crossterm::event::KeyEvent;
use ratatui::layout::Position;

use crate::keymap::{self, Action, Scope};
use crate::mouse::MouseInput;
use crate::screen::{ClickTarget, Effect, Effects, ExitMode};

use super::{AppModel, Overlay};

impl AppModel {
    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> Effects {
        match self.overlay {
            Some(Overlay::Help) => {
                if keymap::action(Scope::HELP, key).is_some() {
                    self.overlay = None;
                }
                Vec::new()
            }
            Some(Overlay::Quit) => self.press_in_dialog(key),
            Some(Overlay::Breakpoints) => self.press_in_breakpoints(key),
            Some(Overlay::Fork) => self.press_in_fork(key),
            Some(Overlay::Cost) => self.press_in_cost(key),
            None => {
                self.context.notice = None;
                let (screen, context) = self.parts();
                let effects = screen.press(key, context);
                self.carry_out(effects)
            }
        }
    }

    fn press_in_dialog(&mut self, key: KeyEvent) -> Effects {
        let leave = match keymap::action(Scope::QUIT, key) {
            Some(Action::SaveAndQuit) => {
                self.begin_stopping();
                ExitMode::SaveFirst
            }
            Some(Action::QuitNow) => ExitMode::Immediately,
            Some(Action::HandOver) => ExitMode::HandOver,
            Some(Action::Back) => {
                self.overlay = None;
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        vec![Effect::Leave(leave)]
    }

    /// Handles a mouse input. Ignored while an overlay is open.
    pub fn point(&mut self, mouse: MouseInput) -> Effects {
        if self.overlay.is_some() {
            return Vec::new();
        }
        match mouse {
            MouseInput::Click(cell) => self.click(cell),
            MouseInput::Wheel(wheel) => {
                let (screen, context) = self.parts();
                let effects = screen.wheel(wheel, context);
                self.carry_out(effects)
            }
        }
    }

    fn click(&mut self, cell: Position) -> Effects {
        let Some(target) = self.regions.target_at(cell).cloned() else {
            return Vec::new();
        };
        self.context.notice = None;
        let (screen, context) = self.parts();
        let effects = match target {
            ClickTarget::Do(action) => screen.act(action, context),
            own => screen.click(&own, cell, context),
        };
        self.carry_out(effects)
    }
}
