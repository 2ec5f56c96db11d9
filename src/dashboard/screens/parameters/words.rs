//! Parameters in words: their headings, values, units and ranges, and the way back from words to
//! values.

use crate::format;
use finches_engine::params::{Param, ParamKind};

/// The heading a parameter is listed under.
pub(super) fn heading(param: &Param) -> String {
    if is_description(param) {
        return "Description".to_owned();
    }
    if is_mutation_weight(param) {
        return "Mutation weights".to_owned();
    }
    let group = param.group();
    // The pairing of the evolution is "Pairing".
    let mut letters = group.rsplit(' ').next().unwrap_or_default().chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Whether a parameter only describes the preset.
pub(super) fn is_description(param: &Param) -> bool {
    matches!(param.kind, ParamKind::Text | ParamKind::TextList) && !param.key.contains('.')
}

pub(super) fn is_mutation_weight(param: &Param) -> bool {
    param.unit == "weight" && param.key.starts_with("genome.")
}

/// The unit of a parameter; empty where it says nothing.
pub(super) fn unit(param: &Param) -> &'static str {
    match param.unit {
        "weight" | "share" | "chance" => "",
        unit if param.label().ends_with(unit) => "",
        unit => unit,
    }
}

/// A value of a parameter with its unit.
pub(super) fn value_with_unit(param: &Param, value: &str) -> String {
    let words = format::parameter(value);
    let unit = if words == "off" { "" } else { unit(param) };
    format!("{words} {unit}").trim_end().to_owned()
}

/// The valid values of a parameter, in a few words.
pub(super) fn valid_values(param: &Param) -> String {
    let or_off = match param.kind {
        ParamKind::OptionalReal => " or off",
        _ => "",
    };
    match (&param.kind, param.limits) {
        (ParamKind::Boolean, _) => "yes or no".to_owned(),
        (ParamKind::Choice(names), _) => names.join(", ").replace('_', " "),
        (ParamKind::IntegerList | ParamKind::RealList, Some((low, high))) => {
            format!("[{low} to {}]", round_words(high))
        }
        (ParamKind::IntegerList, None) => "a list such as [2, 4]".to_owned(),
        (ParamKind::RealList, None) => "a list such as [1, -0.25]".to_owned(),
        (ParamKind::ChoiceList(names), _) => format!("some of {}", names.join(", ")),
        (ParamKind::Text, _) => "text".to_owned(),
        (ParamKind::TextList, _) => "a list of texts".to_owned(),
        (_, Some((low, high))) => format!("{low} to {}{or_off}", round_words(high)),
        (_, None) => "any number".to_owned(),
    }
}

/// Formats a large limit in millions or billions.
fn round_words(value: f64) -> String {
    match value {
        _ if value >= 1e9 && value % 1e9 == 0.0 => format!("{} billion", value / 1e9),
        _ if value >= 1e6 && value % 1e6 == 0.0 => format!("{} million", value / 1e6),
        _ => format::parameter(&value.to_string()),
    }
}

/// A typed value in the notation of preset files; the inverse of [`format::parameter`].
pub(super) fn typed_value(kind: &ParamKind, text: &str) -> String {
    let plain = text.replace(',', "");
    match (kind, text) {
        (ParamKind::OptionalReal, "off") => "None".to_owned(),
        (ParamKind::Boolean, "yes") => "true".to_owned(),
        (ParamKind::Boolean, "no") => "false".to_owned(),
        (ParamKind::Choice(_), _) => text.replace(' ', "_"),
        (
            ParamKind::Text
            | ParamKind::TextList
            | ParamKind::ChoiceList(_)
            | ParamKind::IntegerList
            | ParamKind::RealList,
            _,
        ) => text.to_owned(),
        // Separators only where they belong: `0,5` is an error, not five.
        _ if format::parameter(&plain) == text => plain,
        _ => text.to_owned(),
    }
}
