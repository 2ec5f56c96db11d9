//! What a protocol is: how a program is greeted and asked for a move. Protocols know games only as
//! text.

use std::fmt::Debug;

use thiserror::Error;

use super::game_line::GameLine;
use super::pipe::Pipe;

/// Why a program made no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum EngineFailure {
    /// It gave up the game, and can play the next.
    #[error("it resigned")]
    Resigned,
    /// It cannot play on, for this reason, a clause.
    #[error("{0}")]
    Failed(String),
}

impl EngineFailure {
    pub(super) fn failed(reason: impl Into<String>) -> Self {
        Self::Failed(reason.into())
    }
}

/// A protocol in use with one process.
pub(super) trait Protocol: Send {
    /// Greets a program that has just been started.
    fn greet(&mut self, pipe: &mut Pipe) -> Result<(), EngineFailure>;

    /// Begins a game.
    fn begin(&mut self) {}

    /// The program's move at the end of a line of play, in the notation of the game. It may be
    /// illegal.
    fn choose(&mut self, pipe: &mut Pipe, line: &GameLine) -> Result<String, EngineFailure>;
}

/// A protocol by its name.
pub(super) struct ProtocolKind {
    /// The name in front of the command.
    pub name: &'static str,
    /// The games that it is for; all if empty.
    pub games: &'static [&'static str],
    /// Whether it sets a level, the number behind its name.
    pub has_level: bool,
    /// Whether it reaches a position only by moves from the standard start.
    pub needs_lead: bool,
    /// Makes it for one process, with a level.
    pub build: fn(Option<u32>) -> Box<dyn Protocol>,
}

impl Debug for ProtocolKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for ProtocolKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ProtocolKind {}
