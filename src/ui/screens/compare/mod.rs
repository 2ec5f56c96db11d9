//! Screen 8: two or more runs over one another on any column.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::{Focus, Frame};

/// Runs over one another.
#[derive(Debug, Default)]
pub struct CompareScreen {}

impl CompareScreen {
    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        keymap::action(Scope::Compare, key)
    }

    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        Frame::titled("Runs over one another").draw(Focus::Here, &model.theme, body, buf);
        Regions::default()
    }
}
