//! The Go Text Protocol, version 2 (Farnebäck 2002), for Reversi: columns a to h from the left,
//! rows 1 to 8 from the top, and black moves first. The moves of a game are sent when the program
//! is asked; what it already knows is not sent again.

use crate::games::Side;

use super::game_line::{GameLine, LineMove};
use super::pipe::Pipe;
use super::protocol::{EngineFailure, Protocol, ProtocolKind};

pub(super) const KIND: ProtocolKind = ProtocolKind {
    name: "gtp",
    games: &["reversi"],
    has_level: false,
    needs_lead: true,
    build: |_| Box::new(GtpClient::default()),
};

/// The moves on the program's board; `None` if its board must be cleared first.
#[derive(Default)]
struct GtpClient {
    board: Option<Vec<LineMove>>,
}

/// The response to a command, without its sign: the inner error is the program's refusal.
type Answer = Result<Result<String, String>, EngineFailure>;

impl Protocol for GtpClient {
    /// A program for several games is told which; most know one.
    fn greet(&mut self, pipe: &mut Pipe) -> Result<(), EngineFailure> {
        pipe.send("known_command set_game")?;
        let mut first = pipe.line()?;
        // Some programs introduce themselves.
        while !first.starts_with(SIGNS) {
            tracing::info!("an outside program says before its first answer: {first}");
            first = pipe.line()?;
        }
        let knows = response(pipe, &first)?;
        if knows.is_ok_and(|known| known == "true") {
            let _ = answer(pipe, "set_game Othello")?;
        }
        accepted(pipe, "boardsize 8").map(drop)
    }

    fn begin(&mut self) {
        self.board = None;
    }

    fn choose(&mut self, pipe: &mut Pipe, line: &GameLine) -> Result<String, EngineFailure> {
        let lead = line.lead.as_deref().ok_or_else(|| {
            EngineFailure::failed("no moves are known that lead to the start of this game")
        })?;
        let moves: Vec<&LineMove> = lead.iter().chain(&line.moves).collect();
        self.catch_up(pipe, &moves)?;
        let vertex = accepted(pipe, &format!("genmove {}", color(line.to_move)))?;
        let text = vertex.to_ascii_lowercase();
        if text == "resign" {
            return Err(EngineFailure::Resigned);
        }
        // The program has made its move.
        let made = LineMove {
            side: line.to_move,
            is_pass: text == PASS,
            text: text.clone(),
        };
        self.board.get_or_insert_default().push(made);
        Ok(text)
    }
}

const PASS: &str = "pass";

impl GtpClient {
    /// Makes the moves on the program's board that are not there yet. A board with other moves is
    /// cleared.
    fn catch_up(&mut self, pipe: &mut Pipe, moves: &[&LineMove]) -> Result<(), EngineFailure> {
        let agrees = |board: &Vec<LineMove>| {
            board.len() <= moves.len() && board.iter().zip(moves).all(|(own, other)| own == *other)
        };
        let known = self.board.take().filter(agrees);
        if known.is_none() {
            accepted(pipe, "clear_board")?;
        }
        let mut board = known.unwrap_or_default();
        for &action in &moves[board.len()..] {
            make(pipe, action)?;
            board.push(action.clone());
        }
        self.board = Some(board);
        Ok(())
    }
}

/// Makes a move on the program's board. `gtp-rhino` refuses a pass but lets the other color move
/// twice, so that a refused pass does no harm.
fn make(pipe: &mut Pipe, action: &LineMove) -> Result<(), EngineFailure> {
    let command = format!("play {} {}", color(action.side), action.text);
    if action.is_pass {
        answer(pipe, &command).map(drop)
    } else {
        accepted(pipe, &command).map(drop)
    }
}

fn color(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// The response to a command that must succeed.
fn accepted(pipe: &mut Pipe, command: &str) -> Result<String, EngineFailure> {
    answer(pipe, command)?.map_err(|refusal| {
        EngineFailure::Failed(format!("it answered `{command}` by `? {refusal}`"))
    })
}

/// The signs of success and of failure, with which responses begin.
const SIGNS: [char; 2] = ['=', '?'];

/// Sends a command and reads its response.
fn answer(pipe: &mut Pipe, command: &str) -> Answer {
    pipe.send(command)?;
    let mut first = pipe.line()?;
    while first.trim().is_empty() {
        first = pipe.line()?;
    }
    if !first.starts_with(SIGNS) {
        return Err(EngineFailure::Failed(format!(
            "it answered `{command}` by what is no response of the Go Text Protocol"
        )));
    }
    response(pipe, &first)
}

/// The response that begins with this line. It ends with an empty one.
fn response(pipe: &mut Pipe, first: &str) -> Answer {
    let (sign, rest) = first.split_at(1);
    let mut text = rest.trim().to_owned();
    loop {
        let line = pipe.line()?;
        if line.trim().is_empty() {
            break;
        }
        text = text + "\n" + line.trim();
    }
    Ok(if sign == "=" { Ok(text) } else { Err(text) })
}
