//! The list of saved runs with the main facts of each. It is read anew each time, from the
//! definition of a run and its last rows.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use finches_engine::games::GameConfig;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::metrics::{Columns, Row};
use finches_engine::session::measures::columns_named;

use super::run_writer::Lock;
use super::saves::{RunFile, Saves, is_run};
use super::{StorageError, metrics, organize, read_sealed};

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
        each: &mut dyn FnMut(&str, &RunReading, &RunSummary),
    ) -> Vec<SavedRunEntry> {
        let Ok(entries) = fs::read_dir(self.root()) else {
            return Vec::new();
        };
        let folders = entries.flatten().filter(|entry| is_run(&entry.path()));
        let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let mut entry = |name: String| {
            let summary = RunReading::of(&self.root().join(&name)).map(|(reading, summary)| {
                each(&name, &reading, &summary);
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

/// What the list reads of a run.
pub(super) struct RunReading {
    pub(super) run: RunFile,
    pub(super) columns: Columns,
    /// The last rows.
    rows: Vec<Row>,
}

impl RunReading {
    /// Reads the run in a folder, and summarizes it.
    fn of(folder: &Path) -> Result<(Self, RunSummary), StorageError> {
        let run: RunFile = read_sealed(&folder.join("run.ron"), "run")?;
        let (columns, rows) = metrics::read_end(&folder.join("metrics.csv"))?;
        let columns = columns_named(&columns);
        let reading = Self { run, columns, rows };
        let summary = reading.summary(folder);
        Ok((reading, summary))
    }

    /// The latest value of a column.
    pub(super) fn latest(&self, index: usize) -> Option<f64> {
        let mut rows = self.rows.iter().rev();
        rows.find_map(|row| row.values()[index])
    }

    fn summary(&self, folder: &Path) -> RunSummary {
        let Self { run, columns, rows } = self;
        let checkpoint = folder.join("checkpoint.ron");
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
            changed: fs::metadata(&checkpoint)
                .and_then(|meta| meta.modified())
                .ok(),
            tags: organize::tags(folder),
            is_open: Lock::is_taken(folder),
            can_resume: checkpoint.is_file(),
            game: run.preset.game.clone(),
            preset: run.preset.name.clone(),
            seed: run.seed,
        }
    }
}
