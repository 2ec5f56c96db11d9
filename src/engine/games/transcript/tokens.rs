//! The parts of a file of games: tags, words of the line of play and where a game ends, with
//! comments, variations and annotations left out. It reads Portable Draughts Notation, transcripts,
//! the Generic Game Format (GGF) and lists of positions, and knows no game.

use std::mem::take;

/// A part of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The name and the value of `[Name "value"]`.
    Tag(&'a str, &'a str),
    /// A position outside of tags, which begins a game: the squares of a board and the rest of
    /// their line, as in lists of Othello positions, or one of draughts.
    Position(&'a str),
    /// A word outside of comments and variations.
    Word(&'a str),
    /// An empty line.
    Blank,
    /// The beginning or the end of a game in GGF.
    Boundary,
    /// A bracket that is not closed before the next game.
    Unclosed(char),
}

/// Splits a text into tokens. Each character is looked at a fixed number of times, whatever the
/// text.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// The offset of what has not been read.
    at: usize,
    /// Where the last token begins: its offset, its line from 1, and whether it is the first of it.
    pub(super) begin: usize,
    pub(super) line: usize,
    pub(super) is_first: bool,
    /// Line breaks before `at`.
    breaks: usize,
    /// How many variations are open.
    depth: usize,
    pub(super) is_ggf: bool,
    /// Whether the last token was an empty line.
    is_after_blank: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            line: 1,
            is_first: true,
            ..Self::default()
        }
    }

    /// The offset of the end.
    pub(super) fn end(&self) -> usize {
        self.text.len()
    }

    /// The line of the last token from there on.
    pub(super) fn rest_of_line(&self) -> &'a str {
        first_line(&self.text[self.begin..])
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> &'a str {
        let part = &self.rest()[..length];
        self.breaks += part.bytes().filter(|byte| *byte == b'\n').count();
        self.at += length;
        part
    }

    fn take_line(&mut self) -> &'a str {
        self.take(first_line(self.rest()).len())
    }

    /// Skips white space. Returns the number of line breaks in it.
    fn skip_space(&mut self) -> usize {
        let rest = self.rest();
        let before = self.breaks;
        self.take(rest.len() - rest.trim_start().len());
        self.breaks - before
    }

    /// Takes what begins here; `None` if it says nothing about the game.
    fn take_token(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        match rest.chars().next()? {
            '{' => return self.skip_comment(),
            '(' if begins_ggf(rest) => {
                // The game is read again.
                if take(&mut self.depth) > 0 {
                    return Some(Token::Unclosed('('));
                }
                self.take(2);
                self.is_ggf = true;
                return Some(Token::Boundary);
            }
            '(' => {
                self.take(1);
                self.depth += 1;
            }
            ')' | '}' => {
                let closed = self.take(1);
                self.depth = self.depth.saturating_sub(usize::from(closed == ")"));
            }
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                self.take(1 + digits);
            }
            ';' | '%' => drop(self.take_line()),
            '[' => return self.take_tag(),
            _ => {
                let word = self.take(word_length(rest));
                let is_board = word.len() == 64 && word.bytes().all(|c| b"-.XxOo*".contains(&c));
                return match () {
                    () if self.depth > 0 => None,
                    () if is_board => {
                        let mover = self.take_line().len();
                        Some(Token::Position(rest[..word.len() + mover].trim()))
                    }
                    () if is_fen(word) => Some(Token::Position(word)),
                    () => Some(Token::Word(word)),
                };
            }
        }
        None
    }

    /// Skips a comment, which may contain lines that begin with a bracket. One that no brace closes
    /// before the next opens ends before the next game.
    fn skip_comment(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let end = rest.find(['}', '\n']).unwrap_or(rest.len());
            self.take(end);
            let Some(next) = self.rest().strip_prefix('\n') else {
                let is_closed = end < rest.len();
                self.take(usize::from(is_closed));
                return (!is_closed).then_some(Token::Unclosed('{'));
            };
            let begins_game = begins_ggf(next) || tag(next).is_some();
            let brace = || next.find(['{', '}']).unwrap_or(next.len());
            match begins_game.then(brace) {
                None => self.take(1),
                Some(brace) if next[brace..].starts_with('}') => self.take(1 + brace),
                Some(_) => return Some(Token::Unclosed('{')),
            };
        }
    }

    /// Takes a tag. Anything else in brackets is a comment.
    fn take_tag(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let Some((name, value, length)) = tag(rest) else {
            let end = rest.find([']', '\n']).unwrap_or(rest.len());
            self.take((end + 1).min(rest.len()));
            return None;
        };
        // The tag is read again.
        if take(&mut self.depth) > 0 {
            return Some(Token::Unclosed('('));
        }
        self.take(length);
        Some(Token::Tag(name, value))
    }

    /// Takes a property of a game in GGF, such as `PB[name]` or `B[F5//0.01]`; `None` if it says
    /// nothing about the moves.
    fn take_property(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if begins_ggf(rest) || rest.starts_with(";)") {
            self.take(2);
            self.is_ggf = rest.starts_with('(');
            return Some(Token::Boundary);
        }
        let name = self.take(name_length(rest));
        if !self.rest().starts_with('[') {
            let other = rest.chars().next().filter(|_| name.is_empty());
            self.take(other.map_or(0, char::len_utf8));
            return None;
        }
        let Some(end) = self.rest().find([']', '\n']) else {
            self.take(self.rest().len());
            return Some(Token::Unclosed('['));
        };
        let value = self.take(end + 1)[1..end].trim();
        match name {
            "PB" => Some(Token::Tag("Black", value)),
            "PW" => Some(Token::Tag("White", value)),
            "RE" => Some(Token::Tag("Result", value)),
            "BO" => Some(Token::Tag("Start", value)),
            "B" | "W" => Some(Token::Word(value.split('/').next().unwrap_or_default())),
            _ => None,
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let mut is_first = self.at == 0 || take(&mut self.is_after_blank);
        loop {
            let breaks = self.skip_space();
            is_first |= breaks > 0;
            (self.begin, self.line, self.is_first) = (self.at, self.breaks + 1, is_first);
            if breaks > 1 && self.depth == 0 {
                self.is_after_blank = true;
                return Some(Token::Blank);
            }
            if self.rest().is_empty() {
                return (take(&mut self.depth) > 0).then_some(Token::Unclosed('('));
            }
            let token = if self.is_ggf {
                self.take_property()
            } else {
                self.take_token()
            };
            if token.is_some() {
                return token;
            }
        }
    }
}

