//! An outside program in place of the champion: it makes the moves, and the champion analyzes the
//! game.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use finches_engine::games::GameConfig;
use finches_engine::outside::{OutsideOpponent, OutsideSpec};
use finches_engine::play::Arena;
use finches_engine::play::interactive::MoveSequence;

use super::current::CurrentGame;

/// The program that the user plays against.
pub(super) struct PlayProgram {
    /// As on the command line.
    pub(super) name: String,
    engine: Arc<Mutex<OutsideOpponent>>,
    /// Its move in the current position, or why there is none; `None` while it thinks.
    pub(super) reply: Option<Result<String, String>>,
    /// Why it lost the game that it lost last.
    pub(super) failure: String,
    /// The number of the last game that it was asked in.
    asked_in: u32,
}

/// A position in which the program is asked for its move.
pub(super) struct ReplyRequest {
    engine: Arc<Mutex<OutsideOpponent>>,
    arena: Arc<dyn Arena>,
    line: MoveSequence,
    /// Whether the game is new to the program.
    begins: bool,
}

impl PlayProgram {
    pub(super) fn new(
        spec: &OutsideSpec,
        game: &GameConfig,
        move_time: Duration,
    ) -> Result<Self, String> {
        let engine = OutsideOpponent::new(spec.clone(), game, move_time)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            name: spec.text.clone(),
            engine: Arc::new(Mutex::new(engine)),
            reply: None,
            failure: String::new(),
            asked_in: 0,
        })
    }

    /// Requests a reply in the current position.
    pub(super) fn request(&mut self, current: &CurrentGame, arena: Arc<dyn Arena>) -> ReplyRequest {
        let begins = self.asked_in != current.number;
        self.asked_in = current.number;
        ReplyRequest {
            engine: Arc::clone(&self.engine),
            arena,
            line: current.game.move_sequence(),
            begins,
        }
    }

    /// Takes its reply. `None` is a failure.
    pub(super) fn take_move(&mut self) -> Option<String> {
        match self.reply.take()? {
            Ok(text) => {
                self.failure = format!("it played the illegal move {text}");
                Some(text)
            }
            Err(reason) => {
                self.failure = reason;
                None
            }
        }
    }
}

impl ReplyRequest {
    /// The program's move after the line of play.
    pub(super) fn reply(self) -> Result<String, String> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let mut game = self.arena.interactive_game(0);
        let replayed = game.replay_sequence(&self.line);
        replayed.map_err(|error| error.to_string())?;
        let moves = game.history().iter().map(|ply| ply.action.clone());
        let moves: Vec<String> = moves.collect();
        while game.undo() {}
        engine.choose(&game.position().text, &moves, self.begins)
    }
}
