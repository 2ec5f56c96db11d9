//! `finches rules`: questions about the rules of a game as JSON Lines, answers likewise.

use std::io::{self, BufRead, BufWriter, Write};

use serde::Deserialize;
use serde_json::json;

use crate::games::GameConfig;
use crate::games::rules::{Answer, Extras, Line, answer, perft as count};
use crate::params::{Params, suggest};

use super::{Stop, output};

/// A line of input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    start: Option<String>,
    moves: Option<Vec<String>>,
    record: Option<String>,
}

impl Question {
    fn answer(&self, config: &GameConfig, extras: Extras) -> Result<Answer, String> {
        let line = match (&self.moves, &self.record) {
            (Some(_), Some(_)) => {
                return Err("both `moves` and `record` are given; give one of them".to_owned());
            }
            (None, Some(record)) => Line::Record(record),
            (moves, None) => Line::Moves(moves.as_deref().unwrap_or_default()),
        };
        answer(config, self.start.as_deref(), line, extras)
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
    with(config, settings)
}

/// A game with settings changed, or all that is wrong with them.
pub(super) fn with(
    mut config: GameConfig,
    settings: &[(String, String)],
) -> Result<GameConfig, Stop> {
    let refused = settings
        .iter()
        .filter_map(|(key, value)| config.set(key.trim_start_matches("game."), value).err());
    let mut problems: Vec<String> = refused.map(|problem| problem.to_string()).collect();
    problems.extend(config.problems().iter().map(ToString::to_string));
    if problems.is_empty() {
        Ok(config)
    } else {
        Err(Stop::Usage(problems.join("\n")))
    }
}

/// Prints the counts of move sequences.
pub(super) fn perft(config: &GameConfig, start: Option<&str>, depth: usize) -> Result<(), Stop> {
    let counts = count(config, start, depth).map_err(Stop::Usage)?;
    output::print(&format!("{}\n", json!({ "perft": counts })))
}

/// Answers every line of standard input; faulty ones are answered by an error, and the exit code says that there were some.
pub(super) fn answer_lines(config: &GameConfig, extras: Extras) -> Result<(), Stop> {
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
            .and_then(|question| question.answer(config, extras));
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
