//! Turns of a game: the user selects and makes moves and asks for hints; the champion analyzes and
//! replies.

use crate::jobs::{JobError, WantedAnswers};
use crate::keymap::{self, Action, Scope};
use crate::model::direction::Direction;
use finches_engine::agents::AgentConfig;
use finches_engine::games::board::Board;
use finches_engine::play::move_evaluations::MoveEvaluations;

use super::analysis::{AnalysisAnswer, AnalysisRequest, Lead};
use super::current::PlayOutcome;
use super::latest_move::LatestMove;
use super::move_selection::{PartialMove, decided_move};
use super::screen::PlayAction;
use super::search_settings::SearchSettings;
use super::{PlayMessage, PlayScreen, PlayTask, SCOPE};

/// What a hint says in a lost position.
const LOST: &str = "Every move loses here against best play.";

impl PlayScreen {
    /// The board as the user sees it.
    pub(super) fn board(&self) -> Board {
        self.board_within(self.area)
    }

    pub(super) fn move_cursor(&mut self, direction: Direction) {
        self.picker.move_cursor(&self.board(), direction);
    }

    pub(super) fn select_at_cursor(&mut self) {
        let position = self.current.game.position();
        if let Some(target) = self.picker.target_at_cursor(&self.board()) {
            self.select(target.selection);
        } else if let Some(words) = self.blocked_reason() {
            self.refuse(words);
        } else if position.must_pass {
            let pass = position.legal_moves[0].clone();
            self.play(&pass);
        } else {
            let kind = keymap::label(SCOPE, PlayAction::TypeMove.action());
            self.inform(format!(
                "Point at a move with the arrow keys first, click it, or type it with {kind}."
            ));
        }
    }

    /// Deselects the place selected last. Returns whether there was one.
    pub(super) fn deselect_last(&mut self) -> bool {
        self.picker.deselect_last(&self.board())
    }

    /// Handles a click on a place.
    pub fn click(&mut self, selection: &PartialMove) {
        self.drop_typed_move();
        self.skip_animation();
        self.picker.move_cursor_to(&self.board(), selection);
        self.select(selection.clone());
    }

    /// Makes the selected move if it is unique, else extends the selection.
    fn select(&mut self, selection: PartialMove) {
        let board = self.board();
        let decided = decided_move(&board.targets, &selection).map(|spot| spot.move_text.clone());
        let mut moves = board.targets.iter().map(|spot| &spot.move_text);
        let is_there = moves.any(|text| *text == selection.move_text);
        if let (None, None, true) = (&decided, self.blocked_reason(), is_there) {
            let back = keymap::label(Scope::GLOBAL, Action::Back);
            self.inform(format!("Choose a target; {back} cancels."));
            self.picker.select(&board, selection);
        } else {
            self.play(&decided.unwrap_or(selection.move_text));
        }
    }

    /// Makes the user's move or shows why it cannot be made. Returns whether it was made.
    pub(super) fn play(&mut self, text: &str) -> bool {
        let made = self.make_move(text);
        made.map_err(|words| self.refuse(words)).is_ok()
    }

    fn make_move(&mut self, text: &str) -> Result<(), String> {
        if let Some(words) = self.blocked_reason() {
            return Err(words);
        }
        let pointed = self
            .picker
            .target_at_cursor(&self.board())
            .map(|target| target.at);
        let passes = self.current.game.position().must_pass;
        let played = self.current.play(text);
        played.map_err(|error| error.to_string())?;
        self.inform(match &*self.current.verdict {
            _ if self.is_practice => String::new(),
            _ if passes => "You passed.".to_owned(),
            "" => format!("You played {text}."),
            told => told.to_owned(),
        });
        self.position_changed();
        self.latest_move = LatestMove::of(&self.current);
        self.picker.rest(pointed);
        Ok(())
    }

    /// The reason why the user cannot move at all, if any.
    pub(super) fn blocked_reason(&self) -> Option<String> {
        if self.current.is_over() {
            let key = |action| keymap::label(SCOPE, action);
            let (new, undo) = (
                key(PlayAction::NewGame.action()),
                key(PlayAction::Undo.action()),
            );
            Some(format!(
                "The game is over: {new} starts a new game, {undo} takes back your last move."
            ))
        } else if self.is_waiting() {
            Some("There is no champion to play against yet.".to_owned())
        } else if self.current.is_champions_turn() {
            Some(format!("It is the {}'s turn.", self.opponents.kind()))
        } else {
            None
        }
    }

