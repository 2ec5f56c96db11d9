//! Writes the files of a running run. A lock keeps other processes from writing to the same folder.

use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::AnyGenome;
use finches_engine::metrics::{Columns, Row};
use finches_engine::play::record::GameRecord;
use finches_engine::session::team::TeamFigures;
use finches_engine::session::{GenerationSnapshot, Session, SessionState};
use same_file::Handle;

use super::block_sums::{BLOCK, BlockSums};
use super::files::{self, Durability};
use super::saves::{Checkpoint, LoadedRun, RunFile, Saves, name_of, numbered_path};
use super::{StorageError, members, metrics, read_sealed, states, write_sealed};

/// Locks a folder against writing by other processes. The lock is released when the process ends,
/// however it ends. Its file holds the number of the process, which only messages show: the file
/// may stay, and its process may be on another machine. On a file system without locks, or whose
/// locks other machines do not see, all processes go on.
#[derive(Debug)]
pub(super) struct Lock(Handle);

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
        let mut file = files::open_own(&path, OpenOptions::new().append(true).read(true))?;
        let is_taken = || matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
        // `Lock::is_taken` in another process holds the lock for a moment.
        for _ in 0..LOCK_ATTEMPTS {
            if !is_taken() {
                // The number is for messages only.
                let _ = file
                    .set_len(0)
                    .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
                let held = Handle::from_file(file).map_err(StorageError::io(&path))?;
                return Ok(Self(held));
            }
            std::thread::sleep(LOCK_RETRY_DELAY);
        }
        let mut owner = String::new();
        // Where a locked file can't be read, the number is left out.
        let _ = (&mut file).take(20).read_to_string(&mut owner);
        let owner: String = owner.chars().filter(char::is_ascii_digit).collect();
        let owner = match owner.as_str() {
            "" => String::new(),
            owner => format!(" ({owner})"),
        };
        Err(StorageError::Locked {
            path: folder.to_owned(),
            owner,
        })
    }

    /// Whether the lock is that of a folder, which may have been moved away.
    fn is_of(&self, folder: &Path) -> bool {
        let there = files::open(&folder.join("lock"));
        there.is_ok_and(|file| Handle::from_file(file).is_ok_and(|file| file == self.0))
    }

    /// Whether another process has locked the folder. Nothing is written, and several processes may
    /// ask at once.
    pub(super) fn is_taken(folder: &Path) -> bool {
        Self::is_taken_named(folder, "lock")
    }

    /// The same of the lock of this name.
    pub(super) fn is_taken_named(folder: &Path, name: &str) -> bool {
        let file = files::open(&folder.join(name));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }
}

/// Writes the files of a running run.
#[derive(Debug)]
pub struct RunWriter {
    folder: PathBuf,
    lock: Lock,
    /// Bytes of `metrics.csv` on disk, and their checksums.
    flushed_bytes: u64,
    flushed_sums: BlockSums,
    /// Lines not on disk yet. They are kept here while the disk is full.
    pending_rows: String,
    /// Sample games that are not on disk yet, with their generations.
    pending_games: Vec<(u64, String)>,
    /// The latest generation whose sample games are on disk only because it was the latest.
    latest_games: Option<u64>,
    /// Generations whose champions this writer has written or found intact.
    written_champions: Vec<u64>,
    /// The definition of the run on disk.
    written_run: Option<RunFile>,
    /// What was mended when the run was opened.
    repair: Option<String>,
    breakpoints: Vec<String>,
    rows_every: u64,
}

/// Size of the pending lines at which a run waits for room on the disk.
const MAX_PENDING_BYTES: usize = 16 << 20;

impl RunWriter {
    /// Locks the folder and removes what earlier processes have left half written.
    pub(super) fn open(folder: PathBuf) -> Result<Self, StorageError> {
        let lock = Lock::take(&folder)?;
        for part in ["champions", "games"] {
            files::create_own_folder(&folder.join(part))?;
        }
        for part in ["populations", "states"] {
            files::check_own_folder(&folder.join(part))?;
        }
        for part in ["", "champions", "games", "populations", "states"] {
            files::remove_unfinished(&folder.join(part), |_| true);
        }
        remove_processes(&folder);
        Ok(Self {
            lock,
            folder,
            flushed_bytes: 0,
            flushed_sums: BlockSums::default(),
            pending_rows: String::new(),
            pending_games: Vec::new(),
            latest_games: None,
            written_champions: Vec::new(),
            written_run: None,
            repair: None,
            breakpoints: Vec::new(),
            rows_every: metrics::every_row(),
        })
    }

