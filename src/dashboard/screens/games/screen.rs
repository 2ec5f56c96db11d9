//! The Games screen as a screen of the dashboard.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{self, Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effect, Effects, KeyHints, Request, Screen, ScreenEvent, ScreenInput, ScreenState,
    Tab,
};
use finches_runs::run::message::RunEvent;

use super::{Evaluator, GamesScreen, PlyTarget};

own_actions! {
    /// What only the Games screen does.
    pub(super) enum GamesAction {
        Autoplay = "autoplay",
        NextAnalysis = "next_analysis",
        Import = "import",
        Practice = "practice",
        /// Shows the best move of a position that is practiced.
        Hint = "hint",
    }
}

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
        Char('a') => (GamesAction::Autoplay), "turn autoplay on or off", "auto";
        Char('v') => (GamesAction::NextAnalysis), "analysis by the strongest judge or by the \
            champion", "analysis";
        Char('W') => (GamesAction::Practice), "practice the positions in which moves lost the \
            most", "practice";
        Code(KeyCode::Enter) => Enter, "in practice: make the move, try again, or the next \
            position", "next";
        Char('H') => (GamesAction::Hint), "in practice: show the best move", "best move";
        Char('e') => Export, "write the game to a file in its usual notation", "export";
        Char('O') => (GamesAction::Import), "open games from a file", "open";
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

/// The tab of the screen.
const TAB: Tab = Tab {
    name: "Games",
    short: "Games",
    action: Action::GoGames,
    key: '7',
    purpose: "browse recorded games",
    scope: SCOPE,
};

impl Screen for GamesScreen {
    fn tab(&self) -> Tab {
        TAB
    }

    fn state(&self, _: &Context) -> ScreenState {
        ScreenState {
            hints: match self.practice {
                Some(_) => KeyHints::Typing,
                None => KeyHints::OwnFirst,
            },
            due: self.due(),
            ..ScreenState::default()
        }
    }

    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        self.root.clone_from(&context.saves);
        self.refresh();
        Ok(Vec::new())
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        match input {
            ScreenInput::Key(key) => {
                let action = self.press_key(key);
                action.map_or_else(Vec::new, |action| self.act(action, context))
            }
            ScreenInput::Wheel(_) if self.practice.is_some() => Vec::new(),
            ScreenInput::Wheel(wheel) => {
                if let Some(action) = keymap::wheel(SCOPE, wheel) {
                    self.handle_action(action);
                }
                Vec::new()
            }
        }
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        if action != Action::Export {
            return vec![Effect::Do(action)];
        }
        match self.export() {
            Ok(export) => vec![Effect::Ask(Request::Export(export))],
            Err(error) => {
                context.report_error(error);
                Vec::new()
            }
        }
    }

    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let (Some(picked), Some(practice)) = (target.as_own(), &mut self.practice) {
            practice.play.click(picked);
            self.follow_practice();
        } else if let ClickTarget::Row(row) = target {
            self.select_row(*row);
        } else if let Some(PlyTarget(ply)) = target.as_own() {
            self.go_to(*ply);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) if context.frozen.is_none() => {
                self.add_champion(snapshot);
                if context.scope == SCOPE {
                    self.ensure_selection();
                }
            }
            ScreenEvent::Run(RunEvent::Saved { .. }) if context.scope == SCOPE => self.refresh(),
            ScreenEvent::GamesToOpen(files) => self.open_files(files.to_vec()),
            ScreenEvent::Answered(wanted) => self.take_answers(*wanted),
            _ => {}
        }
    }

    fn tick(&mut self, passed: Duration, _: &mut Context) -> bool {
        self.advance(passed)
    }

    /// In practice, the keys for the list and the moves of a game do nothing.
    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let is_own = keymap::bindings(SCOPE).any(|own| own.action == binding.action);
        let is_of_practice = binding.action == Action::Enter
            || GamesAction::of(binding.action) == Some(GamesAction::Hint);
        match &self.practice {
            Some(practice) if is_own => practice.hint(binding.action),
            None if is_of_practice => "",
            None if GamesAction::of(binding.action) == Some(GamesAction::NextAnalysis)
                && self.evaluator == Evaluator::Strongest
                && !self.has_other_judge() =>
            {
                ""
            }
            // Without a game there is only one to open.
            None if is_own
                && self.shown.is_none()
                && binding.action != GamesAction::Import.action() =>
            {
                ""
            }
            _ => binding.hint,
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
