//! Experiments, one folder each: `experiment.ron` (the definition), and in `runs/` two files per
//! run, `PRESET-SEED.csv` (a row per generation, or for every so many) and `PRESET-SEED.json` (the
//! outcome, with a checksum), and `PRESET-SEED.ron` (players of the run) if players are kept; a run
//! whose players were deleted since is still finished. `contests.ron` has the results of games
//! between them. None of them contains times, so a run gives the same bytes on every machine; how
//! long it took is in `times/`. A part of a run, done in a round of successive halving by
//! generations, has files such as `PRESET-SEED.1-of-9.csv`, and until the next round its state. A
//! run in progress has a checkpoint, from which it continues if the program was stopped. The
//! branches of a fork begin in the state of `state.ron`; members that islands exchange are in
//! `migrants/`.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use finches_engine::metrics::Row;
use finches_engine::preset::Preset;

use super::files::{self, Durability};
use super::run_writer::Lock;
use super::saves::RunFile;
use super::{StorageError, metrics, read_sealed, write_sealed};

use self::islands::MIGRANTS;
use self::manifest::{Manifest, RunId};
use self::outcome::{LARGEST_VALUE, RunOutcome};
use self::part::RunPart;
use self::players::KeptPlayers;

pub mod checkpoint;
pub mod contests;
pub mod fork;
pub mod islands;
pub mod manifest;
pub mod matrix;
pub mod outcome;
pub mod outcome_writer;
pub mod part;
pub mod players;
pub mod progress;
pub mod sweep;
pub mod table;
pub mod times;

/// The largest outcome of a run, in bytes.
const MAX_OUTCOME_BYTES: u64 = 1 << 20;

/// An experiment's folder.
#[derive(Debug)]
pub struct ExperimentFolder {
    root: PathBuf,
    manifest: Manifest,
    _lock: Option<Lock>,
}

/// The state of a run on disk.
#[derive(Debug)]
pub enum RunStatus {
    /// It is finished, with this outcome.
    Finished(RunOutcome),
    /// It is not finished.
    Missing,
    /// Its files are unusable, for this reason.
    Damaged(StorageError),
}

/// The column names and rows of a run.
type RowsResult = Result<(Vec<String>, Vec<Row>), StorageError>;

impl ExperimentFolder {
    /// Starts an experiment, or continues it if the folder already contains it. `part` names the
    /// part that this process runs; several processes can run different parts in one folder.
    pub fn begin(root: PathBuf, manifest: Manifest, part: &str) -> Result<Self, StorageError> {
        files::create_own_folder(&root.join("runs"))?;
        let lock = Lock::take_named(&root, &format!("lock{part}"))?;
        let path = root.join("experiment.ron");
        let manifest = if path.exists() {
            let known = read_manifest(&path)?;
            check_same_experiment(&path, &known, &manifest)?;
            manifest.with_recipes_of(known)
        } else {
            write_sealed(&path, "experiment", &manifest, Durability::Synced)?;
            manifest
        };
        Ok(Self {
            root,
            manifest,
            _lock: Some(lock),
        })
    }

