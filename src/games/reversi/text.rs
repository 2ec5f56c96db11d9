//! Moves and positions as text: `d3`, `pass`, and boards as 64 characters from a1 to h8 with the side to move.

use crate::games::Side;

use super::{Place, Position};

const PASS: &str = "pass";

/// Black, who moves first, is `X`.
const LETTERS: [char; 2] = ['X', 'O'];

pub(super) fn of_move(action: Place) -> String {
    if action == Place::PASS {
        return PASS.to_owned();
    }
    let column = char::from(b'a' + action.0 % 8);
    format!("{column}{}", action.0 / 8 + 1)
}

/// Reads a move that need not be legal.
pub(super) fn to_move(text: &str) -> Result<Place, String> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.as_bytes() {
        _ if lower == PASS => Ok(Place::PASS),
        &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => Ok(Place((row - b'1') * 8 + column - b'a')),
        _ => Err(format!(
            "`{text}` is not a move; write a column from a to h and a row from 1 to 8, such as d3, or {PASS}"
        )),
    }
}

pub(super) fn of_position(state: &Position) -> String {
    let [first, second] = [Side::First, Side::Second].map(|side| state.discs(side));
    let letter = |square: u8| match (first >> square & 1, second >> square & 1) {
        (1, _) => LETTERS[0],
        (_, 1) => LETTERS[1],
        _ => '-',
    };
    let board: String = (0..64).map(letter).collect();
    format!("{board} {}", LETTERS[state.to_move.index()])
}

/// The discs of the player to move, those of the other, and who is to move.
pub(super) fn to_position(text: &str) -> Result<(u64, u64, Side), String> {
    let fault = |what: String| {
        format!(
            "`{text}` is not a position: {what}; write 64 of X, O and - from a1 to h1, then a2 and so on to h8, a space \
             and who is to move, X or O"
        )
    };
    let mut parts = text.split_whitespace();
    let (board, mover) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let mut discs = [0_u64; 2];
    for (square, letter) in board.chars().take(64).enumerate() {
        match LETTERS.iter().position(|&known| known == letter) {
            Some(player) => discs[player] |= 1 << square,
            None if letter == '-' => {}
            None => {
                let place = of_move(Place(square as u8));
                return Err(fault(format!("there is `{letter}` on {place}")));
            }
        }
    }
    let count = board.chars().count();
    if count != 64 {
        return Err(fault(format!("its board has {count} squares")));
    }
    if let Some(more) = parts.next() {
        return Err(fault(format!("`{more}` comes after its end")));
    }
    match mover {
        "X" => Ok((discs[0], discs[1], Side::First)),
        "O" => Ok((discs[1], discs[0], Side::Second)),
        "" => Err(fault("it does not say who is to move".to_owned())),
        other => Err(fault(format!("nobody is called `{other}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{Game, Playable};

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_is_written_row_by_row_with_white_on_d4_and_e5() {
        let game = ReversiConfig::default().build();
        assert_eq!(game.position_text(&game.standard_start()), START);
        assert_eq!(game.parse_position(START), Ok(game.standard_start()));
    }

    #[test]
    fn moves_are_read_in_either_case() {
        assert_eq!(to_move("a1"), Ok(Place(0)));
        assert_eq!(to_move(" H8 "), Ok(Place(63)));
        assert_eq!(to_move("b1"), Ok(Place(1)));
        assert_eq!(to_move("Pass"), Ok(Place::PASS));
        for text in ["", "d", "i1", "a9", "a0", "d33", "4d", "ä1"] {
            let fault = to_move(text).expect_err("it names no square");
            assert!(
                fault.starts_with(&format!("`{text}` is not a move; write")),
                "{fault}"
            );
        }
    }

    fn check_fault(text: &str, expected: &str) {
        let fault = to_position(text).expect_err("it is faulty");
        assert!(fault.contains(expected), "{fault}");
        assert!(fault.contains("write 64 of X, O and -"), "{fault}");
    }

    #[test]
    fn faults_of_positions_say_what_is_wrong() {
        check_fault("", "its board has 0 squares");
        check_fault(&START[1..], "its board has 63 squares");
        check_fault(&format!("-{START}"), "its board has 65 squares");
        check_fault(&START.replace("OX", "O?"), "there is `?` on e4");
        check_fault(&START[..64], "it does not say who is to move");
        check_fault(&START.replace(" X", " B"), "nobody is called `B`");
        check_fault(&format!("{START} O"), "`O` comes after its end");
    }
}
