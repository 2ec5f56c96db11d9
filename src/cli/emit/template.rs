//! Files from templates: `{{name}}` stands for a value, and what is between `{{#name}}` and
//! `{{/name}}` is left out where there is no value of that name.

use std::collections::BTreeMap;

/// The values of a template by name.
pub(super) type Values = BTreeMap<&'static str, String>;

/// A template with its values filled in.
///
/// # Panics
///
/// If it names a value that is not there outside of a section.
pub(super) fn fill(template: &str, values: &Values) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) = next_tag(rest) {
        filled.push_str(before);
        rest = after;
        if let Some(name) = name.strip_prefix('#') {
            if !values.contains_key(name) {
                let end = format!("{{{{/{name}}}}}");
                rest = after.split_once(&end).expect("a section has an end").1;
            }
        } else if !name.starts_with('/') {
            filled.push_str(&values[name]);
        }
    }
    filled + rest
}

/// The text before the next tag, the tag's name and the text behind it.
fn next_tag(text: &str) -> Option<(&str, (&str, &str))> {
    let (before, tag) = text.split_once("{{")?;
    Some((before, tag.split_once("}}")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_filled_in_and_sections_without_a_value_are_left_out() {
        let values = BTreeMap::from([("a", "1".to_owned()), ("c", "{{a}}".to_owned())]);
        let fill = |template: &str| fill(template, &values);
        assert_eq!(fill("a={{a}} {a} ${b%%c}"), "a=1 {a} ${b%%c}");
        assert_eq!(
            fill("x{{#a}} --a={{a}}{{/a}}{{#b}} --b={{b}}{{/b}} y"),
            "x --a=1 y"
        );
        assert_eq!(fill("{{c}}"), "{{a}}", "a value is no template");
    }
}
