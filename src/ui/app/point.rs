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
    /// A place in the list of the screen.
    Row(usize),
    /// So many moves into the game shown.
    Ply(usize),
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
            Target::Row(row) => self.pick(row),
            Target::Ply(ply) => {
                if let (Screen::Games, Some(games)) = (self.screen, &mut self.games) {
                    games.go_to(ply);
                }
            }
        }
        Vec::new()
    }

    /// A click on a line of a list.
    fn pick(&mut self, row: usize) {
        match (self.screen, &mut self.games) {
            (Screen::Log, _) => self.log.pick(row),
            (Screen::Games, Some(games)) => games.pick(row),
            _ => {}
        }
    }

    /// Goes through the lists as the arrow keys do.
    fn wheel(&mut self, wheel: Wheel) -> Effects {
        match self.screen {
            Screen::Home => return self.act(keymap::wheel(Scope::Home, wheel)),
            Screen::Knobs => {
                if let Some(knobs) = &mut self.knobs {
                    knobs.wheel(wheel);
                }
            }
            Screen::Log => {
                let action = keymap::wheel(Scope::Log, wheel);
                action.and_then(|action| self.log.act(action));
            }
            Screen::Games => {
                if let (Some(games), Some(action)) =
                    (&mut self.games, keymap::wheel(Scope::Games, wheel))
                {
                    games.act(action);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}
