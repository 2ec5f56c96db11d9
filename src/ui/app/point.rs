//! What the mouse does to the model.

use ratatui::layout::Position;

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::{Mouse, Wheel};
use crate::ui::screens::home::Clicked;
use crate::ui::screens::play::Picked;
use crate::ui::screens::{knobs, population};

use super::{Effects, Model, Screen};

/// What a click means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// What a key does.
    Do(Action),
    /// A place on the board, where it belongs to a move.
    Move(Picked),
    /// An item of the home screen, by its place.
    Item(usize),
    /// A part of a setting.
    Knob(knobs::Spot),
    /// A place on the population screen.
    Population(population::Spot),
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
            Target::Item(place) => {
                if self.screen == Screen::Home && self.home.click(place) == Clicked::Again {
                    return self.act(Some(Action::Enter));
                }
            }
            Target::Knob(spot) => {
                if let (Screen::Knobs, Some(knobs)) = (self.screen, &mut self.knobs) {
                    knobs.click(spot);
                }
            }
            Target::Population(spot) => {
                if let Some(population) = &mut self.population {
                    population.click(spot);
                }
            }
        }
        Vec::new()
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
            Screen::Population => {
                if let Some(population) = &mut self.population {
                    population.wheel(wheel);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}
