//! The Arena screen as a screen of the dashboard.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effects, KeyHints, Screen, ScreenEvent, ScreenInput, ScreenState, Tab, passed,
};

use super::{ArenaPane, ArenaScreen};

own_actions! {
    /// What only the Arena screen does.
    pub(super) enum ArenaAction {
        NextGame = "next_game",
        AddOlder = "add_older",
        AddSearch = "add_search",
        NextSearch = "next_search",
        /// Lets the user type the name of an outside program.
        AddProgram = "add_program",
        RemovePlayer = "remove_player",
        FewerGames = "fewer_games",
        MoreGames = "more_games",
        PlayMatches = "play_matches",
        StopGames = "stop_games",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "arena",
    keys![
        Code(KeyCode::Enter) => Enter, "select or deselect a player", "select";
        Char('G') => (ArenaAction::PlayMatches), "play the selected players", "start";
        Code(KeyCode::Tab) => NextPane, "players or results", "pane";
        Char('X') => (ArenaAction::StopGames), "stop the games", "stop";
        Char('c') => (ArenaAction::AddSearch), "add a copy with another search", "search";
        Char('+') => SearchDeeper, "the copy searches deeper", "";
        Char('-') => SearchShallower, "the copy searches less", "";
        Char('=') => (ArenaAction::NextSearch), "another kind of search for it", "";
        Char('[') => OlderChampion, "older champion of the run", "champion";
        Char(']') => NewerChampion, "newer champion of the run", "";
        Char('C') => (ArenaAction::AddOlder), "add an older champion of the run", "";
        Char('O') => (ArenaAction::AddProgram), "add an outside program", "";
        Char('d') => (ArenaAction::RemovePlayer), "remove an added player", "";
        Code(KeyCode::Left) => (ArenaAction::FewerGames), "fewer games per pair", "games";
        Code(KeyCode::Right) => (ArenaAction::MoreGames), "more games per pair", "";
        Char('g') => (ArenaAction::NextGame), "next game", "game";
        Char('e') => Export, "write the results to files", "export";
        @list;
        Click => Click, "select or deselect a player", "";
    ],
);

impl Screen for ArenaScreen {
    fn tab(&self) -> Tab {
        Tab {
            name: "Arena",
            short: "Arena",
            action: Action::GoArena,
            key: '9',
            purpose: "play matches between players",
            scope: SCOPE,
        }
    }

    /// Lists the players available now.
    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if let Some(saves) = &context.saves {
            self.saves = saves.clone();
        }
        self.load(context.run.as_ref());
        Ok(Vec::new())
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        if let (Some(_), ScreenInput::Key(key)) = (&self.entry, input) {
            self.press_in_entry(key);
            return Vec::new();
        }
        let action = input.action(SCOPE);
        action.map_or_else(Vec::new, |action| self.act(action, context))
    }

    fn act(&mut self, action: Action, context: &mut Context) -> Effects {
        passed(self.handle_action(action, context.run.as_ref()))
    }

    /// Moves the cursor to a row and selects or deselects its player.
    fn click(&mut self, target: &ClickTarget, _: Position, _: &mut Context) -> Effects {
        if let ClickTarget::Row(row) = target {
            self.message.clear();
            self.pane = ArenaPane::Players;
            self.selection.cursor = (*row).min(self.selection.all.len().saturating_sub(1));
            self.selection.toggle();
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        if !matches!(event, ScreenEvent::Answered(_)) {
            return;
        }
        while let Some((task, answer)) = self.jobs.receive() {
            self.take(task, answer, context.run.as_ref());
        }
    }

    /// Games are stopped and exported only if there are any, and players chosen in their list.
    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        let is_listed = self.pane == ArenaPane::Players;
        let is_idle = match (ArenaAction::of(binding.action), binding.action) {
            (_, Action::NextPane) if is_listed => return "results",
            (_, Action::NextPane) => return "players",
            (_, Action::Export) => self.progress.is_none(),
            (Some(ArenaAction::StopGames), _) => !self.is_playing(),
            (Some(ArenaAction::PlayMatches | ArenaAction::NextGame), _)
            | (_, Action::Help | Action::Quit) => false,
            _ => !is_listed,
        };
        if is_idle { "" } else { binding.hint }
    }

    fn state(&self, _: &Context) -> ScreenState {
        let hints = match self.entry {
            Some(_) => KeyHints::Typing,
            None => KeyHints::OwnFirst,
        };
        ScreenState {
            hints,
            ..ScreenState::default()
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        self.draw(context, area, buf)
    }
}
