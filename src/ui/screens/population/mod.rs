//! Screen 2: the members of a generation, and how the champions of different generations do against each other.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::run::Facts;
use crate::storage::saves::Saves;
use crate::ui::app::Model;
use crate::ui::app::point::Target;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::Regions;
use crate::ui::widgets::frame::{Focus, Frame};

/// The population.
pub struct PopulationScreen {}

impl PopulationScreen {
    /// The screen of a run, and where it is saved.
    pub fn new(_facts: &Facts, _saves: Option<(Saves, String)>) -> Self {
        Self {}
    }

    /// Takes a key; what is not this screen's business is passed on.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        keymap::action(Scope::Population, key)
    }

    pub fn view(&self, model: &Model, body: Rect, buf: &mut Buffer) -> Regions<Target> {
        Frame::titled("The population").draw(Focus::Here, &model.theme, body, buf);
        Regions::default()
    }
}
