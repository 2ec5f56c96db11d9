//! Screen 9: champions and reference players, everyone against everyone.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::{Focus, Frame};

/// Players against each other.
#[derive(Debug, Default)]
pub struct ArenaScreen {}

impl ArenaScreen {
    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        keymap::action(Scope::Arena, key)
    }

    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        Frame::titled("Players against each other").draw(Focus::Here, &model.theme, body, buf);
        Regions::default()
    }
}
