//! The list of saved runs with the main facts of each. It is read anew each time, from the
//! definition of a run and its last rows.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use finches_engine::games::GameConfig;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::Preset;
use finches_engine::session::measures::columns_named;

use super::metrics::{self, MetricsTable};
use super::run_filter::RunFacts;
use super::run_writer::Lock;
use super::saves::{RunFile, Saves, is_run};
use super::shipped::files_in;
use super::{StorageError, organize, parse_sealed, sealed_body, unseal};

/// An entry in the list of saved runs.
#[derive(Debug)]
pub struct SavedRunEntry {
    /// The name of its folder.
    pub name: String,
    /// Its summary, or why it can't be opened.
    pub summary: Result<RunSummary, StorageError>,
}

impl SavedRunEntry {
    fn changed(&self) -> Option<SystemTime> {
        self.summary.as_ref().ok()?.changed
    }
}

/// The main facts of a saved run.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// The name of its preset.
    pub preset: String,
    /// Its game.
    pub game: GameConfig,
    /// Its seed.
    pub seed: u64,
    /// Generations done.
    pub generation: u64,
    /// The generation at which it stops.
    pub generations: u64,
    /// The latest objective value: `accuracy_states`, else the score against the strongest
    /// reference player.
    pub objective: Option<f64>,
    /// The objective in words; empty if the run has none.
    pub objective_label: String,
    /// The condition of its preset that its last generation meets, if it does.
    pub target: Option<String>,
    /// When its checkpoint was last written; `None` without one.
    pub changed: Option<SystemTime>,
    /// What the user has tagged it with.
    pub tags: Vec<String>,
    /// Whether a process has it open.
    pub is_open: bool,
    /// Whether it has a checkpoint, and not only champions.
    pub can_resume: bool,
}

impl RunSummary {
    /// Whether it has nothing left to do.
    pub fn is_done(&self) -> bool {
        self.target.is_some() || self.generation >= self.generations
    }
}

impl Saves {
    /// All saved runs, the latest first, including those that can't be opened.
    pub fn list(&self) -> Vec<SavedRunEntry> {
        self.list_each(&mut |_, _, _| {})
    }

    /// The same; `each` is called with the name, the content and the summary of every run that can
    /// be opened.
    pub(super) fn list_each(
        &self,
        each: &mut dyn FnMut(&str, RunReading, &RunSummary),
    ) -> Vec<SavedRunEntry> {
        let Ok(entries) = fs::read_dir(self.root()) else {
            return Vec::new();
        };
        let folders = entries.flatten().filter(|entry| is_run(&entry.path()));
        let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let mut known = KnownDefinitions::default();
        let mut entry = |name: String| {
            let folder = self.root().join(&name);
            let summary = RunReading::of(&folder, &mut known).map(|reading| {
                let summary = reading.summary_in(&folder);
                each(&name, reading, &summary);
                summary
            });
            SavedRunEntry { name, summary }
        };
        let mut listed: Vec<SavedRunEntry> = names.map(&mut entry).collect();
        listed.sort_by(|a, b| {
            let newest_first = b.changed().cmp(&a.changed());
            newest_first.then_with(|| a.name.cmp(&b.name))
        });
        listed
    }
}

/// A run that the program ships, as a list of saved runs has it.
pub(super) fn shipped_entry(name: &str) -> SavedRunEntry {
    let reading = RunReading::of_shipped(name, &mut KnownDefinitions::default());
    SavedRunEntry {
        name: name.to_owned(),
        summary: reading.map(|reading| reading.summary()),
    }
}

/// What the list reads of a run.
pub(super) struct RunReading {
    pub(super) seed: u64,
    pub(super) run: Rc<SharedDefinition>,
    pub(super) columns: Arc<Columns>,
    /// The last rows.
    rows: Vec<Row>,
}

/// A definition that several runs have, but for their seeds.
pub(super) struct SharedDefinition {
    /// With the seed of the first of them.
    pub(super) file: RunFile,
    /// Its preset and its facts, once they are asked for.
    pub(super) shared: OnceCell<(Arc<Preset>, Arc<RunFacts>)>,
}

/// The definitions and columns read so far. Most runs of a folder differ from others in their seeds
/// alone, so that what they share is parsed and kept once.
#[derive(Default)]
struct KnownDefinitions {
    /// By their texts after the seeds.
    runs: BTreeMap<String, Rc<SharedDefinition>>,
    /// By their names.
    columns: BTreeMap<Vec<String>, Arc<Columns>>,
}