/// The signs between the squares of a move, which may have spaces about them.
pub(in crate::games) const SIGNS: &str = "-–—‐‑‒−xX×:";

/// The length of the word that a text begins with. Two numbers with a sign between them are one.
fn word_length(text: &str) -> usize {
    let is_blank = |c: char| c == ' ' || c == '\t';
    let other = |c: char| !c.is_ascii_digit() && !"./".contains(c);
    let number = |text: &str| {
        let end = || text.find(other).unwrap_or(text.len());
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        if is_number { end() } else { 0 }
    };
    let is_sign = |c: char| SIGNS.contains(c);
    let mut length = number(text);
    while text[..length].ends_with(|c: char| c.is_ascii_digit()) {
        let sign = text[length..].trim_start_matches(is_blank);
        let Some(after) = sign.strip_prefix(is_sign) else {
            break;
        };
        let second = after.trim_start_matches(is_blank);
        let more = number(second);
        // A number of a move comes first in `1 - 11-15`.
        let is_whole = second.len() == after.len() || !second[more..].starts_with(is_sign);
        if more == 0 || !is_whole {
            break;
        }
        length = text.len() - second.len() + more;
    }
    let ends = |c: char| c.is_whitespace() || "{}()[;$".contains(c);
    length + text[length..].find(ends).unwrap_or(text.len() - length)
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// The length of the name of a tag or a property.
fn name_length(text: &str) -> usize {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.bytes().take_while(letter).count()
    } else {
        0
    }
}

/// The name, the value and the length of the tag that a text begins with. The value may contain
/// quotes; one that is not closed ends with the line.
fn tag(text: &str) -> Option<(&str, &str, usize)> {
    let inside = text.strip_prefix('[')?;
    let (name, rest) = inside.split_at(name_length(inside));
    let value = rest
        .trim_start()
        .strip_prefix('"')
        .filter(|_| !name.is_empty())?;
    let mut end = 0;
    loop {
        let sign = value[end..].find(['"', '\n']);
        end = sign.map_or(value.len(), |sign| end + sign);
        let after = value[end..].strip_prefix('"');
        let Some(after) = after else {
            let whole = value[..end].trim_end().trim_end_matches(['"', ']']);
            return Some((name, whole.trim(), text.len() - value.len() + end));
        };
        if let Some(after) = after.trim_start().strip_prefix(']') {
            return Some((name, value[..end].trim(), text.len() - after.len()));
        }
        end += 1;
    }
}

