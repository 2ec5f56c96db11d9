//! Screen 4: the user plays a champion. The champion analyzes in the background and moves in
//! `tick`, so that the user's move is drawn before the answer.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::jobs::{Jobs, Waker};
use crate::keymap::{self, Action, Scope};
use crate::model::champions::ChampionQuery;
use crate::model::direction::Direction;
use crate::model::zoom::Zoom;
use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_engine::contest::Tally;
use finches_engine::evolution::archive::Champion;
use finches_engine::play::interactive::InteractiveGame;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use self::analysis::{Analysis, AnalysisAnswer};
use self::current::CurrentGame;
use self::curve::Review;
use self::latest_move::LatestMove;
use self::move_selection::MovePicker;
use self::opponent::Opponents;
pub(super) use self::screen::TAB;
use self::screen::{PlayAction, SCOPE};
use self::search_settings::SearchSettings;
mod analysis;
mod board_cursor;
mod current;
mod curve;
mod curve_view;
mod games;
mod info_pane;
mod latest_move;
mod layout;
mod lead_bar;
mod move_selection;
mod moves_pane;
mod opponent;
mod overlay;
mod program;
mod scores_pane;
mod screen;
pub(in crate::screens) mod search_settings;
mod turns;
mod view;

pub use self::move_selection::PartialMove;

/// The Play screen: a game against a champion and the score so far.
pub struct PlayScreen {
    current: CurrentGame,
    opponents: Opponents,
    picker: MovePicker,
    /// The area of the screen when it last handled an input. It determines the places of the board.
    area: Rect,
    typed: Option<TypedText>,
    latest_move: LatestMove,
    message: PlayMessage,
    jobs: Jobs<PlayTask, AnalysisAnswer>,
    analysis: Analysis,
    review: Review,
    zoom: Zoom,
    score: Tally,
    /// Whether quitting gives up the game without another question.
    quit_is_final: bool,
    /// The folder whose file of the user's games this adds to, and what there is to say of that.
    kept_in: Option<Saves>,
    kept: String,
    /// Whether it asks for moves in positions, without an opponent.
    is_practice: bool,
}

/// The background work of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayTask {
    Analyze,
    /// The move of an outside program.
    Reply,
    /// Judging the positions of a finished game.
    Judge,
}

/// The message below the board.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlayMessage {
    Info(String),
    Success(String),
    Error(String),
    /// Whether to carry out an action that gives up the game.
    Question(Action),
}

/// A text being typed.
struct TypedText {
    kind: TypedKind,
    input: TextInput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypedKind {
    Move,
    StartPosition,
}

impl PlayScreen {
    /// A game against the newest saved champion of a run, or the first one that
    /// [`PlayScreen::add_champion`] brings.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, waker: Waker) -> Self {
        let current = CurrentGame::new(facts);
        let mut screen = Self {
            analysis: Analysis::new(facts),
            current,
            opponents: Opponents::new(facts, saves),
            picker: MovePicker::default(),
            area: Rect::new(0, 0, 120, 37),
            typed: None,
            latest_move: LatestMove::default(),
            message: PlayMessage::Info(String::new()),
            jobs: Jobs::new(waker),
            review: Review::default(),
            zoom: Zoom::Out,
            score: Tally::default(),
            quit_is_final: true,
            kept_in: None,
            kept: String::new(),
            is_practice: false,
        };
        screen.load_opponent(ChampionQuery::Newest);
        screen
    }

    /// The screen that keeps the user's games in a folder of saved runs.
    #[must_use]
    pub fn keeping_games(mut self, saves: Option<Saves>) -> Self {
        self.kept_in = saves;
        self
    }

    /// Adds the newest champion of the run. It becomes the opponent if there is none, else from the
    /// next game on.
    pub fn add_champion(&mut self, champion: &Champion) {
        let is_first = self.opponents.champions.live().is_none();
        self.opponents.champions.add_champion(champion);
        if self.opponents.current.is_none() || (is_first && !self.current.has_begun()) {
            self.load_opponent(ChampionQuery::Newest);
        }
    }

    /// The game being played.
    pub fn game(&self) -> &InteractiveGame {
        &self.current.game
    }