    /// Updates everything that depends on the position: selection, hints, analysis, and the result.
    pub(super) fn position_changed(&mut self) {
        self.analysis.hints.clear();
        self.picker.rest(None);
        self.skip_animation();
        self.start_analysis();
        self.ask_program();
        if let (None, Some(outcome), false) = (
            self.current.outcome,
            self.current.ending(),
            self.is_practice,
        ) {
            self.finish_game(outcome);
        }
        self.judge_game();
    }

    /// Shows the last move as a whole at once, and lets the champion reply.
    pub(super) fn skip_animation(&mut self) {
        self.latest_move = LatestMove::default();
    }

    /// Starts the champion's analysis of the current position.
    pub(super) fn start_analysis(&mut self) {
        self.analysis.evaluations = MoveEvaluations::default();
        let position = self.current.game.position();
        let is_known = self.opponents.plays_nim() && position.best_result.is_some();
        let best = position.best_result;
        let wins = best.is_some_and(|best| position.to_move.result(best) > 0);
        let winning = position.best_moves.iter().filter(|_| wins);
        self.analysis.winning = is_known.then(|| winning.cloned().collect());
        let request = self.analysis_request();
        match request.filter(|_| !self.current.is_over()) {
            Some(request) => self
                .jobs
                .ask(PlayTask::Analyze, |job| Ok(request.think(job))),
            None => self.jobs.cancel(&PlayTask::Analyze),
        }
    }

    /// How far the user is ahead, as the oracle knows or else as the champion thinks.
    fn lead(&self) -> Option<Lead> {
        if let Some(known) = self.current.game.position().best_result {
            return Some(Lead {
                share: f64::from(1 + self.current.human.result(known)) / 2.0,
                is_known: true,
            });
        }
        if !self.current.game.info().scores.are_values {
            return None;
        }
        let (_, score) = self.analysis.evaluations.scores.first()?;
        let share = self.analysis.share(*score);
        let is_champions = self.current.is_champions_turn();
        let share = if is_champions { 1.0 - share } else { share };
        (!share.is_nan()).then_some(Lead {
            share,
            is_known: false,
        })
    }

    /// The game so far and the opponent, if there is one.
    pub(super) fn analysis_request(&self) -> Option<AnalysisRequest> {
        let opponent = self.opponents.current.as_ref()?;
        let game = &self.current.game;
        Some(self.analysis.request(&opponent.player, game))
    }

    /// Asks the program for its move if it has a choice.
    pub(super) fn ask_program(&mut self) {
        self.jobs.cancel(&PlayTask::Reply);
        let Some(program) = &mut self.opponents.program else {
            return;
        };
        program.reply = None;
        if self.current.is_champions_turn() && !self.current.game.position().must_pass {
            let request = program.request(&self.current);
            self.jobs.ask(PlayTask::Reply, |_| {
                Ok(AnalysisAnswer::Replied(request.reply()))
            });
        }
    }

    pub(super) fn is_analyzing(&self) -> bool {
        self.jobs.is_running(&PlayTask::Analyze)
    }

    /// Takes in an analysis unless the position has changed.
    pub fn take_answers(&mut self, wanted: WantedAnswers) {
        while let Some((_, answer)) = self.jobs.next(wanted) {
            self.handle(answer);
        }
    }

    /// Without an analysis there is no opponent.
    fn handle(&mut self, answer: Result<AnalysisAnswer, JobError>) {
        match answer {
            Ok(AnalysisAnswer::Judged) => self.review.judged += 1,
            Ok(AnalysisAnswer::Reviewed(curve)) => self.review.curve = curve,
            Ok(AnalysisAnswer::Replied(reply)) => {
                if let Some(program) = &mut self.opponents.program {
                    program.reply = Some(reply);
                }
            }
            Ok(AnalysisAnswer::Scores(evaluations, usual)) => {
                let ply = self.current.game.history().len();
                self.analysis.show(evaluations, usual, ply);
                self.analysis.lead = self.lead();
            }
            Err(error) => {
                self.opponents.current = None;
                self.refuse(error.to_string());
            }
        }
    }

    /// Whether the opponent's move is being worked out.
    pub(super) fn is_opponent_thinking(&self) -> bool {
        match &self.opponents.program {
            Some(program) => program.reply.is_none() && !self.current.game.position().must_pass,
            None => self.is_analyzing(),
        }
    }

