//! Saved runs, one folder each: `run.ron` (preset, seed and parameter changes), `checkpoint.ron`
//! (the current state), `members.ron` (the members of the last generation played), `metrics.csv` (a
//! row per generation, truncated to the checkpoint on resume), `champions/`, `games/`, `states/` at
//! the changes of parameters, and `populations/` if whole populations are saved. While several
//! processes evolve it, `processes.ron` tells how they work. A run without a checkpoint can't be
//! resumed, but it is listed and its champions can be played.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::AnyGenome;
use finches_engine::metrics::Row;
use finches_engine::params::suggest;
use finches_engine::play;
use finches_engine::play::pool::Pool;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::{Session, SessionState};
use finches_engine::text::shell_word;

use super::follow::MetricsFollower;
use super::meaning::meaning;
use super::run_facts::changed_preset;
use super::{StorageError, bundled_champions, metrics, paths, read_sealed, shipped};

pub use super::run_list::{RunSummary, SavedRunEntry};

/// The folder of saved runs.
#[derive(Clone, Debug)]
pub struct Saves {
    root: PathBuf,
    /// Whether a champion that ships is added once it is asked for.
    adds_shipped: bool,
}

/// The definition of a run: the content of `run.ron`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// The seed that, with the preset, determines the run.
    pub seed: u64,
    /// The preset as it was when the run started.
    pub preset: Preset,
    /// The parameters changed while it ran, oldest first.
    pub interventions: Vec<Intervention>,
    /// What makes the run pause, in the form in which it is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breakpoints: Vec<String>,
    /// A row is kept of every so many generations, at least 1, and of others that [say
    /// more](crate::run::is_kept).
    #[serde(
        default = "metrics::every_row",
        skip_serializing_if = "metrics::is_every_row"
    )]
    pub rows_every: u64,
}

impl RunFile {
    /// A run without changes of parameters.
    pub fn new(preset: Preset, seed: u64) -> Self {
        Self {
            seed,
            preset,
            interventions: Vec::new(),
            breakpoints: Vec::new(),
            rows_every: metrics::every_row(),
        }
    }

    /// The preset as it was in a generation.
    pub fn preset_in(&self, generation: u64) -> Preset {
        let changes = self.interventions.iter();
        changed_preset(
            &self.preset,
            changes.filter(|change| change.generation <= generation),
        )
    }

    /// Checks that genomes of the file at `path` can play this run's game.
    pub(super) fn check_genomes<'a>(
        &self,
        path: &Path,
        genomes: impl IntoIterator<Item = &'a AnyGenome>,
    ) -> Result<(), StorageError> {
        let refuse = |what: String| {
            StorageError::unusable(
                path,
                format!("does not fit its run: {what}"),
                "restore it from a copy; the file was not changed",
            )
        };
        let preset = &self.preset;
        let spec = play::io_spec(&preset.game, &preset.agent);
        let spec = spec.map_err(|error| refuse(error.to_string()))?;
        let mut genomes = genomes.into_iter();
        let checked = genomes.try_for_each(|genome| preset.genome.validate(genome, &spec));
        checked.map_err(|error| refuse(error.to_string()))
    }
}

/// The state of a run: the content of `checkpoint.ron`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Checkpoint {
    /// Working time so far, in seconds.
    pub(super) seconds: f64,
    /// Size of `metrics.csv` at the checkpoint, in bytes.
    pub(super) metrics_bytes: u64,
    /// The checksums of its blocks.
    #[serde(default)]
    pub(super) metrics_sums: Vec<u32>,
    pub(super) state: SessionState,
}

/// A run read from its folder.
#[derive(Clone, Debug)]
pub struct LoadedRun {
    /// The name of its folder.
    pub name: String,
    /// Its definition.
    pub run: RunFile,
    /// Working time so far, in seconds.
    pub seconds: f64,
    /// Where it continues.
    pub state: SessionState,
    pub(super) metrics_bytes: u64,
    pub(super) metrics_sums: Vec<u32>,
}

