//! Moves and positions in Portable Draughts Notation: `11-15`, `22x15x8`, `B:W21,22,K30:B1,2,3`.

use std::ops::RangeInclusive;

use crate::games::transcript::SIGNS;
use crate::games::{NotationError, Side, illegal_move};

use super::pieces::{Pieces, king_row};
use super::turn::{DraughtsMove, bit, bits, number};
use super::{Draughts, DraughtsPosition, Rules};

/// The letters of the first and the second player.
const LETTERS: [char; 2] = ['B', 'W'];
const NAMES: [&str; 2] = ["black", "white"];

pub(super) fn of_turn(turn: DraughtsMove) -> String {
    let numbers: Vec<String> = turn.visits().map(|bit| number(bit).to_string()).collect();
    numbers.join(if turn.jumps() == 0 { "-" } else { "x" })
}

/// Finds the legal move that visits the given squares. Squares between the first and the last may
/// be omitted if the move is still unambiguous, and so may those at the end of a capture, which has
/// to go on. A step may be written as a capture, as many collections of games do.
pub(super) fn to_turn(
    game: &Draughts,
    state: &DraughtsPosition,
    text: &str,
) -> Result<DraughtsMove, NotationError> {
    let named = squares(text)?;
    let mut turns = Vec::new();
    game.moves(state, &mut turns);
    let visits = |turn: DraughtsMove| -> Vec<u8> { turn.visits().map(number).collect() };
    let fit = |ends: ShortForm| -> Vec<DraughtsMove> {
        let all = turns.iter().copied();
        all.filter(|turn| is_short_for(&named, *turn, ends))
            .collect()
    };
    let mut fitting = fit(ShortForm::Ends);
    if fitting.is_empty() {
        fitting = fit(ShortForm::Begins);
    }
    let exact = fitting.iter().find(|&&turn| visits(turn) == named);
    match (exact, fitting.as_slice()) {
        (Some(&turn), _) | (None, &[turn]) => Ok(turn),
        (None, []) => Err(illegal_move(game, &turns, text.trim())),
        (None, several) => {
            let texts: Vec<String> = several.iter().map(|&turn| of_turn(turn)).collect();
            let text = text.trim();
            let texts = texts.join(" or ");
            Err(format!("{text} is ambiguous: {texts}; give the squares between").into())
        }
    }
}

/// Whether the last square that is written is the last of the move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShortForm {
    Ends,
    Begins,
}

/// Whether a move starts on the first square, visits the others in order, and ends on the last if
/// it must.
fn is_short_for(named: &[u8], turn: DraughtsMove, form: ShortForm) -> bool {
    let mut left = named.iter().peekable();
    let mut last = None;
    for (place, square) in turn.visits().map(number).enumerate() {
        let is_next = left.next_if(|&&next| next == square).is_some();
        if place == 0 && !is_next {
            return false;
        }
        last = Some(square);
    }
    left.peek().is_none() && (form == ShortForm::Begins || named.last() == last.as_ref())
}

/// Parses the squares of a move, which need not be legal.
fn squares(text: &str) -> Result<Vec<u8>, NotationError> {
    let error = || {
        format!(
            "`{text}` is not a move; write squares from 1 to 32, such as 11-15, or 22x15x8 with \
            every square of a capture"
        )
    };
    let words = text.split(|c| SIGNS.contains(c));
    let read: Option<Vec<u8>> = words.map(|word| square(word.trim())).collect();
    Ok(read.filter(|named| named.len() > 1).ok_or_else(error)?)
}

/// Parses a number from 1 to 32.
fn square(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let square = text.parse().ok().filter(|_| digits)?;
    (1..=32).contains(&square).then_some(square)
}

pub(super) fn of_pieces(pieces: &Pieces) -> String {
    let list = |side: Side| {
        let place = |bit: u8| {
            let king = if pieces.kings >> bit & 1 == 1 {
                "K"
            } else {
                ""
            };
            format!("{king}{}", number(bit))
        };
        let places: Vec<String> = bits(pieces.of[side.index()]).map(place).collect();
        format!("{}{}", LETTERS[side.index()], places.join(","))
    };
    let (white, black) = (list(Side::Second), list(Side::First));
    format!("{}:{white}:{black}", LETTERS[pieces.to_move.index()])
}

