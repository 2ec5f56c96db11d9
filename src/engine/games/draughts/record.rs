//! Records of games in Portable Draughts Notation.

use crate::games::transcript::TranscriptFormat;

/// English draughts has game type 21. Black moves first; results are from the point of view of the
/// first player.
pub(super) const TAGS: TranscriptFormat = TranscriptFormat {
    players: ["Black", "White"],
    start: "FEN",
    before_start: "[SetUp \"1\"]",
    states_start: false,
    fixed_tags: &[("GameType", "21")],
    ends_with_result: true,
    extension: "pdn",
};

#[cfg(test)]
mod tests {
    use crate::games::draughts::DraughtsConfig;
    use crate::games::transcript::read_record;
    use crate::games::{GameParams, Notation};

    fn check(start: &str, record: &str, expected: &str) {
        let game = DraughtsConfig::default().build();
        let start = game.parse_position(start);
        let start = start.unwrap_or_else(|error| panic!("{error}"));
        let shown = match read_record(&game, Some(&start), record) {
            Ok((_, turns)) => {
                let text = game.record_text(&turns);
                let again = read_record(&game, Some(&start), &text);
                assert_eq!(again, Ok((start, turns)), "{text}");
                text
            }
            Err(error) => error.to_string(),
        };
        assert!(
            shown == expected || (shown.starts_with("record") && shown.starts_with(expected)),
            "{record}: {shown}"
        );
    }

    const START: &str = "B:W21-32:B1-12";
    const LINE: &str = "1. 11-15 23-19 2. 8-11 22-17";

    #[test]
    fn records_are_read_with_numbers_comments_and_tags() {
        check(START, "", "");
        check(START, LINE, LINE);
        check(START, "11-15 23-19 8-11 22-17", LINE);
        check(START, "1.11-15 23-19 2.8-11 22-17 *", LINE);
        check(
            START,
            "1. 11-15! 1... 23-19? 2. 8-11!? $12 22-17 1/2-1/2",
            LINE,
        );
        check(
            START,
            "[Event \"A [great] match\"]\n[FEN \"B:W21-32:B1-12\"]\n{The [Old] Fourteenth}\n1. \
            11-15 23-19 (22-18 (or 24-20)) 2. \
             8-11{so} 22-17 ; as ever\n0-1",
            LINE,
        );
        check(
            START,
            "1. 11-15 22-18 2. 15x22 25x18",
            "1. 11-15 22-18 2. 15x22 25x18",
        );
        check(
            START,
            "11-15 22-18 15-22 25-18",
            "1. 11-15 22-18 2. 15x22 25x18",
        );
        check("W:W22:B9,17", "22-6", "1. 22x13x6");
        check(START, "1. 11x15 23x19 2. 8–11, 22-17 !", LINE);
        check(START, "1 11-15 23-19 2 8-11 22-17", LINE);
        check("W:W22:B2", "1. ... 22-18 2-6", "1. 22-18 2-6");
    }

    #[test]
    fn errors_name_the_move_and_its_place() {
        check(
            START,
            "1. 11-15 23-19 2. 1-5",
            "record[2]: 1-5 is not legal here; legal moves:",
        );
        check(START, "1. e4", "record[0]: `e4` is not a move; write");
        check(START, "1. ?", "record[0]: `?` is not a move; write");
        check(
            START,
            "1. 11-15 * 23-19",
            "record[1]: another game begins here; give one game at a time",
        );
        check(START, "1. 11-15 {so", "record[1]: `{` is not closed");
        check(START, "(11-15", "record[0]: `(` is not closed");
        check(
            "W:W18:B15",
            "18x11 1-5",
            "record[1]: `1-5` comes after the end of the game",
        );
        check(
            START,
            "[FEN \"W:WK1:B5\"] 1. 1-6",
            "record[0]: the game starts from W:WK1:B5; set this as the start",
        );
    }
}
