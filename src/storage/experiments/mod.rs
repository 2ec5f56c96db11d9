//! Experiments, a folder each: `experiment.ron` (what is run), and below `runs/` two files a run, `PRESET-SEED.csv` (a row per
//! generation) and `PRESET-SEED.json` (what came of it, sealed). No file knows the time, so that a run gives the same bytes
//! wherever it is run.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::metrics::{Columns, Row};

use super::keeper::Lock;
use super::{Durability, StorageError, metrics, read_sealed, write_sealed, write_whole};

use self::manifest::{Cell, Manifest};
use self::outcome::Outcome;

pub mod manifest;
pub mod outcome;

/// The column that is left out of the files of experiments: it would differ from machine to machine.
const CLOCK: &str = "seconds";

/// An experiment's folder.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    manifest: Manifest,
    _lock: Option<Lock>,
}

/// What is known of a run.
#[derive(Debug)]
pub enum Found {
    Finished(Outcome),
    /// It has not been finished.
    Nothing,
    /// Its files can't be trusted, for this reason.
    Damaged(StorageError),
}

impl Folder {
    /// Begins an experiment, or goes on with it where the folder has it already. `part` names what of it this process runs: two
    /// processes can work in one folder on different parts.
    pub fn begin(root: PathBuf, manifest: Manifest, part: &str) -> Result<Self, StorageError> {
        let runs = root.join("runs");
        fs::create_dir_all(&runs).map_err(StorageError::io(&runs))?;
        let lock = Lock::take_named(&root, &format!("lock{part}"))?;
        let path = root.join("experiment.ron");
        if path.exists() {
            let known: Manifest = read_sealed(&path, "experiment")?;
            agree(&path, &known, &manifest)?;
        } else {
            write_sealed(&path, "experiment", &manifest, Durability::Synced)?;
        }
        Ok(Self {
            root,
            manifest,
            _lock: Some(lock),
        })
    }

