//! What the mouse does to the model.

use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::{Mouse, Wheel};
use crate::ui::screens::compare::Pointed;
use crate::ui::screens::home::Clicked;
use crate::ui::screens::play::Picked;
use crate::ui::screens::run::layout::Pane;
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
    /// A pane of the Run screen, and inside it the lines of a chart.
    Pane(Pane),
    Chart {
        pane: Pane,
        body: Rect,
    },
    /// Something on the Compare screen.
    Compared(Pointed),
    /// A place in the list of the screen.
    Row(usize),
    /// So many moves into the game shown.
    Ply(usize),
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
            Target::Compared(pointed) => {
                return self.compare.click(pointed, cell, self.watch.as_ref());
            }
            Target::Pane(pane) => self.click_pane(pane),
            Target::Chart { pane, body } => {
                self.pane = pane;
                self.click_chart(body, cell);
            }
            Target::Row(row) => self.pick(row),
            Target::Ply(ply) => {
                if let (Screen::Games, Some(games)) = (self.screen, &mut self.games) {
                    games.go_to(ply);
                }
            }
            Target::ArenaPlayer(place) => self.arena.click(place),
        }
        Vec::new()
    }

    /// The first click gives a pane the focus, the next the whole screen, or the rest its room back.
    fn click_pane(&mut self, pane: Pane) {
        if self.focused() == pane {
            self.zoom.turn();
        }
        self.pane = pane;
    }

    /// Reads values where a click in the lines of a chart falls.
    fn click_chart(&mut self, body: Rect, cell: Position) {
        let watch = self.frozen.as_deref().or(self.watch.as_ref());
        let Some(watch) = watch else { return };
        let length = f64::from(body.width.saturating_sub(1).max(1));
        let share = f64::from(cell.x.saturating_sub(body.x)) / length;
        self.charts.read_at_share(share, watch);
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
            Screen::Run => return self.act(keymap::wheel(Scope::Run, wheel)),
            Screen::Compare => self.compare.wheel(wheel, self.watch.as_ref()),
            Screen::Arena => return self.act(keymap::wheel(Scope::Arena, wheel)),
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
