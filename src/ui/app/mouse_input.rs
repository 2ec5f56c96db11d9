//! Handles mouse input.

use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::{MouseInput, Wheel};
use crate::ui::screens::compare::CompareTarget;
use crate::ui::screens::play::PartialMove;
use crate::ui::screens::run::layout::RunPane;
use crate::ui::screens::{parameters, population};

use super::{AppModel, Effects, Screen};

/// The target of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// An action, as of a key.
    Do(Action),
    /// A square of the board that belongs to a move.
    Move(PartialMove),
    /// An item of the Home screen, by index.
    Item(usize),
    /// A part of a parameter's row.
    Parameter(parameters::ParameterTarget),
    /// A part of the Population screen.
    Population(population::PopulationTarget),
    /// A pane of the Run screen.
    Pane(RunPane),
    Chart {
        pane: RunPane,
        body: Rect,
    },
    /// A part of the Compare screen.
    Compared(CompareTarget),
    /// A row of the screen's list.
    Row(usize),
    /// A move of the game shown, by its number.
    Ply(usize),
    /// A row in the Arena's list of players.
    ArenaPlayer(usize),
}

impl AppModel {
    /// Handles a mouse input. Ignored while an overlay is open.
    pub fn point(&mut self, mouse: MouseInput) -> Effects {
        if self.overlay.is_some() {
            return Vec::new();
        }
        match mouse {
            MouseInput::Click(cell) => self.click(cell),
            MouseInput::Wheel(wheel) => self.wheel(wheel),
        }
    }

    fn click(&mut self, cell: Position) -> Effects {
        let Some(target) = self.regions.target_at(cell).cloned() else {
            return Vec::new();
        };
        self.notice = None;
        match target {
            ClickTarget::Do(action) => return self.handle_action(Some(action)),
            ClickTarget::Move(picked) => {
                if let (Screen::Play, Some(play)) = (self.screen, &mut self.play) {
                    play.click(&picked);
                }
            }
            ClickTarget::Item(place) => {
                if self.screen == Screen::Home && self.home.click(place) {
                    return self.handle_action(Some(Action::Enter));
                }
            }
            ClickTarget::Parameter(spot) => {
                if let (Screen::Parameters, Some(parameters)) = (self.screen, &mut self.parameters)
                {
                    parameters.click(spot);
                }
            }
            ClickTarget::Population(spot) => {
                if let Some(population) = &mut self.population {
                    population.click(spot);
                }
            }
            ClickTarget::Compared(pointed) => {
                return self.compare.click(pointed, cell, self.run.as_ref());
            }
            ClickTarget::Pane(pane) => self.click_pane(pane),
            ClickTarget::Chart { pane, body } => {
                self.pane = pane;
                self.click_chart(body, cell);
            }
            ClickTarget::Row(row) => self.select_row(row),
            ClickTarget::Ply(ply) => {
                if let (Screen::Games, Some(games)) = (self.screen, &mut self.games) {
                    games.go_to(ply);
                }
            }
            ClickTarget::ArenaPlayer(place) => self.arena.click(place),
        }
        Vec::new()
    }

    /// The first click focuses a pane, the next toggles its zoom.
    fn click_pane(&mut self, pane: RunPane) {
        if self.focused() == pane {
            self.zoom.toggle();
        }
        self.pane = pane;
    }

    /// Moves the crosshair to a click in a chart.
    fn click_chart(&mut self, body: Rect, cell: Position) {
        let run = self.frozen.as_deref().or(self.run.as_ref());
        let Some(run) = run else { return };
        let length = f64::from(body.width.saturating_sub(1).max(1));
        let share = f64::from(cell.x.saturating_sub(body.x)) / length;
        self.charts.move_cursor_to_fraction(share, run);
    }

    /// Selects a row of a list.
    fn select_row(&mut self, row: usize) {
        match (self.screen, &mut self.games) {
            (Screen::Log, _) => self.log.select(row),
            (Screen::Games, Some(games)) => games.select_row(row),
            _ => {}
        }
    }

    /// Scrolls lists, like the arrow keys.
    fn wheel(&mut self, wheel: Wheel) -> Effects {
        match self.screen {
            Screen::Home => return self.handle_action(keymap::wheel(Scope::Home, wheel)),
            Screen::Run => return self.handle_action(keymap::wheel(Scope::Run, wheel)),
            Screen::Compare => self.compare.wheel(wheel, self.run.as_ref()),
            Screen::Arena => return self.handle_action(keymap::wheel(Scope::Arena, wheel)),
            Screen::Parameters => {
                if let Some(parameters) = &mut self.parameters {
                    parameters.wheel(wheel);
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
                    games.handle_action(action);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}