    /// Opens folders of one experiment to be read, each given folder or, where it is none, the folders in it.
    pub fn open(roots: &[PathBuf]) -> Result<Vec<Self>, StorageError> {
        let mut folders: Vec<Self> = Vec::new();
        for root in roots {
            for root in experiments_in(root)? {
                let path = root.join("experiment.ron");
                let manifest: Manifest = read_sealed(&path, "experiment")?;
                if let Some(first) = folders.first() {
                    agree(
                        &first.root.join("experiment.ron"),
                        &first.manifest,
                        &manifest,
                    )?;
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

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn file(&self, cell: Cell, ending: &str) -> PathBuf {
        let name = format!("{}.{ending}", self.manifest.stem(cell));
        self.root.join("runs").join(name)
    }

    /// What came of a run, once it is finished and both its files are as they were written.
    pub fn find(&self, cell: Cell) -> Found {
        let path = self.file(cell, "json");
        if !path.exists() {
            return Found::Nothing;
        }
        self.read(cell, &path)
            .map_or_else(Found::Damaged, Found::Finished)
    }

    fn read(&self, cell: Cell, path: &Path) -> Result<Outcome, StorageError> {
        const ADVICE: &str = "it is not counted";
        let refuse = |path: &Path, what: &str| StorageError::unusable(path, what, ADVICE);
        let text = fs::read(path).map_err(StorageError::io(path))?;
        let outcome = Outcome::unseal(&text).map_err(|fault| refuse(path, fault))?;
        let preset = &self.manifest.presets[cell.preset].name;
        if (&outcome.preset, outcome.seed) != (preset, cell.seed) {
            return Err(refuse(path, "is of another run"));
        }
        if outcome.recipe != self.manifest.recipe(cell) {
            return Err(refuse(
                path,
                "is of a run with other settings or of another finches",
            ));
        }
        let rows = self.file(cell, "csv");
        let sum = checksum_of(&rows).map_err(StorageError::io(&rows))?;
        if sum != outcome.rows_checksum {
            return Err(refuse(&rows, "is damaged: its checksum does not fit"));
        }
        Ok(outcome)
    }

    /// Moves the files of a run out of the way; the new names.
    pub fn set_aside(&self, cell: Cell) -> Result<Vec<PathBuf>, StorageError> {
        let mut aside = Vec::new();
        for ending in ["json", "csv"] {
            let path = self.file(cell, ending);
            if path.exists() {
                let to = self.file(cell, &format!("{ending}.damaged"));
                fs::rename(&path, &to).map_err(StorageError::io(&path))?;
                aside.push(to);
            }
        }
        Ok(aside)
    }

    /// Removes what killed processes have left of runs.
    pub fn sweep(&self, cells: &[Cell]) {
        let runs = self.root.join("runs");
        let Ok(entries) = fs::read_dir(&runs) else {
            return;
        };
        let unfinished: Vec<String> = cells.iter().map(|&cell| self.unfinished(cell)).collect();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if unfinished.iter().any(|prefix| name.starts_with(prefix)) {
                // What can't be removed does no harm but take up room.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// What the name of a run's unfinished file begins with.
    fn unfinished(&self, cell: Cell) -> String {
        format!(".{}.unfinished-", self.manifest.stem(cell))
    }

    /// Begins to write down a run.
    pub fn writer(&self, cell: Cell, columns: &Columns) -> Result<RunWriter<'_>, StorageError> {
        let runs = self.root.join("runs");
        let prefix = self.unfinished(cell);
        let file = tempfile::Builder::new().prefix(&prefix).tempfile_in(&runs);
        let names = columns.names().map(ToOwned::to_owned).collect();
        let mut writer = RunWriter {
            folder: self,
            cell,
            clock: columns.place(CLOCK),
            latest: vec![None; columns.all().len()],
            names,
            file: BufWriter::new(file.map_err(StorageError::io(&runs))?),
            hash: crc32fast::Hasher::new(),
            generations: 0,
        };
        let names = columns.names().filter(|name| *name != CLOCK);
        let header = names.collect::<Vec<_>>().join(",") + "\n";
        writer.write(&header)?;
        Ok(writer)
    }

    /// The column names and rows of a finished run.
    pub fn rows(&self, cell: Cell) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read(&self.file(cell, "csv"))
    }
}

/// Writes down a run as it goes on; nothing is seen of it before it is finished.
#[derive(Debug)]
pub struct RunWriter<'a> {
    folder: &'a Folder,
    cell: Cell,
    clock: Option<usize>,
    names: Vec<String>,
    /// The latest figure of each column.
    latest: Vec<Option<f64>>,
    file: BufWriter<NamedTempFile>,
    hash: crc32fast::Hasher,
    generations: u64,
}

impl RunWriter<'_> {
    /// Takes down a row.
    pub fn row(&mut self, row: &Row) -> Result<(), StorageError> {
        for (latest, value) in self.latest.iter_mut().zip(row.values()) {
            *latest = value.or(*latest);
        }
        self.generations += 1;
        let mut values = row.values().to_vec();
        if let Some(clock) = self.clock {
            values.remove(clock);
        }
        self.write(&metrics::line(&values))
    }

    fn write(&mut self, text: &str) -> Result<(), StorageError> {
        self.hash.update(text.as_bytes());
        let written = self.file.write_all(text.as_bytes());
        written.map_err(StorageError::io(&self.folder.file(self.cell, "csv")))
    }

    /// Brings the finished run to disk and tells what came of it; `reached` is the generation in which it met its target.
    pub fn finish(self, reached: Option<u64>) -> Result<Outcome, StorageError> {
        let (folder, cell) = (self.folder, self.cell);
        let path = folder.file(cell, "csv");
        let persist = || {
            let file = self
                .file
                .into_inner()
                .map_err(std::io::IntoInnerError::into_error)?;
            file.persist(&path).map_err(|error| error.error)
        };
        persist().map_err(StorageError::io(&path))?;
        let figures = self.names.into_iter().zip(self.latest);
        let outcome = Outcome {
            preset: folder.manifest.presets[cell.preset].name.clone(),
            seed: cell.seed,
            recipe: folder.manifest.recipe(cell),
            generations: self.generations,
            reached,
            latest: figures
                .filter_map(|(name, value)| Some((name, value.filter(|v| v.is_finite())?)))
                .collect(),
            rows_checksum: format!("{:08x}", self.hash.finalize()),
        };
        let path = folder.file(cell, "json");
        write_whole(&path, outcome.seal().as_bytes(), Durability::Synced)?;
        Ok(outcome)
    }
}

/// Writes a file beside the runs, such as the summary of an experiment.
pub fn write_text(path: &Path, text: &str) -> Result<(), StorageError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder).map_err(StorageError::io(folder))?;
    }
    write_whole(path, text.as_bytes(), Durability::Lazy)
}

/// The folder itself where it is an experiment's, else those in it that are.
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
            "{}: has no experiment.ron; name the folder that `finches experiment` wrote (its --out), or copy experiment.ron beside runs/",
            root.display()
        )));
    }
    Ok(found)
}

/// Refuses an experiment that is not the one a folder has.
fn agree(path: &Path, known: &Manifest, wanted: &Manifest) -> Result<(), StorageError> {
    const MOST: usize = 8;
    if known == wanted {
        return Ok(());
    }
    let mut differences = known.differences(wanted);
    let more = differences.len().saturating_sub(MOST);
    differences.truncate(MOST);
    if more > 0 {
        differences.push(format!("and {more} more"));
    }
    let what = format!("is another experiment: {}", differences.join("; "));
    Err(StorageError::unusable(
        path,
        what,
        "ask for the same, or choose another folder with --out",
    ))
}

fn checksum_of(path: &Path) -> std::io::Result<String> {
    Ok(format!("{:08x}", crc32fast::hash(&fs::read(path)?)))
}
