//! `finches rules`: answers questions about the rules of a game, both as JSON Lines.

use std::io::{self, BufWriter, Write};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::games::rules::{LineOfPlay, perft as count};
use crate::games::{GameConfig, NotationError};
use crate::params::suggest;
use crate::plain_text::escape_json;
use crate::search::queries::{AnswerOptions, answer};

use super::input::{LineTooLong, MAX_LINE, next_line};
use super::{CliError, output};

/// A line of input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesQuestion {
    pub(super) start: Option<String>,
    moves: Option<Vec<String>>,
    record: Option<String>,
}

impl RulesQuestion {
    /// The moves it asks about.
    pub(super) fn line(&self) -> Result<LineOfPlay<'_>, NotationError> {
        match (&self.moves, &self.record) {
            (Some(_), Some(_)) => {
                Err("both `moves` and `record` are given; give one of them".into())
            }
            (None, Some(record)) => Ok(LineOfPlay::Record(record)),
            (moves, None) => Ok(LineOfPlay::Moves(moves.as_deref().unwrap_or_default())),
        }
    }
}

/// The game of this name with these parameters.
pub(super) fn game(name: &str, parameters: &[(String, String)]) -> Result<GameConfig, CliError> {
    let known = || {
        let names: Vec<String> = GameConfig::names()
            .into_iter()
            .map(|name| name.replace('_', "-"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        CliError::Usage(format!(
            "there is no game `{name}`; {}",
            suggest(name, &names)
        ))
    };
    let config = GameConfig::named(&name.replace('-', "_")).ok_or_else(known)?;
    config.with_parameters(parameters).map_err(CliError::usage)
}

/// Prints the number of move sequences of each length.
pub(super) fn perft(
    config: &GameConfig,
    start: Option<&str>,
    depth: usize,
) -> Result<(), CliError> {
    let counts = count(config, start, depth).map_err(CliError::usage)?;
    output::print(&format!("{}\n", json!({ "perft": counts })))
}

/// Answers every line of standard input from the rules.
pub(super) fn answer_lines(config: &GameConfig, extras: AnswerOptions) -> Result<(), CliError> {
    each_question(|question| answer(config, question.start.as_deref(), question.line()?, extras))
}

/// The question in a line.
fn question(line: Result<Vec<u8>, LineTooLong>) -> Result<RulesQuestion, NotationError> {
    let line = line.map_err(|LineTooLong| format!("the line is longer than {MAX_LINE} bytes"))?;
    serde_json::from_slice(&line).map_err(|error| {
        NotationError::from(format!(
            "not a question such as {{\"start\": TEXT, \"moves\": [TEXT, ...]}} or {{\"record\": TEXT}}: {error}"
        ))
    })
}

/// Answers every line of standard input. An invalid line is answered with an error and makes the exit code 1.
pub(super) fn each_question<A: Serialize>(
    mut answer: impl FnMut(&RulesQuestion) -> Result<A, NotationError>,
) -> Result<(), CliError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = Ok(());
    let mut input = io::stdin().lock();
    while let Some(line) = next_line(&mut input)? {
        if line.as_ref().is_ok_and(|line| line.trim_ascii().is_empty()) {
            continue;
        }
        let answered = question(line).and_then(|question| answer(&question));
        match answered {
            Ok(answer) => writeln!(out, "{}", escape_json(&json!(answer).to_string()))?,
            Err(error) => {
                let error = json!({ "error": error.to_string() }).to_string();
                writeln!(out, "{}", escape_json(&error))?;
                code = Err(CliError::ExitCode(1));
            }
        }
        out.flush()?;
    }
    code
}
