//! The Games screen as a screen of the dashboard; `None` before there is a run.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{self, Action, Scope, keys};
use crate::model::context::Context;
use crate::mouse::{Regions, Wheel};
use crate::screen::{ClickTarget, Effect, Effects, Screen, ScreenEvent, Tab, start_first};
use finches_runs::run::RunInfo;
use finches_runs::run::message::RunEvent;
use finches_runs::storage::saves::Saves;

use super::{GamesScreen, PlyTarget};

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "games",
    keys![
        Char(',') => PreviousMove, "previous move", "step";
        Char('.') => NextMove, "next move", "";
        Code(KeyCode::Left) => PreviousMove, "previous move", "";
        Code(KeyCode::Right) => NextMove, "next move", "";
        Code(KeyCode::Home) => First, "go to the start of the game", "";
        Code(KeyCode::End) => Last, "go to the end of the game", "";
        Char('a') => Autoplay, "turn autoplay on or off", "auto";
        Char('v') => NextAnalysis, "analysis by the oracle or by the champion", "analysis";
        Char('e') => Export, "write the game to a file in its usual notation", "export";
        Char('o') => Import, "open games from a file", "open";
        Char('z') => Zoom, "zoom the board in or out", "zoom";
        Char('/') => Filter, "type to filter the list", "filter";
        Code(KeyCode::Up) => Up, "previous game", "";
        Code(KeyCode::Down) => Down, "next game", "";
        Char('k') => Up, "previous game", "";
        Char('j') => Down, "next game", "";
        Key::Wheel(Wheel::Up) => Up, "previous game", "";
        Key::Wheel(Wheel::Down) => Down, "next game", "";
        Code(KeyCode::PageUp) => PageUp, "page up", "";
        Code(KeyCode::PageDown) => PageDown, "page down", "";
        Click => Click, "on a game: show it; on a move: go to it", "";
    ],
);

impl Screen for Option<GamesScreen> {
    fn tab(&self) -> Tab {
        Tab {
            name: "Games",
            short: "Games",
            action: Action::GoGames,
            key: '7',
            purpose: "browse recorded games",
            scope: SCOPE,
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
        if let (Some(games), Some(action)) = (self, keymap::wheel(SCOPE, wheel)) {
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
                    if context.scope == SCOPE {
                        games.ensure_selection();
                    }
                }
            }
            ScreenEvent::Run(RunEvent::Saved { .. }) if context.scope == SCOPE => {
                if let Some(games) = self {
                    games.refresh();
                }
            }
            _ => {}
        }
    }

    fn receive_answers(&mut self, _: &mut Context) {
        if let Some(games) = self {
            games.take_answers(WantedAnswers::Arrived);
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
