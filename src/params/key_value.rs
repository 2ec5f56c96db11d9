//! A parameter and its value as they are typed: `KEY=VALUE`. It does not know which parameters there are.

use super::ParamError;

/// Splits `KEY=VALUE`; spaces around both are ignored.
pub fn key_value(text: &str) -> Result<(String, String), ParamError> {
    let pair = text.split_once('=');
    let pair = pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    let pair = pair.filter(|(key, _)| !key.is_empty());
    pair.ok_or_else(|| ParamError::new("", format!("`{text}` is not KEY=VALUE")))
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
    fn an_error_quotes_what_was_typed() {
        let error = key_value("add_node").expect_err("there is no value");
        let expected = "`add_node` is not KEY=VALUE";
        assert_eq!(error.to_string(), expected);
    }
}
