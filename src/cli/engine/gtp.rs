//! A champion of Reversi speaks the Go Text Protocol, version 2 (Farnebäck 2002), as programs of that game do: columns a to h from the
//! left, rows 1 to 8 from the top, black begins, and white has d4 and e5. It owns no files and no terminal, only what it reads from
//! and writes to.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use crate::arena::table::Table;
use crate::games::Side;
use crate::tournament::seats::Champion;

use super::think;

/// What is answered: the result, or why there is none.
type Answer = Result<String, &'static str>;

/// Whether more is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn,
    Leave,
}

/// A game in progress.
pub(super) struct Engine {
    champion: Champion,
    table: Box<dyn Table>,
    /// How many moves at the table each move of the protocol was: none for a pass after the end, two where a pass that was forced
    /// went unsaid.
    steps: Vec<usize>,
}

/// What a command does with the words behind it.
type Command = fn(&mut Engine, &[&str]) -> Answer;

/// The commands, each with what it does.
const COMMANDS: [(&str, Command); 13] = [
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok("finches".to_owned())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("known_command", |_, words| known_command(words)),
    ("list_commands", |_, _| Ok(list_commands())),
    ("boardsize", Engine::board_size),
    ("clear_board", |engine, _| Ok(engine.clear())),
    ("komi", |_, words| komi(words)),
    ("play", Engine::play),
    ("genmove", Engine::generate),
    ("undo", |engine, _| engine.undo()),
    ("showboard", |engine, _| Ok(engine.show())),
    (QUIT, |_, _| Ok(String::new())),
];

const QUIT: &str = "quit";
const SYNTAX: &str = "syntax error";
const ILLEGAL: &str = "illegal move";

const PASS: &str = "pass";

impl Engine {
    pub(super) fn new(champion: Champion) -> Self {
        let table = Arc::clone(&champion.arena).table(0);
        let steps = Vec::new();
        Self {
            champion,
            table,
            steps,
        }
    }

    /// Answers commands until it is told to quit or there are no more.
    pub(super) fn serve(&mut self, input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        for line in input.split(b'\n') {
            let (text, then) = self.answer(&clean(&line?));
            out.write_all(text.as_bytes())?;
            out.flush()?;
            if then == Then::Leave {
                break;
            }
        }
        Ok(())
    }

