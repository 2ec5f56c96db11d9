//! What a filter can ask about a run: its name, its tags, and values under names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finches_engine::params::suggest;

use super::FilterError;

/// Values by their names.
type FactValues = BTreeMap<Arc<str>, FactValue>;

/// What is known of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFacts {
    name: String,
    tags: Vec<String>,
    values: FactValues,
    /// Values that it has in common with other runs.
    shared: Option<Arc<Self>>,
}

/// A value of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// A number.
    Number(f64),
    /// A text as texts are compared; make it with [`FactValue::text`].
    Text(Box<str>),
}

/// The names under which runs have values: dotted paths of parameters, and columns. Each is kept
/// once for all runs, with whether any of its values is a number.
#[derive(Clone, Debug, Default)]
pub struct FactNames(BTreeMap<Arc<str>, bool>);

/// How texts are compared: without capitals, spaces and quotes, so that `[4, 4]` is `[4,4]`.
pub(super) fn plain(text: &str) -> String {
    let is_kept = |letter: &char| !letter.is_whitespace() && *letter != '"';
    let kept = text.chars().filter(is_kept);
    kept.flat_map(char::to_lowercase).collect()
}

impl FactValue {
    /// A number if the text is one.
    pub fn read(text: &str) -> Self {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map_or_else(|| Self::text(text), Self::Number)
    }

    /// A text, or a number with more digits than a float has.
    pub fn text(text: &str) -> Self {
        Self::Text(plain(text).into())
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl RunFacts {
    /// A run of which only the name and the tags are known.
    pub fn new(name: &str, tags: &[String]) -> Self {
        Self {
            name: plain(name),
            tags: tags.iter().map(|tag| plain(tag)).collect(),
            values: BTreeMap::new(),
            shared: None,
        }
    }

    /// A run with the values of another, which it keeps only once, until it gets its own.
    pub fn like(shared: &Arc<Self>, name: &str, tags: &[String]) -> Self {
        Self {
            shared: Some(Arc::clone(shared)),
            ..Self::new(name, tags)
        }
    }

    /// Adds a value under a name.
    pub fn set(&mut self, names: &mut FactNames, name: &str, value: FactValue) {
        let name = names.add(name, value.number().is_some());
        self.values.insert(name, value);
    }

    /// Takes over the tags of another run.
    pub fn keep_tags_of(&mut self, other: &Self) {
        self.tags.clone_from(&other.tags);
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn tags(&self) -> &[String] {
        &self.tags
    }

    pub(super) fn value(&self, name: &str) -> Option<&FactValue> {
        let shared = || self.shared.as_ref()?.value(name);
        self.values.get(name).or_else(shared)
    }

    /// A value that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.value(name)?.number()
    }

    /// A value in words.
    pub fn text(&self, name: &str) -> Option<String> {
        Some(match self.value(name)? {
            FactValue::Number(number) => number.to_string(),
            FactValue::Text(text) => text.to_string(),
        })
    }

    /// The values that include its parameters.
    fn parameters(&self) -> &FactValues {
        self.shared
            .as_ref()
            .map_or(&self.values, |shared| &shared.values)
    }

    /// The parameters in which runs differ: names with a dot, which columns don't have.
    pub fn differing(runs: &[&Self]) -> Vec<String> {
        let mut found = BTreeSet::new();
        let Some((one, others)) = runs.split_first() else {
            return Vec::new();
        };
        let first = one.parameters();
        // Many runs share theirs.
        let mut known = BTreeSet::from([std::ptr::from_ref(first)]);
        for run in others.iter().map(|run| run.parameters()) {
            if known.insert(run) {
                found.extend(differences(first, run));
            }
        }
        // Islands have some of their own besides.
        let sharing = runs.iter().filter(|run| run.shared.is_some());
        let own = sharing.flat_map(|run| run.values.keys());
        let own: BTreeSet<_> = own.filter(|name| name.contains('.')).collect();
        let differs = |name: &str| runs.iter().any(|run| run.value(name) != one.value(name));
        found.extend(own.into_iter().filter(|name| differs(name)).cloned());
        found.iter().map(ToString::to_string).collect()
    }
}

/// The names with a dot under which two runs have different values.
fn differences<'a>(
    one: &'a FactValues,
    other: &'a FactValues,
) -> impl Iterator<Item = Arc<str>> + use<'a> {
    let missing = other.keys().filter(|name| !one.contains_key(*name));
    // Runs of a game have the same names, so that few have to be looked up.
    let mut others = other.iter().peekable();
    let changed = one.iter().filter(move |(name, value)| {
        let next = others.next_if(|(next, _)| next == name);
        let other = next.map(|(_, value)| value).or_else(|| other.get(*name));
        other != Some(value)
    });
    let names = changed.map(|(name, _)| name).chain(missing);
    names.filter(|name| name.contains('.')).cloned()
}

