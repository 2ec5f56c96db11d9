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

/// Reads games in the form in which a [`GameRecord`] is shown.
pub(super) fn read<G: Game>(
    arena: &GameArena<G>,
    text: &str,
) -> Result<Vec<GameRecord>, GameRecordError> {
    let lines = (1..).zip(text.lines());
    let (mut games, mut open, mut last) = (Vec::new(), None, 0);
    for (line, words) in lines.filter(|(_, words)| !words.trim().is_empty()) {
        last = line;
        let at = |error: NotationError| GameRecordError {
            line,
            message: error.to_string(),
        };
        open = match open.take() {
            None => Some(RecordReader::new(&arena.game, words).map_err(at)?),
            Some(reader) if words.starts_with("      ") => {
                games.push(reader.finish(words.trim()).map_err(at)?);
                None
            }
            Some(reader) => Some(reader.read_line(words).map_err(at)?),
        };
    }
    let unfinished = || GameRecordError {
        line: last,
        message: "the game ends without a result".to_owned(),
    };
    open.map_or(Ok(games), |_| Err(unfinished()))
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
    names: [String; 2],
    /// The current position; `None` before the first move.
    state: Option<G::State>,
    plies: Vec<Ply>,
}

impl<'a, G: Game> RecordReader<'a, G> {
    /// Reads a title such as `g9 v g8`.
    fn new(game: &'a G, title: &str) -> Result<Self, NotationError> {
        let (first, second) = title.split_once(" v ").ok_or_else(|| {
            let title = title.trim();
            format!("`{title}` does not name the players; write for example `g9 v g8`")
        })?;
        Ok(Self {
            game,
            names: [first, second].map(|name| name.trim().to_owned()),
            state: None,
            plies: Vec::new(),
        })
    }

    /// Reads a line such as `  12. POSITION MOVE VERDICT`.
    fn read_line(mut self, line: &str) -> Result<Self, NotationError> {
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
        Ok(self)
    }

    /// Reads the result at the end.
    fn finish(self, words: &str) -> Result<GameRecord, NotationError> {
        let names = self.names;
        let result = result(&names, words);
        if result.is_none() && words != UNFINISHED {
            let [first, second] = names;
            return Err(format!("`{words}` is not a result of {first} v {second}").into());
        }
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
        Verdict::WinsByLess,
        Verdict::BestOfLost,
        Verdict::LostAnyway,
        Verdict::Forced,
        Verdict::Indifferent,
        Verdict::AllWin,
        Verdict::AllLose,
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
        let ply = Ply {
            side: arena.game.to_move(&state),
            position: arena.game.position_text(&state),
            action: arena.game.move_text(action),
            verdict: record::verdict(arena, &state, Some(action)),
        };
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
