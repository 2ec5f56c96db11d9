//! The parameters of runs, and those in which runs differ.

use std::sync::Arc;

use crate::format;
use crate::widgets::truncate::truncate;
use finches_engine::preset::{DESCRIPTIONS, Intervention, Preset};
use finches_runs::storage::run_facts::changed_preset;

/// The current parameters of a run as keys and values; those changed during the run are marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunParameters(Vec<(String, String)>);

/// A parameter in which runs differ: its key and the value of each run, `None` for runs without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParameterDifference {
    pub(super) key: String,
    pub(super) values: Vec<Option<String>>,
}

impl RunParameters {
    /// The parameters of a run that started with a preset and was changed by interventions.
    pub(super) fn recorded(initial: &Preset, changes: &[Intervention]) -> Self {
        let preset = changed_preset(initial, changes);
        let keys = changes.iter().map(|intervention| intervention.key.as_str());
        Self::of(&preset, &keys.collect::<Vec<_>>())
    }

    /// The current parameters of a run; `changed_keys` lists the keys changed during the run.
    pub(super) fn of(preset: &Preset, changed_keys: &[&str]) -> Self {
        let parts = [
            ("game", preset.game.name()),
            ("genome", preset.genome.name()),
            ("agent", preset.agent.name()),
        ];
        let parts = parts.map(|(part, name)| (part.to_owned(), in_words(name)));
        let params = preset.params().into_iter();
        let relevant = params.filter(|param| !DESCRIPTIONS.contains(&param.key.as_str()));
        let pair = relevant.map(|param| {
            let mark = if changed_keys.contains(&param.key.as_str()) {
                " (changed)"
            } else {
                ""
            };
            (
                param.key,
                format!("{}{mark}", format::parameter(&param.value)),
            )
        });
        Self(parts.into_iter().chain(pair).collect())
    }

    /// What several runs have: `various` where their values differ.
    pub(super) fn common(runs: &[Arc<Self>]) -> Self {
        let Some((first, others)) = runs.split_first() else {
            return Self(Vec::new());
        };
        let pair = |(key, value): &(String, String)| {
            let is_same = others.iter().all(|run| run.value(key) == Some(value));
            let value = if is_same { value.as_str() } else { "various" };
            (key.clone(), value.to_owned())
        };
        Self(first.0.iter().map(pair).collect())
    }

    /// The value of a parameter, if the run has it.
    pub(super) fn value(&self, key: &str) -> Option<&String> {
        let mut pairs = self.0.iter();
        pairs.find(|(own, _)| own == key).map(|(_, value)| value)
    }
}

/// The parameters in which runs differ, in the order of the first run that has them.
pub(super) fn differences(runs: &[&RunParameters]) -> Vec<ParameterDifference> {
    let mut found: Vec<ParameterDifference> = Vec::new();
    for (key, _) in runs.iter().flat_map(|parameters| &parameters.0) {
        if found.iter().any(|difference| difference.key == *key) {
            continue;
        }
        let values = runs.iter().map(|parameters| parameters.value(key).cloned());
        let values: Vec<Option<String>> = values.collect();
        if values.windows(2).any(|pair| pair[0] != pair[1]) {
            found.push(ParameterDifference {
                key: key.clone(),
                values,
            });
        }
    }
    found
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
    use finches_runs::storage::presets;

    fn parameters(name: &str, changes: &[(&str, &str)]) -> RunParameters {
        let preset = presets::load(name).expect("it ships");
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        RunParameters::of(&preset.with(&changes).expect("they fit"), &[])
    }

    #[test]
    fn only_differences_are_listed_and_descriptions_are_ignored() {
        let plain = parameters("nim-2x4", &[]);
        assert_eq!(differences(&[&plain, &plain]), []);
        assert_eq!(differences(&[&plain]), []);
        assert_eq!(differences(&[]), []);
        let changes = [
            ("population", "60"),
            ("opponents", "20"),
            ("add_node", "0.5"),
        ];
        let bigger = parameters("nim-2x4", &changes);
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
        let groups = population.grouped_values(20);
        assert_eq!((&groups[0].0, &groups[1].0), (&vec![0, 2], &vec![1]));
    }

    #[test]
    fn parameters_that_only_one_run_has_differ() {
        let nim = parameters("nim-2x4", &[]);
        let reversi = parameters("reversi-vanilla", &[]);
        let found = differences(&[&nim, &reversi]);
        assert!(found.iter().any(|one| one.values[0].is_none()));
        assert!(found.iter().any(|one| one.values[1].is_none()));
    }

    #[test]
    fn a_parameter_changed_during_the_run_has_its_last_value_and_a_mark() {
        let preset = presets::load("nim-2x4").expect("it ships");
        let change = Intervention {
            generation: 60,
            key: "genome.add_node".to_owned(),
            from: "1.0".to_owned(),
            to: "2.5".to_owned(),
        };
        let plain = RunParameters::of(&preset, &[]);
        let found = differences(&[&plain, &RunParameters::recorded(&preset, &[change])]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].values[1].as_deref(), Some("2.5 (changed)"));
    }
}
