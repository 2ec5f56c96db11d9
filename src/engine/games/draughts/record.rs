//! Records of games in Portable Draughts Notation: moves in numbered pairs. Tags, comments,
//! variations, annotation marks and results are skipped.

use crate::games::transcript::TranscriptFormat;
use crate::games::{NotationError, play_text};

use super::turn::DraughtsMove;
use super::{Draughts, DraughtsPosition, text};

/// English draughts has game type 21. Black moves first; results are from the point of view of the
/// first player.
pub(super) const TAGS: TranscriptFormat = TranscriptFormat {
    players: ["Black", "White"],
    start: "FEN",
    before_start: "[SetUp \"1\"]",
    fixed_tags: &[("GameType", "21")],
    ends_with_result: true,
    extension: "pdn",
};

pub(super) fn write(turns: &[DraughtsMove]) -> String {
    let pairs = turns.chunks(2).enumerate().map(|(index, pair)| {
        let texts: Vec<String> = pair.iter().map(|&turn| text::of_turn(turn)).collect();
        format!("{}. {}", index + 1, texts.join(" "))
    });
    pairs.collect::<Vec<String>>().join(" ")
}

/// Parses moves from `start`. Errors name the index of the move from 0.
pub(super) fn read(
    game: &Draughts,
    start: &DraughtsPosition,
    record: &str,
) -> Result<Vec<DraughtsMove>, NotationError> {
    let mut state = *start;
    let mut turns = Vec::new();
    let mut result = None;
    for piece in PdnTokens(record) {
        let index = turns.len();
        let with_index = |error: NotationError| error.at(format_args!("record[{index}]"));
        let word = match piece.map_err(&with_index)? {
            PdnToken::Tag(tag) => {
                check_start(start, tag).map_err(&with_index)?;
                continue;
            }
            PdnToken::Other(word) => bare(word),
        };
        if let Some(result) = result {
            let error = format!("`{word}` comes after the result {result}");
            return Err(with_index(error.into()));
        }
        if RESULTS.contains(&word) {
            result = Some(word);
        } else if !word.is_empty() {
            turns.push(play_text(game, &mut state, word).map_err(with_index)?);
        }
    }
    Ok(turns)
}

const RESULTS: [&str; 8] = ["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// The starting position that a record states.
pub(super) fn start(record: &str) -> Option<String> {
    let mut tags = PdnTokens(record).filter_map(|piece| match piece {
        Ok(PdnToken::Tag(tag)) => position(tag),
        _ => None,
    });
    tags.next()
        .map(|position| position.trim_matches('"').to_owned())
}

/// The position of a FEN tag.
fn position(tag: &str) -> Option<&str> {
    let name = tag.get(..4)?;
    name.eq_ignore_ascii_case("fen ").then(|| tag[4..].trim())
}

/// Checks that a FEN tag, if this is one, agrees with the start.
fn check_start(start: &DraughtsPosition, tag: &str) -> Result<(), NotationError> {
    let Some(position) = position(tag) else {
        return Ok(());
    };
    let pieces = text::to_pieces(position)?;
    if pieces == start.pieces {
        Ok(())
    } else {
        let position = position.trim_matches('"');
        Err(format!("the game starts from {position}; set this as the start").into())
    }
}

/// A word without its move number and annotation marks.
fn bare(word: &str) -> &str {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < word.len() && digits.starts_with('.');
    let word = if numbered {
        digits.trim_start_matches('.')
    } else {
        word
    };
    match word.trim_end_matches(['!', '?']) {
        "" => word,
        bare => bare,
    }
}

/// The words of a record. Comments, variations and glyphs are skipped.
struct PdnTokens<'a>(&'a str);

enum PdnToken<'a> {
    /// The text between brackets.
    Tag(&'a str),
    Other(&'a str),
}

impl<'a> Iterator for PdnTokens<'a> {
    type Item = Result<PdnToken<'a>, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.0 = self.0.trim_start();
            let hidden = match self.0.chars().next()? {
                '{' => self.0.find('}').map(|end| end + 1),
                ';' => Some(self.0.find('\n').unwrap_or(self.0.len())),
                '(' => variation(self.0),
                '$' => Some(1 + digits(&self.0[1..])),
                '[' => return Some(self.tag()),
                _ => return Some(Ok(PdnToken::Other(self.take(word_length(self.0))))),
            };
            let Some(length) = hidden else {
                let open = self.take(1);
                self.0 = "";
                return Some(Err(format!("`{open}` is not closed").into()));
            };
            self.take(length);
        }
    }
}

impl<'a> PdnTokens<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (head, rest) = self.0.split_at(length);
        self.0 = rest;
        head
    }

    fn tag(&mut self) -> Result<PdnToken<'a>, NotationError> {
        let Some(end) = tag_end(self.0) else {
            self.0 = "";
            return Err("`[` is not closed".into());
        };
        let tag = self.take(end + 1);
        Ok(PdnToken::Tag(tag[1..end].trim()))
    }
}

/// The index of the closing bracket of a tag. Brackets between quotes are ignored.
fn tag_end(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    let end = text.char_indices().find(|&(_, c)| {
        is_quoted ^= c == '"';
        c == ']' && !is_quoted
    });
    end.map(|(place, _)| place)
}

/// The length of a variation, which may be nested.
fn variation(text: &str) -> Option<usize> {
    let mut depth = 0;
    let end = text.char_indices().find(|&(_, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.map(|(place, _)| place + 1)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn word_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "{[(;$".contains(c);
    text.find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use crate::games::draughts::DraughtsConfig;
    use crate::games::{GameParams, Notation};

    fn check(start: &str, record: &str, expected: &str) {
        let game = DraughtsConfig::default().build();
        let start = game.parse_position(start);
        let start = start.unwrap_or_else(|error| panic!("{error}"));
        let shown = match game.parse_record(&start, record) {
            Ok(turns) => {
                let text = game.record_text(&turns);
                assert_eq!(game.parse_record(&start, &text), Ok(turns), "{text}");
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
    }

    #[test]
    fn errors_name_the_move_and_its_place() {
        check(
            START,
            "1. 11-15 23-19 2. 1-5",
            "record[2]: 1-5 is not legal here; legal moves:",
        );
        check(START, "1. e4", "record[0]: `e4` is not a move; write");
        check(START, "1. 11-15 ?", "record[1]: `?` is not a move; write");
        check(
            START,
            "1. 11-15 * 23-19",
            "record[1]: `23-19` comes after the result *",
        );
        check(START, "1. 11-15 {so", "record[1]: `{` is not closed");
        check(START, "(11-15", "record[0]: `(` is not closed");
        check(START, "[Event", "record[0]: `[` is not closed");
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
