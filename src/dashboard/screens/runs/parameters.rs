//! Parameters and results in which runs differ, in words.

use crate::widgets::truncate::truncate;

/// What differs between runs: its key, and the value of each run, `None` for runs without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParameterDifference {
    key: String,
    pub(super) values: Vec<Option<String>>,
}

/// A key, or a part of one, in words.
pub(super) fn in_words(key: &str) -> String {
    key.replace(['.', '_'], " ")
}

/// The last segment of a key in words.
pub(super) fn last_word(key: &str) -> String {
    in_words(key.rsplit('.').next().unwrap_or(key))
}

impl ParameterDifference {
    /// `None` if the values are the same.
    pub(super) fn of(key: String, values: Vec<Option<String>>) -> Option<Self> {
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        differs.then_some(Self { key, values })
    }

    /// The key in words, its last segment first: `opponents (evolution pairing)`.
    pub(super) fn name(&self) -> String {
        match self.key.rsplit_once('.') {
            Some((group, last)) => format!("{} ({})", in_words(last), in_words(group)),
            None => in_words(&self.key),
        }
    }

    /// Each distinct value, cut to a width, with the indices of the runs that have it.
    pub(super) fn grouped_values(&self, width: usize) -> Vec<(Vec<usize>, String)> {
        let mut groups: Vec<(Vec<usize>, &str)> = Vec::new();
        for (index, value) in self.values.iter().enumerate() {
            let value = value.as_deref().unwrap_or("none");
            let value = if value.is_empty() { "nothing" } else { value };
            match groups.iter_mut().find(|(_, known)| *known == value) {
                Some((places, _)) => places.push(index),
                None => groups.push((vec![index], value)),
            }
        }
        let groups = groups.into_iter();
        groups
            .map(|(places, value)| (places, truncate(value, width)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_no_difference_and_others_are_grouped() {
        let of = |values: [Option<&str>; 3]| {
            let values = values.map(|value| value.map(str::to_owned));
            ParameterDifference::of("evolution.population".to_owned(), values.to_vec())
        };
        assert_eq!(of([Some("80"), Some("80"), Some("80")]), None);
        let found = of([Some("80"), None, Some("80")]).expect("one has none");
        assert_eq!(found.name(), "population (evolution)");
        let groups = found.grouped_values(20);
        let expected = [(vec![0, 2], "80".to_owned()), (vec![1], "none".to_owned())];
        assert_eq!(groups, expected);
    }
}