impl FactNames {
    fn add(&mut self, name: &str, is_number: bool) -> Arc<str> {
        let known = self.0.get_key_value(name);
        let (name, was_number) = match known {
            Some((known, &was_number)) => (Arc::clone(known), was_number),
            None => (Arc::from(name), false),
        };
        if known.is_none() || (is_number && !was_number) {
            self.0.insert(Arc::clone(&name), is_number || was_number);
        }
        name
    }

    /// The full name that a key means, and whether there are numbers under it. The key is the name
    /// itself, or its last word if no other name ends with it.
    pub(super) fn find(&self, key: &str) -> Result<(Arc<str>, bool), FilterError> {
        let exact = self.0.get_key_value(key);
        if let Some((name, &is_number)) = exact {
            return Ok((Arc::clone(name), is_number));
        }
        let suffix = format!(".{key}");
        let matching = self.0.iter().filter(|(name, _)| name.ends_with(&suffix));
        let matching: Vec<_> = matching.collect();
        match matching[..] {
            [(name, &is_number)] => Ok((Arc::clone(name), is_number)),
            [] => Err(self.unknown(key)),
            _ => {
                let names = matching.iter().map(|(name, _)| format!("`{name}`"));
                let names = names.collect::<Vec<_>>().join(" or ");
                let what = format!("`{key}` could be {names}; give the whole path");
                Err(FilterError(what))
            }
        }
    }

    /// The error for a key that no run has, with the nearest name or with examples.
    fn unknown(&self, key: &str) -> FilterError {
        let last_word = |name| str::rsplit(name, '.').next().unwrap_or(name);
        let is_path = key.contains('.');
        let names = self
            .0
            .keys()
            .map(|name| if is_path { &**name } else { last_word(&**name) });
        let known: Vec<&str> = ["name", "tag"].into_iter().chain(names).collect();
        let near = suggest(key, &known);
        let advice = if near.starts_with("did") {
            near
        } else {
            "there are name, tag, parameters such as population, and columns such as \
            accuracy_states"
                .to_owned()
        };
        FilterError(format!("no run has `{key}`; {advice}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_differ_in_parameters_and_not_in_columns() {
        let mut names = FactNames::default();
        let mut run = |values: &[(&str, f64)]| {
            let mut facts = RunFacts::new("run", &[]);
            for (name, value) in values {
                facts.set(&mut names, name, FactValue::Number(*value));
            }
            facts
        };
        let one = run(&[("a.size", 1.0), ("a.rate", 0.5), ("score", 1.0)]);
        let other = run(&[("a.size", 2.0), ("a.rate", 0.5), ("score", 3.0)]);
        let third = run(&[("a.size", 1.0), ("b.only", 7.0)]);
        assert_eq!(RunFacts::differing(&[&one, &other]), ["a.size"]);
        assert_eq!(RunFacts::differing(&[&one, &third]), ["a.rate", "b.only"]);
        assert!(RunFacts::differing(&[&one]).is_empty());
        let shared = Arc::new(one);
        let mut like = RunFacts::like(&shared, "like", &[]);
        like.set(&mut names, "score", FactValue::Number(9.0));
        let values = ["score", "a.size"].map(|name| like.number(name));
        assert_eq!(values, [Some(9.0), Some(1.0)]);
        let same = RunFacts::like(&shared, "same", &[]);
        assert!(RunFacts::differing(&[&like, &same]).is_empty());
        let unlike = Arc::new(other);
        let unlike = RunFacts::like(&unlike, "unlike", &[]);
        assert_eq!(RunFacts::differing(&[&like, &unlike]), ["a.size"]);
        like.set(&mut names, "a.rate", FactValue::Number(2.0));
        assert_eq!(RunFacts::differing(&[&same, &like]), ["a.rate"]);
    }
}
