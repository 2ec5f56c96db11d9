//! Moves and positions as text: `d3`, `pass`, and boards of 64 characters from a1 to h8, followed
//! by the side to move.

use crate::games::{NotationError, Side};

use super::{ReversiMove, ReversiPosition};

const PASS: &str = "pass";

/// Black, who moves first, is `X`.
const LETTERS: [char; 2] = ['X', 'O'];

pub(super) fn of_move(action: ReversiMove) -> String {
    if action == ReversiMove::PASS {
        return PASS.to_owned();
    }
    let column = char::from(b'a' + action.0 % 8);
    format!("{column}{}", action.0 / 8 + 1)
}

/// Parses a move, which need not be legal.
pub(super) fn to_move(text: &str) -> Result<ReversiMove, NotationError> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.as_bytes() {
        _ if lower == PASS => Ok(ReversiMove::PASS),
        &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
            Ok(ReversiMove((row - b'1') * 8 + column - b'a'))
        }
        _ => Err(NotationError::from(format!(
            "`{text}` is not a move; write a column from a to h and a row from 1 to 8, such as d3, \
            or {PASS}"
        ))),
    }
}

pub(super) fn of_position(state: &ReversiPosition) -> String {
    let [first, second] = [Side::First, Side::Second].map(|side| state.discs(side));
    let letter = |square: u8| match (first >> square & 1, second >> square & 1) {
        (1, _) => LETTERS[0],
        (_, 1) => LETTERS[1],
        _ => '-',
    };
    let board: String = (0..64).map(letter).collect();
    format!("{board} {}", LETTERS[state.to_move.index()])
}

/// Parses a position: the discs of the player to move, those of the opponent, and the side to move.
pub(super) fn to_position(text: &str) -> Result<(u64, u64, Side), NotationError> {
    let error = |what: String| {
        NotationError::from(format!(
            "`{text}` is not a position: {what}; write 64 characters X, O or - row by row from a1 \
            to h8, a space \
             and the side to move, X or O"
        ))
    };
    // A list of positions goes on with moves; the Generic Game Format begins with the size.
    let listed = text.split([';', '%']).next().unwrap_or_default().trim();
    let listed = listed.strip_prefix("8 ").unwrap_or(listed);
    let (board, mover) = listed
        .rsplit_once(char::is_whitespace)
        .unwrap_or((listed, ""));
    let board = board.replace(char::is_whitespace, "");
    let mut discs = [0_u64; 2];
    for (square, letter) in board.chars().take(64).enumerate() {
        match letter {
            'X' | 'x' | '*' => discs[0] |= 1 << square,
            'O' | 'o' => discs[1] |= 1 << square,
            '-' | '.' => {}
            other => {
                let place = of_move(ReversiMove(square as u8));
                return Err(error(format!("there is `{other}` on {place}")));
            }
        }
    }
    let count = board.chars().count();
    if count != 64 {
        return Err(error(format!("the board has {count} squares")));
    }
    match mover {
        "X" | "x" | "*" => Ok((discs[0], discs[1], Side::First)),
        "O" | "o" => Ok((discs[1], discs[0], Side::Second)),
        "" => Err(error("the side to move is missing".to_owned())),
        other => Err(error(format!("`{other}` is not a side"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameParams, Notation, Rules};

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_is_written_row_by_row_with_white_on_d4_and_e5() {
        let game = ReversiConfig::default().build();
        assert_eq!(game.position_text(&game.standard_start()), START);
        assert_eq!(game.parse_position(START), Ok(game.standard_start()));
    }

    #[test]
    fn moves_are_read_in_either_case() {
        assert_eq!(to_move("a1"), Ok(ReversiMove(0)));
        assert_eq!(to_move(" H8 "), Ok(ReversiMove(63)));
        assert_eq!(to_move("b1"), Ok(ReversiMove(1)));
        assert_eq!(to_move("Pass"), Ok(ReversiMove::PASS));
        for text in ["", "d", "i1", "a9", "a0", "d33", "4d", "ä1"] {
            let error = to_move(text).expect_err("it names no square").to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a move; write")),
                "{error}"
            );
        }
    }

    fn check_error(text: &str, expected: &str) {
        let error = to_position(text).expect_err("it is invalid").to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("write 64 characters X, O or -"), "{error}");
    }

    #[test]
    fn errors_of_positions_say_what_is_wrong() {
        check_error("", "the board has 0 squares");
        check_error(&START[1..], "the board has 63 squares");
        check_error(&format!("-{START}"), "the board has 65 squares");
        check_error(&START.replace("OX", "O?"), "there is `?` on e4");
        check_error(&START[..64], "the side to move is missing");
        check_error(&START.replace(" X", " B"), "`B` is not a side");
        check_error(&format!("{START} O"), "the board has 65 squares");
    }

    #[test]
    fn positions_are_read_from_other_formats() {
        let rows = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
        let list = START.to_lowercase().replace('-', ".") + "; d3:+1; % a comment";
        for text in [rows, &list] {
            assert_eq!(to_position(text), to_position(START), "{text}");
        }
    }
}
