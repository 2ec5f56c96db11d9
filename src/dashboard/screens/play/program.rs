//! An outside program in place of the champion: it makes the moves, and the champion analyzes the game.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use finches_engine::outside::{OutsideOpponent, OutsideSpec};
use finches_engine::play::Arena;
use finches_engine::play::interactive::MoveSequence;

use super::analysis::AnalysisAnswer;
use super::{PlayMessage, PlayScreen, PlayTask};

/// The program that the user plays against.
pub(super) struct PlayProgram {
    /// As on the command line.
    pub(super) name: String,
    engine: Arc<Mutex<OutsideOpponent>>,
    /// Its move in the current position, or why there is none.
    reply: Option<Result<String, String>>,
    /// Why it lost the game that it lost last.
    pub(super) failure: String,
    /// The number of the last game that it was asked in.
    asked_in: u32,
}

impl PlayScreen {
    /// Lets an outside program make the opponent's moves.
    pub fn set_program(&mut self, spec: &OutsideSpec, move_time: Duration) {
        let game = &self.champions.preset.game;
        match OutsideOpponent::new(spec.clone(), game, move_time) {
            Ok(engine) => {
                self.program = Some(PlayProgram {
                    name: spec.text.clone(),
                    engine: Arc::new(Mutex::new(engine)),
                    reply: None,
                    failure: String::new(),
                    asked_in: 0,
                });
                self.message = PlayMessage::Info(format!("You play {}.", spec.text));
                self.ask_program();
            }
            Err(error) => self.message = PlayMessage::Error(error.to_string()),
        }
    }

    /// What the opponent is called.
    pub(super) fn opponent_kind(&self) -> &'static str {
        if self.program.is_some() {
            "program"
        } else {
            "champion"
        }
    }

    /// Asks the program for its move if it has a choice.
    pub(super) fn ask_program(&mut self) {
        self.jobs.cancel(&PlayTask::Reply);
        let is_wanted = self.is_champions_turn() && !self.table.position().must_pass;
        let Some(program) = &mut self.program else {
            return;
        };
        program.reply = None;
        if !is_wanted {
            return;
        }
        let begins = program.asked_in != self.games_started;
        program.asked_in = self.games_started;
        let (engine, line) = (Arc::clone(&program.engine), self.table.move_sequence());
        let arena = self.search_settings.arena();
        self.jobs.ask(PlayTask::Reply, move |_| {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            let reply = reply(&mut engine, arena, &line, begins);
            Ok(AnalysisAnswer::Replied(reply))
        });
    }

    /// Keeps the program's answer for [`PlayScreen::tick`].
    pub(super) fn keep_reply(&mut self, reply: Result<String, String>) {
        if let Some(program) = &mut self.program {
            program.reply = Some(reply);
        }
    }

    /// The opponent's move: that of the program, else the champion's. `None` is an illegal move or none.
    pub(super) fn opponents_move(&mut self) -> Option<String> {
        let forced = Some(self.table.position()).filter(|position| position.must_pass);
        let Some(program) = &mut self.program else {
            return self.evaluations.chosen.clone();
        };
        if let Some(forced) = forced {
            return forced.legal_moves.first().cloned();
        }
        match program.reply.take() {
            Some(Ok(text)) => {
                program.failure = format!("it played the illegal move {text}");
                Some(text)
            }
            Some(Err(reason)) => {
                program.failure = reason;
                None
            }
            None => None,
        }
    }

    /// Whether the opponent's move is being worked out.
    pub(super) fn is_opponent_thinking(&self) -> bool {
        match &self.program {
            Some(program) => program.reply.is_none() && !self.table.position().must_pass,
            None => self.is_analyzing(),
        }
    }
}

/// The program's move after a line of play.
fn reply(
    engine: &mut OutsideOpponent,
    arena: Arc<dyn Arena>,
    line: &MoveSequence,
    begins: bool,
) -> Result<String, String> {
    let mut table = arena.interactive_game(0);
    let replayed = table.replay_sequence(line);
    replayed.map_err(|error| error.to_string())?;
    let moves = table.history().iter().map(|ply| ply.action.clone());
    let moves: Vec<String> = moves.collect();
    while table.undo() {}
    engine.choose(&table.position().text, &moves, begins)
}
