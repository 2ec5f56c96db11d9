//! Recorded games as text: reads the format of run folders, and reads and writes the standard
//! notation of the game. It does not access files.

use thiserror::Error;

use crate::games::transcript::{self, Transcript};
use crate::games::{Game, NotationError};

use super::game_arena::GameArena;
use super::record::{self, GameRecord, Ply, UNFINISHED, Verdict};

/// An error in a file of recorded games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct GameRecordError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong with the line.
    pub message: String,
}

/// The non-empty lines of a text, with their numbers from 1.
type NumberedLines<'a> = std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'a str)> + 'a>>;

/// Reads games in the form in which a [`GameRecord`] is shown.
pub(super) fn read<G: Game>(
    arena: &GameArena<G>,
    text: &str,
) -> Result<Vec<GameRecord>, GameRecordError> {
    let numbered = text.lines().enumerate();
    let spoken = numbered
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line));
    let spoken: Box<dyn Iterator<Item = (usize, &str)>> = Box::new(spoken);
    let mut lines = spoken.peekable();
    let mut games = Vec::new();
    while lines.peek().is_some() {
        games.push(read_one(&arena.game, &mut lines)?);
    }
    Ok(games)
}

fn read_one<G: Game>(
    game: &G,
    lines: &mut NumberedLines<'_>,
) -> Result<GameRecord, GameRecordError> {
    let (title, first) = lines.next().expect("there is a line to begin with");
    let error_at = |line: usize, message: String| GameRecordError { line, message };
    let names = first.split_once(" v ").ok_or_else(|| {
        let message = format!(
            "`{}` does not name the players; write for example `g9 v g8`",
            first.trim()
        );
        error_at(title, message)
    })?;
    let names = [names.0.trim().to_owned(), names.1.trim().to_owned()];
    let mut reader = RecordReader {
        game,
        state: None,
        plies: Vec::new(),
    };
    let mut last = title;
    for (number, line) in lines {
        last = number;
        if line.starts_with("      ") {
            let words = line.trim();
            let known = result(&names, words);
            let result = (known.is_some() || words == UNFINISHED).then_some(known);
            let result = result.ok_or_else(|| {
                let message = format!("`{words}` is not a result of {} v {}", names[0], names[1]);
                error_at(number, message)
            })?;
            return reader
                .finish(names, result)
                .map_err(|error| error_at(number, error.to_string()));
        }
        reader
            .read_line(line)
            .map_err(|error| error_at(number, error.to_string()))?;
    }
    Err(error_at(last, "the game ends without a result".to_owned()))
}

fn result(names: &[String; 2], words: &str) -> Option<i8> {
    let winner = words.strip_suffix(" wins");
    match winner {
        Some(winner) if winner == names[0] => Some(1),
        Some(winner) if winner == names[1] => Some(-1),
        _ => (words == "draw").then_some(0),
    }
}

/// Reads one game, line by line.
struct RecordReader<'a, G: Game> {
    game: &'a G,
    /// The current position; `None` before the first move.
    state: Option<G::State>,
    plies: Vec<Ply>,
}

impl<G: Game> RecordReader<'_, G> {
    /// Reads a line such as `  12. POSITION MOVE VERDICT`.
    fn read_line(&mut self, line: &str) -> Result<(), NotationError> {
        let rest = line.trim().split_once(". ");
        let wanted = self.plies.len() + 1;
        let (_, rest) = rest
            .filter(|(number, _)| number.parse() == Ok(wanted))
            .ok_or_else(|| format!("`{}` is not move {wanted} of the game", line.trim()))?;
        let (rest, verdict) = verdict(rest);
        let (position, action) = rest
            .rsplit_once(char::is_whitespace)
            .map(|(position, action)| (position.trim(), action))
            .ok_or_else(|| format!("`{rest}` is not a position and a move"))?;
        // A position as text can lack part of the state, which comes from the moves before.
        let before = match self.state.take() {
            Some(known) => known,
            None => self.game.parse_position(position)?,
        };
        if self.game.position_text(&before) != position {
            return Err(format!("the move before does not lead to {position}").into());
        }
        let side = self.game.to_move(&before);
        let mut after = before;
        let is_illegal = verdict == Verdict::Illegal;
        if !is_illegal {
            crate::games::play_text(self.game, &mut after, action)?;
        }
        self.plies.push(Ply {
            side,
            position: position.to_owned(),
            action: if is_illegal {
                String::new()
            } else {
                action.to_owned()
            },
            verdict,
        });
        self.state = Some(after);
        Ok(())
    }

    fn finish(self, names: [String; 2], result: Option<i8>) -> Result<GameRecord, NotationError> {
        let start = self.plies.first().map(|ply| ply.position.clone());
        Ok(GameRecord {
            names,
            start: start.ok_or("the game has no moves")?,
            plies: self.plies,
            result,
        })
    }
}

/// Splits the verdict from the end of a line.
fn verdict(line: &str) -> (&str, Verdict) {
    let known = [
        Verdict::Good,
        Verdict::Mistake,
        Verdict::BestOfLost,
        Verdict::LostAnyway,
        Verdict::Forced,
        Verdict::Indifferent,
        Verdict::Illegal,
    ];
    let line = line.trim_end();
    let found = known.into_iter().find_map(|verdict| {
        let before = line.strip_suffix(verdict.word())?;
        before.ends_with(' ').then(|| (before.trim_end(), verdict))
    });
    found.unwrap_or((line, Verdict::Unknown))
}

/// A recorded game in the standard notation of the game. An illegal last move is left out.
pub(super) fn transcript<G: Game>(
    game: &G,
    record: &GameRecord,
    tags: &[(String, String)],
) -> Result<String, NotationError> {
    let start = game.parse_position(&record.start)?;
    let mut state = start.clone();
    let made = record.plies.iter().filter(|ply| !ply.action.is_empty());
    let actions = made.map(|ply| crate::games::play_text(game, &mut state, &ply.action));
    let transcript = Transcript {
        tags: tags.to_vec(),
        names: record.names.clone(),
        actions: actions.collect::<Result<_, _>>()?,
        start,
        result: record.result,
    };
    Ok(transcript::write(game, &transcript, &[]))
}

/// The record of a game that was read by these rules, with the oracle's verdict on each move.
pub(super) fn from_transcript<G: Game>(
    arena: &GameArena<G>,
    rules: &G,
    transcript: Transcript<G>,
) -> GameRecord {
    let mut state = transcript.start.clone();
    let plies = transcript.actions.iter().map(|&action| {
        let ply = ply(arena, &state, action);
        rules.play(&mut state, action);
        ply
    });
    GameRecord {
        plies: plies.collect(),
        names: transcript.names,
        start: rules.position_text(&transcript.start),
        result: transcript.result,
    }
}

/// The record of a move.
fn ply<G: Game>(arena: &GameArena<G>, state: &G::State, action: G::Move) -> Ply {
    Ply {
        side: arena.game.to_move(state),
        position: arena.game.position_text(state),
        action: arena.game.move_text(action),
        verdict: record::verdict(arena, state, Some(action)),
    }
}