    /// Writes a run for the first time, with the rows of earlier generations and their working time
    /// in seconds.
    pub(super) fn begin(
        &mut self,
        session: &Session,
        seconds: f64,
        earlier: &[Row],
    ) -> Result<(), StorageError> {
        self.pending_rows = metrics::header(session.columns());
        for row in earlier {
            self.write_row(row);
        }
        self.checkpoint(session, seconds, &[])
    }

    /// Saves the run anew, from here on, if its folder was moved away, removed or replaced while it
    /// was written. Returns whether it was.
    pub(crate) fn follow_loss(
        &mut self,
        session: &Session,
        seconds: f64,
    ) -> Result<bool, StorageError> {
        if self.lock.is_of(&self.folder) {
            return Ok(false);
        }
        let saves = Saves::at(self.folder.parent().unwrap_or(Path::new("")).to_owned());
        let mut anew = saves.create_folder(&self.name(), session, (seconds, &[]))?;
        anew.pending_rows = std::mem::take(&mut self.pending_rows);
        anew.pending_games = std::mem::take(&mut self.pending_games);
        anew.set_breakpoints(std::mem::take(&mut self.breakpoints));
        anew.set_rows_every(self.rows_every);
        *self = anew;
        Ok(true)
    }

    /// Goes on where a run was saved.
    pub(super) fn go_on(
        &mut self,
        loaded: &LoadedRun,
        columns: &Columns,
    ) -> Result<(), StorageError> {
        self.set_breakpoints(loaded.run.breakpoints.clone());
        let latest = loaded.state.generation.checked_sub(1);
        self.latest_games = latest.filter(|&generation| !has_games(generation));
        self.write_champions(&loaded.state)?;
        let (bytes, sums) = (loaded.metrics_bytes, &loaded.metrics_sums);
        self.cut_metrics(bytes, sums, metrics::header(columns))
    }

    /// Cuts `metrics.csv` to the first `bytes`, those of the checkpoint, whose checksums are given.
    /// If some are damaged or missing, the file is cut before them, and a copy of it is kept.
    /// `header` is its first line.
    fn cut_metrics(
        &mut self,
        bytes: u64,
        sums: &[u32],
        header: String,
    ) -> Result<(), StorageError> {
        let path = self.folder.join("metrics.csv");
        files::check_own(&path)?;
        let mut kept = bytes;
        let mut found = sums_of(&path, bytes)?;
        let damaged = match found.first_difference(sums) {
            // Checkpoints of before have no checksums.
            _ if sums.is_empty() => None,
            damaged => damaged,
        };
        let length = fs::metadata(&path).map_err(StorageError::io(&path))?.len();
        let damaged = damaged.or((length < bytes).then_some(length));
        if let Some(intact) = damaged {
            let copy = files::free_path(&self.folder, "metrics.damaged", "csv");
            fs::copy(&path, &copy).map_err(StorageError::io(&copy))?;
            let line;
            (kept, line) = metrics::intact_end(&path, &(intact..bytes.min(intact + BLOCK as u64)))?;
            found = sums_of(&path, kept)?;
            self.repair = Some(format!(
                "metrics.csv was damaged: its last {} bytes, the rows from line {line} on, are \
                left out (a copy is {})",
                bytes - kept,
                copy.display()
            ));
        }
        let cut = || {
            let file = OpenOptions::new().write(true).open(&path)?;
            file.set_len(kept)?;
            file.sync_all()
        };
        if kept != length {
            cut().map_err(StorageError::io(&path))?;
        }
        self.flushed_bytes = kept;
        self.flushed_sums = found;
        if kept == 0 {
            self.pending_rows = header;
        }
        Ok(())
    }

    /// The rows on disk, oldest first.
    pub fn rows(&self) -> Result<Vec<Row>, StorageError> {
        if self.flushed_bytes == 0 {
            return Ok(Vec::new());
        }
        let (_, rows) = metrics::read_intact(&self.folder.join("metrics.csv"))?;
        Ok(rows)
    }

