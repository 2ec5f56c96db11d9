//! Writes a run's files as it goes on, in a folder that no second process writes to meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::arena::record::Record;
use crate::genomes::AnyGenome;
use crate::metrics::Row;
use crate::session::Session;

use super::saves::{Checkpoint, RunFile, name_of};
use super::{Durability, StorageError, metrics, write_sealed, write_whole};

/// Holds a run's folder so that no second process writes to it. The lock goes with the process, however it ends.
#[derive(Debug)]
pub(super) struct Lock(#[allow(dead_code, reason = "held for its drop")] Option<File>);

/// How often, and after what time, a lock that is taken is tried again.
const LOOKS: u32 = 3;
const LOOK: Duration = Duration::from_millis(5);

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Self, StorageError> {
        Self::take_named(folder, "lock")
    }

    /// Takes one of several locks of a folder.
    pub(super) fn take_named(folder: &Path, name: &str) -> Result<Self, StorageError> {
        let path = folder.join(name);
        let Ok(file) = OpenOptions::new().create(true).append(true).open(&path) else {
            // A folder that can't be written to is told by the first write that matters.
            return Ok(Self(None));
        };
        let is_taken = || matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        // A look whether it is taken holds it for a moment.
        for _ in 0..LOOKS {
            if !is_taken() {
                return Ok(Self(Some(file)));
            }
            std::thread::sleep(LOOK);
        }
        Err(StorageError::unusable(
            folder,
            "is open in another finches",
            "wait until that one has ended",
        ))
    }

    /// Whether another process holds the folder. Nothing is written, and several may look at once.
    pub(super) fn is_taken(folder: &Path) -> bool {
        let file = File::open(folder.join("lock"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }
}

/// Writes a run's files as it goes on.
#[derive(Debug)]
pub struct Keeper {
    folder: PathBuf,
    _lock: Lock,
    /// Bytes of `metrics.csv` that are on disk.
    written: u64,
    /// Lines not on disk yet; they wait here while the disk is full.
    pub(super) pending: String,
    /// Generations whose champions are on disk.
    champions: Vec<u64>,
}

/// Lines waiting for a full disk take at most this much memory; then the oldest wait no longer.
const MOST_PENDING: usize = 64 << 20;

impl Keeper {
    pub(super) fn open(folder: PathBuf, written: u64) -> Result<Self, StorageError> {
        Ok(Self {
            _lock: Lock::take(&folder)?,
            folder,
            written,
            pending: String::new(),
            champions: Vec::new(),
        })
    }

    /// The name of the run's folder.
    pub fn name(&self) -> String {
        name_of(&self.folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes down a row; it is on disk after the next flush or checkpoint.
    pub fn row(&mut self, row: &Row) {
        if self.pending.len() > MOST_PENDING {
            return;
        }
        self.pending.push_str(&metrics::line(row.values()));
    }

    /// Brings the rows to disk.
    pub fn flush(&mut self) -> Result<(), StorageError> {
        let path = self.folder.join("metrics.csv");
        let (written, pending) = (self.written, self.pending.as_bytes());
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
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Brings the whole run to disk, so that it resumes from here: first what it needs, then what is nice to have.
    pub fn checkpoint(
        &mut self,
        session: &Session,
        seconds: f64,
        games: &[Record],
    ) -> Result<(), StorageError> {
        self.flush()?;
        self.record(session)?;
        let checkpoint = Checkpoint {
            seconds,
            metrics_bytes: self.written,
            state: session.state().clone(),
        };
        let path = self.folder.join("checkpoint.ron");
        write_sealed(&path, "checkpoint", &checkpoint, Durability::Synced)?;
        self.keep_champions(session)?;
        self.keep_games(session, games)
    }

    /// Writes a whole population; it must be that of the generation.
    pub fn keep_population(
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
    fn keep_games(&self, session: &Session, games: &[Record]) -> Result<(), StorageError> {
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

    /// Writes down what the run is, with everything turned so far.
    pub fn record(&self, session: &Session) -> Result<(), StorageError> {
        let run = RunFile {
            seed: session.seed(),
            preset: session.began().clone(),
            interventions: session.interventions().to_vec(),
        };
        write_sealed(
            &self.folder.join("run.ron"),
            "run",
            &run,
            Durability::Synced,
        )
    }

    /// Writes the champions that are not on disk yet: the latest, and those the run keeps of earlier generations.
    fn keep_champions(&mut self, session: &Session) -> Result<(), StorageError> {
        let kept = session.state().population.archive.kept();
        for champion in session.state().champion.iter().chain(kept) {
            let path = self
                .folder
                .join("champions")
                .join(format!("{}.ron", champion.generation));
            if self.champions.contains(&champion.generation) || path.is_file() {
                continue;
            }
            write_sealed(&path, "champion", champion, Durability::Lazy)?;
            self.champions.push(champion.generation);
        }
        Ok(())
    }
}
