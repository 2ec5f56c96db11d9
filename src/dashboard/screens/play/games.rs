//! From game to game: sides, starts, the choice of the opponent, results, and the review of a
//! finished game. Nothing gives up a game without a question.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Waker;
use crate::keymap;
use crate::model::champions::{ChampionQuery, InspectedPlayer};
use crate::model::played_game::{PlayedGame, YOU};
use crate::model::zoom::Zoom;
use crate::settings::PlaySetup;
use crate::widgets::text_input::TextInput;
use finches_engine::games::{NotationError, Side};
use finches_engine::outside::OutsideSpec;
use finches_engine::play::record::Ply;
use finches_runs::run::RunInfo;

use super::analysis::{self, AnalysisAnswer, ShownValues};
use super::current::{GameStart, PlayOutcome};
use super::curve::Review;
use super::move_selection::MovePicker;
use super::opponent::OpponentPlayer;
use super::program::PlayProgram;
use super::screen::PlayAction;
use super::{PlayMessage, PlayScreen, PlayTask, SCOPE, TypedKind};

/// The move that decided a game.
pub(super) struct TurningPoint<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    whose: String,
    pub(super) text: &'a str,
    /// The user's chances before and after it, in percent.
    chances: [f64; 2],
}

impl TurningPoint<'_> {
    pub(super) fn sentence(&self) -> String {
        let (number, text) = (self.number, self.text);
        let [before, after] = self.chances;
        let chances = format!("{before:.0} to {after:.0}");
        format!(
            "Move {number}, {} {text}, decided the game: {chances}.",
            self.whose
        )
    }
}

impl PlayScreen {
    /// A board that asks for moves in positions of the game of a run.
    pub(in crate::screens) fn for_practice(facts: &RunInfo) -> Self {
        let mut screen = Self::new(facts, None, Waker::default());
        // It needs no more than a board.
        (screen.is_practice, screen.zoom) = (true, Zoom::In);
        screen.analysis.shown = ShownValues::Nowhere;
        screen
    }

    /// Asks for the move in a position.
    ///
    /// # Errors
    ///
    /// The text is no position of this game.
    pub(in crate::screens) fn ask(&mut self, position: &str) -> Result<(), NotationError> {
        self.current.game.set_position(position)?;
        self.current
            .seat_human(self.current.game.position().to_move);
        self.picker = MovePicker::default();
        self.inform("");
        Ok(())
    }

    /// Shows the reply to the move that was asked for.
    pub(in crate::screens) fn show_reply(&mut self, text: &str) {
        // It was found among the legal moves.
        let _ = self.current.game.play(text);
    }

    /// Sets the user's side and, if given, the generation and the level of the opponent.
    pub fn set_up(&mut self, setup: PlaySetup) {
        if let Some(side) = setup.side {
            self.current.seat_human(side);
            self.warn_if_lost();
        }
        if let Some(generation) = setup.generation {
            self.opponents.follows_newest = false;
            self.load_opponent(ChampionQuery::Exactly(generation));
        }
        if setup.level.is_some() {
            self.change_level(|search| search.set_level(setup.level));
        }
        self.ask_program();
    }

    /// Lets an outside program make the opponent's moves.
    pub fn set_program(&mut self, spec: &OutsideSpec, move_time: Duration) {
        let game = &self.opponents.champions.preset.game;
        match PlayProgram::new(spec, game, move_time) {
            Ok(program) => {
                self.inform(format!("You play {}.", program.name));
                self.opponents.program = Some(program);
                self.ask_program();
            }
            Err(words) => self.refuse(words),
        }
    }

    pub(super) fn swap_sides(&mut self) {
        self.current.wanted_side = Some(self.current.human.opponent());
        self.start_game();
    }

    pub(super) fn new_game(&mut self) {
        self.current.start_index += 1;
        self.start_game();
    }

