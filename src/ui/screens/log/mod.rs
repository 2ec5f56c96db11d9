//! Screen 6: what has happened, with a filter.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::{Focus, Frame};

/// What has happened.
#[derive(Debug, Default)]
pub struct LogScreen {}

impl LogScreen {
    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        keymap::action(Scope::Log, key)
    }

    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        Frame::titled("What has happened").draw(Focus::Here, &model.theme, body, buf);
        Regions::default()
    }
}
