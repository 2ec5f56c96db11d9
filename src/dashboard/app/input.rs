//! Passes keys and the mouse to the overlay or the current screen.

use crossterm::event::KeyEvent;
use ratatui::layout::Position;

use crate::keymap::{self, Action, CostAction, QuitAction, Scope, layout};
use crate::mouse::MouseInput;
use crate::screen::{ClickTarget, ExitMode, KeyHints, Request, Requests, ScreenInput};

use super::{AppModel, Overlay};

impl AppModel {
    /// Handles a key.
    pub fn press(&mut self, key: KeyEvent) -> Requests {
        match self.overlay {
            Some(Overlay::Help) => {
                if !self.help.press(key) {
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
                if self.is_of_other_layout(key) {
                    self.context.notify(layout::OTHER_LETTERS);
                    return Vec::new();
                }
                self.press_on_screen(ScreenInput::Key(key))
            }
        }
    }

    /// Whether a key does nothing because the keyboard has another layout.
    fn is_of_other_layout(&self, key: KeyEvent) -> bool {
        layout::is_other_letter(key)
            && self.shown().state(&self.context).hints != KeyHints::Typing
            && keymap::action(self.tab().scope, key).is_none()
    }

    fn press_on_screen(&mut self, input: ScreenInput) -> Requests {
        let (screen, context) = self.parts();
        let effects = screen.press(input, context);
        self.carry_out(effects)
    }

    fn press_in_dialog(&mut self, key: KeyEvent) -> Requests {
        let action = keymap::action(Scope::QUIT, key);
        if action == Some(Action::Back) {
            self.overlay = None;
        }
        let leave = match action.and_then(QuitAction::of) {
            Some(QuitAction::SaveAndQuit) => {
                self.begin_stopping();
                ExitMode::SaveFirst
            }
            Some(QuitAction::QuitNow) => ExitMode::Immediately,
            Some(QuitAction::HandOver) => ExitMode::HandOver,
            None => return Vec::new(),
        };
        vec![Request::Leave(leave)]
    }

    /// Asks whether to start a run. `words` say what it takes.
    pub fn ask_about_cost(&mut self, words: String) {
        self.cost = words;
        self.overlay = Some(Overlay::Cost);
    }

    fn press_in_cost(&mut self, key: KeyEvent) -> Requests {
        let action = keymap::action(Scope::COST, key);
        let starts = action.and_then(CostAction::of) == Some(CostAction::StartCostly);
        if starts || action == Some(Action::Back) {
            self.overlay = None;
        }
        starts.then_some(Request::StartCostly).into_iter().collect()
    }

    /// Handles a mouse input. Ignored while an overlay is open.
    pub fn point(&mut self, mouse: MouseInput) -> Requests {
        if self.overlay.is_some() {
            return Vec::new();
        }
        match mouse {
            MouseInput::Click(cell) => self.click(cell),
            MouseInput::Wheel(wheel) => self.press_on_screen(ScreenInput::Wheel(wheel)),
        }
    }

    fn click(&mut self, cell: Position) -> Requests {
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
