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

/// A key in words without the part of a preset that most have: `pairing opponents`.
pub(super) fn short_name(key: &str) -> String {
    let own = ["evolution.", "genome."].map(|part| key.strip_prefix(part));
    in_words(own.into_iter().flatten().next().unwrap_or(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_in_words_as_short_as_it_is_clear() {
        assert_eq!(
            short_name("evolution.pairing.opponents"),
            "pairing opponents"
        );
        assert_eq!(short_name("genome.add_node"), "add node");
        assert_eq!(short_name("generations"), "generations");
        assert_eq!(last_word("evolution.add_node"), "add node");
    }
}
