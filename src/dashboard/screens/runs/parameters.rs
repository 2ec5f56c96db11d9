//! Parameters in words.

/// What stands for a parameter that a preset does not have.
pub(super) const MISSING: &str = "n/a";

/// A key, or a part of one, in words.
pub(super) fn in_words(key: &str) -> String {
    key.replace(['.', '_'], " ")
}

/// The last segment of a key in words.
pub(super) fn last_word(key: &str) -> String {
    in_words(key.rsplit('.').next().unwrap_or(key))
}

/// A key in words, its last segment first: `opponents (evolution pairing)`.
pub(super) fn full_name(key: &str) -> String {
    match key.rsplit_once('.') {
        Some((group, last)) => format!("{} ({})", in_words(last), in_words(group)),
        None => in_words(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_of_a_key_comes_first() {
        assert_eq!(full_name("evolution.population"), "population (evolution)");
        assert_eq!(full_name("generations"), "generations");
        assert_eq!(last_word("evolution.add_node"), "add node");
    }
}
