//! Screen 4: the user plays a champion. The champion analyzes in the background and moves in `tick`, so that the user's move is drawn
//! before the answer.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;

use crate::jobs::{JobError, Jobs, Waker, WantedAnswers};
use crate::keymap::{self, Action};
use crate::model::animation::MoveAnimation;
use crate::model::champions::{ChampionQuery, Champions};
use crate::model::played_game::PlayedGame;
use crate::model::zoom::Zoom;
use crate::widgets::text_input::{TextInput, TextInputResult};
use finches_engine::contest::Tally;
use finches_engine::evolution::archive::Champion;
use finches_engine::games::{NotationError, Side};
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use self::analysis::{AnalysisAnswer, AnalysisRequest};
use self::board_cursor::BoardDirection;
use self::curve::{GameCurve, JudgedPosition};
use self::opponent::OpponentPlayer;
use self::overlay::ValueDisplay;
use self::program::PlayProgram;
use self::scale::ScoreScale;
use self::score::PlayOutcome;
use self::screen::SCOPE;
use self::search_settings::SearchSettings;
use self::start::GameStart;
mod analysis;
mod board_cursor;
mod curve;
mod curve_view;
mod hint;
mod info_pane;
mod layout;
mod level;
mod move_selection;
mod opponent;
mod overlay;
mod program;
mod reply;
mod scale;
mod score;
mod screen;
mod search_settings;
mod setup;
mod sides;
mod start;
mod view;

pub use self::move_selection::PartialMove;

/// The Play screen: a game against a champion and the score so far.
pub struct PlayScreen {
    table: InteractiveGame,
    seed: u64,
    champions: Champions,
    opponent: Option<OpponentPlayer>,
    /// The outside program that makes the opponent's moves, if there is one.
    program: Option<PlayProgram>,
    /// The opponent of the next game, if it was chosen during this one.
    next_opponent: Option<OpponentPlayer>,
    /// Whether the next game is against the newest champion; false once an older one was chosen.
    follows_newest: bool,
    human: Side,
    /// The places of the next move selected so far.
    selection: PartialMove,
    /// The index among the places that can be selected next.
    cursor: usize,
    /// The area of the screen when it last handled an input. It determines the places of the board.
    area: Rect,
    entry: Option<TextInput>,
    /// The start position being typed.
    start_entry: Option<TextInput>,
    start: GameStart,
    /// The animation of the latest move.
    animation: MoveAnimation,
    /// The time that is left before the champion replies.
    pause: Duration,
    message: PlayMessage,
    /// The moves of the hint, until the position changes.
    hints: Vec<String>,
    search_settings: SearchSettings,
    jobs: Jobs<PlayTask, AnalysisAnswer>,
    evaluations: MoveEvaluations,
    scale: ScoreScale,
    value_display: ValueDisplay,
    zoom: Zoom,
    score: Tally,
    run_name: String,
    /// Whether quitting gives up the game without another question.
    quit_is_final: bool,
    /// `None` while the game is running.
    outcome: Option<PlayOutcome>,
    /// The positions of the finished game judged so far.
    judged: Vec<JudgedPosition>,
    /// The curve of the finished game, once all positions are judged.
    curve: Option<GameCurve>,
    /// Finished games not collected yet.
    played: Vec<PlayedGame>,
    /// Games started, this one included, and the index of the start position.
    games_started: u32,
    start_index: u64,
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

impl PlayScreen {
    /// A game against the newest saved champion of a run, or the first one that [`PlayScreen::add_champion`] brings.
    pub fn new(facts: &RunInfo, saves: Option<(Saves, String)>, waker: Waker) -> Self {
        let saved = saves.as_ref().map(|(_, name)| name.clone());
        let run_name = saved
            .or_else(|| facts.saved_as.clone())
            .unwrap_or_else(|| facts.preset.name.clone());
        let mut screen = Self {
            table: Arc::clone(&facts.arena).interactive_game(facts.seed),
            seed: facts.seed,
            champions: Champions::new(facts, saves),
            opponent: None,
            program: None,
            next_opponent: None,
            follows_newest: true,
            human: Side::First,
            selection: PartialMove::default(),
            cursor: 0,
            area: Rect::new(0, 0, 120, 37),
            entry: None,
            start_entry: None,
            start: GameStart::Drawn,
            animation: MoveAnimation::default(),
            pause: Duration::ZERO,
            message: PlayMessage::Info(String::new()),
            hints: Vec::new(),
            search_settings: SearchSettings::new(facts),
            jobs: Jobs::new(waker),
            evaluations: MoveEvaluations::default(),
            scale: ScoreScale::Seen(None),
            value_display: ValueDisplay::Shown,
            zoom: Zoom::Out,
            score: Tally::default(),
            run_name,
            quit_is_final: true,
            outcome: None,
            judged: Vec::new(),
            curve: None,
            played: Vec::new(),
            games_started: 1,
            start_index: 0,
        };
        screen.scale = ScoreScale::of(&screen.table);
        screen.start = GameStart::usual(&screen.table);
        screen.start.begin(&mut screen.table, screen.start_index);
        screen.load_opponent(ChampionQuery::Newest);
        screen
    }

