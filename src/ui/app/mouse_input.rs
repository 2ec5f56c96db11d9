//! Handles mouse input.

use ratatui::layout::{Position, Rect};

use crate::ui::keymap::{self, Action, Scope};
use crate::ui::mouse::{MouseInput, Wheel};
use crate::ui::screens::run::layout::RunPane;

use super::{AppModel, Effects, Screen};
use crate::ui::screen::ClickTarget;

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
        self.context.notice = None;
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
                return self.compare.click(pointed, cell, self.context.run.as_ref());
            }
            ClickTarget::Pane(pane) => self.click_pane(pane),
            ClickTarget::Chart { pane, body } => {
                self.run_screen.pane = pane;
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
            self.run_screen.zoom.toggle();
        }
        self.run_screen.pane = pane;
    }

    /// Moves the crosshair to a click in a chart.
    fn click_chart(&mut self, body: Rect, cell: Position) {
        let run = self.context.frozen.as_deref().or(self.context.run.as_ref());
        let Some(run) = run else { return };
        let length = f64::from(body.width.saturating_sub(1).max(1));
        let share = f64::from(cell.x.saturating_sub(body.x)) / length;
        self.context.charts.move_cursor_to_fraction(share, run);
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
            Screen::Compare => self.compare.wheel(wheel, self.context.run.as_ref()),
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
