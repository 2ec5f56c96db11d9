//! The Play screen as a screen of the dashboard; `None` before there are champions.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::jobs::WantedAnswers;
use crate::keymap::{Action, Scope, keys};
use crate::model::context::Context;
use crate::mouse::Regions;
use crate::screen::{
    ClickTarget, Effects, KeyHints, Screen, ScreenEvent, Tab, passed, start_first,
};
use finches_runs::run::message::RunEvent;

use super::{PartialMove, PlayScreen};

/// Turns the board by half a turn.
pub(super) const TURN_BOARD: Action = Action::Own("turn_board");

/// Lets the user type the start position.
pub(super) const CHOOSE_START: Action = Action::Own("choose_start");

/// Let the champion play at another level.
pub(super) const NEXT_LEVEL: Action = Action::Own("next_level");
pub(super) const PREVIOUS_LEVEL: Action = Action::Own("previous_level");

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
        Char('t') => TypeMove, "type a move", "type";
        Char('/') => TypeMove, "type a move", "";
        Char('U') => Undo, "take back your last move", "undo";
        Char('H') => Hint, "show a hint", "hint";
        Char('C') => SwapSides, "new game with sides swapped", "side";
        Char('R') => NewGame, "new game", "new";
        Char('P') => (CHOOSE_START), "new game from a position to type", "";
        Char('[') => OlderChampion, "older champion", "champion";
        Char(']') => NewerChampion, "newer champion", "";
        Char('+') => SearchDeeper, "the champion searches deeper", "depth";
        Char('-') => SearchShallower, "the champion searches less", "";
        Char('L') => (NEXT_LEVEL), "the champion's next level, 1 to 8 or as it evolved", "level";
        Char('l') => (PREVIOUS_LEVEL), "the champion's level before", "";
        Char('T') => ThinkingTime, "thinking time, 1 s to unlimited", "time";
        Char('A') => MoveNow, "the champion moves now", "answer";
        Char('V') => ShowValues, "show or hide the values of moves", "values";
        Char('B') => (TURN_BOARD), "turn the board by half a turn", "turn";
        Char('Z') => Zoom, "zoom the board in or out", "zoom";
    ],
);

impl Screen for Option<PlayScreen> {
    fn tab(&self) -> Tab {
        Tab {
            name: "Play",
            short: "Play",
            action: Action::GoPlay,
            key: '4',
            purpose: "play against the champion",
            scope: SCOPE,
        }
    }

    fn can_open(&self, context: &Context) -> bool {
        self.is_some() || context.run.is_some()
    }

    fn open(&mut self, context: &mut Context) -> Result<Effects, String> {
        if let (None, Some(run)) = (&self, &context.run) {
            let mut play = PlayScreen::new(&run.facts, context.saved_run(), context.waker.clone());
            if let Some(snapshot) = &run.snapshot {
                play.add_champion(&snapshot.champion);
            }
            *self = Some(play);
        }
        match self {
            Some(_) => Ok(Vec::new()),
            None => Err(start_first(Action::PlaySaved, "a saved one")),
        }
    }

    fn press(&mut self, key: KeyEvent, context: &mut Context) -> Effects {
        let Some(play) = self else { return Vec::new() };
        play.area = context.area;
        // The quit dialog asks if a run is active.
        let run = context.run.as_ref();
        play.quit_is_final = !run.is_some_and(|run| run.state.is_active());
        let action = play.press(key);
        context.played.extend(play.take_played());
        passed(action)
    }

    fn click(&mut self, target: &ClickTarget, _: Position, context: &mut Context) -> Effects {
        if let (Some(play), Some(picked)) = (self, target.as_own::<PartialMove>()) {
            play.area = context.area;
            play.click(picked);
            context.played.extend(play.take_played());
        }
        Vec::new()
    }

    fn receive(&mut self, event: &ScreenEvent<'_>, context: &mut Context) {
        match event {
            ScreenEvent::RunShown => *self = None,
            ScreenEvent::ChampionsOpened(facts, saves) => {
                *self = Some(PlayScreen::new(
                    facts,
                    saves.cloned(),
                    context.waker.clone(),
                ));
            }
            ScreenEvent::PlaySetUp(setup) => {
                if let Some(play) = self {
                    play.set_up(*setup);
                }
            }
            ScreenEvent::ProgramChosen(spec, move_time) => {
                if let Some(play) = self {
                    play.set_program(spec, *move_time);
                }
            }
            ScreenEvent::OpponentChosen(player) => {
                if let Some(play) = self {
                    play.choose_opponent(player);
                }
            }
            ScreenEvent::Run(RunEvent::Snapshot(snapshot)) => {
                if let Some(play) = self {
                    play.add_champion(&snapshot.champion);
                }
            }
            _ => {}
        }
    }

    fn receive_answers(&mut self, _: &mut Context) {
        if let Some(play) = self {
            play.take_answers(WantedAnswers::Arrived);
        }
    }

    /// Lets the champion reply.
    fn after_frame(&mut self, context: &mut Context) -> bool {
        let Some(play) = self else { return false };
        let has_replied = play.tick();
        context.played.extend(play.take_played());
        has_replied
    }

    fn tick(&mut self, passed: Duration, _: &mut Context) -> bool {
        self.as_mut()
            .is_some_and(|play| play.advance_animation(passed))
    }

    fn due(&self, _: &Context) -> Option<Duration> {
        self.as_ref().and_then(PlayScreen::due)
    }

    fn hints(&self) -> KeyHints {
        match self {
            Some(play) if play.takes_digits() => KeyHints::Typing,
            _ => KeyHints::OwnThenOne,
        }
    }

    fn view(&self, context: &Context, area: Rect, buf: &mut Buffer) -> Regions<ClickTarget> {
        let play = self.as_ref();
        let regions = play.map(|play| play.view(area, buf, &context.theme));
        regions.unwrap_or_default().map(ClickTarget::own)
    }
}
