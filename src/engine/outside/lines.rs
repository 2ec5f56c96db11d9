//! JSON Lines, for any game: each request is the line of play as `finches rules` reads it, and the
//! answer has the move. `finches engine` answers so.

use serde::{Deserialize, Serialize};

use super::game_line::GameLine;
use super::pipe::Pipe;
use super::protocol::{EngineFailure, Protocol, ProtocolKind};

pub(super) const KIND: ProtocolKind = ProtocolKind {
    name: "lines",
    games: &[],
    has_level: false,
    needs_lead: false,
    build: |_| Box::new(LinesClient),
};

/// It keeps nothing: every request has the whole game.
struct LinesClient;

/// The position, as the start of the game and the moves since then.
#[derive(Serialize)]
struct LinesRequest<'a> {
    start: &'a str,
    moves: Vec<&'a str>,
}

/// The answer; other fields are ignored.
#[derive(Deserialize)]
struct LinesAnswer {
    r#move: Option<String>,
    error: Option<String>,
}

impl Protocol for LinesClient {
    /// There is no greeting.
    fn greet(&mut self, _pipe: &mut Pipe) -> Result<(), EngineFailure> {
        Ok(())
    }

    fn choose(&mut self, pipe: &mut Pipe, line: &GameLine) -> Result<String, EngineFailure> {
        let request = LinesRequest {
            start: &line.start,
            moves: line.moves.iter().map(|it| it.text.as_str()).collect(),
        };
        pipe.send(&serde_json::to_string(&request).expect("text can be written as JSON"))?;
        let mut answer = pipe.line()?;
        while answer.trim().is_empty() {
            answer = pipe.line()?;
        }
        let answer: LinesAnswer = serde_json::from_str(&answer).map_err(|_| {
            EngineFailure::failed("its answer is not one JSON object such as {\"move\": TEXT}")
        })?;
        match (answer.r#move, answer.error) {
            (Some(text), _) => Ok(text),
            (None, Some(_)) => Err(EngineFailure::failed("it answered by an error")),
            (None, None) => Err(EngineFailure::failed("its answer has no move")),
        }
    }
}
