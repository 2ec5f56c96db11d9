//! Text for people: what comes from files and arguments, made harmless for a terminal, and counts,
//! shares in percent and durations in words. The one place that formats them.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

/// Most characters of a text that is meant as one line.
const LONGEST_LINE: usize = 2000;

/// Whether a terminal acts on a character, or shows it in a misleading way: control characters,
/// line and paragraph separators, marks of the writing direction (Unicode Standard Annex 9, section
/// 2), characters without width, and tags.
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

/// The text as one line of bounded length: line breaks become spaces, other unsafe characters are
/// escaped.
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

/// The text without its unsafe characters, for a place of fixed width. Joiners stay, since the
/// signs that they join have one width.
pub fn without_unsafe(text: &str) -> String {
    text.replace(is_removed, "")
}

/// A word as a shell reads it, whatever it contains.
pub fn shell_word(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
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

/// A share in percent with this many decimals, without the sign: `63` or `63.4`.
pub fn percentage(share: f64, decimals: usize) -> String {
    format!("{:.decimals$}", share * 100.0)
}

/// A share in whole percent, never rounded up to 100% or down to 0%.
pub fn percent(share: f64) -> String {
    let whole = (share * 100.0).round();
    if (whole >= 100.0 && share < 1.0) || (whole <= 0.0 && share > 0.0) {
        format!("{:.1}%", (share * 100.0).clamp(0.1, 99.9))
    } else {
        format!("{whole}%")
    }
}

/// A p-value with four decimals, `0.0312` or `< 0.0001`.
pub fn p_value(p: f64) -> String {
    if p < 1e-4 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// A number of things, such as generations, with thousands separators.
pub fn whole(number: u64) -> String {
    count(number as f64)
}

/// A number in about five characters.
pub fn short(number: f64) -> String {
    // Turns -0, and what rounds to it, into 0.
    let number = if number.abs() < 0.005 { 0.0 } else { number };
    let size = number.abs();
    match size {
        _ if !number.is_finite() => "-".to_owned(),
        _ if size >= 999_950_000.0 => format!("{:.1}G", number / 1e9),
        _ if size >= 999_950.0 => format!("{:.1}M", number / 1e6),
        _ if size >= 10_000.0 => format!("{:.1}k", number / 1e3),
        _ if size >= 100.0 || number.fract() == 0.0 => count(number),
        _ if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// A number with its sign and `decimals` decimals. A value that rounds to zero has no sign.
pub fn signed(number: f32, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    if text.contains(|letter: char| letter.is_ascii_alphanumeric() && letter != '0') {
        text
    } else {
        text[1..].to_owned()
    }
}

/// A count in three digits with a suffix `k`, `M` or `G`; exact below ten thousand.
pub fn rounded(number: f64) -> String {
    let size = number.abs();
    let (unit, letter) = match size {
        _ if size >= 999.5e6 => (1e9, 'G'),
        _ if size >= 999.5e3 => (1e6, 'M'),
        _ if size >= 9999.5 => (1e3, 'k'),
        _ => return count(number),
    };
    let value = number / unit;
    let decimals = usize::from(value.abs() < 99.95);
    let text = format!("{value:.decimals$}");
    format!("{}{letter}", text.strip_suffix(".0").unwrap_or(&text))
}

/// An elapsed time, as `05:41` or `1:05:41`.
pub fn clock(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// An estimated duration: `45s`, `12m`, `3h 20m`, `2d 4h`.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..100 => format!("{whole}s"),
        100..5970 => format!("{}m", (whole + 30) / 60),
        5970..172_800 => format!("{}h {}m", whole / 3600, whole / 60 % 60),
        _ => format!("{}d {}h", whole / 86_400, whole / 3600 % 24),
    }
}

/// A short duration in three digits: `840 ns`, `12.3 µs`, `4.1 ms`, `25 s`.
pub fn time(seconds: f64) -> String {
    let (scaled, unit) = match seconds {
        _ if seconds < 999.5e-9 => (seconds * 1e9, "ns"),
        _ if seconds < 999.5e-6 => (seconds * 1e6, "µs"),
        _ if seconds < 999.5e-3 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let decimals = usize::from(scaled < 99.95) + usize::from(scaled < 9.995);
    let text = format!("{scaled:.decimals$}");
    let has_point = text.contains('.');
    let bare = if has_point {
        text.trim_end_matches('0')
    } else {
        &text
    };
    format!("{} {unit}", bare.trim_end_matches('.'))
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
    fn small_p_values_are_bounds() {
        assert_eq!(
            [0.03124, 1.0, 1e-9].map(p_value),
            ["0.0312", "1.0000", "< 0.0001"]
        );
    }

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

    fn check(text: impl AsRef<str>, expected: &str) {
        assert_eq!(text.as_ref(), expected);
    }

    #[test]
    fn zero_has_no_sign() {
        check(signed(0.125, 2), "+0.12");
        check(signed(-12.0, 0), "-12");
        for nothing in [0.0, -0.0, 0.004, -0.004] {
            check(signed(nothing, 2), "0.00");
        }
    }

    #[test]
    fn numbers_are_formatted() {
        check(percent(0.634), "63%");
        check(percent(0.9996), "99.9%");
        check(percent(1.0), "100%");
        check(percent(0.0001), "0.1%");
        check(percentage(0.12345, 1), "12.3");
        check(rounded(1650.0), "1,650");
        check(rounded(9999.9), "10k");
        check(rounded(500_000.0), "500k");
        check(rounded(99_960.0), "100k");
        check(rounded(999_600.0), "1M");
        check(rounded(1_234_567.0), "1.2M");
        check(rounded(118_800_000.0), "119M");
        check(rounded(2.5e9), "2.5G");
        check(short(1234567.0), "1.2M");
        check(short(0.4567), "0.46");
        check(short(58.0), "58");
        check(short(4050.0), "4,050");
        check(short(-0.001), "0");
        check(short(-0.0), "0");
        check(clock(341.0), "05:41");
        check(clock(3941.0), "1:05:41");
        check(span(45.2), "45s");
        check(span(720.0), "12m");
        check(span(12_000.0), "3h 20m");
        check(time(80e-9), "80 ns");
        check(time(93.46e-6), "93.5 µs");
        check(time(999.6e-6), "1 ms");
        check(time(0.004_123), "4.12 ms");
        check(time(0.1234), "123 ms");
        check(time(12.0), "12 s");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_change_them() {
        for (word, expected) in [
            ("nim-2x4", "nim-2x4"),
            ("", "''"),
            ("a b", "'a b'"),
            ("accuracy_states>=1", "'accuracy_states>=1'"),
            ("it's $HOME", r"'it'\''s $HOME'"),
        ] {
            assert_eq!(shell_word(word), expected);
        }
    }
}
