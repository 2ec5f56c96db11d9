//! The protocol of `NBoard`, version 2 (Welty 2016), for Reversi. Each request sets the whole game,
//! in the Generic Game Format, so that nothing has to be kept.

use crate::games::Side;

use super::game_line::{GameLine, LineMove};
use super::pipe::Pipe;
use super::protocol::{EngineFailure, Protocol, ProtocolKind};

pub(super) const KIND: ProtocolKind = ProtocolKind {
    name: "nboard",
    games: &["reversi"],
    has_level: true,
    needs_lead: false,
    build: |depth| Box::new(NBoardClient { depth, pings: 0 }),
};

struct NBoardClient {
    /// The depth of the search; the program's own if `None`.
    depth: Option<u32>,
    /// Pings sent so far.
    pings: u32,
}

/// What the line with a move begins with.
const MOVE_SIGN: &str = "===";

/// A pass in the Generic Game Format.
const PASS: &str = "PA";

impl Protocol for NBoardClient {
    fn greet(&mut self, pipe: &mut Pipe) -> Result<(), EngineFailure> {
        pipe.send("nboard 2")?;
        if let Some(depth) = self.depth {
            pipe.send(&format!("set depth {depth}"))?;
        }
        self.ping(pipe)
    }

    fn choose(&mut self, pipe: &mut Pipe, line: &GameLine) -> Result<String, EngineFailure> {
        pipe.send(&format!("set game {}", game_text(line)))?;
        self.ping(pipe)?;
        pipe.send("go")?;
        loop {
            let answer = pipe.line()?;
            if let Some(rest) = answer.trim().strip_prefix(MOVE_SIGN) {
                return Ok(move_text(rest));
            }
        }
    }
}

impl NBoardClient {
    /// Waits until the program has done everything that was sent.
    fn ping(&mut self, pipe: &mut Pipe) -> Result<(), EngineFailure> {
        self.pings += 1;
        pipe.send(&format!("ping {}", self.pings))?;
        let wanted = format!("pong {}", self.pings);
        while pipe.line()?.trim() != wanted {}
        Ok(())
    }
}

/// The move in an answer such as `F5/0.00/1.2`, of which the value and the time may be missing.
fn move_text(answer: &str) -> String {
    let text = answer.trim().split('/').next().unwrap_or_default();
    match text.to_ascii_lowercase().as_str() {
        "pa" | "pass" => "pass".to_owned(),
        text => text.to_owned(),
    }
}

/// A game in the Generic Game Format: the board row by row with `*` for black, then the moves.
fn game_text(line: &GameLine) -> String {
    let start = line.start.replace('X', "*");
    let moves: String = line.moves.iter().map(ggf_move).collect();
    format!("(;GM[Othello]PC[finches]PB[first]PW[second]RE[?]TI[0]TY[8]BO[8 {start}]{moves};)")
}

fn ggf_move(action: &LineMove) -> String {
    let color = match action.side {
        Side::First => 'B',
        Side::Second => 'W',
    };
    let text = action.text.to_ascii_uppercase();
    format!("{color}[{}]", if action.is_pass { PASS } else { &text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_with_its_start_and_its_moves() {
        let action = |side, text: &str| LineMove {
            side,
            text: text.to_owned(),
            is_pass: text == "pass",
        };
        let line = GameLine {
            start: format!("{}OX{} X", "-".repeat(27), "-".repeat(35)),
            lead: None,
            moves: vec![action(Side::First, "d3"), action(Side::Second, "pass")],
            to_move: Side::First,
        };
        let start = format!("{}O*{}", "-".repeat(27), "-".repeat(35));
        assert_eq!(
            game_text(&line),
            format!(
                "(;GM[Othello]PC[finches]PB[first]PW[second]RE[?]TI[0]TY[8]BO[8 {start} \
                *]B[D3]W[PA];)"
            )
        );
    }

    #[test]
    fn moves_come_with_or_without_value_and_time() {
        for (answer, expected) in [
            (" F5/0.00/1.2", "f5"),
            ("d3", "d3"),
            (" PA", "pass"),
            (" PASS/1", "pass"),
        ] {
            assert_eq!(move_text(answer), expected);
        }
    }
}
