//! What is known of saved runs for a filter: parameters with the changes made during the run, and
//! the latest value of each column. It is taken from what the list of runs reads anyway.

use std::collections::BTreeMap;

use finches_engine::preset::{DESCRIPTIONS, Intervention, Preset};
use finches_engine::session::measures::progress;

use super::run_filter::{FactNames, FactValue, RunFacts};
use super::run_list::RunReading;
use super::saves::{RunSummary, SavedRunEntry, Saves};

/// The facts of saved runs.
#[derive(Clone, Debug, Default)]
pub struct SavedRunFacts {
    /// The names of all values.
    pub names: FactNames,
    /// The facts of each run, by its name. Runs that can't be opened are left out.
    pub runs: BTreeMap<String, RunFacts>,
}

/// A run to be filtered, saved or not.
pub struct RunToFilter<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its tags.
    pub tags: &'a [String],
    /// Its seed.
    pub seed: u64,
    /// Generations done.
    pub generation: u64,
    /// Its preset with the current parameters.
    pub preset: &'a Preset,
}

impl RunToFilter<'_> {
    /// Its facts, with the latest values of columns.
    pub fn facts<'a>(
        &self,
        columns: impl Iterator<Item = (&'a str, Option<f64>)>,
        names: &mut FactNames,
    ) -> RunFacts {
        let mut facts = RunFacts::new(self.name, self.tags);
        let preset = self.preset;
        for param in preset.params() {
            if !DESCRIPTIONS.contains(&param.key.as_str()) {
                facts.set(names, &param.key, FactValue::read(&param.value));
            }
        }
        for (name, value) in columns {
            if let Some(value) = value.filter(|value| value.is_finite()) {
                facts.set(names, name, FactValue::Number(value));
            }
        }
        for (name, text) in [
            ("preset", preset.name.as_str()),
            ("game", preset.game.name()),
            ("genome", preset.genome.name()),
            ("agent", preset.agent.name()),
            ("seed", &self.seed.to_string()),
        ] {
            facts.set(names, name, FactValue::text(text));
        }
        let generation = FactValue::Number(self.generation as f64);
        facts.set(names, progress::GENERATION.name, generation);
        facts
    }
}

/// A preset after the changes made during a run.
pub fn changed_preset(initial: &Preset, changes: &[Intervention]) -> Preset {
    let mut preset = initial.clone();
    for intervention in changes {
        // A recorded intervention was valid for its preset.
        let _ = preset.change(&intervention.key, &intervention.to);
    }
    preset
}

/// All saved runs, the latest first, with their facts.
pub fn list(saves: &Saves) -> (Vec<SavedRunEntry>, SavedRunFacts) {
    let mut known = SavedRunFacts::default();
    let listed = saves.list_each(&mut |name, reading, summary| {
        let facts = saved_facts(name, reading, summary, &mut known.names);
        known.runs.insert(name.to_owned(), facts);
    });
    (listed, known)
}

fn saved_facts(
    name: &str,
    reading: &RunReading,
    summary: &RunSummary,
    names: &mut FactNames,
) -> RunFacts {
    let run = &reading.run;
    let columns = reading.columns.names().enumerate();
    let columns = columns.map(|(index, name)| (name, reading.latest(index)));
    let changed = changed_preset(&run.preset, &run.interventions);
    let to_filter = RunToFilter {
        name,
        tags: &summary.tags,
        seed: run.seed,
        generation: summary.generation,
        preset: &changed,
    };
    to_filter.facts(columns, names)
}