/// Parses a position. Lower case, the players in either order, ranges such as `W21-32`, a period at
/// the end, counters behind it such as `:H0:F1` and an enclosing tag `[FEN "..."]` are accepted. A
/// man on the king row is a king: it was crowned there.
pub(super) fn to_pieces(text: &str) -> Result<Pieces, NotationError> {
    let error = |what: String| {
        NotationError::from(format!(
            "`{text}` is not a position: {what}; write the side to move, then the squares of each \
            player, with K before \
             kings, such as B:W21,22,K30:B1,2,3"
        ))
    };
    let parts = fen(text).split(':').map(str::trim);
    let parts: Vec<&str> = parts
        .filter(|part| !part.starts_with(['H', 'F', 'h', 'f']))
        .collect();
    let &[mover, one, other] = parts.as_slice() else {
        return Err(error(format!(
            "it has {} parts between colons",
            parts.len()
        )));
    };
    let no_side = |part: &str| error(format!("`{part}` starts with neither B nor W"));
    let (to_move, rest) = owner(mover).ok_or_else(|| no_side(mover))?;
    if !rest.is_empty() {
        return Err(error(format!("`{rest}` after the side to move")));
    }
    let mut pieces = Pieces {
        of: [0; 2],
        kings: 0,
        to_move,
    };
    let mut before = None;
    for part in [one, other] {
        let (side, list) = owner(part).ok_or_else(|| no_side(part))?;
        if before.replace(side) == Some(side) {
            let name = NAMES[side.index()];
            return Err(error(format!("{name} is listed twice")));
        }
        for word in list.split(',').map(str::trim).filter(|_| !list.is_empty()) {
            put(&mut pieces, side, word).map_err(error)?;
        }
    }
    Ok(pieces)
}

/// The position without an enclosing tag.
fn fen(text: &str) -> &str {
    let text = text.trim();
    let head = text
        .get(..4)
        .filter(|head| head.eq_ignore_ascii_case("[fen"));
    let inner = match head {
        Some(head) => text[head.len()..].trim_end_matches(']').trim(),
        None => text,
    };
    inner.trim_matches('"').trim().trim_end_matches(['.', ':'])
}

/// The player that a part starts with, and the rest.
fn owner(part: &str) -> Option<(Side, &str)> {
    let letter = part.chars().next()?;
    let side = match letter.to_ascii_uppercase() {
        'B' => Side::First,
        'W' => Side::Second,
        _ => return None,
    };
    Some((side, part[letter.len_utf8()..].trim()))
}

/// Places the pieces of a word such as `12`, `K30` or `21-32` on the board.
fn put(pieces: &mut Pieces, side: Side, word: &str) -> Result<(), String> {
    let bare = word.strip_prefix(['K', 'k']);
    let (is_king, places) = (bare.is_some(), bare.unwrap_or(word));
    let places = range(places).ok_or_else(|| format!("`{word}` is not a square from 1 to 32"))?;
    for number in places {
        let place = 1 << bit(number);
        if (pieces.of[0] | pieces.of[1]) & place != 0 {
            return Err(format!("there are two pieces on {number}"));
        }
        pieces.of[side.index()] |= place;
        let is_crowned = is_king || king_row(side) & place != 0;
        pieces.kings |= if is_crowned { place } else { 0 };
    }
    Ok(())
}