    /// Handles a key, which also ends an animation. Returns the action if it is not this screen's.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        self.skip_animation();
        if let PlayMessage::Question(asked) = self.message {
            return self.answer_question(asked, key);
        }
        if let Some(typed) = &self.typed {
            if typed.kind == TypedKind::Move && key.code == KeyCode::Char('?') {
                return Some(Action::Help);
            }
            self.press_in_text(key);
            return None;
        }
        match key.code {
            // Digits open screens here too.
            KeyCode::Char(first @ 'a'..='z')
                if is_plain(key) && self.current.game.begins_move(first) =>
            {
                self.type_text(TypedKind::Move, TextInput::new(&first.to_string()));
                None
            }
            _ => {
                let action = keymap::action(SCOPE, key)?;
                if self.must_confirm(action) {
                    self.message = PlayMessage::Question(action);
                    return None;
                }
                self.handle_action(action)
            }
        }
    }

    fn type_text(&mut self, kind: TypedKind, input: TextInput) {
        self.typed = Some(TypedText { kind, input });
    }

    fn drop_typed_move(&mut self) {
        self.typed.take_if(|typed| typed.kind == TypedKind::Move);
    }

    fn press_in_text(&mut self, key: KeyEvent) {
        let Some(typed) = &mut self.typed else { return };
        let is_done = match (typed.kind, typed.input.press(key)) {
            (_, TextInputResult::Canceled) => true,
            (TypedKind::Move, TextInputResult::Editing) => typed.input.text().is_empty(),
            (TypedKind::StartPosition, TextInputResult::Editing) => false,
            (TypedKind::Move, TextInputResult::Done(text)) => text.is_empty() || self.play(&text),
            (TypedKind::StartPosition, TextInputResult::Done(text)) => self.start_from(&text),
        };
        if is_done {
            self.typed = None;
        }
    }

    fn handle_action(&mut self, action: Action) -> Option<Action> {
        match action {
            Action::Enter => self.select_at_cursor(),
            Action::Back if self.deselect_last() => {}
            Action::SearchDeeper => self.change_search(SearchSettings::increase),
            Action::SearchShallower => self.change_search(SearchSettings::decrease),
            Action::OlderChampion => self.switch_opponent(ChampionQuery::OlderThan),
            Action::NewerChampion => self.switch_opponent(ChampionQuery::NewerThan),
            zoomed if !self.is_practice && self.zoom.handle(zoomed) => {}
            other => match (PlayAction::of(other), Direction::of(other)) {
                (Some(PlayAction::Film), _) | (None, None) => return Some(other),
                // In practice there are no other games and no hints.
                (Some(own), _) if self.is_practice && own != PlayAction::TypeMove => {}
                (Some(own), _) => self.handle_own(own),
                (None, Some(direction)) => self.move_cursor(direction),
            },
        }
        None
    }

    fn handle_own(&mut self, action: PlayAction) {
        match action {
            PlayAction::TypeMove => {
                match self.current.outcome.and_then(|_| self.blocked_reason()) {
                    Some(words) => self.refuse(words),
                    None => self.type_text(TypedKind::Move, TextInput::default()),
                }
            }
            PlayAction::Undo => self.take_back(),
            PlayAction::Hint => self.hint(),
            PlayAction::NextLevel => self.change_level(SearchSettings::next_level),
            PlayAction::PreviousLevel => self.change_level(SearchSettings::previous_level),
            PlayAction::ThinkingTime => self.change_search(SearchSettings::next_time_limit),
            PlayAction::MoveNow => self.jobs.hasten(&PlayTask::Analyze),
            PlayAction::ShowValues => self.analysis.shown = self.analysis.shown.next(),
            PlayAction::SwapSides => self.swap_sides(),
            PlayAction::NewGame => self.new_game(),
            PlayAction::TurnBoard => self.turn_board(),
            PlayAction::ChooseStart => self.choose_start(),
            PlayAction::Film => {}
        }
    }

    fn turn_board(&mut self) {
        if !self.current.turn_board() {
            self.refuse("The board looks alike from all sides.");
        }
    }

    fn inform(&mut self, words: impl Into<String>) {
        self.message = PlayMessage::Info(words.into());
    }

    fn refuse(&mut self, words: impl Into<String>) {
        self.message = PlayMessage::Error(words.into());
    }

    /// Whether an action needs a confirmation, since it gives up a game that has begun or changes
    /// its champion.
    fn must_confirm(&self, action: Action) -> bool {
        let gives_up = match action {
            Action::OlderChampion | Action::NewerChampion => true,
            Action::Quit => self.quit_is_final,
            _ => matches!(
                PlayAction::of(action),
                Some(PlayAction::SwapSides | PlayAction::NewGame | PlayAction::ChooseStart)
            ),
        };
        gives_up && self.current.outcome.is_none() && self.current.has_moved()
    }

    /// Whether the user has begun a game, which is not over, against a champion of this run.
    pub fn has_begun_against(&self, run: &str) -> bool {
        let is_open = self.current.outcome.is_none() && self.current.has_moved();
        is_open && self.opponents.run_name == run && self.opponents.program.is_none()
    }

    /// Carries out the action if its key is pressed again. Returns it if it is not this screen's.
    fn answer_question(&mut self, asked: Action, key: KeyEvent) -> Option<Action> {
        self.inform("The game continues.");
        let is_confirmed = keymap::action(SCOPE, key) == Some(asked);
        is_confirmed.then(|| self.handle_action(asked)).flatten()
    }

    /// Advances what is shown of the latest move. Returns whether a frame or the reply is due.
    pub fn advance_animation(&mut self, passed: Duration) -> bool {
        self.latest_move.advance(passed)
    }

    /// Time until the latest move looks different or the champion replies.
    pub fn due(&self) -> Option<Duration> {
        self.latest_move.due()
    }
}

impl Drop for PlayScreen {
    /// Keeps the game that the user leaves.
    fn drop(&mut self) {
        self.keep_left();
    }
}

/// The question before an action.
fn question(action: Action) -> String {
    let (what, scope) = match action {
        Action::OlderChampion | Action::NewerChampion => {
            ("Change the champion during this game?", SCOPE)
        }
        Action::Quit => ("Give up this game and quit?", Scope::GLOBAL),
        _ => ("Give up this game?", SCOPE),
    };
    let key = keymap::label(scope, action);
    format!("{what} {key} again: yes; any other key: no")
}

fn is_plain(key: KeyEvent) -> bool {
    !key.modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

#[cfg(test)]
mod tests;