    /// Adds the newest champion of the run. It becomes the opponent if there is none, else from the next game on.
    pub fn add_champion(&mut self, champion: &Champion) {
        let is_first = self.champions.live().is_none();
        self.champions.add_champion(champion);
        if self.opponent.is_none() || (is_first && self.table.history().is_empty()) {
            self.load_opponent(ChampionQuery::Newest);
        }
    }

    /// The game being played.
    pub fn game(&self) -> &InteractiveGame {
        &self.table
    }

    /// Handles a key, which also ends an animation. Returns the action if it is not this screen's.
    pub fn press(&mut self, key: KeyEvent) -> Option<Action> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        self.skip_animation();
        if let PlayMessage::Question(asked) = self.message {
            return self.answer_question(asked, key);
        }
        if self.start_entry.is_some() {
            self.press_in_start(key);
            return None;
        }
        if let Some(entry) = &mut self.entry {
            match entry.press(key) {
                TextInputResult::Editing if entry.text().is_empty() => self.entry = None,
                TextInputResult::Editing => {}
                TextInputResult::Canceled => self.entry = None,
                TextInputResult::Done(text) if text.is_empty() => self.entry = None,
                TextInputResult::Done(text) => {
                    if self.play(&text) {
                        self.entry = None;
                    }
                }
            }
            return None;
        }
        match key.code {
            KeyCode::Char(first) if is_plain(key) && self.table.begins_move(first) => {
                self.entry = Some(TextInput::new(&first.to_string()));
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

    /// Whether digits are typed and don't open screens.
    fn takes_digits(&self) -> bool {
        self.entry.is_some()
            || self.start_entry.is_some()
            || ('0'..='9').any(|digit| self.table.begins_move(digit))
    }

    fn handle_action(&mut self, action: Action) -> Option<Action> {
        match action {
            Action::Left => self.move_cursor(BoardDirection::Left),
            Action::Right => self.move_cursor(BoardDirection::Right),
            Action::Up => self.move_cursor(BoardDirection::Up),
            Action::Down => self.move_cursor(BoardDirection::Down),
            Action::Enter => self.select_at_cursor(),
            Action::Back if self.deselect_last() => {}
            Action::TypeMove => self.entry = Some(TextInput::default()),
            Action::Undo => self.take_back(),
            Action::Hint => self.hint(),
            Action::SearchDeeper => self.change_search(SearchSettings::increase),
            Action::SearchShallower => self.change_search(SearchSettings::decrease),
            screen::NEXT_LEVEL => self.change_level(SearchSettings::next_level),
            screen::PREVIOUS_LEVEL => self.change_level(SearchSettings::previous_level),
            Action::ThinkingTime => self.change_search(SearchSettings::next_time_limit),
            Action::MoveNow => self.jobs.hasten(&PlayTask::Analyze),
            Action::ShowValues => self.value_display = self.value_display.other(),
            Action::SwapSides => self.swap_sides(),
            Action::NewGame => self.new_game(),
            Action::OlderChampion => self.switch_opponent(ChampionQuery::OlderThan),
            Action::NewerChampion => self.switch_opponent(ChampionQuery::NewerThan),
            screen::TURN_BOARD => self.turn_board(),
            screen::CHOOSE_START => self.choose_start(),
            zoomed if self.zoom.handle(zoomed) => {}
            other => return Some(other),
        }
        None
    }

    fn turn_board(&mut self) {
        if !self.table.turn_board() {
            let words = "The board looks alike from all sides.".to_owned();
            self.message = PlayMessage::Error(words);
        }
    }

    /// A request to the user.
    fn prompt(&self) -> String {
        if self.table.position().to_move != self.human {
            format!("The {} moves again.", self.opponent_kind())
        } else if self.table.position().must_pass {
            let enter = keymap::label(SCOPE, Action::Enter);
            format!("You have no move: {enter} passes.")
        } else {
            self.turn_text() + "."
        }
    }

    /// That it is the user's turn, and what limits it.
    fn turn_text(&self) -> String {
        match self.table.position().obligation {
            Some(words) => format!("Your turn: {words}"),
            None => "Your turn".to_owned(),
        }
    }

    fn is_champions_turn(&self) -> bool {
        self.table.position().result.is_none() && self.table.position().to_move != self.human
    }

    /// Makes the user's move or shows why it cannot be made. Returns whether it was made.
    fn play(&mut self, text: &str) -> bool {
        let blocked_reason = match self.blocked_reason() {
            Some(words) => Some(words),
            None => self.make_move(text).err().map(|error| error.to_string()),
        };
        match blocked_reason {
            Some(words) => {
                self.message = PlayMessage::Error(words);
                false
            }
            None => true,
        }
    }

    /// The reason why the user cannot move at all, if any.
    fn blocked_reason(&self) -> Option<String> {
        if self.table.position().result.is_some() {
            let key = |action| keymap::label(SCOPE, action);
            let (new, undo) = (key(Action::NewGame), key(Action::Undo));
            Some(format!(
                "The game is over: {new} starts a new game, {undo} takes back your last move."
            ))
        } else if self.opponent.is_none() {
            Some("There is no champion to play against yet.".to_owned())
        } else if self.is_champions_turn() {
            Some(format!("It is the {}'s turn.", self.opponent_kind()))
        } else {
            None
        }
    }

    fn make_move(&mut self, text: &str) -> Result<(), NotationError> {
        let pointed = self.target_at_cursor(&self.board()).map(|target| target.at);
        let passes = self.table.position().must_pass;
        self.table.play(text)?;
        let did = if passes {
            "You passed.".to_owned()
        } else {
            format!("You played {text}.")
        };
        self.message = PlayMessage::Info(did);
        self.position_changed();
        self.show_move();
        if let Some(place) = pointed {
            self.move_cursor_near(place);
        }
        Ok(())
    }

    /// Updates everything that depends on the position: selection, hints, analysis, and the result.
    fn position_changed(&mut self) {
        self.hints.clear();
        self.selection = PartialMove::default();
        self.skip_animation();
        self.start_analysis();
        self.ask_program();
        if let (None, Some(result)) = (self.outcome, self.table.position().result) {
            let for_human = match self.human {
                Side::First => result,
                Side::Second => -result,
            };
            self.finish_game(match for_human {
                0 => PlayOutcome::Draw,
                1.. => PlayOutcome::HumanWins,
                _ => PlayOutcome::ChampionWins,
            });
        }
        self.judge_game();
    }

    /// Starts the champion's analysis of the current position.
    fn start_analysis(&mut self) {
        self.evaluations = MoveEvaluations::default();
        let request = self.analysis_request();
        match request.filter(|_| self.table.position().result.is_none()) {
            Some(request) => self
                .jobs
                .ask(PlayTask::Analyze, |job| Ok(request.think(job))),
            None => self.jobs.cancel(&PlayTask::Analyze),
        }
    }

    /// The game so far and the opponent, if there is one.
    fn analysis_request(&self) -> Option<AnalysisRequest> {
        let opponent = self.opponent.as_ref()?;
        Some(AnalysisRequest {
            arena: self.search_settings.arena(),
            brain: Arc::clone(&opponent.brain),
            line: self.table.move_sequence(),
            limit: self.search_settings.limit(),
        })
    }

    fn is_analyzing(&self) -> bool {
        self.jobs.is_running(&PlayTask::Analyze)
    }

    /// Takes in an analysis unless the position has changed.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        Jobs::take(
            self,
            wanted,
            |it| &mut it.jobs,
            |it, _, answer| it.handle(answer),
        );
    }

    /// Without an analysis there is no opponent.
    fn handle(&mut self, answer: Result<AnalysisAnswer, JobError>) {
        match answer {
            Ok(AnalysisAnswer::Judged(position)) => self.judged.push(position),
            Ok(AnalysisAnswer::AllJudged) => self.draw_curve(),
            Ok(AnalysisAnswer::Replied(reply)) => self.keep_reply(reply),
            Ok(AnalysisAnswer::Scores(evaluations)) => {
                self.scale.widen(&evaluations);
                self.evaluations = evaluations;
            }
            Err(error) => {
                self.opponent = None;
                self.message = PlayMessage::Error(error.to_string());
            }
        }
    }
}

fn is_plain(key: KeyEvent) -> bool {
    !key.modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

#[cfg(test)]
mod tests;
