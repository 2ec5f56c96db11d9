//! Writes the files of a running run. A lock keeps other processes from writing to the same folder.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::genomes::AnyGenome;
use crate::metrics::Row;
use crate::play::record::GameRecord;
use crate::session::{GenerationSnapshot, Session};

use super::saves::{Checkpoint, RunFile, name_of};
use super::{Durability, StorageError, members, metrics, write_sealed, write_whole};

/// Locks a folder against writing by other processes. The lock is released when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock(#[allow(dead_code, reason = "held for its drop")] Option<File>);

/// How often a taken lock is tried, and the time between two attempts.
const LOCK_ATTEMPTS: u32 = 3;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(5);

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Self, StorageError> {
        Self::take_named(folder, "lock")
    }

    /// Takes the lock of this name; a folder can have several.
    pub(super) fn take_named(folder: &Path, name: &str) -> Result<Self, StorageError> {
        let path = folder.join(name);
        let Ok(file) = OpenOptions::new().create(true).append(true).open(&path) else {
            // If the folder is not writable, the first write reports the error.
            return Ok(Self(None));
        };
        let is_taken = || matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        // `Lock::is_taken` in another process holds the lock for a moment.
        for _ in 0..LOCK_ATTEMPTS {
            if !is_taken() {
                return Ok(Self(Some(file)));
            }
            std::thread::sleep(LOCK_RETRY_DELAY);
        }
        Err(StorageError::unusable(
            folder,
            "is open in another finches process",
            "wait until that process has ended",
        ))
    }

    /// Whether another process has locked the folder. Nothing is written, and several processes may ask at once.
    pub(super) fn is_taken(folder: &Path) -> bool {
        let file = File::open(folder.join("lock"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }
}

/// Writes the files of a running run.
#[derive(Debug)]
pub struct RunWriter {
    folder: PathBuf,
    _lock: Lock,
    /// Bytes of `metrics.csv` on disk.
    flushed_bytes: u64,
    /// Lines not on disk yet. They are archived here while the disk is full.
    pub(super) pending_rows: String,
    /// Generations whose champions this writer has written.
    written_champions: Vec<u64>,
    breakpoints: Vec<String>,
}

/// Maximum size of the pending lines. Further rows are dropped while the disk is full.
const MAX_PENDING_BYTES: usize = 64 << 20;

impl RunWriter {
    pub(super) fn open(folder: PathBuf, written: u64) -> Result<Self, StorageError> {
        Ok(Self {
            _lock: Lock::take(&folder)?,
            folder,
            flushed_bytes: written,
            pending_rows: String::new(),
            written_champions: Vec::new(),
            breakpoints: Vec::new(),
        })
    }

    /// The name of the run's folder.
    pub fn name(&self) -> String {
        name_of(&self.folder)
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a row. It is on disk after the next flush or checkpoint.
    pub fn write_row(&mut self, row: &Row) {
        if self.pending_rows.len() > MAX_PENDING_BYTES {
            return;
        }
        self.pending_rows.push_str(&metrics::csv_line(row.values()));
    }

    /// Writes the pending rows to disk.
    pub fn flush(&mut self) -> Result<(), StorageError> {
        let path = self.folder.join("metrics.csv");
        let (written, pending) = (self.flushed_bytes, self.pending_rows.as_bytes());
        let write = || {
            let mut file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)?;
            file.set_len(written)?;
            file.seek(SeekFrom::Start(written))?;
            file.write_all(pending)?;
            Ok(file)
        };
        write().map_err(StorageError::io(&path))?;
        self.flushed_bytes += self.pending_rows.len() as u64;
        self.pending_rows.clear();
        Ok(())
    }

    /// Writes the whole run to disk, so that it can be resumed from here. Files needed to resume are written first.
    pub fn checkpoint(
        &mut self,
        session: &Session,
        seconds: f64,
        games: &[GameRecord],
    ) -> Result<(), StorageError> {
        self.flush()?;
        self.write_run_file(session)?;
        let checkpoint = Checkpoint {
            seconds,
            metrics_bytes: self.flushed_bytes,
            state: session.state().clone(),
        };
        let path = self.folder.join("checkpoint.ron");
        write_sealed(&path, "checkpoint", &checkpoint, Durability::Synced)?;
        self.write_champions(session)?;
        let snapshot = session.snapshot();
        if !snapshot.fitness.is_empty() {
            members::write(&self.folder, snapshot)?;
        }
        self.write_games(session, games)
    }

    /// The members of the last generation that the run has played.
    pub fn members(&self) -> Result<GenerationSnapshot, StorageError> {
        members::read(&self.folder)
    }

    /// Writes the whole population of `generation`.
    pub fn write_population(
        &self,
        generation: u64,
        members: &[AnyGenome],
    ) -> Result<(), StorageError> {
        let folder = self.folder.join("populations");
        fs::create_dir_all(&folder).map_err(StorageError::io(&folder))?;
        let path = folder.join(format!("{generation}.ron"));
        write_sealed(&path, "population", &members, Durability::Lazy)
    }

    /// Writes the sample games of the latest champion.
    fn write_games(&self, session: &Session, games: &[GameRecord]) -> Result<(), StorageError> {
        let champion = session
            .state()
            .champion
            .as_ref()
            .filter(|_| !games.is_empty());
        let Some(champion) = champion else {
            return Ok(());
        };
        let name = format!("{}.txt", champion.generation);
        let text: Vec<String> = games.iter().map(ToString::to_string).collect();
        let path = self.folder.join("games").join(name);
        write_whole(&path, text.join("\n").as_bytes(), Durability::Lazy)
    }

    /// Sets the breakpoints of the run, which are written with the next `run.ron`.
    pub fn set_breakpoints(&mut self, breakpoints: Vec<String>) {
        self.breakpoints = breakpoints;
    }

    /// Writes `run.ron`, with all parameter changes so far.
    pub fn write_run_file(&self, session: &Session) -> Result<(), StorageError> {
        let run = RunFile {
            seed: session.seed(),
            preset: session.initial_preset().clone(),
            interventions: session.interventions().to_vec(),
            breakpoints: self.breakpoints.clone(),
        };
        write_sealed(
            &self.folder.join("run.ron"),
            "run",
            &run,
            Durability::Synced,
        )
    }

    /// Writes the champions that are not on disk yet: the latest, and those in the archive.
    fn write_champions(&mut self, session: &Session) -> Result<(), StorageError> {
        let archived = session.state().population.archive.champions();
        for champion in session.state().champion.iter().chain(archived) {
            let path = self
                .folder
                .join("champions")
                .join(format!("{}.ron", champion.generation));
            if self.written_champions.contains(&champion.generation) || path.is_file() {
                continue;
            }
            write_sealed(&path, "champion", champion, Durability::Lazy)?;
            self.written_champions.push(champion.generation);
        }
        Ok(())
    }
}
