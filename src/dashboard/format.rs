//! Formats what the dashboard shows: values of columns and of parameters, beside the numbers of the
//! engine's `text`.

use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::session::measures::columns_named;
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

/// A condition in words: `100% right moves, all positions`, `8 or more mean turns`.
pub fn condition(text: &str) -> String {
    let Ok(condition) = StopCondition::parse(text) else {
        return text.to_owned();
    };
    let columns = columns_named(&[condition.column()]);
    let column = &columns.all()[0];
    let bound = condition.bound();
    let more = match condition.is_lowest_best() {
        true => " or less",
        false if column.is_share() && bound >= 1.0 => "",
        false => " or more",
    };
    if condition.is_lowest_best() && bound == 0.0 {
        return format!("no {}", column.label);
    }
    format!("{}{more} {}", column.figure(bound), column.label)
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
    fn conditions_name_what_they_measure() {
        let check = |text: &str, words: &str| {
            assert_eq!(condition(text), words);
        };
        check("accuracy_states>=1", "100% right moves, all positions");
        check("vs_random>=0.9", "90% or more vs. random");
        check("mean_turns<=8", "8 or less mean turns");
        check("mean_turns<=0", "no mean turns");
        check("mean_turns", "mean_turns");
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