    /// Starts a game from the current start position; against the newest champion unless another
    /// was chosen.
    fn start_game(&mut self) {
        self.keep_left();
        self.current.begin();
        self.picker = MovePicker::default();
        self.drop_typed_move();
        self.analysis.forget_scale();
        self.position_changed();
        self.inform(match self.current.human {
            Side::First => "New game: you move first.".to_owned(),
            Side::Second => format!("New game: the {} moves first.", self.opponents.kind()),
        });
        self.warn_if_lost();
        if let Some(chosen) = self.opponents.next.take() {
            self.seat(chosen);
        } else if self.opponents.follows_newest {
            self.load_opponent(ChampionQuery::Newest);
        }
    }

    /// Says that the user can't win against best play.
    fn warn_if_lost(&mut self) {
        if self.current.is_lost() {
            let key = keymap::label(SCOPE, PlayAction::SwapSides.action());
            self.inform(format!(
                "Your side is lost against perfect play; {key} changes sides."
            ));
        }
    }

    /// Lets the user type a position.
    pub(super) fn choose_start(&mut self) {
        let position = match &self.current.start {
            GameStart::Position(position) => position.clone(),
            GameStart::Drawn => self.current.game.position().text.clone(),
        };
        self.type_text(TypedKind::StartPosition, TextInput::selected(&position));
        self.inform("An empty line lets the game choose.");
    }

    /// Starts a game from a typed position. Returns whether it is one.
    pub(super) fn start_from(&mut self, text: &str) -> bool {
        self.current.start = if text.is_empty() {
            GameStart::Drawn
        } else {
            if let Err(error) = self.current.game.check_position(text) {
                self.refuse(error.to_string());
                return false;
            }
            GameStart::Position(text.to_owned())
        };
        self.new_game();
        true
    }

    /// Makes a player chosen on another screen the opponent: of this game if it has not begun, else
    /// of the next.
    pub fn choose_opponent(&mut self, player: &InspectedPlayer) {
        let opponent = OpponentPlayer::of(&self.opponents.champions, player);
        self.opponents.follows_newest = false;
        let has_begun = self.current.has_begun();
        let name = opponent.name();
        if has_begun && self.current.outcome.is_none() {
            let key = keymap::label(SCOPE, PlayAction::NewGame.action());
            self.inform(format!(
                "{key} ends this game and begins one against {name}."
            ));
            self.opponents.next = Some(opponent);
            return;
        }
        self.seat(opponent);
        if has_begun {
            self.new_game();
        }
        self.inform(format!("You now play {name}."));
    }

    /// Lets another player continue the game.
    fn seat(&mut self, opponent: OpponentPlayer) {
        self.analysis.forget_scale();
        self.analysis.hints.clear();
        self.opponents.current = Some(opponent);
        self.opponents.next = None;
        self.start_analysis();
    }

    /// Switches to an older or a newer champion within the game.
    pub(super) fn switch_opponent(&mut self, query: fn(u64) -> ChampionQuery) {
        let generation = self.opponents.generation();
        self.load_opponent(generation.map_or(ChampionQuery::Newest, query));
    }

    /// Fetches an opponent or reports why there is none.
    pub(super) fn load_opponent(&mut self, query: ChampionQuery) {
        match self.opponents.fetch(query) {
            Ok(Some(opponent)) => {
                let before = self.opponents.generation();
                if before.is_some_and(|before| before != opponent.generation) {
                    self.inform(format!("You now play {}.", opponent.name()));
                }
                self.seat(opponent);
            }
            Ok(None) => {}
            Err(words) => self.refuse(words),
        }
    }

    /// Takes back the user's last move and everything after it.
    pub(super) fn take_back(&mut self) {
        let current = &mut self.current;
        let is_humans = |ply: &Ply| ply.side == current.human;
        let Some(last) = current.game.history().iter().rposition(is_humans) else {
            return self.refuse("You have no move to take back.");
        };
        while current.game.history().len() > last {
            current.game.undo();
        }
        if let Some(outcome) = current.outcome.take() {
            *outcome.counter(&mut self.score) -= 1;
        }
        self.inform("Your move was taken back.");
        self.position_changed();
    }