impl LoadedRun {
    /// The resumed session. `generations`, if given, changes the generation at which it stops.
    pub fn session(&self, pool: Pool, generations: Option<u64>) -> Result<Session, StorageError> {
        let RunFile {
            seed,
            preset,
            interventions,
            ..
        } = self.run.clone();
        let resumed = Session::resume(preset, seed, interventions, self.state.clone(), pool);
        let mut session = resumed.map_err(|error| {
            let path = Path::new(&self.name).join("checkpoint.ron");
            StorageError::unusable(&path, error.to_string(), "the file was not changed")
        })?;
        if let Some(generations) = generations {
            let changed = session.stop_at(generations);
            changed.map_err(|error| StorageError::Unknown(format!("{}: {error}", self.name)))?;
        }
        Ok(session)
    }
}

impl Saves {
    /// The saved runs in a folder, which need not exist yet.
    pub fn at(root: PathBuf) -> Self {
        Self {
            root,
            adds_shipped: false,
        }
    }

    /// The same folder, to which a champion that ships with the program is added once it is asked
    /// for by its name, for commands that the user types.
    #[must_use]
    pub fn adding_shipped(self) -> Self {
        Self {
            adds_shipped: true,
            ..self
        }
    }

    /// The same folder, to which nothing is added.
    #[must_use]
    pub fn as_it_is(self) -> Self {
        Self::at(self.root)
    }