impl KnownDefinitions {
    /// The seed and the definition in the text of a file.
    fn run(
        &mut self,
        path: &Path,
        text: &str,
    ) -> Result<(u64, Rc<SharedDefinition>), StorageError> {
        let (seed, rest) = after_seed(text).map_or((None, text), |(seed, rest)| (Some(seed), rest));
        if let Some(seed) = seed
            && let Some(known) = self.runs.get(rest)
        {
            return Ok((seed, Rc::clone(known)));
        }
        let file: RunFile = parse_sealed(path, text)?;
        let seed = file.seed;
        let run = Rc::new(SharedDefinition {
            file,
            shared: OnceCell::new(),
        });
        self.runs.insert(rest.to_owned(), Rc::clone(&run));
        Ok((seed, run))
    }

    fn columns(&mut self, names: Vec<String>) -> Arc<Columns> {
        let known = self.columns.entry(names);
        let known = known.or_insert_with_key(|names| Arc::new(columns_named(names)));
        Arc::clone(known)
    }
}

/// The seed of a run, and the text of its definition after that, if the seed comes first.
fn after_seed(text: &str) -> Option<(u64, &str)> {
    let (_, text) = text.split_once('\n')?;
    let (seed, rest) = text.strip_prefix("(\n    seed: ")?.split_once(',')?;
    Some((seed.parse().ok()?, rest))
}

impl RunReading {
    /// Reads the run in a folder.
    fn of(folder: &Path, known: &mut KnownDefinitions) -> Result<Self, StorageError> {
        let path = folder.join("run.ron");
        let run = known.run(&path, &sealed_body(&path, "run")?)?;
        let table = metrics::read_end(&folder.join("metrics.csv"))?;
        Ok(Self::new(run, table, known))
    }

    /// Reads a run that the program ships.
    fn of_shipped(name: &str, known: &mut KnownDefinitions) -> Result<Self, StorageError> {
        let folder = format!("saves/{name}");
        let text = |file: &str| {
            let found = files_in(&folder).find(|(path, _)| *path == file);
            found.map_or("", |(_, text)| text)
        };
        // In messages only.
        let path = Path::new(&folder);
        let run = unseal(path, text("run.ron").into(), "run")?;
        let run = known.run(path, &run)?;
        let table = metrics::parse(path, text("metrics.csv"))?;
        Ok(Self::new(run, table, known))
    }

    fn new(
        (seed, run): (u64, Rc<SharedDefinition>),
        (columns, rows): MetricsTable,
        known: &mut KnownDefinitions,
    ) -> Self {
        Self {
            columns: known.columns(columns),
            seed,
            run,
            rows,
        }
    }

    /// The latest value of a column.
    pub(super) fn latest(&self, index: usize) -> Option<f64> {
        let mut rows = self.rows.iter().rev();
        rows.find_map(|row| row.values()[index])
    }

    /// What its files tell of a run, without what depends on its folder.
    fn summary(&self) -> RunSummary {
        let (run, columns, rows) = (&self.run.file, &self.columns, &self.rows);
        let until = run.preset.stop_condition();
        let is_met =
            |until: &StopCondition| rows.last().is_some_and(|row| until.is_met(columns, row));
        RunSummary {
            objective: columns.objective().and_then(|index| self.latest(index)),
            objective_label: columns
                .objective_column()
                .map_or_else(String::new, |column| column.label.clone()),
            target: until.filter(is_met).map(|until| until.to_string()),
            generation: rows.last().map_or(0, |row| row.generation() + 1),
            generations: run.preset.generations,
            game: run.preset.game.clone(),
            preset: run.preset.name.clone(),
            seed: self.seed,
            changed: None,
            tags: Vec::new(),
            is_open: false,
            can_resume: false,
        }
    }

    fn summary_in(&self, folder: &Path) -> RunSummary {
        let checkpoint = folder.join("checkpoint.ron");
        RunSummary {
            changed: fs::metadata(&checkpoint)
                .and_then(|meta| meta.modified())
                .ok(),
            tags: organize::tags(folder),
            is_open: Lock::is_taken(folder),
            can_resume: checkpoint.is_file(),
            ..self.summary()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_known_by_what_follows_its_seed() {
        let text = |seed: &str| format!("// finches run\n(\n    seed: {seed},\n    preset: ()\n)");
        let found = text("17");
        assert_eq!(
            after_seed(&found),
            Some((17, "\n    preset: ()\n)")),
            "its seed is left out"
        );
        assert_eq!(after_seed(&text("x")), None);
        assert_eq!(
            after_seed("// finches run\n(\n    preset: (seed: 1),\n)"),
            None
        );
    }
}
