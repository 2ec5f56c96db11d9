//! The Go Text Protocol, version 2 (Farnebäck 2002), for a champion of Reversi: columns a to h from
//! the left, rows 1 to 8 from the top, black moves first, and white starts on d4 and e5. This
//! module knows neither files nor the terminal, only its input and output.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use finches_engine::games::Side;
use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::match_setup::ChampionPlayer;

use super::evaluate_moves;
use crate::cli::input::{LineTooLong, next_line};

/// The response to a command: its result, or an error message.
type GtpResult = Result<String, &'static str>;

/// A game in progress.
pub(super) struct GtpEngine {
    champion: ChampionPlayer,
    game: InteractiveGame,
    /// The number of moves on the board for each move command: 0 for a pass after the end of the
    /// game, 2 if the command left out a forced pass before its move.
    moves_per_command: Vec<usize>,
}

/// A function that carries out a command, given its arguments.
type GtpCommand = fn(&mut GtpEngine, &[&str]) -> GtpResult;

/// The supported commands.
const COMMANDS: [(&str, GtpCommand); 13] = [
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok("finches".to_owned())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("known_command", |_, args| known_command(args)),
    ("list_commands", |_, _| Ok(list_commands())),
    ("boardsize", GtpEngine::board_size),
    ("clear_board", |engine, _| Ok(engine.clear())),
    ("komi", |_, args| komi(args)),
    ("play", GtpEngine::play),
    ("genmove", GtpEngine::generate),
    ("undo", |engine, _| engine.undo()),
    ("showboard", |engine, _| Ok(engine.show())),
    (QUIT, |_, _| Ok(String::new())),
];

const QUIT: &str = "quit";
const SYNTAX: &str = "syntax error";
const ILLEGAL: &str = "illegal move";

const PASS: &str = "pass";

impl GtpEngine {
    pub(super) fn new(champion: ChampionPlayer) -> Self {
        let game = Arc::clone(&champion.arena).interactive_game(0);
        let moves_per_command = Vec::new();
        Self {
            champion,
            game,
            moves_per_command,
        }
    }

    /// Answers commands until `quit` or the end of the input.
    pub(super) fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        while let Some(line) = next_line(&mut input)? {
            let (text, is_quit) = match line {
                Ok(line) => self.answer(&clean(&line)),
                Err(LineTooLong) => (format_response("", &Err("line too long")), false),
            };
            out.write_all(text.as_bytes())?;
            out.flush()?;
            if is_quit {
                break;
            }
        }
        Ok(())
    }

    /// The response to a line, empty for an empty line, and whether the command was `quit`.
    fn answer(&mut self, line: &str) -> (String, bool) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let Some(&first) = words.first() else {
            return (String::new(), false);
        };
        let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
        let id = if is_number { words.remove(0) } else { "" };
        let name = words.first().copied().unwrap_or_default();
        let command = COMMANDS.iter().find(|(known, _)| *known == name);
        let answer = match command {
            Some((_, command)) => command(self, &words[1..]),
            None => Err("unknown command"),
        };
        (format_response(id, &answer), name == QUIT)
    }

    fn board_size(&mut self, args: &[&str]) -> GtpResult {
        match first_number(args) {
            Some(8.0) => Ok(self.clear()),
            Some(_) => Err("unacceptable size"),
            None => Err(SYNTAX),
        }
    }

    /// Starts a new game. The response is empty.
    fn clear(&mut self) -> String {
        self.game.restart(0);
        self.moves_per_command.clear();
        String::new()
    }

    fn play(&mut self, args: &[&str]) -> GtpResult {
        let (Some(side), Some(vertex)) = (
            args.first().and_then(|word| side(word)),
            args.get(1).and_then(|word| vertex(word)),
        ) else {
            return Err(SYNTAX);
        };
        if self.game.position().result.is_some() {
            return if vertex == PASS {
                self.moves_per_command.push(0);
                Ok(String::new())
            } else {
                Err(ILLEGAL)
            };
        }
        let passes = self.pass_until(side)?;
        if self.game.play(&vertex).is_err() {
            self.undo_moves(passes);
            return Err(ILLEGAL);
        }
        self.moves_per_command.push(passes + 1);
        Ok(String::new())
    }

    fn generate(&mut self, args: &[&str]) -> GtpResult {
        let side = args.first().and_then(|word| side(word)).ok_or(SYNTAX)?;
        if self.game.position().result.is_some() {
            self.moves_per_command.push(0);
            return Ok(PASS.to_owned());
        }
        let passes = self.pass_until(side)?;
        let chosen = if self.game.position().must_pass {
            Some(PASS.to_owned())
        } else {
            evaluate_moves(&self.champion, &self.game).chosen
        };
        match chosen {
            Some(vertex) if self.game.play(&vertex).is_ok() => {
                self.moves_per_command.push(passes + 1);
                Ok(gtp_vertex(&vertex))
            }
            // The champion chose an illegal move, which loses the game.
            _ => {
                self.undo_moves(passes);
                Ok("resign".to_owned())
            }
        }
    }

    /// Makes it `side`'s turn, with a forced pass of the other side if needed. Returns the number
    /// of passes.
    fn pass_until(&mut self, side: Side) -> Result<usize, &'static str> {
        if self.game.position().to_move == side {
            return Ok(0);
        }
        if !self.game.position().must_pass || self.game.play(PASS).is_err() {
            return Err(ILLEGAL);
        }
        Ok(1)
    }

    fn undo_moves(&mut self, moves: usize) {
        for _ in 0..moves {
            self.game.undo();
        }
    }

    fn undo(&mut self) -> GtpResult {
        let moves = self.moves_per_command.pop().ok_or("cannot undo")?;
        self.undo_moves(moves);
        Ok(String::new())
    }

    /// The board, with the side to move above it.
    fn show(&self) -> String {
        let over = self.game.position().result.is_some();
        let heading = match self.game.position().to_move {
            _ if over => "the game is over",
            Side::First => "black (X) to move",
            Side::Second => "white (O) to move",
        };
        let discs: Vec<char> = self.game.position().text.chars().take(64).collect();
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

/// A line without control characters and comments, which the protocol ignores. A tab becomes a
/// space.
fn clean(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    let code = text.split('#').next().unwrap_or_default();
    code.chars().filter(|c| !c.is_control()).collect()
}

fn format_response(id: &str, answer: &GtpResult) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text.as_str()),
        Err(error) => ('?', *error),
    };
    let space = if text.is_empty() { "" } else { " " };
    format!("{sign}{id}{space}{text}\n\n")
}

fn known_command(args: &[&str]) -> GtpResult {
    let name = args.first().ok_or(SYNTAX)?;
    let is_known = COMMANDS.iter().any(|(known, _)| known == name);
    Ok(is_known.to_string())
}

fn list_commands() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    names.join("\n")
}

/// Accepted and ignored: Reversi has no komi.
fn komi(args: &[&str]) -> GtpResult {
    first_number(args).map(|_| String::new()).ok_or(SYNTAX)
}

fn first_number(args: &[&str]) -> Option<f64> {
    args.first()?.parse().ok()
}

fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" => Some(Side::First),
        "white" | "w" => Some(Side::Second),
        _ => None,
    }
}

/// A move in the notation of the game.
fn vertex(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let is_square = matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    (word == PASS || is_square).then_some(word)
}

/// A move in the notation of the protocol.
fn gtp_vertex(vertex: &str) -> String {
    if vertex == PASS {
        PASS.to_owned()
    } else {
        vertex.to_ascii_uppercase()
    }
}