    /// The folder that contains the runs.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The names of all saved runs, in ascending order. Their files are not read.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        let folders = entries.flatten().filter(|entry| is_run(&entry.path()));
        let names = folders.map(|entry| entry.file_name());
        let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    /// The folder of a run, by its name or path, if it exists.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let candidates = [self.root.join(name), PathBuf::from(name)];
        let found = candidates.into_iter().find(|folder| is_run(folder));
        found.or_else(|| self.shipped(name))
    }

    /// The folder of a champion that ships, which is added now.
    fn shipped(&self, name: &str) -> Option<PathBuf> {
        if !self.adds_shipped || !bundled_champions::ships(name) {
            return None;
        }
        let added = bundled_champions::copy(name, &self.root);
        let told = added.inspect_err(|error| {
            tracing::warn!(target: "finches::storage", name, %error, "can't add the champion");
        });
        told.ok()
    }

    /// The option that names this folder to a command, after a space; empty if commands look there
    /// without one.
    pub fn option(&self) -> String {
        if paths::usual_folder() == self.root {
            return String::new();
        }
        format!(" --saves {}", shell_word(&self.root.to_string_lossy()))
    }

    /// Whether a run has a checkpoint, and not only champions.
    pub fn can_resume(&self, name: &str) -> Result<bool, StorageError> {
        Ok(self.folder(name)?.join("checkpoint.ron").is_file())
    }

    /// The folder of a run, by its name or path. The error suggests similar names.
    pub fn folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        self.find(name).ok_or_else(|| {
            let (root, hint) = (self.root.display(), self.suggest(name));
            let unknown =
                || format!("there is no such run in {root}; {hint} (--saves names another folder)");
            // A champion that ships would be here if it could be added.
            let what = meaning(name, self).filter(|_| !bundled_champions::ships(name));
            let problem = what.unwrap_or_else(unknown);
            StorageError::Unknown(format!("{name}: {problem}"))
        })
    }

    /// Suggests a run of a similar name, or a champion that ships where these are added.
    pub(super) fn suggest(&self, name: &str) -> String {
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shipped = self.adds_shipped.then(shipped::runs).unwrap_or_default();
        let near = suggest(name, &[&names[..], &shipped].concat());
        if near.starts_with("did you mean") {
            near
        } else {
            suggest(name, &names)
        }
    }

    /// Loads a run to be resumed.
    pub fn load(&self, name: &str) -> Result<LoadedRun, StorageError> {
        let folder = self.folder(name)?;
        let run = read_sealed(&folder.join("run.ron"), "run")?;
        let path = folder.join("checkpoint.ron");
        if !path.exists() {
            let rest = if self.champions(name)?.is_empty() {
                "it ended before its first checkpoint; start it again, and delete its folder"
            } else {
                "its champions can be played"
            };
            let what = format!(
                "{name}: has no checkpoint, so it can't be resumed or forked, and has no \
                population; {rest}"
            );
            return Err(StorageError::Unknown(what));
        }
        let checkpoint: Checkpoint = read_sealed(&path, "checkpoint")?;
        Ok(LoadedRun {
            name: name_of(&folder),
            run,
            seconds: checkpoint.seconds,
            state: checkpoint.state,
            metrics_bytes: checkpoint.metrics_bytes,
            metrics_sums: checkpoint.metrics_sums,
        })
    }

    /// The definition of a run, without its population.
    pub fn run_file(&self, name: &str) -> Result<RunFile, StorageError> {
        read_sealed(&self.folder(name)?.join("run.ron"), "run")
    }

    /// The generations with saved champions, in ascending order.
    pub fn champions(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        Ok(numbered_generations(&self.folder(name)?.join("champions")))
    }

    /// The champion of one generation.
    pub fn champion(&self, name: &str, generation: u64) -> Result<Champion, StorageError> {
        let path = self.generation_file(name, ("champions", "champion"), generation)?;
        let champion: Champion = read_sealed(&path, "champion")?;
        if champion.generation != generation {
            return Err(StorageError::unusable(
                &path,
                format!("holds the champion of generation {}", champion.generation),
                "restore it from a copy; the file was not changed",
            ));
        }
        self.run_file(name)?
            .check_genomes(&path, [&champion.genome])?;
        Ok(champion)
    }

    /// The file of a generation in a part of the folder of a run, with the word for what it holds.
    fn generation_file(
        &self,
        name: &str,
        (part, word): (&str, &str),
        generation: u64,
    ) -> Result<PathBuf, StorageError> {
        let folder = self.folder(name)?.join(part);
        let path = numbered_path(&folder, generation);
        if path.is_file() {
            return Ok(path);
        }
        let saved = numbered_generations(&folder).into_iter();
        let nearest = saved.min_by_key(|saved| saved.abs_diff(generation));
        let nearest = nearest.map_or_else(
            || "none is".to_owned(),
            |nearest| format!("the nearest saved one is {nearest}"),
        );
        Err(StorageError::Unknown(format!(
            "{name}: the {word} of generation {generation} is not saved; {nearest}"
        )))
    }

    /// The generations with saved populations, in ascending order.
    pub fn populations(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        let folder = self.folder(name)?.join("populations");
        Ok(numbered_generations(&folder))
    }

    /// The members of a generation with a saved population.
    pub fn population(&self, name: &str, generation: u64) -> Result<Vec<AnyGenome>, StorageError> {
        let path = self.generation_file(name, ("populations", "population"), generation)?;
        let members: Vec<AnyGenome> = read_sealed(&path, "population")?;
        self.run_file(name)?.check_genomes(&path, &members)?;
        Ok(members)
    }

    /// The column names and rows of a run, up to where its file is damaged, which the log says.
    pub fn metrics(&self, name: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read_intact(&self.folder(name)?.join("metrics.csv"))
    }

    /// The column names and the last rows of a run, at least one if there is any.
    pub fn latest_metrics(&self, name: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read_end(&self.folder(name)?.join("metrics.csv"))
    }

    /// The column names and about `count` rows of a run at equal distances, the last one among
    /// them.
    pub fn sampled_metrics(
        &self,
        name: &str,
        count: u64,
    ) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::sample(&self.folder(name)?.join("metrics.csv"), count)
    }

    /// Follows the metrics of a run as another process writes them.
    pub fn follow_metrics(&self, name: &str) -> Result<MetricsFollower, StorageError> {
        Ok(MetricsFollower::new(self.folder(name)?.join("metrics.csv")))
    }

    /// Calls `each` with the column names and each row of a run, and returns the column names.
    pub fn for_each_row(
        &self,
        name: &str,
        each: impl FnMut(&[String], &Row),
    ) -> Result<Vec<String>, StorageError> {
        metrics::for_each_row(&self.folder(name)?.join("metrics.csv"), each)
    }

    /// The text of `metrics.csv`, up to where it is damaged, which the log says.
    pub fn metrics_text(&self, name: &str) -> Result<String, StorageError> {
        metrics::intact_text(&self.folder(name)?.join("metrics.csv"))
    }
}

/// Whether a folder is that of a run. One that was left before its definition was written is not.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join("run.ron").is_file()
}

/// The generations in the file names of a folder, in ascending order.
pub(super) fn numbered_generations(folder: &Path) -> Vec<u64> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let number = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
    let entries = entries.flatten();
    let mut generations: Vec<u64> = entries.filter_map(|entry| number(entry.path())).collect();
    generations.sort_unstable();
    generations
}

/// The file of a generation in a folder of such files.
pub(super) fn numbered_path(folder: &Path, generation: u64) -> PathBuf {
    folder.join(format!("{generation}.ron"))
}

pub(super) fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(
        || "run".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
