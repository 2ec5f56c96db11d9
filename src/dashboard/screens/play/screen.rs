//! The Play screen as a screen of the dashboard.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::keymap::{Action, Binding, Scope, keys, own_actions};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effects, KeyHints, Screen, ScreenEvent, ScreenInput, ScreenState, Tab, passed,
};
use finches_runs::run::message::RunEvent;

use super::{PartialMove, PlayScreen, TypedKind};

own_actions! {
    /// What only the Play screen does.
    pub(super) enum PlayAction {
        TypeMove = "type_move",
        Undo = "undo",
        Hint = "hint",
        SwapSides = "swap_sides",
        NewGame = "new_game",
        /// Lets the user type the start position.
        ChooseStart = "choose_start",
        /// Lets the champion play at another level.
        NextLevel = "next_level",
        PreviousLevel = "previous_level",
        ThinkingTime = "thinking_time",
        MoveNow = "move_now",
        ShowValues = "show_values",
        /// Turns the board by half a turn.
        TurnBoard = "turn_board",
        /// Writes the finished game as a film.
        Film = "film",
    }
}

/// The keys of the screen.
pub(super) const SCOPE: Scope = Scope::of_screen(
    "play",
    keys![
        Code(KeyCode::Enter) => Enter, "select, or play the typed move", "move";
        Click => Click, "select a square", "";
        Code(KeyCode::Left) => Left, "cursor left", "";
        Code(KeyCode::Right) => Right, "cursor right", "";
        Code(KeyCode::Up) => Up, "cursor up", "";
        Code(KeyCode::Down) => Down, "cursor down", "";
        Char('t') => (PlayAction::TypeMove), "type a move, or its first letter", "";
        Char('U') => (PlayAction::Undo), "take back your last move", "undo";
        Char('H') => (PlayAction::Hint), "show a hint", "hint";
        Char('V') => (PlayAction::ShowValues), "values beside the board, on it or \
            nowhere", "values";
        Char('L') => (PlayAction::NextLevel), "the champion's next level", "level";
        Char('l') => (PlayAction::PreviousLevel), "the champion's previous level", "";
        Char('C') => (PlayAction::SwapSides), "new game with sides swapped", "side";
        Char('R') => (PlayAction::NewGame), "new game", "new";
        Char('P') => (PlayAction::ChooseStart), "new game from a position to type", "";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('+') => SearchDeeper, "the champion searches deeper", "search";
        Char('-') => SearchShallower, "the champion searches less", "";
        Char('T') => (PlayAction::ThinkingTime), "thinking time, 1 s to unlimited", "time";
        Char('A') => (PlayAction::MoveNow), "the champion moves now", "answer";
        Char('B') => (PlayAction::TurnBoard), "turn the board by half a turn", "turn";
        Char('E') => (PlayAction::Film), "write the game as a film", "";
        Char('Z') => Zoom, "zoom the board in or out", "zoom";
    ],
);

/// The tab of the screen.
pub(in crate::screens) const TAB: Tab = Tab {
    name: "Play",
    short: "Play",
    action: Action::GoPlay,
    key: '4',
    purpose: "play against the champion",
    scope: SCOPE,
};

impl Screen for PlayScreen {
    fn tab(&self) -> Tab {
        TAB
    }

    fn state(&self, _: &Context) -> ScreenState {
        ScreenState {
            hints: if self.typed.is_some() {
                KeyHints::Typing
            } else {
                KeyHints::OwnThenOne
            },
            due: self.due(),
            ..ScreenState::default()
        }
    }

    fn press(&mut self, input: ScreenInput, context: &mut Context) -> Effects {
        let ScreenInput::Key(key) = input else {
            return Vec::new();
        };
        self.area = context.area;
        // The quit dialog asks if a run is active.
        let run = context.run.as_ref();
        self.quit_is_final = !run.is_some_and(|run| run.state.is_active());
        let action = Self::press(self, key);
        if action == Some(PlayAction::Film.action()) {
            let whole = self.current.outcome.and_then(|_| self.played_game());
            context.film_game(whole);
            return Vec::new();
        }
        passed(action)
    }

    fn click(&mut self, target: &ClickTarget, _: Position, context: &mut Context) -> Effects {
        if let Some(picked) = target.as_own::<PartialMove>() {
            self.area = context.area;
            Self::click(self, picked);
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, _: &mut Context) {
        match event {
            ScreenEvent::PlaySetUp(setup) => self.set_up(*setup),
            ScreenEvent::ProgramChosen(spec, move_time) => self.set_program(spec, *move_time),
            ScreenEvent::OpponentChosen(player) => self.choose_opponent(player),
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                self.add_champion(&snapshot.champion);
            }
            ScreenEvent::Answered(wanted) => self.take_answers(*wanted),
            _ => {}
        }
    }

    /// Lets the champion reply.
    fn after_frame(&mut self, _: &mut Context) -> bool {
        Self::tick(self)
    }

    fn tick(&mut self, passed: Duration, _: &mut Context) -> bool {
        self.advance_animation(passed)
    }

    /// While a text is typed, only the keys that end it; after a game none that makes a move.
    fn hint(&self, binding: &Binding, _: &Context) -> &'static str {
        const HINT: Action = PlayAction::Hint.action();
        match (binding.action, self.typed.as_ref().map(|typed| typed.kind)) {
            (Action::Enter | HINT, None) if self.current.outcome.is_some() => "",
            (_, None) | (Action::Help, Some(TypedKind::Move)) => binding.hint,
            (Action::Enter, _) => "play it",
            (Action::Back, _) => "cancel",
            _ => "",
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        Self::view(self, area, buf, &context.theme).map(ClickTarget::own)
    }
}
