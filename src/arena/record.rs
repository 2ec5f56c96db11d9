//! A game written down move by move, to be shown and saved: plain text and the oracle's verdicts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agents::{Agent, Desk};
use crate::games::board::{Board, Room};
use crate::games::reference::Notes;
use crate::games::{Game, Side};
use crate::rng::Stream;

use super::{Guest, Hall, bout};

/// What the oracle says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Among the best.
    Good,
    /// Not among the best.
    Mistake,
    /// All legal moves were equally good.
    Indifferent,
    /// Against the rules, which lost the game.
    Illegal,
    /// The game is not solved.
    Unknown,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Mistake => "mistake",
            Self::Indifferent => "no choice",
            Self::Illegal => "illegal",
            Self::Unknown => "",
        }
    }
}

/// One move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    pub side: Side,
    /// The position before the move.
    pub position: String,
    /// The move, empty where it was illegal.
    pub action: String,
    pub verdict: Verdict,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Who moved first, who second.
    pub names: [String; 2],
    pub start: String,
    pub plies: Vec<Ply>,
    /// 1, 0 or −1 for the first player.
    pub result: i8,
}

impl Record {
    /// The result in words.
    pub fn result_words(&self) -> String {
        match self.result {
            0 => "draw".to_owned(),
            result => format!("{} wins", self.names[usize::from(result < 0)]),
        }
    }
}

/// The form in which games are saved: a title, then a move per line with the position before it.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} v {}", self.names[0], self.names[1])?;
        for (number, ply) in self.plies.iter().enumerate() {
            let action = if ply.action.is_empty() {
                "-"
            } else {
                &ply.action
            };
            let line = format!(
                "{:>4}. {:<16} {:<10} {}",
                number + 1,
                ply.position,
                action,
                ply.verdict.word()
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f, "      {}", self.result_words())
    }
}

/// Plays a game between two guests.
pub(super) fn play<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    guests: [Guest<'_>; 2],
    names: [String; 2],
    rng: &mut Stream,
) -> Record {
    let game = &hall.game;
    let start = game.start(rng);
    let mut tools = (Desk::new(game), Notes::default());
    let mut plies = Vec::new();
    let played = bout::follow(game, start.clone(), |state| {
        let side = game.to_move(state);
        let action = bout::ask(hall, guests[side.index()], state, &mut tools, rng);
        plies.push(Ply {
            side,
            position: game.position_text(state),
            action: action
                .map(|action| game.move_text(action))
                .unwrap_or_default(),
            verdict: verdict(hall, state, action),
        });
        action
    });
    Record {
        names,
        start: game.position_text(&start),
        plies,
        result: played.result,
    }
}

/// What the oracle says of a move; `None` is an illegal one.
pub(super) fn verdict<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    state: &G::State,
    action: Option<G::Move>,
) -> Verdict {
    let Some(action) = action else {
        return Verdict::Illegal;
    };
    let mut best = Vec::new();
    let oracle = hall.oracle.as_ref();
    let known = oracle.and_then(|oracle| oracle.judge(&hall.game, state, &mut best));
    if known.is_none() {
        Verdict::Unknown
    } else if best.len() == hall.game.count_moves(state) {
        Verdict::Indifferent
    } else if best.contains(&action) {
        Verdict::Good
    } else {
        Verdict::Mistake
    }
}

/// A moment of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Moves made, the last of which may be under way.
    pub ply: usize,
    /// Stages that the last move still has to go.
    pub left: usize,
}

/// Draws a position, or the move that leads to it where that has stages left.
pub(super) fn draw<G: Game>(
    game: &G,
    state: &G::State,
    last: Option<(&G::State, G::Move)>,
    left: usize,
    room: Room,
) -> Board {
    if let Some((before, action)) = last {
        let stages = game.stages(action);
        let left = left.min(stages);
        if left > 0 {
            return game.underway(before, action, stages - left, room);
        }
    }
    game.board(state, last, room)
}

/// In how many stages the last of `ply` moves is shown; none where a damaged record leaves it unclear.
pub(super) fn stages<G: Game>(game: &G, record: &Record, ply: usize) -> usize {
    let last = ply.checked_sub(1).and_then(|last| record.plies.get(last));
    let stages = |ply: &Ply| {
        let state = game.parse_position(&ply.position).ok()?;
        let action = game.parse_move(&state, &ply.action).ok()?;
        Some(game.stages(action))
    };
    last.and_then(stages).unwrap_or(0)
}

/// Draws a moment; what a damaged record leaves unclear is left out.
pub(super) fn picture<G: Game>(game: &G, record: &Record, moment: Moment, room: Room) -> Board {
    let Ok(mut state) = game.parse_position(&record.start) else {
        return Board::new(0, 0);
    };
    let mut last = None;
    let mut left = moment.left;
    for ply in record.plies.iter().take(moment.ply) {
        let Ok(action) = game.parse_move(&state, &ply.action) else {
            left = 0;
            break;
        };
        let before = state.clone();
        game.play(&mut state, action);
        last = Some((before, action));
    }
    let last = last.as_ref().map(|(before, action)| (before, *action));
    draw(game, &state, last, left, room)
}
