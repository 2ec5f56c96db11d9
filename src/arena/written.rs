//! Recorded games as text: read back in the form in which runs keep them, and written and read in the form that players of the
//! game exchange. It knows no files.

use std::fmt;

use crate::agents::Agent;
use crate::games::transcript::{self, Told};
use crate::games::{Game, Side};

use super::Hall;
use super::record::{self, Ply, Record, Verdict};

/// What is wrong with a file of recorded games, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// The lines of a text that say something, with their numbers.
type Lines<'a> = std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'a str)> + 'a>>;

/// Reads games in the form in which [`Record`] is shown.
pub(super) fn read<G: Game, A: Agent>(hall: &Hall<G, A>, text: &str) -> Result<Vec<Record>, Fault> {
    let numbered = text.lines().enumerate();
    let spoken = numbered
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line));
    let spoken: Box<dyn Iterator<Item = (usize, &str)>> = Box::new(spoken);
    let mut lines = spoken.peekable();
    let mut games = Vec::new();
    while lines.peek().is_some() {
        games.push(read_one(&hall.game, &mut lines)?);
    }
    Ok(games)
}

fn read_one<G: Game>(game: &G, lines: &mut Lines<'_>) -> Result<Record, Fault> {
    let (title, first) = lines.next().expect("there is a line to begin with");
    let fault = |line: usize, what: String| Fault { line, what };
    let names = first.split_once(" v ").ok_or_else(|| {
        let what = format!(
            "`{}` does not say who plays, as `g9 v g8` does",
            first.trim()
        );
        fault(title, what)
    })?;
    let names = [names.0.trim().to_owned(), names.1.trim().to_owned()];
    let mut reader = Reader {
        game,
        state: None,
        plies: Vec::new(),
    };
    let mut last = title;
    for (number, line) in lines {
        last = number;
        if line.starts_with("      ") {
            let words = line.trim();
            let result = result(&names, words).ok_or_else(|| {
                let what = format!("`{words}` is no result of {} v {}", names[0], names[1]);
                fault(number, what)
            })?;
            return reader
                .close(names, result)
                .map_err(|what| fault(number, what));
        }
        reader.take(line).map_err(|what| fault(number, what))?;
    }
    Err(fault(
        last,
        "the game is cut short: no result follows".to_owned(),
    ))
}

fn result(names: &[String; 2], words: &str) -> Option<i8> {
    let winner = words.strip_suffix(" wins");
    match winner {
        Some(winner) if winner == names[0] => Some(1),
        Some(winner) if winner == names[1] => Some(-1),
        _ => (words == "draw").then_some(0),
    }
}

/// A game as far as it has been read.
struct Reader<'a, G: Game> {
    game: &'a G,
    /// Where it stands, once it has begun.
    state: Option<G::State>,
    plies: Vec<Ply>,
}

impl<G: Game> Reader<'_, G> {
    /// Takes in a line such as `  12. POSITION MOVE VERDICT`.
    fn take(&mut self, line: &str) -> Result<(), String> {
        let told = line.trim().split_once(". ");
        let wanted = self.plies.len() + 1;
        let (_, told) = told
            .filter(|(number, _)| number.parse() == Ok(wanted))
            .ok_or_else(|| format!("`{}` is not move {wanted} of the game", line.trim()))?;
        let (told, verdict) = verdict(told);
        let (position, action) = told
            .rsplit_once(char::is_whitespace)
            .map(|(position, action)| (position.trim(), action))
            .ok_or_else(|| format!("`{told}` is not a position with a move"))?;
        // Whose turn it is, and all else that a position as text leaves out, comes from the moves before.
        let before = match self.state.take() {
            Some(known) => known,
            None => self.game.parse_position(position)?,
        };
        if self.game.position_text(&before) != position {
            return Err(format!("the move before does not lead to {position}"));
        }
        let side = self.game.to_move(&before);
        let mut after = before;
        let is_illegal = verdict == Verdict::Illegal;
        if !is_illegal {
            crate::games::advance(self.game, &mut after, action)?;
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

    fn close(self, names: [String; 2], result: i8) -> Result<Record, String> {
        let start = self.plies.first().map(|ply| ply.position.clone());
        Ok(Record {
            names,
            start: start.ok_or("the game has no moves")?,
            plies: self.plies,
            result,
        })
    }
}

/// The verdict at the end of a line, and what comes before it.
fn verdict(line: &str) -> (&str, Verdict) {
    let known = [
        Verdict::Good,
        Verdict::Mistake,
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

/// A recorded game as players of it write it down; an illegal move that ended it is left out.
pub(super) fn transcript<G: Game>(
    game: &G,
    record: &Record,
    event: &str,
) -> Result<String, String> {
    let start = game.parse_position(&record.start)?;
    let mut state = start.clone();
    let made = record.plies.iter().filter(|ply| !ply.action.is_empty());
    let actions = made.map(|ply| crate::games::advance(game, &mut state, &ply.action));
    let told = Told {
        names: record.names.clone(),
        actions: actions.collect::<Result<_, _>>()?,
        start,
        result: record.result,
    };
    Ok(transcript::write(game, &told, event))
}

/// The games of a transcript, with the oracle's verdict on each move.
pub(super) fn transcripts<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    text: &str,
) -> Result<Vec<Record>, String> {
    let games = transcript::read(&hall.game, text)?;
    Ok(games.into_iter().map(|told| retold(hall, told)).collect())
}

fn retold<G: Game, A: Agent>(hall: &Hall<G, A>, told: Told<G>) -> Record {
    let game = &hall.game;
    let mut state = told.start.clone();
    let plies = told.actions.iter().map(|&action| {
        let ply = ply(hall, &state, action);
        game.play(&mut state, action);
        ply
    });
    Record {
        plies: plies.collect(),
        names: told.names,
        start: game.position_text(&told.start),
        result: told.result,
    }
}

/// A move as a record has it.
pub(super) fn ply<G: Game, A: Agent>(hall: &Hall<G, A>, state: &G::State, action: G::Move) -> Ply {
    Ply {
        side: hall.game.to_move(state),
        position: hall.game.position_text(state),
        action: hall.game.move_text(action),
        verdict: record::verdict(hall, state, Some(action)),
    }
}

/// The ply of a player that wanted a move against the rules.
pub(super) fn illegal(side: Side, position: String) -> Ply {
    Ply {
        side,
        position,
        action: String::new(),
        verdict: Verdict::Illegal,
    }
}