    /// Opens the folders of one experiment for reading. A given folder that is not an experiment's
    /// stands for those in it.
    pub fn open(roots: &[PathBuf]) -> Result<Vec<Self>, StorageError> {
        let mut folders: Vec<Self> = Vec::new();
        for root in roots {
            for root in experiments_in(root)? {
                let path = root.join("experiment.ron");
                let manifest = read_manifest(&path)?;
                if let Some(first) = folders.first() {
                    let known = first.root.join("experiment.ron");
                    check_same_experiment(&known, &first.manifest, &manifest)?;
                }
                folders.push(Self {
                    root,
                    manifest,
                    _lock: None,
                });
            }
        }
        Ok(folders)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The presets and seeds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn file(&self, id: RunId, part: RunPart, ending: &str) -> PathBuf {
        let name = format!("{}{}.{ending}", self.manifest.run_name(id), part.suffix());
        self.root.join("runs").join(name)
    }

    /// Whether a part of a run is finished, missing or damaged. Finished means that its files match
    /// their checksums.
    pub fn status(&self, id: RunId, part: RunPart) -> RunStatus {
        if !self.file(id, part, "json").exists() {
            return RunStatus::Missing;
        }
        self.read(id, part)
            .map_or_else(RunStatus::Damaged, RunStatus::Finished)
    }

    fn read(&self, id: RunId, part: RunPart) -> Result<RunOutcome, StorageError> {
        const ADVICE: &str = "the run is not counted";
        let refuse = |path: &Path, what: &str| StorageError::unusable(path, what, ADVICE);
        let path = &self.file(id, part, "json");
        let text = files::read(path, MAX_OUTCOME_BYTES)?;
        let outcome = RunOutcome::unseal(&text).map_err(|error| refuse(path, error))?;
        let most = part.generations(self.manifest.presets[id.preset].generations);
        if let Some(problem) = outcome.problem(most) {
            return Err(refuse(path, &problem));
        }
        let preset = &self.manifest.presets[id.preset].name;
        if (&outcome.preset, outcome.seed) != (preset, id.seed) {
            return Err(refuse(path, "belongs to another run"));
        }
        if outcome.recipe != self.manifest.recipe(id) {
            return Err(refuse(
                path,
                "belongs to a run with other parameters or of another version of finches",
            ));
        }
        let rows = self.file(id, part, "csv");
        let players = self.file(id, part, "ron");
        let files = iter::once((rows, &outcome.rows_checksum));
        let players_sum = outcome.players_checksum.as_ref();
        let players_sum = players_sum.filter(|_| players.exists());
        let files = files.chain(players_sum.map(|sum| (players, sum)));
        for (path, sum) in files {
            if checksum_of(&path)? != *sum {
                return Err(refuse(&path, "is damaged: its checksum does not match"));
            }
        }
        Ok(outcome)
    }

    /// Renames the files of a part of a run to `*.damaged`, and returns the new paths.
    pub fn move_damaged_files(
        &self,
        id: RunId,
        part: RunPart,
    ) -> Result<Vec<PathBuf>, StorageError> {
        let endings = ["json", "csv", "ron"].into_iter();
        let moved = endings.map(|ending| self.move_damaged_file(id, part, ending));
        moved.filter_map(Result::transpose).collect()
    }

    /// Renames a file of a part of a run to `*.damaged`, and returns the new path; `None` if there
    /// is no such file.
    fn move_damaged_file(
        &self,
        id: RunId,
        part: RunPart,
        ending: &str,
    ) -> Result<Option<PathBuf>, StorageError> {
        let path = self.file(id, part, ending);
        if !path.exists() {
            return Ok(None);
        }
        let to = self.file(id, part, &format!("{ending}.damaged"));
        fs::rename(&path, &to).map_err(StorageError::io(&path))?;
        Ok(Some(to))
    }

    /// Removes unfinished files of these runs, left by killed processes.
    pub fn remove_unfinished(&self, run_ids: &[RunId]) {
        let prefixes: Vec<String> = run_ids
            .iter()
            .map(|&id| format!("{}.", self.manifest.run_name(id)))
            .collect();
        let exchanged = self.manifest.islands.as_ref().map(|_| MIGRANTS);
        for folder in iter::once("runs").chain(exchanged) {
            files::remove_unfinished(&self.root.join(folder), |name| {
                prefixes.iter().any(|prefix| name.starts_with(prefix))
            });
        }
    }

    /// The players of a finished run; `None` if none are kept, or they were deleted. They can play
    /// the preset's game.
    pub fn players(&self, id: RunId) -> Result<Option<KeptPlayers>, StorageError> {
        let path = self.file(id, RunPart::WHOLE, "ron");
        if !self.manifest.keeps_players || !path.exists() {
            return Ok(None);
        }
        let players: KeptPlayers = read_sealed(&path, "players")?;
        let run = RunFile::new(self.manifest.preset_of(id), id.seed);
        run.check_genomes(&path, players.genomes())?;
        Ok(Some(players))
    }

    /// The column names and rows of a finished part of a run.
    pub fn rows(&self, id: RunId, part: RunPart) -> RowsResult {
        let path = self.file(id, part, "csv");
        let (names, rows) = metrics::read(&path)?;
        match absurd_value(&names, &rows) {
            Some(what) => Err(StorageError::unusable(&path, what, "the run is not drawn")),
            None => Ok((names, rows)),
        }
    }
}

/// What decides the runs of a preset, by key: its parts and its parameters.
fn settings(preset: &Preset) -> impl Iterator<Item = (String, String)> {
    let parts = [
        ("game", preset.game.name()),
        ("genome", preset.genome.name()),
        ("agent", preset.agent.name()),
    ];
    let parts = parts.map(|(key, name)| (key.to_owned(), name.to_owned()));
    let parameters = preset.without_descriptions().params().into_iter();
    let parameters = parameters.map(|parameter| (parameter.key, parameter.value));
    parts.into_iter().chain(parameters)
}

/// What is wrong with the first row that has a value too large for a figure; `None` if there is
/// none.
fn absurd_value(names: &[String], rows: &[Row]) -> Option<String> {
    let is_absurd = |value: &f64| value.is_finite() && value.abs() > LARGEST_VALUE;
    (2..).zip(rows).find_map(|(line, row)| {
        let values = names.iter().zip(row.values());
        let mut values = values.filter_map(|(name, value)| Some((name, (*value)?)));
        let (name, value) = values.find(|(_, value)| is_absurd(value))?;
        Some(format!(
            "line {line}: {name} is {value}, but values are at most {LARGEST_VALUE}"
        ))
    })
}

/// The text of a file that may not be there yet; then it is empty.
pub fn known_text(path: &Path) -> Result<String, StorageError> {
    if path.exists() {
        files::read_text(path)
    } else {
        Ok(String::new())
    }
}

/// Writes a text file with a name that the program has chosen, such as the summary of an
/// experiment, and creates its folder. No link is followed.
pub fn write_text(path: &Path, text: &str) -> Result<(), StorageError> {
    files::ensure_folder(files::folder_of(path))?;
    files::replace(path, text.as_bytes(), Durability::Lazy)
}

/// Writes a text file that the user has named, and creates its folder.
pub fn write_named_text(path: &Path, text: &str) -> Result<(), StorageError> {
    files::ensure_folder(files::folder_of(path))?;
    files::write_named(path, text.as_bytes())
}

/// Whether a folder is that of an experiment, or contains some.
pub fn is_experiment(root: &Path) -> bool {
    experiments_in(root).is_ok()
}

/// The folder itself if it is an experiment's, otherwise the experiment folders in it.
fn experiments_in(root: &Path) -> Result<Vec<PathBuf>, StorageError> {
    let is_one = |folder: &Path| folder.join("experiment.ron").is_file();
    if is_one(root) {
        return Ok(vec![root.to_owned()]);
    }
    let entries = fs::read_dir(root).map_err(StorageError::io(root))?;
    let inside = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = inside.filter(|folder| is_one(folder)).collect();
    found.sort();
    if found.is_empty() {
        return Err(StorageError::Unknown(format!(
            "{}: contains no experiment.ron; name the folder that `finches experiment` wrote (its \
                --out), or copy experiment.ron beside runs/",
            root.display()
        )));
    }
    Ok(found)
}

/// Reads the definition of an experiment.
fn read_manifest(path: &Path) -> Result<Manifest, StorageError> {
    let manifest: Manifest = read_sealed(path, "experiment")?;
    let checked = manifest.check().map_err(|error| error.to_string());
    checked.map_err(|what| StorageError::unusable(path, what, "choose another folder"))?;
    Ok(manifest)
}

/// Fails if the experiment is not the one in the folder.
fn check_same_experiment(
    path: &Path,
    known: &Manifest,
    wanted: &Manifest,
) -> Result<(), StorageError> {
    const MOST: usize = 8;
    if known.makes_the_runs_of(wanted) {
        return Ok(());
    }
    let mut differences = known.differences(wanted);
    let more = differences.len().saturating_sub(MOST);
    differences.truncate(MOST);
    if more > 0 {
        differences.push(format!("and {more} more"));
    }
    let what = format!("is a different experiment: {}", differences.join("; "));
    Err(StorageError::unusable(
        path,
        what,
        "use the same options, or choose another folder with --out",
    ))
}

fn checksum_of(path: &Path) -> Result<String, StorageError> {
    let bytes = files::read(path, files::MAX_BYTES)?;
    Ok(format!("{:08x}", crc32fast::hash(&bytes)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::storage::presets;
    use finches_engine::play::pool::Pool;
    use finches_engine::session::Session;

    #[test]
    fn runs_are_known_while_their_preset_makes_the_same_ones_whatever_its_words() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let begin = |preset| {
            let manifest = Manifest::new(vec![preset], 1, 1).expect("one preset, one run");
            ExperimentFolder::begin(root.path().to_owned(), manifest, "")
        };
        let mut preset = presets::load("nim-2x2").expect("it is built in");
        preset.generations = 1;
        let id = RunId { preset: 0, seed: 1 };
        {
            let folder = begin(preset.clone()).expect("the folder is new");
            let pool = Pool::new(1).expect("one thread");
            let mut session = Session::new(preset.clone(), 1, Vec::new(), pool).expect("it runs");
            let writer = folder.writer(id, RunPart::WHOLE, (session.columns(), 0));
            let mut writer = writer.expect("writable");
            let row = session.advance(&AtomicBool::new(false)).expect("a row");
            writer.write_row(&row).expect("writable");
            writer.finish(None, None).expect("writable");
        }
        preset.about = "Two heaps, in other words".to_owned();
        preset.settled.clear();
        let folder = begin(preset.clone()).expect("it makes the same runs");
        assert!(matches!(
            folder.status(id, RunPart::WHOLE),
            RunStatus::Finished(_)
        ));
        drop(folder);
        preset.generations = 2;
        let refused = begin(preset).expect_err("it makes other runs").to_string();
        assert!(refused.contains("generations is 1 in the folder, but 2 here"));
    }
}
