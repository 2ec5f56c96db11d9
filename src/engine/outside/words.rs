//! Splits a command into words as a shell does, without running one: quotes keep spaces, and nothing else is special.

/// The words of a command; the error says what is wrong with it.
pub(super) fn split_words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("the quote {open} is not closed")),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, expected: &[&str]) {
        let words = split_words(command).expect("its quotes are closed");
        assert_eq!(words, expected, "{command}");
    }

    #[test]
    fn quotes_keep_spaces() {
        check("", &[]);
        check("  a  b ", &["a", "b"]);
        check("'a b' \"c 'd\" e'f g'h ''", &["a b", "c 'd", "ef gh", ""]);
        check(r"C:\x\y $HOME", &[r"C:\x\y", "$HOME"]);
        assert!(split_words("a 'b").is_err());
    }
}