    pub(super) fn finish_game(&mut self, outcome: PlayOutcome) {
        *outcome.counter(&mut self.score) += 1;
        self.current.outcome = Some(outcome);
        self.keep_game();
        self.message = self.outcome_message(outcome);
    }

    /// Adds the game to those of the user, and says where they are.
    fn keep_game(&mut self) {
        self.kept.clear();
        if let Some((saves, game)) = self.kept_in.as_ref().zip(self.played_game()) {
            self.kept = match game.keep(saves) {
                Ok(path) => format!(" Kept in {}.", path.display()),
                Err(error) => {
                    tracing::warn!("a game is not kept: {error}");
                    format!(" It is not kept: {error}.")
                }
            };
        }
    }

    /// Keeps a game that is left before its end, unless it has hardly begun.
    pub(super) fn keep_left(&mut self) {
        const LEAST: usize = 4;
        if self.current.outcome.is_none() && self.current.game.history().len() >= LEAST {
            self.keep_game();
        }
    }

    /// The game so far, once a move has been made.
    pub(super) fn played_game(&self) -> Option<PlayedGame> {
        let opponent = self.opponents.current.as_ref()?;
        let it = match &self.opponents.program {
            Some(program) => program.name.clone(),
            None => opponent.short_name(),
        };
        let you = YOU.to_owned();
        let names = match self.current.human {
            Side::First => [you, it],
            Side::Second => [it, you],
        };
        Some(PlayedGame {
            record: Arc::new(self.current.game.record(names)?),
            champions: self.opponents.champions.clone(),
            seed: self.current.seed,
            generation: opponent.generation,
        })
    }

    /// The result as a message.
    fn outcome_message(&self, outcome: PlayOutcome) -> PlayMessage {
        let end = self.current.score_text() + "." + &self.kept;
        let kind = self.opponents.kind();
        match outcome {
            PlayOutcome::HumanWins => PlayMessage::Success(format!("You win{end}")),
            PlayOutcome::IllegalChampionMove => {
                let kept = &self.kept;
                PlayMessage::Success(match &self.opponents.program {
                    Some(program) => {
                        format!("You win: the program failed, {}.{kept}", program.failure)
                    }
                    None => format!("You win: the champion chose an illegal move.{kept}"),
                })
            }
            PlayOutcome::ChampionWins => PlayMessage::Error(format!("The {kind} wins{end}")),
            PlayOutcome::Draw => PlayMessage::Info(format!("A draw{end}")),
        }
    }

    /// Has the positions of a finished game judged; forgets those of the game before.
    pub(super) fn judge_game(&mut self) {
        self.review = Review::default();
        match self.current.outcome.and_then(|_| self.played_game()) {
            Some(game) => {
                let (saves, human) = (self.kept_in.clone(), self.current.human);
                self.jobs.ask(PlayTask::Judge, move |job| {
                    let found = analysis::review(&game, saves.as_ref(), human, job);
                    let found = found.inspect_err(|error| {
                        tracing::warn!("a game is not judged: {error}");
                    });
                    Ok(AnalysisAnswer::Reviewed(found.unwrap_or_default()))
                });
            }
            None => self.jobs.cancel(&PlayTask::Judge),
        }
    }

    /// The move that lost most for good. `None` without a curve and if none lost much.
    pub(super) fn turning_point(&self) -> Option<TurningPoint<'_>> {
        let curve = self.review.curve.as_ref()?;
        let number = curve.turn?;
        let ply = self.current.game.history().get(number - 1)?;
        Some(TurningPoint {
            number,
            whose: if ply.side == self.current.human {
                "your".to_owned()
            } else {
                format!("the {}'s", self.opponents.kind())
            },
            text: &ply.action,
            chances: [number - 1, number].map(|place| 100.0 * curve.shares[place]),
        })
    }
}
