//! Records of games in the usual notation: the squares without separators and without passes,
//! except those at the end.

use super::{ReversiMove, text};

/// The squares of the moves. Passes before a move are omitted, since the rules determine them.
pub(super) fn write(actions: &[ReversiMove]) -> String {
    let is_disc = |action: &ReversiMove| *action != ReversiMove::PASS;
    let end = actions.iter().rposition(is_disc).map_or(0, |last| last + 1);
    let (discs, passes) = actions.split_at(end);
    let discs = discs.iter().filter(|&action| is_disc(action));
    let shown = discs.chain(passes);
    shown.map(|&action| text::of_move(action)).collect()
}

/// Signs that may stand between moves.
const SEPARATORS: [char; 7] = [',', '-', '/', '.', ':', '"', '\''];

/// The moves of a word such as `F5D6--`, which other signs may separate. Passes may be written as
/// `pass`, `pa`, `ps` or `--`.
pub(super) fn moves(word: &str) -> Vec<String> {
    let mut moves = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let pass = ["pass", "pa", "ps", "--"].into_iter().find(|pass| {
            let head = rest.get(..pass.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(pass))
        });
        let is_between = rest.len() > 1 || !moves.is_empty();
        if pass.is_none() && is_between && rest.starts_with(SEPARATORS) {
            rest = &rest[1..];
            continue;
        }
        let square = rest.char_indices().nth(2);
        let square = square.map_or(rest.len(), |(place, _)| place);
        let (head, after) = rest.split_at(pass.map_or(square, str::len));
        moves.push(if pass.is_some() { "pass" } else { head }.to_owned());
        rest = after;
    }
    moves
}

#[cfg(test)]
mod tests {
    use crate::games::reversi::ReversiConfig;
    use crate::games::transcript::read_record;
    use crate::games::{GameParams, Notation, Rules};

    /// White moves, black must pass, white moves.
    const PASSING: &str = "OX------------------------------------------------------OX------ O";

    fn check(start: Option<&str>, record: &str, expected: &str) {
        let game = ReversiConfig::default().build();
        let start = start.map_or_else(
            || game.standard_start(),
            |text| {
                game.parse_position(text)
                    .expect("the test writes positions")
            },
        );
        let shown = match read_record(&game, Some(&start), record) {
            Ok((_, actions)) => {
                let texts: Vec<String> = actions
                    .iter()
                    .map(|&action| game.move_text(action))
                    .collect();
                let again = read_record(&game, Some(&start), &game.record_text(&actions));
                assert!(again.is_ok(), "{again:?}");
                texts.join(" ")
            }
            Err(error) => error.to_string(),
        };
        assert!(shown.starts_with(expected), "{record}: {shown}");
    }

    #[test]
    fn records_are_read_in_any_spacing_and_case() {
        check(None, "d3c3b3", "d3 c3 b3");
        check(None, " D3 c3B3\n", "d3 c3 b3");
        check(None, "", "");
        check(None, "1. D3 c3 2. b3", "d3 c3 b3");
        check(None, "\"d3-c3\",b3.", "d3 c3 b3");
    }

    #[test]
    fn a_pass_at_the_end_is_written() {
        let game = ReversiConfig::default().build();
        let start = game.parse_position(PASSING).expect("it is a position");
        for text in ["c1pass", "C1PA", "c1--", "c1 ps"] {
            let (_, actions) = read_record(&game, Some(&start), text).expect("it is legal");
            assert_eq!(game.record_text(&actions), "c1pass");
        }
    }

    #[test]
    fn omitted_passes_are_inserted() {
        check(Some(PASSING), "c1c8", "c1 pass c8");
        check(Some(PASSING), "c1passc8", "c1 pass c8");
        check(
            Some(PASSING),
            "C1 PASS -- c8",
            "record[2]: pass is not legal here",
        );
        check(Some(PASSING), "c1--c8", "c1 pass c8");
    }

    #[test]
    fn errors_name_the_move_and_its_place() {
        check(
            None,
            "d3c3h8",
            "record[2]: h8 is not legal here; legal moves:",
        );
        check(None, "d3c", "record[1]: `c` is not a move; write");
        check(None, "d3 c 3", "record[1]: `c` is not a move; write");
        check(None, "d3pass", "record[1]: pass is not legal here");
        check(None, "ä€x", "record[0]: `ä€` is not a move");
        check(
            None,
            "e6f4e3f6g5d6e7f5c5a1",
            "record[9]: `a1` comes after the end",
        );
    }

    #[test]
    fn passes_are_left_out_of_transcripts() {
        let game = ReversiConfig::default().build();
        let start = game.parse_position(PASSING).expect("it is a position");
        let (_, actions) = read_record(&game, Some(&start), "c1c8").expect("it is legal");
        assert_eq!(game.record_text(&actions), "c1c8");
    }
}
