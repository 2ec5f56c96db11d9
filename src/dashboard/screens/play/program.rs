//! An outside program in place of the champion: it makes the moves, and the champion analyzes the
//! game.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use finches_engine::games::GameConfig;
use finches_engine::outside::{OutsideOpponent, OutsideSpec};

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
    /// Where the game began, and the moves since then.
    start: String,
    moves: Vec<String>,
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
    pub(super) fn request(&mut self, current: &CurrentGame) -> ReplyRequest {
        let begins = self.asked_in != current.number;
        self.asked_in = current.number;
        let made = current.game.history();
        let now = &current.game.position().text;
        ReplyRequest {
            engine: Arc::clone(&self.engine),
            start: made.first().map_or(now, |first| &first.position).clone(),
            moves: made.iter().map(|ply| ply.action.clone()).collect(),
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
        engine.choose(&self.start, &self.moves, self.begins)
    }
}
