//! You against the champion.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::evolution::archive::Champion;
use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::keymap::{Action, Scope, action};
use crate::ui::theme::Theme;
use crate::ui::widgets::text::put;

/// A game between you and a champion.
pub struct PlayScreen;

impl PlayScreen {
    pub fn new(facts: &Facts, saves: Option<(Saves, String)>) -> Self {
        let _ = (facts, saves);
        Self
    }

    /// Takes a key; what it does not know is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        action(Scope::Play, key)
    }

    /// Lets the champion reply; true where there is something new to draw.
    pub fn tick(&mut self) -> bool {
        false
    }

    /// The newest champion of the live run.
    pub fn latest(&mut self, champion: &Champion) {
        let _ = champion;
    }

    pub fn view(&self, area: Rect, buf: &mut Buffer, theme: &Theme) {
        let _ = theme;
        put(buf, area, 0, "play");
    }
}
