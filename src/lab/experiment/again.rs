//! The command that does a run of an experiment once more, with all screens: runs depend on nothing
//! but their preset and seed.

use finches_engine::preset::Preset;
use finches_engine::text::shell_word;
use finches_runs::storage::experiments::manifest::{Manifest, RunId};
use finches_runs::storage::presets;

/// The command for a run. `None` if its preset can't be made of one that has a name, or if it is an
/// island, which depends on the others.
pub fn command(manifest: &Manifest, id: RunId) -> Option<String> {
    if manifest.islands.is_some() {
        return None;
    }
    let preset = &manifest.presets[id.preset];
    let name = match &manifest.sweep {
        Some(sweep) => &sweep.base.name,
        None => &preset.name,
    };
    let named = presets::load(name).ok()?;
    let changes = changes(&named, preset)?;
    let sets = changes.iter().map(|(key, value)| {
        let word = shell_word(&format!("{key}={value}"));
        format!("--set {word} ")
    });
    let sets: String = sets.collect();
    Some(format!("finches run {name} {sets}--seed {}", id.seed))
}

/// The parameters in which a preset differs from another, by their shortest names; `None` if it
/// differs in more than parameters.
fn changes(from: &Preset, to: &Preset) -> Option<Vec<(String, String)>> {
    let mut changes = Vec::new();
    let from = from.without_descriptions();
    for param in to.without_descriptions().params() {
        let is_same = from
            .param(&param.key)
            .is_some_and(|one| one.value == param.value);
        if is_same || param.key == "name" {
            continue;
        }
        let last = param.key.rsplit('.').next().unwrap_or_default();
        let is_clear = from.full_key(last).is_ok_and(|full| full == param.key);
        let key = if is_clear { last } else { &param.key };
        changes.push((key.to_owned(), param.value));
    }
    let mut made = from.with(&changes).ok()?;
    made.name.clone_from(&to.name);
    (made == to.without_descriptions()).then_some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(changes: &[(&str, &str)], expected: &str) {
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let preset = presets::load("nim-2x2").expect("it ships").with(&changes);
        let manifest = Manifest::new(vec![preset.expect("it is sound")], 1, 3);
        let id = RunId { preset: 0, seed: 3 };
        let found = command(&manifest.expect("it is sound"), id);
        assert_eq!(found.as_deref(), Some(expected));
    }

    #[test]
    fn a_run_is_done_again_by_its_preset_its_changes_and_its_seed() {
        check(&[], "finches run nim-2x2 --seed 3");
        check(
            &[
                ("population", "40"),
                ("opponents", "5"),
                ("generations", "30"),
            ],
            "finches run nim-2x2 --set generations=30 --set population=40 --set opponents=5 --seed \
            3",
        );
        check(
            &[("until", "accuracy_states>=1")],
            "finches run nim-2x2 --set 'until=\"accuracy_states>=1\"' --seed 3",
        );
    }
}
