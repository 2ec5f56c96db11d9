//! Text from outside, made harmless for a terminal: names, descriptions and errors that come from files and arguments; and counts with
//! their nouns.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

/// Most characters of a text that is meant as one line.
const LONGEST_LINE: usize = 2000;

/// Whether a terminal acts on a character, or shows it in a misleading way: control characters, line and paragraph separators,
/// marks of the writing direction (Unicode Standard Annex 9, section 2), characters without width, and tags.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with its unsafe characters written as `\u{1b}`. Line breaks and tabs stay.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

/// The text as one line of bounded length: line breaks become spaces, other unsafe characters are escaped.
pub fn one_line(text: &str) -> String {
    let mut rest = text.chars();
    let line: String = rest.by_ref().take(LONGEST_LINE).collect();
    let end = if rest.next().is_some() { "…" } else { "" };
    let line = line.replace(['\n', '\r', '\t'], " ") + end;
    escape_where(&line, is_unsafe).into_owned()
}

/// Whether a text has nothing to remove for [`without_unsafe`].
pub fn is_safe(text: &str) -> bool {
    !text.contains(is_removed)
}

/// The text without its unsafe characters, for a place of fixed width. Joiners stay, since the signs that they join have one width.
pub fn without_unsafe(text: &str) -> String {
    text.replace(is_removed, "")
}

/// A whole number with its noun, such as `1 run` or `2,000 runs`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(&count.to_string()))
}

/// A number in digits, with thousands separators before its point. It may have a sign.
pub fn grouped(number: &str) -> String {
    let (sign, unsigned) = number.split_at(usize::from(number.starts_with('-')));
    let (whole, fraction) = unsigned.split_at(unsigned.find('.').unwrap_or(unsigned.len()));
    let mut text = sign.to_owned();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + fraction
}

/// A number to the nearest whole one, with thousands separators.
pub fn count(number: f64) -> String {
    // Adding 0 makes -0 a plain 0.
    grouped(&(number.round() + 0.0).to_string())
}

fn is_removed(c: char) -> bool {
    is_unsafe(c) && !matches!(c, '\u{200c}' | '\u{200d}')
}

fn escape_where(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            // Writing to a string can't fail.
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// JSON with its unsafe characters written as `\u001b`, which reads back as the same value.
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unsafe(c) && !matches!(c, '\n' | '\t') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("heaps 2·4, Mühle\n\tend", "heaps 2·4, Mühle\n\tend");
        check("a\u{1b}]0;title\u{7}", "a\\u{1b}]0;title\\u{7}");
        check("\u{9b}2J\u{7f}\r", "\\u{9b}2J\\u{7f}\\u{d}");
        check("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c");
        check(
            "a\u{200b}b\u{2028}c\u{feff}",
            "a\\u{200b}b\\u{2028}c\\u{feff}",
        );
    }

    #[test]
    fn thousands_are_separated_before_the_point() {
        let check = |number: &str, expected: &str| assert_eq!(grouped(number), expected);
        check("0", "0");
        check("999", "999");
        check("1000", "1,000");
        check("-100", "-100");
        check("-1000", "-1,000");
        check("1234567.8901", "1,234,567.8901");
        check("-0.0001", "-0.0001");
    }

    #[test]
    fn a_count_is_whole_and_zero_has_no_sign() {
        let check = |number: f64, expected: &str| assert_eq!(count(number), expected);
        check(2000.4, "2,000");
        check(-2000.6, "-2,001");
        check(-0.2, "0");
        check(0.5, "1");
        check(1e15, "1,000,000,000,000,000");
    }

    #[test]
    fn a_line_is_one_line_of_bounded_length() {
        let check = |text: &str, expected: &str| assert_eq!(one_line(text), expected);
        check("a\r\nb\tc\u{1b}", "a  b c\\u{1b}");
        let long = one_line(&"ä".repeat(1_000_000));
        assert_eq!(long.chars().count(), LONGEST_LINE + 1);
        assert!(long.ends_with('…'));
        assert_eq!(
            one_line(&"ä".repeat(LONGEST_LINE)).chars().count(),
            LONGEST_LINE
        );
    }

    #[test]
    fn escaped_json_reads_back_as_the_same_value() {
        let text = "a\u{1b}\u{9b}\u{202e}\u{e0041}\n\"";
        let json = serde_json::json!({ "error": text }).to_string();
        let escaped = escape_json(&json);
        assert!(!escaped.contains(is_unsafe), "{escaped}");
        let read: serde_json::Value = serde_json::from_str(&escaped).expect("it is JSON");
        assert_eq!(read["error"], text);
    }
}
