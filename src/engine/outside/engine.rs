//! A program that is ready to play, and the programs of one player that wait for their next game.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::OutsideSpec;
use super::game_line::GameLine;
use super::pipe::Pipe;
use super::protocol::{EngineFailure, Protocol};

/// A running program and its protocol.
pub(super) struct OutsideEngine {
    pipe: Pipe,
    protocol: Box<dyn Protocol>,
}

impl OutsideEngine {
    /// Starts and greets a program.
    pub(super) fn start(spec: &OutsideSpec, move_time: Duration) -> Result<Self, EngineFailure> {
        let mut pipe = Pipe::start(&spec.words, move_time)?;
        let mut protocol = (spec.protocol.build)(spec.level);
        let greeted = protocol.greet(&mut pipe);
        greeted.map_err(|failure| pipe.explained(failure))?;
        Ok(Self { pipe, protocol })
    }

    /// Begins a game.
    pub(super) fn begin(&mut self) {
        self.protocol.begin();
    }

    /// The program's move at the end of a line of play, within the time limit.
    pub(super) fn choose(&mut self, line: &GameLine) -> Result<String, EngineFailure> {
        self.pipe.restart_clock();
        let chosen = self.protocol.choose(&mut self.pipe, line);
        chosen.map_err(|failure| self.pipe.explained(failure))
    }

    /// A failure with what the program said last.
    pub(super) fn explained(&self, failure: EngineFailure) -> EngineFailure {
        self.pipe.explained(failure)
    }
}

/// The programs of one player. Each thread that plays takes one for a game and gives it back, since
/// programs start slowly.
pub(super) struct EnginePool {
    pub(super) spec: OutsideSpec,
    move_time: Duration,
    idle: Mutex<Vec<OutsideEngine>>,
}

impl EnginePool {
    /// A pool without programs.
    pub(super) fn new(spec: OutsideSpec, move_time: Duration) -> Arc<Self> {
        Arc::new(Self {
            spec,
            move_time,
            idle: Mutex::default(),
        })
    }

    /// A program for a game, started if none is idle.
    pub(super) fn take(&self) -> Result<OutsideEngine, EngineFailure> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        idle.map_or_else(|| OutsideEngine::start(&self.spec, self.move_time), Ok)
    }

    /// Keeps a program for the next game.
    pub(super) fn give(&self, engine: OutsideEngine) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(engine);
    }
}
