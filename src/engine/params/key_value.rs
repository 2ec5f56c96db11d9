//! Parameters and their values as they are typed: `KEY=VALUE`, or a list of these. It does not know
//! which parameters there are.

use super::ParamError;

/// Splits `KEY=VALUE`; spaces around both are ignored.
pub fn key_value(text: &str) -> Result<(String, String), ParamError> {
    let pair = text.split_once('=');
    let pair = pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    let pair = pair.filter(|(key, _)| !key.is_empty());
    pair.ok_or_else(|| ParamError::new("", format!("`{text}` is not KEY=VALUE")))
}

/// Splits a list of `KEY=VALUE`, separated by commas. Commas in brackets and in quotes belong to a
/// value.
pub fn key_values(text: &str) -> Result<Vec<(String, String)>, ParamError> {
    let (mut depth, mut is_quoted) = (0_usize, false);
    let parts = text.split(|character| {
        match character {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0 && !is_quoted
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.map(key_value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_and_a_value_stand_on_both_sides_of_the_first_equals_sign() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let found = key_value(text);
            let found = found.as_ref().map(|(key, value)| (&**key, &**value));
            assert_eq!(found.ok(), expected, "{text}");
        };
        check("add_node=0.4", Some(("add_node", "0.4")));
        check(" add_node = 0.4 ", Some(("add_node", "0.4")));
        check("heaps=[3, 4]", Some(("heaps", "[3, 4]")));
        check("a=b=c", Some(("a", "b=c")));
        check("tag=", Some(("tag", "")));
        check("=0.4", None);
        check("add_node 0.4", None);
        check("", None);
    }

    #[test]
    fn a_list_is_split_at_commas_outside_brackets_and_quotes() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = key_values(text).expect("every part is KEY=VALUE");
            let found: Vec<_> = found
                .iter()
                .map(|(key, value)| (&**key, &**value))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", &[]);
        check("a=1", &[("a", "1")]);
        check("a=1, b=2,", &[("a", "1"), ("b", "2")]);
        check("hidden=[8,4], a=1", &[("hidden", "[8,4]"), ("a", "1")]);
        check(
            "a=(x: [1,2], y: 3),b=4",
            &[("a", "(x: [1,2], y: 3)"), ("b", "4")],
        );
        check(r#"a="1,2[",b=3"#, &[("a", r#""1,2[""#), ("b", "3")]);
        check("a=1], b=2", &[("a", "1]"), ("b", "2")]);
        let error = key_values("a=1, b").expect_err("the second has no value");
        assert_eq!(error.to_string(), "`b` is not KEY=VALUE");
    }

    #[test]
    fn an_error_quotes_what_was_typed() {
        let error = key_value("add_node").expect_err("there is no value");
        let expected = "`add_node` is not KEY=VALUE";
        assert_eq!(error.to_string(), expected);
    }
}