    /// The answer to a line, nothing where it says nothing.
    fn answer(&mut self, line: &str) -> (String, Then) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(&first) = words.first() else {
            return (String::new(), Then::GoOn);
        };
        let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
        let id = if is_number { words.remove(0) } else { "" };
        let name = words.first().copied().unwrap_or_default();
        let command = COMMANDS.iter().find(|(known, _)| *known == name);
        let answer = match command {
            Some((_, command)) => command(self, &words[1..]),
            None => Err("unknown command"),
        };
        let then = if name == QUIT {
            Then::Leave
        } else {
            Then::GoOn
        };
        (written(id, &answer), then)
    }

    fn board_size(&mut self, words: &[&str]) -> Answer {
        match first_number(words) {
            Some(8.0) => Ok(self.clear()),
            Some(_) => Err("unacceptable size"),
            None => Err(SYNTAX),
        }
    }

    /// Begins again; there is nothing to say about it.
    fn clear(&mut self) -> String {
        self.table.restart(0);
        self.steps.clear();
        String::new()
    }

    fn play(&mut self, words: &[&str]) -> Answer {
        let (Some(side), Some(vertex)) = (
            words.first().and_then(|word| side(word)),
            words.get(1).and_then(|word| vertex(word)),
        ) else {
            return Err(SYNTAX);
        };
        if self.table.result().is_some() {
            return if vertex == PASS {
                self.steps.push(0);
                Ok(String::new())
            } else {
                Err(ILLEGAL)
            };
        }
        let unsaid = self.turn_to(side)?;
        if self.table.play(&vertex).is_err() {
            self.take_back(unsaid);
            return Err(ILLEGAL);
        }
        self.steps.push(unsaid + 1);
        Ok(String::new())
    }

    fn generate(&mut self, words: &[&str]) -> Answer {
        let side = words.first().and_then(|word| side(word)).ok_or(SYNTAX)?;
        if self.table.result().is_some() {
            self.steps.push(0);
            return Ok(PASS.to_owned());
        }
        let unsaid = self.turn_to(side)?;
        let wanted = if self.table.must_pass() {
            Some(PASS.to_owned())
        } else {
            think(&self.champion, self.table.as_ref()).wanted
        };
        match wanted {
            Some(vertex) if self.table.play(&vertex).is_ok() => {
                self.steps.push(unsaid + 1);
                Ok(spoken(&vertex))
            }
            // It wants a move that is not legal, which loses the game.
            _ => {
                self.take_back(unsaid);
                Ok("resign".to_owned())
            }
        }
    }

    /// Passes where the other side must and nobody said so; how many moves that took.
    fn turn_to(&mut self, side: Side) -> Result<usize, &'static str> {
        if self.table.to_move() == side {
            return Ok(0);
        }
        if !self.table.must_pass() || self.table.play(PASS).is_err() {
            return Err(ILLEGAL);
        }
        Ok(1)
    }

    fn take_back(&mut self, moves: usize) {
        for _ in 0..moves {
            self.table.undo();
        }
    }

    fn undo(&mut self) -> Answer {
        let moves = self.steps.pop().ok_or("cannot undo")?;
        self.take_back(moves);
        Ok(String::new())
    }

    /// The board with whose turn it is above it.
    fn show(&self) -> String {
        let over = self.table.result().is_some();
        let heading = match self.table.to_move() {
            _ if over => "the game is over",
            Side::First => "black (X) to move",
            Side::Second => "white (O) to move",
        };
        let discs: Vec<char> = self.table.position().chars().take(64).collect();
        let rows = discs.chunks(8).enumerate().map(|(row, discs)| {
            let discs = discs
                .iter()
                .map(|&disc| if disc == '-' { '.' } else { disc });
            let discs: Vec<String> = discs.map(String::from).collect();
            format!("\n  {} {}", row + 1, discs.join(" "))
        });
        format!("{heading}\n    a b c d e f g h{}", rows.collect::<String>())
    }
}

/// A line without what the protocol says means nothing: control characters and comments. A tabulator is a space.
fn clean(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    let said = text.split('#').next().unwrap_or_default();
    said.chars().filter(|c| !c.is_control()).collect()
}

fn written(id: &str, answer: &Answer) -> String {
    let (sign, words) = match answer {
        Ok(words) => ('=', words.as_str()),
        Err(fault) => ('?', *fault),
    };
    let space = if words.is_empty() { "" } else { " " };
    format!("{sign}{id}{space}{words}\n\n")
}

fn known_command(words: &[&str]) -> Answer {
    let name = words.first().ok_or(SYNTAX)?;
    let is_known = COMMANDS.iter().any(|(known, _)| known == name);
    Ok(is_known.to_string())
}

fn list_commands() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    names.join("\n")
}

/// Points for moving second mean nothing here.
fn komi(words: &[&str]) -> Answer {
    first_number(words).map(|_| String::new()).ok_or(SYNTAX)
}

fn first_number(words: &[&str]) -> Option<f64> {
    words.first()?.parse().ok()
}

fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" => Some(Side::First),
        "white" | "w" => Some(Side::Second),
        _ => None,
    }
}

/// A move as the table takes it.
fn vertex(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let is_square = matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    (word == PASS || is_square).then_some(word)
}

/// A move of the table as the protocol has it.
fn spoken(vertex: &str) -> String {
    if vertex == PASS {
        PASS.to_owned()
    } else {
        vertex.to_ascii_uppercase()
    }
}
