//! What is known of saved runs for a filter: parameters with the changes made during the run, and
//! the latest value of each column. It is taken from what the list of runs reads anyway.

use std::collections::BTreeMap;
use std::sync::Arc;

use finches_engine::metrics::Columns;
use finches_engine::preset::{DESCRIPTIONS, Intervention, Preset};
use finches_engine::session::measures::progress;

use super::run_filter::{FactNames, FactValue, RunFacts};
use super::saves::{RunFile, SavedRunEntry, Saves};

/// The facts of saved runs.
#[derive(Clone, Debug, Default)]
pub struct SavedRunFacts {
    /// The names of all values.
    pub names: FactNames,
    /// What is known of each run, by its name. Runs that can't be opened are left out.
    pub runs: BTreeMap<String, ListedRun>,
}

/// What is known of a saved run. Runs that differ in their seeds alone share most of it.
#[derive(Clone, Debug)]
pub struct ListedRun {
    /// Its preset as it was when the run started.
    pub preset: Arc<Preset>,
    /// The columns of its rows.
    pub columns: Arc<Columns>,
    /// What a filter can ask about it.
    pub facts: RunFacts,
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
        facts.set(names, "preset", FactValue::text(&preset.name));
        for (name, text) in preset.choices() {
            facts.set(names, name, FactValue::text(text));
        }
        set_own(&mut facts, (self.seed, self.generation), columns, names);
        facts
    }
}

/// A preset after the changes made during a run.
pub fn changed_preset<'a>(
    initial: &Preset,
    changes: impl IntoIterator<Item = &'a Intervention>,
) -> Preset {
    let mut preset = initial.clone();
    for intervention in changes {
        // A recorded intervention was valid for its preset.
        let _ = preset.change(&intervention.key, &intervention.to);
    }
    preset
}

/// All saved runs, the latest first, with what is known of them.
pub fn list(saves: &Saves) -> (Vec<SavedRunEntry>, SavedRunFacts) {
    let mut known = SavedRunFacts::default();
    let listed = saves.list_each(&mut |name, reading, summary| {
        let names = &mut known.names;
        let (preset, shared) = reading
            .run
            .shared
            .get_or_init(|| shared(&reading.run.file, names));
        let mut facts = RunFacts::like(shared, name, &summary.tags);
        let columns = reading.columns.names().enumerate();
        let columns = columns.map(|(index, name)| (name, reading.latest(index)));
        let own = (reading.seed, summary.generation);
        set_own(&mut facts, own, columns, names);
        let run = ListedRun {
            preset: Arc::clone(preset),
            columns: Arc::clone(&reading.columns),
            facts,
        };
        known.runs.insert(name.to_owned(), run);
    });
    (listed, known)
}

/// What runs with the same definition have in common.
fn shared(run: &RunFile, names: &mut FactNames) -> (Arc<Preset>, Arc<RunFacts>) {
    let to_filter = RunToFilter {
        name: "",
        tags: &[],
        seed: run.seed,
        generation: 0,
        preset: &changed_preset(&run.preset, &run.interventions),
    };
    let facts = to_filter.facts(std::iter::empty(), names);
    (Arc::new(run.preset.clone()), Arc::new(facts))
}

/// Sets what a run does not share: its seed, the generations done, and the latest values.
fn set_own<'a>(
    facts: &mut RunFacts,
    (seed, generation): (u64, u64),
    columns: impl Iterator<Item = (&'a str, Option<f64>)>,
    names: &mut FactNames,
) {
    for (name, value) in columns {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            facts.set(names, name, FactValue::Number(value));
        }
    }
    facts.set(names, "seed", FactValue::text(&seed.to_string()));
    let generation = FactValue::Number(generation as f64);
    facts.set(names, progress::GENERATION.name, generation);
}
