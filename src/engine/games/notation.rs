//! Positions, moves and lines of play as text. By default squares have names such as `b2`.

use std::fmt::Display;

use thiserror::Error;

use super::Side;
use super::game::{Rules, squares_of};
use super::input_plane::square_name;
use super::legality::illegal_move;
use super::transcript::TranscriptFormat;

/// Why a text is not a position, a move or a line of play: what is wrong with it, and what would be
/// valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// The same error with its place in front, such as `record[2]`.
    #[must_use]
    pub fn at(self, place: impl Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl<S: Into<String>> From<S> for NotationError {
    fn from(message: S) -> Self {
        Self(message.into())
    }
}

/// A game's positions and moves as text, which `finches rules` reads and writes.
pub trait Notation: Rules {
    /// By default the names of the squares joined by hyphens, or `pass`.
    fn move_text(&self, action: Self::Move) -> String {
        let squares = squares_of(self);
        let columns = squares.grid().columns.into();
        let path = squares.path(action);
        let names = path
            .iter()
            .map(|&square| square_name(square.into(), columns));
        match names.collect::<Vec<_>>().join("-") {
            empty if empty.is_empty() => "pass".to_owned(),
            text => text,
        }
    }

    /// Parses a legal move. The error says what is wrong with it.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, NotationError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let text = text.trim();
        let wanted = moves.iter().find(|&&action| self.move_text(action) == text);
        let wanted = wanted.copied();
        wanted.ok_or_else(|| illegal_move(self, &moves, &format!("`{text}`")))
    }

    /// The position as text: everything that determines the legal moves and the encoding. By
    /// default the squares row by row, `x` and `o` for the pieces of the first and the second
    /// player, `X` and `O` for pieces of value 2, `-` for empty squares and other values in
    /// parentheses; then a space and the player to move.
    fn position_text(&self, state: &Self::State) -> String {
        let squares = squares_of(self);
        let all = 0..squares.grid().squares() as u16;
        let pieces = all.map(|square| squares.piece(state, square, Side::First));
        let signs: String = pieces.map(piece_text).collect();
        let mover = ['x', 'o'][self.to_move(state).index()];
        format!("{signs} {mover}")
    }

    /// The inverse of [`Notation::position_text`]. The error says what is wrong and how to write a
    /// position.
    fn parse_position(&self, text: &str) -> Result<Self::State, NotationError> {
        let squares = squares_of(self);
        let count = squares.grid().squares();
        let error = |what: &str| {
            NotationError::from(format!(
                "`{text}` is not a position: {what}; write {count} of x, o, X, O and -, a space, \
                and x or o"
            ))
        };
        let (signs, mover) = text
            .trim()
            .rsplit_once(' ')
            .ok_or_else(|| error("the player to move is missing"))?;
        let mover = match mover {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return Err(error("there is no such player to move")),
        };
        let pieces = read_pieces(signs).ok_or_else(|| error("a sign is unknown"))?;
        if pieces.len() != count {
            return Err(error(&format!("it has {} squares", pieces.len())));
        }
        squares
            .set_up(&pieces, mover)
            .ok_or_else(|| error("the rules do not allow these pieces"))
    }

    /// A line of play in the game's usual notation; by default the moves separated by spaces.
    fn record_text(&self, actions: &[Self::Move]) -> String {
        let texts: Vec<String> = actions
            .iter()
            .map(|&action| self.move_text(action))
            .collect();
        texts.join(" ")
    }

    /// The moves of a word of a line of play, as texts for [`Notation::parse_move`]; by default the
    /// word.
    fn record_moves(&self, word: &str) -> Vec<String> {
        vec![word.to_owned()]
    }

    /// How whole games are written as text files.
    fn transcript_format(&self) -> TranscriptFormat {
        TranscriptFormat::default()
    }

    /// The rules without limits that only evolution needs, such as a largest number of moves, by
    /// which games of people are read. `None` if there are none.
    fn unlimited(&self) -> Option<Self> {
        None
    }

    /// Whether a typed move can begin with a character. Such a character starts a move and is no
    /// command. By default the characters that begin the legal moves.
    fn begins_move(&self, state: &Self::State, first: char) -> bool {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let mut texts = moves.into_iter().map(|action| self.move_text(action));
        texts.any(|text| text.starts_with(first))
    }

    /// The rule that limits the moves in a position, as a clause addressed to the player, such as
    /// `you must capture`.
    fn obligation(&self, _state: &Self::State) -> Option<&'static str> {
        None
    }

    /// One line on how to type a move.
    fn move_help(&self) -> &'static str {
        "b2 is column b, row 2"
    }
}

/// The signs of pieces of value −2 to 2.
const SIGNS: [char; 5] = ['O', 'o', '-', 'x', 'X'];

fn piece_text(piece: i16) -> String {
    let sign = usize::try_from(piece + 2)
        .ok()
        .and_then(|index| SIGNS.get(index));
    sign.map_or_else(|| format!("({piece})"), char::to_string)
}

/// The inverse of [`piece_text`] on a whole row. `None` at an unknown sign.
fn read_pieces(mut text: &str) -> Option<Vec<i16>> {
    let mut pieces = Vec::new();
    while let Some(sign) = text.chars().next() {
        text = &text[sign.len_utf8()..];
        if sign == '(' {
            let (number, rest) = text.split_once(')')?;
            pieces.push(number.parse().ok()?);
            text = rest;
        } else {
            let index = SIGNS.iter().position(|known| *known == sign)?;
            pieces.push(index as i16 - 2);
        }
    }
    Some(pieces)
}
