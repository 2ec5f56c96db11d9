//! `finches rules`: answers questions about the rules of a game, both as JSON Lines.

use std::io::{self, BufRead, BufWriter, Write};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use finches_engine::games::rules::{LineOfPlay, perft as count};
use finches_engine::games::{GameConfig, NotationError};
use finches_engine::params::{key_value, suggest};
use finches_engine::search::queries::{AnswerOptions, answer};
use finches_engine::text::escape_json;

use super::input::{LineTooLong, MAX_LINE, next_line};
use super::limits::MAX_PERFT;
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
        let names = GameConfig::names().join(" ").replace('_', "-");
        let hint = suggest(name, &names.split(' ').collect::<Vec<&str>>());
        CliError::Usage(format!("there is no game `{name}`; {hint}"))
    };
    let config = GameConfig::named(&name.replace('-', "_")).ok_or_else(known)?;
    config.with_parameters(parameters).map_err(CliError::usage)
}

/// Options of `finches rules`.
#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// The game, such as nim or reversi.
    game: String,
    /// Change a parameter of the game, e.g. `--set grading=safe`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    parameters: Vec<(String, String)>,
    /// Add the exact value and the best moves of the final position, where an oracle knows them.
    #[arg(long)]
    solve: bool,
    /// Add the moves as a record.
    #[arg(long)]
    record: bool,
    /// Add the final position in numbers, as networks see it: from the side of the first and of the
    /// second player.
    #[arg(long)]
    encode: bool,
    /// Count the move sequences of lengths 1 to N instead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_PERFT))]
    perft: Option<u64>,
    /// Position to count from.
    #[arg(long, value_name = "TEXT", requires = "perft")]
    start: Option<String>,
}

/// Answers every line of standard input from the rules, or counts move sequences.
pub(super) fn rules(args: &RulesArgs) -> Result<(), CliError> {
    let config = game(&args.game, &args.parameters)?;
    if let Some(depth) = args.perft {
        let counts = count(&config, args.start.as_deref(), depth as usize);
        let counts = counts.map_err(CliError::usage)?;
        return output::print(&format!("{}\n", json!({ "perft": counts })));
    }
    let extras = AnswerOptions {
        solution: args.solve,
        record: args.record,
        inputs: args.encode,
    };
    let (input, out) = (io::stdin().lock(), io::stdout().lock());
    all_answered(serve_rules(&config, extras, input, out)?)
}

/// Answers every line of an input from the rules. Returns whether all lines were valid.
pub fn serve_rules(
    config: &GameConfig,
    extras: AnswerOptions,
    input: impl BufRead,
    out: impl Write,
) -> io::Result<bool> {
    each_question(input, out, |question| {
        answer(config, question.start.as_deref(), question.line()?, extras)
    })
}

/// An invalid line makes the exit code 1.
pub(super) fn all_answered(is_valid: bool) -> Result<(), CliError> {
    let failed = || CliError::ExitCode(1);
    is_valid.then_some(()).ok_or_else(failed)
}

/// The question in a line.
fn question(line: Result<Vec<u8>, LineTooLong>) -> Result<RulesQuestion, NotationError> {
    let line = line.map_err(|LineTooLong| format!("the line is longer than {MAX_LINE} bytes"))?;
    serde_json::from_slice(&line).map_err(|error| {
        NotationError::from(format!(
            "not a question such as {{\"start\": TEXT, \"moves\": [TEXT, ...]}} or {{\"record\": \
            TEXT}}: {error}"
        ))
    })
}

/// Answers every line of an input, an invalid one with an error. Returns whether all were valid.
pub(super) fn each_question<A: Serialize>(
    mut input: impl BufRead,
    out: impl Write,
    mut answer: impl FnMut(&RulesQuestion) -> Result<A, NotationError>,
) -> io::Result<bool> {
    let mut out = BufWriter::new(out);
    let mut is_valid = true;
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
                is_valid = false;
            }
        }
        out.flush()?;
    }
    Ok(is_valid)
}