    /// Calls `each` with the rows on disk, oldest first, which are not all kept in memory.
    pub fn for_each_row(&self, mut each: impl FnMut(&Row)) -> Result<(), StorageError> {
        if self.flushed_bytes > 0 {
            let path = self.folder.join("metrics.csv");
            metrics::for_each_row(&path, |_, row| each(row))?;
        }
        Ok(())
    }

    /// What was damaged when the run was opened, in words.
    pub fn repair(&self) -> Option<&str> {
        self.repair.as_deref()
    }

    /// Whether so many rows wait for room on the disk that no more should be made.
    pub fn is_full(&self) -> bool {
        self.pending_rows.len() > MAX_PENDING_BYTES
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
        self.pending_rows.push_str(&metrics::csv_line(row.values()));
    }

    /// Writes the pending rows to disk.
    pub fn flush(&mut self) -> Result<(), StorageError> {
        let path = self.folder.join("metrics.csv");
        let (written, pending) = (self.flushed_bytes, self.pending_rows.as_bytes());
        let mut file = files::open_own(&path, OpenOptions::new().write(true))?;
        let mut write = || {
            // A write that failed may have left a part behind. A file of the right length is left
            // alone: to cut it would make some file systems write down its new length before its
            // content.
            if file.metadata()?.len() != written {
                file.set_len(written)?;
            }
            file.seek(SeekFrom::Start(written))?;
            file.write_all(pending)
        };
        write().map_err(StorageError::io(&path))?;
        self.flushed_bytes += pending.len() as u64;
        self.flushed_sums.update(pending);
        self.pending_rows.clear();
        Ok(())
    }