/// Whether a game in GGF begins here, and not a variation that begins with a comment.
fn begins_ggf(text: &str) -> bool {
    let property = text.strip_prefix("(;").unwrap_or_default();
    let name = name_length(property);
    name > 0 && property[name..].starts_with('[')
}

/// Whether a word is a position of draughts, such as `W:WK1,2:B3`.
fn is_fen(word: &str) -> bool {
    let side = |letter: Option<&u8>| letter.is_some_and(|letter| b"BWbw".contains(letter));
    let bytes = word.as_bytes();
    side(bytes.first()) && bytes.get(1) == Some(&b':') && side(bytes.get(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = Tokens::new(text)
            .map(|token| match token {
                Token::Tag(name, value) => format!("{name}={value}"),
                Token::Position(text) => format!("at:{text}"),
                Token::Word(word) => word.to_owned(),
                Token::Blank => "_".to_owned(),
                Token::Boundary => "|".to_owned(),
                Token::Unclosed(sign) => format!("?{sign}"),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn comments_variations_and_annotations_are_left_out() {
        check(
            "1. 11-15! {so} $12 (22-18 (or {)} 24-20)) 23-19",
            "1. 11-15! 23-19",
        );
        check("11-15; as ever\n% more\n23-19", "11-15 23-19");
        check("11-15 {[%clock w0:05\n[%clock B0:04]} 23-19", "11-15 23-19");
        check("11-15 {[%clock\n[Ref \"x\"] so} 23-19", "11-15 23-19");
        check("11-15 [good] 23-19) }", "11-15 23-19");
    }

    #[test]
    fn numbers_with_a_sign_between_them_are_one_word() {
        for words in [
            &["1.", "11 - 15", "23- 19", "x"][..],
            &["2", "15 x 22 x 31!", "1/2 - 1/2"],
            &["1.11 –15", "f5", "-4", "9", "-", "a"],
            &["1", "-", "11-15", "1:", "8-11", "-/+"],
        ] {
            let tokens: Vec<Token<'_>> = words.iter().map(|word| Token::Word(word)).collect();
            let text = words.join(" ");
            assert_eq!(Tokens::new(&text).collect::<Vec<_>>(), tokens);
        }
    }

    #[test]
    fn tags_may_share_a_line_and_contain_quotes() {
        check(
            "[Black \"a\"] [FEN \"W:WK1:B2\"] *",
            "Black=a FEN=W:WK1:B2 *",
        );
        check(
            "[Event \"The \"great\" match]\"]",
            "Event=The \"great\" match]",
        );
        check("[White \"b\n11-15", "White=b 11-15");
    }

    #[test]
    fn what_is_not_closed_ends_with_its_game() {
        check("11-15 {so\n\n[Black \"a\"]\n9-13", "11-15 ?{ Black=a 9-13");
        check("11-15 (9-13\n[Black \"a\"] 9-14", "11-15 ?( Black=a 9-14");
        check("(((", "?(");
        check("F5 (D6 (;GM[Othello]B[F5];)", "F5 ?( | F5 |");
        check("F5 {so\n(;GM[Othello]B[F5];)", "F5 ?{ | F5 |");
    }

    #[test]
    fn positions_and_games_of_the_generic_format_are_recognized() {
        check(
            "(;GM[Othello]PB[a]PW[b b]RE[+2]BO[8 -- *]B[F5//0.01]W[PA];)\n",
            "| Black=a White=b b Result=+2 Start=8 -- * F5 PA |",
        );
        check("W:WK1,2:B3,12:H0:F1 *", "at:W:WK1,2:B3,12:H0:F1 *");
        let board = "-".repeat(64);
        check(
            &format!("{board} X; d3:+2;"),
            &format!("at:{board} X; d3:+2;"),
        );
        check("\n\n a\n \n\nb\n", "_ a _ b");
    }
}
