//! The Games screen as a screen of the dashboard; `None` before there is a run.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::run::RunInfo;
use crate::run::message::RunEvent;
use crate::storage::saves::Saves;
use crate::ui::keymap::{self, Action, Scope};
use crate::ui::model::context::Context;
use crate::ui::mouse::{Regions, Wheel};
use crate::ui::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, start_first};

use super::{GamesScreen, PlyTarget};

impl Screen for Option<GamesScreen> {
    fn tab(&self) -> Tab {
        Tab {
            name: "Games",
            short: "Games",
            action: Action::GoGames,
            scope: Scope::Games,
        }
    }

    fn can_open(&self, _: &Context) -> bool {
        self.is_some()
    }

    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        let Some(games) = self else {
            return Err(start_first(Action::PlaySaved, "a saved one"));
        };
        games.add_played(context.played.drain(..).collect());
        games.refresh();
        Ok(Vec::new())
    }

    fn press(&mut self, key: KeyEvent, context: &mut Context) -> Effects {
        let action = self.as_mut().and_then(|games| games.press(key));
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        let (Some(games), Action::Export) = (self, action) else {
            return vec![Effect::Do(action)];
        };
        match games.export() {
            Ok(export) => vec![Effect::Export(export)],
            Err(error) => {
                context.report_error(error);
                Vec::new()
            }
        }
    }

    fn wheel(&mut self, wheel: Wheel, _: &mut Context) -> Effects {
        if let (Some(games), Some(action)) = (self, keymap::wheel(Scope::Games, wheel)) {
            games.handle_action(action);
        }
        Vec::new()
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        let Some(games) = self else { return Vec::new() };
        if let ClickTarget::Row(row) = target {
            games.select_row(*row);
        } else if let Some(PlyTarget(ply)) = target.as_own() {
            games.go_to(*ply);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::RunShown => {
                let facts = context.run.as_ref().map(|run| run.facts.clone());
                if let Some(facts) = facts {
                    show(self, &facts, context.saved_run(), context);
                }
            }
            ScreenEvent::ChampionsOpened(facts, saves) if context.run.is_none() => {
                show(self, facts, saves.cloned(), context);
            }
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                if let Some(games) = self.as_mut().filter(|_| context.frozen.is_none()) {
                    games.add_champion(snapshot);
                    if context.scope == Scope::Games {
                        games.ensure_selection();
                    }
                }
            }
            ScreenEvent::Run(RunEvent::Saved { .. }) if context.scope == Scope::Games => {
                if let Some(games) = self {
                    games.refresh();
                }
            }
            _ => {}
        }
    }

    fn receive_answers(&mut self, _: &mut Context) {
        if let Some(games) = self {
            games.receive();
        }
    }

    fn tick(&mut self, passed: Duration, _: &mut Context) -> bool {
        self.as_mut().is_some_and(|games| games.tick(passed))
    }

    fn due(&self, _: &Context) -> Option<Duration> {
        self.as_ref().and_then(GamesScreen::due)
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let games = self.as_ref();
        games.map_or_else(Regions::default, |games| games.view(context, area, buf))
    }
}

/// Shows the games of another run and keeps the games that the user has played.
fn show(
    screen: &mut Option<GamesScreen>,
    facts: &RunInfo,
    saves: Option<(Saves, String)>,
    context: &mut Context,
) {
    let before = screen.take();
    let mut played = before.map_or_else(Vec::new, GamesScreen::into_played);
    played.append(&mut context.played);
    *screen = Some(GamesScreen::new(
        facts,
        saves,
        played,
        context.waker.clone(),
    ));
}
