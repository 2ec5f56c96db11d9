//! Formats what the dashboard shows: values of columns and of parameters, beside the numbers of the
//! engine's `text`.

pub use finches_engine::text::{clock, count, percent, rounded, short, signed, span, time, whole};

/// The value of a parameter in words, from its RON: `off` for `None`, `one point` for `one_point`,
/// `1,000` for `1000.0`.
pub fn parameter(ron: &str) -> String {
    let inside = ron.strip_prefix("Some(");
    let inside = inside.and_then(|text| text.strip_suffix(')'));
    let text = inside.unwrap_or(ron);
    match (text, text.parse::<f64>()) {
        ("None", _) => "off".to_owned(),
        ("true", _) => "yes".to_owned(),
        ("false", _) => "no".to_owned(),
        (_, Ok(number)) if number.fract() == 0.0 => count(number),
        (_, Ok(number)) => three_digits(number),
        _ if text.starts_with('"') => text.trim_matches('"').to_owned(),
        _ => text.replace('_', " "),
    }
}

/// A number as it is or, where it has many digits, with three that say something.
fn three_digits(number: f64) -> String {
    let exact = number.to_string();
    if exact.len() <= 6 {
        return exact;
    }
    let decimals = (2.0 - number.abs().log10().floor()).max(0.0) as usize;
    let text = format!("{number:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A label with its reference player in words.
pub fn in_words(label: &str) -> String {
    const PLAYERS: [(&str, &str); 3] = [
        ("swh", "weighted squares"),
        ("level-1", "a search one move deep"),
        ("material", "a counter of pieces"),
    ];
    let replace = |words: String, (name, meaning): &(&str, &str)| words.replace(name, meaning);
    PLAYERS.iter().fold(label.to_owned(), replace)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("0.0240704", "0.0241"),
            ("1234.5678", "1235"),
            ("-0.0", "0"),
            ("[3,5,7]", "[3,5,7]"),
            ("\"a_b\"", "a_b"),
        ] {
            assert_eq!(parameter(ron), words);
        }
    }
}
