//! Formats numbers for people: shares in percent, counts with thousands separators, durations.

use finches_engine::metrics::Column;
pub use finches_engine::plain_text::count;

/// A share in whole percent, never rounded up to 100 % or down to 0 %.
pub fn percent(share: f64) -> String {
    let whole = (share * 100.0).round();
    if (whole >= 100.0 && share < 1.0) || (whole <= 0.0 && share > 0.0) {
        format!("{:.1}%", (share * 100.0).clamp(0.1, 99.9))
    } else {
        format!("{whole}%")
    }
}

/// The value of a parameter in words, from its RON: `off` for `None`, `one point` for `one_point`, `1,000` for `1000.0`.
pub fn parameter(ron: &str) -> String {
    let inside = ron.strip_prefix("Some(");
    let inside = inside.and_then(|text| text.strip_suffix(')'));
    let text = inside.unwrap_or(ron);
    match (text, text.parse::<f64>()) {
        ("None", _) => "off".to_owned(),
        ("true", _) => "yes".to_owned(),
        ("false", _) => "no".to_owned(),
        (_, Ok(number)) if number.fract() == 0.0 => count(number),
        (_, Ok(number)) => number.to_string(),
        _ if text.starts_with('"') => text.trim_matches('"').to_owned(),
        _ => text.replace('_', " "),
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

/// A value of a column in the column's unit.
pub fn figure(column: &Column, value: f64) -> String {
    if column.is_share() {
        percent(value)
    } else {
        short(value)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn values_of_parameters_are_put_into_words() {
        for (ron, words) in [
            ("None", "off"),
            ("Some(1.0)", "1"),
            ("true", "yes"),
            ("one_point", "one point"),
            ("1000", "1,000"),
            ("1e-6", "0.000001"),
            ("0.25", "0.25"),
            ("-0.0", "0"),
            ("[3,5,7]", "[3,5,7]"),
            ("\"a_b\"", "a_b"),
        ] {
            check(parameter(ron), words);
        }
    }

    #[test]
    fn numbers_are_formatted() {
        check(percent(0.634), "63%");
        check(percent(0.9996), "99.9%");
        check(percent(1.0), "100%");
        check(percent(0.0001), "0.1%");
        check(count(2140.0), "2,140");
        check(count(-1234567.0), "-1,234,567");
        check(count(12.0), "12");
        check(count(-0.2), "0");
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
}