    /// Writes the whole run to disk, so that it can be resumed from here. The rows that the
    /// checkpoint counts are on the disk before it. Champions, which its state holds too, follow
    /// it, so that a process that is ended while it saves loses nothing: the next one writes them.
    pub fn checkpoint(
        &mut self,
        session: &Session,
        seconds: f64,
        games: &[GameRecord],
    ) -> Result<(), StorageError> {
        self.flush()?;
        let path = self.folder.join("metrics.csv");
        let synced = files::open(&path)?.sync_all();
        synced.map_err(StorageError::io(&path))?;
        self.write_run_file(session)?;
        self.write_pending_games()?;
        let checkpoint = Checkpoint {
            seconds,
            metrics_bytes: self.flushed_bytes,
            metrics_sums: self.flushed_sums.sums(),
            state: session.state().clone(),
        };
        let path = self.folder.join("checkpoint.ron");
        write_sealed(&path, "checkpoint", &checkpoint, Durability::Synced)?;
        self.write_champions(session.state())?;
        self.sync_pending_games()?;
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

    /// Writes the state of the run where its parameters change, from which a fork can begin.
    pub fn write_state(&self, session: &Session) -> Result<(), StorageError> {
        states::write(&self.folder, session.state())
    }

    /// Writes the whole population of `generation`.
    pub fn write_population(
        &self,
        generation: u64,
        members: &[AnyGenome],
    ) -> Result<(), StorageError> {
        let folder = self.folder.join("populations");
        files::create_own_folder(&folder)?;
        let path = numbered_path(&folder, generation);
        write_sealed(&path, "population", &members, Durability::Synced)
    }

    /// Adds the sample games of a generation that [has some](has_games). They are on disk after the
    /// next checkpoint.
    pub fn add_games(&mut self, generation: u64, games: &[GameRecord]) {
        self.pending_games.push((generation, games_text(games)));
    }

    /// Hands the pending games to the system. To wait for the disk takes longer, and comes after
    /// the checkpoint.
    fn write_pending_games(&self) -> Result<(), StorageError> {
        let mut pending = self.pending_games.iter();
        pending.try_for_each(|(at, text)| self.put_games(*at, text, Durability::Lazy))
    }

    fn sync_pending_games(&mut self) -> Result<(), StorageError> {
        for (generation, _) in &self.pending_games {
            let path = self.games_path(*generation);
            let synced = files::open(&path)?.sync_all();
            synced.map_err(StorageError::io(&path))?;
        }
        self.pending_games.clear();
        Ok(())
    }

    /// Writes the sample games of the latest champion in place of those of the latest before it,
    /// unless its generation has some.
    fn write_games(&mut self, session: &Session, games: &[GameRecord]) -> Result<(), StorageError> {
        let champion = session.state().champion.as_ref();
        let latest = champion.map(|champion| champion.generation);
        let now = latest.filter(|&latest| !has_games(latest) && !games.is_empty());
        if let Some(latest) = now {
            self.put_games(latest, &games_text(games), Durability::Synced)?;
        }
        let before = std::mem::replace(&mut self.latest_games, now);
        if let Some(before) = before.filter(|before| Some(*before) != latest) {
            // A file that stays is one more to look at.
            let _ = fs::remove_file(self.games_path(before));
        }
        Ok(())
    }

    fn put_games(
        &self,
        generation: u64,
        text: &str,
        durability: Durability,
    ) -> Result<(), StorageError> {
        files::replace(&self.games_path(generation), text.as_bytes(), durability)
    }

    fn games_path(&self, generation: u64) -> PathBuf {
        self.folder.join("games").join(format!("{generation}.txt"))
    }

    /// Writes how the processes that evolve the run have worked, for those that follow it. The file
    /// is removed when the run is no longer evolved.
    pub fn write_processes(&self, figures: TeamFigures) -> Result<(), StorageError> {
        let path = self.folder.join(PROCESSES);
        write_sealed(&path, "processes", &figures, Durability::Lazy)
    }

    /// Sets the breakpoints of the run, which are written with the next `run.ron`.
    pub fn set_breakpoints(&mut self, breakpoints: Vec<String>) {
        self.breakpoints = breakpoints;
    }

    /// How many rows are kept of the run.
    pub fn rows_every(&self) -> u64 {
        self.rows_every
    }

    /// Sets how many rows are kept of the run: see [`RunFile::rows_every`]. It is written with the
    /// next `run.ron`.
    pub fn set_rows_every(&mut self, rows_every: u64) {
        self.rows_every = rows_every;
    }

    /// Writes `run.ron`, with all parameter changes so far, if it has changed.
    pub fn write_run_file(&mut self, session: &Session) -> Result<(), StorageError> {
        let run = RunFile {
            seed: session.seed(),
            preset: session.initial_preset().clone(),
            interventions: session.interventions().to_vec(),
            breakpoints: self.breakpoints.clone(),
            rows_every: self.rows_every,
        };
        if self.written_run.as_ref() == Some(&run) {
            return Ok(());
        }
        let path = self.folder.join("run.ron");
        write_sealed(&path, "run", &run, Durability::Synced)?;
        self.written_run = Some(run);
        Ok(())
    }

    /// Writes the champions that are not on disk yet, or damaged there: the latest, and those in
    /// the archive.
    fn write_champions(&mut self, state: &SessionState) -> Result<(), StorageError> {
        let archived = state.population.archive.champions();
        for champion in state.champion.iter().chain(archived) {
            let path = numbered_path(&self.folder.join("champions"), champion.generation);
            if self.written_champions.contains(&champion.generation) {
                continue;
            }
            let is_intact = path.is_file() && read_sealed::<Champion>(&path, "champion").is_ok();
            if !is_intact {
                write_sealed(&path, "champion", champion, Durability::Synced)?;
            }
            self.written_champions.push(champion.generation);
        }
        Ok(())
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        remove_processes(&self.folder);
    }
}

/// The name of the file of [`RunWriter::write_processes`].
const PROCESSES: &str = "processes.ron";

/// Fails if there is none, or if it can't be removed: then it only takes up space.
fn remove_processes(folder: &Path) {
    let _ = fs::remove_file(folder.join(PROCESSES));
}

/// How the processes that evolve a run have worked lately; `None` if one evolves it alone.
pub fn processes(saves: &Saves, run: &str) -> Option<TeamFigures> {
    read_sealed(&saves.folder(run).ok()?.join(PROCESSES), "processes").ok()
}

/// Whether the sample games of a generation are kept: those of the first 64 generations, then fewer
/// and fewer, 32 each time that a run doubles its length. It depends on nothing else, so that a
/// resumed run has the same files as one that was not interrupted.
pub fn has_games(generation: u64) -> bool {
    let spacing = (generation / 64 + 1).next_power_of_two();
    generation.is_multiple_of(spacing)
}

fn games_text(games: &[GameRecord]) -> String {
    let text: Vec<String> = games.iter().map(ToString::to_string).collect();
    text.join("\n")
}

/// The checksums of the first `bytes` of a file.
fn sums_of(path: &Path, bytes: u64) -> Result<BlockSums, StorageError> {
    let sums = BlockSums::of(files::open(path)?.take(bytes));
    sums.map_err(StorageError::io(path))
}
