//! `finches rules`: questions about the rules of a game as JSON Lines, answers likewise.

use std::io::{self, BufRead, BufWriter, Write};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::games::GameConfig;
use crate::games::rules::{Extras, Line, answer, perft as count};
use crate::params::suggest;

use super::{Stop, output};

/// A line of input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) start: Option<String>,
    moves: Option<Vec<String>>,
    record: Option<String>,
}

impl Question {
    /// The line of play that it is about.
    pub(super) fn line(&self) -> Result<Line<'_>, String> {
        match (&self.moves, &self.record) {
            (Some(_), Some(_)) => {
                Err("both `moves` and `record` are given; give one of them".to_owned())
            }
            (None, Some(record)) => Ok(Line::Record(record)),
            (moves, None) => Ok(Line::Moves(moves.as_deref().unwrap_or_default())),
        }
    }
}

/// The game of that name with its settings.
pub(super) fn game(name: &str, settings: &[(String, String)]) -> Result<GameConfig, Stop> {
    let known = || {
        let names: Vec<String> = GameConfig::NAMES
            .iter()
            .map(|name| name.replace('_', "-"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Stop::Usage(format!(
            "there is no game `{name}`; {}",
            suggest(name, &names)
        ))
    };
    let config = GameConfig::named(&name.replace('-', "_")).ok_or_else(known)?;
    config.with(settings).map_err(Stop::Usage)
}

/// Prints the counts of move sequences.
pub(super) fn perft(config: &GameConfig, start: Option<&str>, depth: usize) -> Result<(), Stop> {
    let counts = count(config, start, depth).map_err(Stop::Usage)?;
    output::print(&format!("{}\n", json!({ "perft": counts })))
}

/// Answers every line of standard input by what the rules say.
pub(super) fn answer_lines(config: &GameConfig, extras: Extras) -> Result<(), Stop> {
    each_question(|question| answer(config, question.start.as_deref(), question.line()?, extras))
}

/// Answers every line of standard input; faulty ones are answered by an error, and the exit code says that there were some.
pub(super) fn each_question<A: Serialize>(
    mut answer: impl FnMut(&Question) -> Result<A, String>,
) -> Result<(), Stop> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = Ok(());
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answered = serde_json::from_slice::<Question>(&line)
            .map_err(|error| {
                format!(
                    "not a question such as {{\"start\": TEXT, \"moves\": [TEXT, ...]}} or {{\"record\": TEXT}}: {error}"
                )
            })
            .and_then(|question| answer(&question));
        match answered {
            Ok(answer) => writeln!(out, "{}", json!(answer))?,
            Err(fault) => {
                writeln!(out, "{}", json!({ "error": fault }))?;
                code = Err(Stop::Code(1));
            }
        }
        out.flush()?;
    }
    code
}