fn range(text: &str) -> Option<RangeInclusive<u8>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let (low, high) = (square(low)?, square(high)?);
    (low <= high).then_some(low..=high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::Notation;
    use crate::games::draughts::DraughtsConfig;

    const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

    #[test]
    fn the_start_is_written_with_every_man() {
        assert_eq!(of_pieces(&Pieces::START), START);
        assert_eq!(to_pieces(START), Ok(Pieces::START));
    }

    fn check(text: &str, expected: &str) {
        let read = to_pieces(text).map(|pieces| of_pieces(&pieces));
        assert_eq!(read, Ok(expected.to_owned()), "{text}");
    }

    #[test]
    fn positions_are_read_in_every_usual_spelling() {
        check("B:W21-32:B1-12", START);
        check("B:B1-12:W21-32", START);
        check(" b:w21-32:b1-12. ", START);
        check("[FEN \"B:W21-32:B1-12.\"]", START);
        check("W:Wk3, 30:B k32,1", "W:WK3,30:B1,K32");
        check("W:W:BK1-3", "W:W:BK1,K2,K3");
        check("B:W:B", "B:W:B");
        check("W:WK1,2:B3,12:H0:F1", "W:WK1,K2:B3,12");
        check("B:W4,5:B1,29:", "B:WK4,5:B1,K29");
    }

    fn check_error(text: &str, expected: &str) {
        let error = to_pieces(text).expect_err("it is invalid").to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("write the side to move"), "{error}");
    }

    #[test]
    fn errors_of_positions_say_what_is_wrong() {
        check_error("", "it has 1 parts between colons");
        check_error("B:W21:B1:B2", "it has 4 parts");
        check_error("X:W21:B1", "`X` starts with neither B nor W");
        check_error("B:21:B1", "`21` starts with neither B nor W");
        check_error("B1:W21:B1", "`1` after the side to move");
        check_error("B:W21:W1", "white is listed twice");
        check_error("B:W33:B1", "`33` is not a square");
        check_error("B:W0:B1", "`0` is not a square");
        check_error("B:W21,,22:B1", "`` is not a square");
        check_error("B:W+21:B1", "`+21` is not a square");
        check_error("B:W24-21:B1", "`24-21` is not a square");
        check_error("B:W21:B1,ä", "`ä` is not a square");
        check_error("B:W21:B1,K21", "there are two pieces on 21");
    }

    /// Checks the parsed move as text, or the error.
    fn check_turn(position: &str, text: &str, expected: &str) {
        let game = DraughtsConfig::default().build();
        let state = game.parse_position(position);
        let state = state.unwrap_or_else(|error| panic!("{error}"));
        let shown = match game.parse_move(&state, text) {
            Ok(turn) => of_turn(turn),
            Err(error) => error.to_string(),
        };
        assert!(shown.starts_with(expected), "{text}: {shown}");
    }

    #[test]
    fn squares_of_a_move_can_be_omitted_if_it_is_unambiguous() {
        check_turn(START, "11-15", "11-15");
        check_turn(START, " 09 - 13 ", "9-13");
        let double = "B:W11,18:B8";
        for text in ["8x15x22", "8X15X22", "8x22", "8-22", "8:22", "8x15"] {
            check_turn(double, text, "8x15x22");
        }
        check_turn(START, "11x15", "11-15");
        check_turn(double, "8x14x22", "8x14x22 is not legal here");
    }

    #[test]
    fn an_ambiguous_short_form_is_an_error() {
        let forked = "B:W9,10,17,18:B6";
        check_turn(
            forked,
            "6x22",
            "6x22 is ambiguous: 6x13x22 or 6x15x22; give the squares between",
        );
        check_turn(forked, "6x15x22", "6x15x22");
        let around = "B:W9,10,17,18:BK22";
        check_turn(
            around,
            "22x22",
            "22x22 is ambiguous: 22x13x6x15x22 or 22x15x6x13x22",
        );
        check_turn(around, "22x6x22", "22x6x22 is ambiguous");
        check_turn(around, "22x6x15x22", "22x13x6x15x22");
        check_turn(around, "22x15x22", "22x15x22 is ambiguous");
    }

    #[test]
    fn errors_of_moves_say_how_to_write_one() {
        for text in [
            "", "?", "11", "11-", "11-33", "0-4", "a-b", "11--15", "11-15-", "+1-5", "ä-ö",
        ] {
            check_turn(
                START,
                text,
                &format!("`{text}` is not a move; write squares"),
            );
        }
        check_turn(
            START,
            "11x16x20",
            "11x16x20 is not legal here; legal moves: 9-13",
        );
        check_turn(START, "1-32", "1-32 is not legal here");
    }
}
