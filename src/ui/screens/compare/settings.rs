//! Which settings differ between runs, since that is why one compares them.

use crate::preset::{Intervention, Preset};
use crate::ui::widgets::fit::fit;

/// Settings that say what a preset is called or shows, and nothing of how a run goes.
const WORDS: [&str; 4] = ["name", "about", "source", "published"];

/// The settings of a run by their keys, as they stand; those turned on the way say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings(Vec<(String, String)>);

/// A setting in which runs differ: its key, and the value of each run in their order, none where a run has no such setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) key: String,
    pub(super) values: Vec<Option<String>>,
}

impl Settings {
    /// The settings of a run that began with a preset.
    pub(super) fn recorded(began: &Preset, turned: &[Intervention]) -> Self {
        let mut preset = began.clone();
        for intervention in turned {
            // What a run has recorded fitted its preset.
            let _ = preset.change(&intervention.key, &intervention.to);
        }
        let keys = turned.iter().map(|intervention| intervention.key.as_str());
        Self::of(&preset, &keys.collect::<Vec<_>>())
    }

    /// The settings of a run as they stand, and which of them have been turned on the way.
    pub(super) fn of(preset: &Preset, turned: &[&str]) -> Self {
        let params = preset.params().into_iter();
        let telling = params.filter(|param| !WORDS.contains(&param.key.as_str()));
        let pair = telling.map(|param| {
            let mark = if turned.contains(&param.key.as_str()) {
                " (turned)"
            } else {
                ""
            };
            (param.key, format!("{}{mark}", param.value))
        });
        Self(pair.collect())
    }

    fn value(&self, key: &str) -> Option<&String> {
        let mut pairs = self.0.iter();
        pairs.find(|(own, _)| own == key).map(|(_, value)| value)
    }
}

/// The settings in which runs differ, in the order of the first run that has them.
pub(super) fn differences(runs: &[&Settings]) -> Vec<Difference> {
    let mut found: Vec<Difference> = Vec::new();
    for (key, _) in runs.iter().flat_map(|settings| &settings.0) {
        if found.iter().any(|difference| difference.key == *key) {
            continue;
        }
        let values = runs.iter().map(|settings| settings.value(key).cloned());
        let values: Vec<Option<String>> = values.collect();
        if values.windows(2).any(|pair| pair[0] != pair[1]) {
            found.push(Difference {
                key: key.clone(),
                values,
            });
        }
    }
    found
}

impl Difference {
    /// The key as words, its last first: `opponents (evolution pairing)`.
    pub(super) fn name(&self) -> String {
        let words = |part: &str| part.replace(['.', '_'], " ");
        match self.key.rsplit_once('.') {
            Some((group, last)) => format!("{} ({})", words(last), words(group)),
            None => words(&self.key),
        }
    }

    /// Each value once, with the places of the runs that have it, cut to a width.
    pub(super) fn grouped(&self, width: usize) -> Vec<(Vec<usize>, String)> {
        let mut groups: Vec<(Vec<usize>, String)> = Vec::new();
        for (place, value) in self.values.iter().enumerate() {
            let value = value.as_deref().unwrap_or("none");
            let value = if value.is_empty() { "nothing" } else { value };
            let value = fit(value, width);
            match groups.iter_mut().find(|(_, known)| *known == value) {
                Some((places, _)) => places.push(place),
                None => groups.push((vec![place], value)),
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presets;

    fn settings(name: &str, changes: &[(&str, &str)]) -> Settings {
        let preset = presets::load(name).expect("it ships");
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        Settings::of(&preset.with(&changes).expect("they fit"), &[])
    }

    #[test]
    fn only_what_differs_is_told_and_names_are_not_settings() {
        let plain = settings("nim-2x4", &[]);
        assert_eq!(differences(&[&plain, &plain]), []);
        assert_eq!(differences(&[&plain]), []);
        assert_eq!(differences(&[]), []);
        let changes = [
            ("population", "60"),
            ("opponents", "20"),
            ("add_node", "0.5"),
        ];
        let bigger = settings("nim-2x4", &changes);
        let found = differences(&[&plain, &bigger, &plain]);
        let mut keys: Vec<&str> = found.iter().map(|one| one.key.as_str()).collect();
        keys.sort_unstable();
        let expected = [
            "evolution.pairing.opponents",
            "evolution.population",
            "genome.add_node",
        ];
        assert_eq!(keys, expected);
        let population = found.iter().find(|one| one.key == "evolution.population");
        let population = population.expect("it differs");
        assert_eq!(population.values[1].as_deref(), Some("60"));
        assert_eq!(population.values[0], population.values[2]);
        assert_eq!(population.name(), "population (evolution)");
        let groups = population.grouped(20);
        assert_eq!((&groups[0].0, &groups[1].0), (&vec![0, 2], &vec![1]));
    }

    #[test]
    fn settings_that_only_one_run_has_differ() {
        let nim = settings("nim-2x4", &[]);
        let reversi = settings("reversi-vanilla", &[]);
        let found = differences(&[&nim, &reversi]);
        assert!(found.iter().any(|one| one.values[0].is_none()));
        assert!(found.iter().any(|one| one.values[1].is_none()));
    }

    #[test]
    fn what_was_turned_on_the_way_counts_as_it_stands_and_says_so() {
        let preset = presets::load("nim-2x4").expect("it ships");
        let turned = Intervention {
            generation: 60,
            key: "genome.add_node".to_owned(),
            from: "1.0".to_owned(),
            to: "2.5".to_owned(),
        };
        let plain = Settings::of(&preset, &[]);
        let found = differences(&[&plain, &Settings::recorded(&preset, &[turned])]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].values[1].as_deref(), Some("2.5 (turned)"));
    }
}