    /// Makes the champion's move once it is ready, the last move has been shown and no question is
    /// open. Returns whether anything changed.
    pub fn tick(&mut self) -> bool {
        let is_asking = matches!(self.message, PlayMessage::Question(_));
        let is_due = self.current.is_champions_turn() && self.latest_move.is_shown();
        if !is_due || self.is_opponent_thinking() || is_asking {
            return false;
        }
        if self.opponents.current.is_none() {
            return false;
        }
        let passes = self.current.game.position().must_pass;
        let chosen = self.opponents_move();
        let made = chosen.filter(|text| self.current.game.play(text).is_ok());
        if let Some(text) = made {
            let did = if passes {
                "has no move and passes".to_owned()
            } else {
                format!("played {text}")
            };
            let (verdict, kind) = (&self.current.verdict, self.opponents.kind());
            let words = format!("{verdict} The {kind} {did}. {}", self.prompt());
            self.inform(words.trim_start());
            self.position_changed();
            self.latest_move = LatestMove::of(&self.current);
        } else {
            self.current.game.forfeit();
            self.finish_game(PlayOutcome::IllegalChampionMove);
            self.position_changed();
        }
        true
    }

    /// The opponent's move: that of the program, else the champion's. `None` is an illegal move or
    /// none.
    fn opponents_move(&mut self) -> Option<String> {
        match &mut self.opponents.program {
            None => self.analysis.evaluations.chosen.clone(),
            Some(_) if self.current.game.position().must_pass => {
                self.current.game.position().legal_moves.first().cloned()
            }
            Some(program) => program.take_move(),
        }
    }

    /// A request to the user.
    fn prompt(&self) -> String {
        if self.current.game.position().to_move != self.current.human {
            format!("The {} moves again.", self.opponents.kind())
        } else if self.current.game.position().must_pass {
            let enter = keymap::label(SCOPE, Action::Enter);
            format!("You have no move: {enter} passes.")
        } else {
            self.current.turn_text() + "."
        }
    }

    /// Points at one of the oracle's best moves if there is an oracle, else at the best move that
    /// the champion knows, whatever it would play at its level.
    pub(super) fn hint(&mut self) {
        if self.current.is_over() || self.current.is_champions_turn() {
            return self.refuse("Hints are available on your turn.");
        }
        let mut best = self.current.game.position().best_moves.clone();
        let is_lost = self.current.is_lost();
        let words = if best.is_empty() && self.is_analyzing() {
            "The champion is still thinking; ask again.".to_owned()
        } else if best.is_empty() {
            let plays_best = self.analysis.search.plays_its_best();
            let evaluations = &self.analysis.evaluations;
            let first = evaluations.scores.first().map(|(text, _)| text.clone());
            let chosen = if plays_best {
                evaluations.chosen.clone()
            } else {
                first
            };
            let words = match &chosen {
                Some(text) if plays_best => format!("The champion would play {text}."),
                Some(text) => format!("At its best the champion would play {text}."),
                None => "The champion would try an illegal move here.".to_owned(),
            };
            self.analysis.hints = chosen.into_iter().collect();
            words
        } else if best.len() == self.current.game.position().legal_moves.len() && best.len() > 1 {
            let equal = "All moves are equally good here.";
            if is_lost { LOST } else { equal }.to_owned()
        } else {
            let others = best.len() > 1;
            best.truncate(1);
            let words = match &best[0] {
                best if is_lost => format!("{LOST} The oracle would try {best}."),
                best if others => format!("{best} is one of the best moves, as the oracle knows."),
                best => format!("{best} is best, as the oracle knows."),
            };
            self.analysis.hints = best;
            words
        };
        if let Some(hint) = self.analysis.hints.first() {
            self.picker.point_at(&self.board(), hint);
        }
        self.inform(words);
    }

    /// Changes the search settings and restarts the analysis.
    pub(super) fn change_search(&mut self, change: fn(&mut SearchSettings) -> Result<(), String>) {
        let valuing = self.analysis.search.valuing_agent();
        let changed = change(&mut self.analysis.search);
        let text = format!("Search: {}.", self.analysis.search.description());
        self.search_changed(changed, &valuing, text);
    }

    /// Changes the level and restarts the analysis.
    pub(super) fn change_level(
        &mut self,
        change: impl Fn(&mut SearchSettings) -> Result<(), String>,
    ) {
        let search = &mut self.analysis.search;
        let valuing = search.valuing_agent();
        let changed = change(search);
        let text = search.level_text(self.opponents.measured(search.level()));
        self.search_changed(changed, &valuing, text);
    }

    /// Restarts the analysis with the changed settings, which `text` describes; `valuing` is the
    /// agent whose values were shown before.
    fn search_changed(&mut self, changed: Result<(), String>, valuing: &AgentConfig, text: String) {
        match changed {
            Ok(()) => {
                if self.analysis.search.valuing_agent() != *valuing {
                    self.analysis.forget_scale();
                }
                self.start_analysis();
                self.inform(text);
            }
            Err(words) => self.refuse(words),
        }
    }
}
