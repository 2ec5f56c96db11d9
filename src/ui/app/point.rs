//! What the mouse does to the model.

use ratatui::layout::Position;

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::{Mouse, Wheel};
use crate::ui::screens::play::Picked;

use super::{Effects, Model, Screen};

/// What a click means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// What a key does.
    Do(Action),
    /// A place on the board, where it belongs to a move.
    Move(Picked),
    /// A line of the arena's list of players.
    ArenaPlayer(usize),
}

impl Model {
    /// Takes what the mouse does; nothing while something lies over the screen.
    pub fn point(&mut self, mouse: Mouse) -> Effects {
        if self.overlay.is_some() {
            return Vec::new();
        }
        match mouse {
            Mouse::Click(cell) => self.click(cell),
            Mouse::Wheel(wheel) => self.wheel(wheel),
        }
    }

    fn click(&mut self, cell: Position) -> Effects {
        let Some(target) = self.regions.at(cell).cloned() else {
            return Vec::new();
        };
        self.notice = None;
        match target {
            Target::Do(action) => return self.act(Some(action)),
            Target::Move(picked) => {
                if let (Screen::Play, Some(play)) = (self.screen, &mut self.play) {
                    play.click(&picked);
                }
            }
            Target::ArenaPlayer(place) => self.arena.click(place),
        }
        Vec::new()
    }

    /// Goes through the lists as the arrow keys do.
    fn wheel(&mut self, wheel: Wheel) -> Effects {
        match self.screen {
            Screen::Home => return self.act(keymap::wheel(Scope::Home, wheel)),
            Screen::Arena => return self.act(keymap::wheel(Scope::Arena, wheel)),
            Screen::Knobs => {
                if let Some(knobs) = &mut self.knobs {
                    knobs.wheel(wheel);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}
