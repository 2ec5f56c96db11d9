//! Records of games in the usual notation: the squares without separators and without passes,
//! except those at the end.

use crate::games::{NotationError, play_text};

use super::{Reversi, ReversiMove, ReversiPosition, Rules, text};

/// The squares of the moves. Passes before a move are omitted, since the rules determine them.
pub(super) fn write(actions: &[ReversiMove]) -> String {
    let is_disc = |action: &ReversiMove| *action != ReversiMove::PASS;
    let end = actions.iter().rposition(is_disc).map_or(0, |last| last + 1);
    let (discs, passes) = actions.split_at(end);
    let discs = discs.iter().filter(|&action| is_disc(action));
    let shown = discs.chain(passes);
    shown.map(|&action| text::of_move(action)).collect()
}

/// Parses moves from `start` and inserts omitted passes. Errors name the index of the word from 0.
pub(super) fn read(
    game: &Reversi,
    start: &ReversiPosition,
    record: &str,
) -> Result<Vec<ReversiMove>, NotationError> {
    let mut state = *start;
    let mut actions = Vec::new();
    for (index, word) in words(record).into_iter().enumerate() {
        if game.must_pass(&state) && word != PASS {
            game.play(&mut state, ReversiMove::PASS);
            actions.push(ReversiMove::PASS);
        }
        let action = play_text(game, &mut state, word);
        actions.push(action.map_err(|error| error.at(format_args!("record[{index}]")))?);
    }
    Ok(actions)
}

const PASS: &str = "pass";

/// The words of a record, with passes as `pass`.
fn words(record: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = record.trim();
    while !rest.is_empty() {
        let pass = [PASS, "--"].into_iter().find(|&pass| {
            let head = rest.get(..pass.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(pass))
        });
        let length = pass.map_or_else(|| square_length(rest), str::len);
        let (word, after) = rest.split_at(length);
        words.push(if pass.is_some() { PASS } else { word });
        rest = after.trim_start();
    }
    words
}

/// The length in bytes of two characters, or of one before white space or the end.
fn square_length(text: &str) -> usize {
    let mut places = text.char_indices().skip(1);
    match places.next() {
        Some((place, second)) if second.is_whitespace() => place,
        Some(_) => places.next().map_or(text.len(), |(place, _)| place),
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::Notation;
    use crate::games::reversi::ReversiConfig;

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
        let shown = match game.parse_record(&start, record) {
            Ok(actions) => {
                let texts: Vec<String> = actions
                    .iter()
                    .map(|&action| game.move_text(action))
                    .collect();
                let again = game.parse_record(&start, &game.record_text(&actions));
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
    }

    #[test]
    fn a_pass_at_the_end_is_written() {
        let game = ReversiConfig::default().build();
        let start = game.parse_position(PASSING).expect("it is a position");
        let actions = game.parse_record(&start, "c1pass").expect("it is legal");
        assert_eq!(game.record_text(&actions), "c1pass");
        assert_eq!(game.parse_record(&start, "c1pass"), Ok(actions));
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
        let actions = game.parse_record(&start, "c1c8").expect("it is legal");
        assert_eq!(game.record_text(&actions), "c1c8");
    }
}
