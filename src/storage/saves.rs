//! Saved runs, a folder each: `run.ron` (what is run), `checkpoint.ron` (where it stands), `metrics.csv` (a row per
//! generation, cut back to the checkpoint on resume), `champions/` and `games/`.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::arena::pool::Pool;
use crate::arena::record::Record;
use crate::evolution::archive::Champion;
use crate::metrics::{Row, objective};
use crate::params::suggest;
use crate::preset::{Intervention, Preset};
use crate::session::{Session, State};

use super::{Durability, StorageError, metrics, read_sealed, write_sealed, write_whole};

/// The folder of saved runs.
#[derive(Clone, Debug)]
pub struct Saves {
    root: PathBuf,
}

/// What a run is: the content of `run.ron`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    pub seed: u64,
    /// The preset as it was when the run began.
    pub preset: Preset,
    pub interventions: Vec<Intervention>,
}

/// Where a run stands: the content of `checkpoint.ron`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    /// Time the run has worked so far.
    seconds: f64,
    /// Bytes of `metrics.csv` that belong to the generations before.
    metrics_bytes: u64,
    state: State,
}

/// A run read from its folder.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub name: String,
    pub run: RunFile,
    pub seconds: f64,
    pub state: State,
    metrics_bytes: u64,
}

impl Loaded {
    /// The run itself, ready to go on; `generations` moves the generation at which it stops.
    pub fn session(&self, pool: Pool, generations: Option<u64>) -> Result<Session, StorageError> {
        let RunFile {
            seed,
            preset,
            interventions,
        } = self.run.clone();
        let resumed = Session::resume(preset, seed, interventions, self.state.clone(), pool);
        let mut session = resumed.map_err(|fault| {
            let path = Path::new(&self.name).join("checkpoint.ron");
            StorageError::unusable(&path, fault, "it has been left as it is")
        })?;
        if let Some(generations) = generations {
            session.stop_at(generations);
        }
        Ok(session)
    }
}

/// A run in the list of saved runs.
#[derive(Debug)]
pub struct Listed {
    pub name: String,
    /// What is known of it, or why it can't be opened.
    pub brief: Result<Brief, StorageError>,
}

/// A saved run in a few words.
#[derive(Clone, Debug)]
pub struct Brief {
    pub preset: String,
    pub game: String,
    pub seed: u64,
    /// Generations done.
    pub generation: u64,
    /// The generation at which it stops.
    pub generations: u64,
    /// The latest objective: `accuracy_states`, else the share of points against the hardest reference player.
    pub objective: Option<f64>,
    pub changed: Option<SystemTime>,
    /// Whether some process has it open.
    pub is_open: bool,
}

impl Saves {
    /// Saved runs below a folder, which need not exist yet.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All saved runs, the latest first, with those that can't be opened.
    pub fn list(&self) -> Vec<Listed> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        let names = entries
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name());
        let mut listed: Vec<Listed> = names
            .filter_map(|name| name.into_string().ok())
            .map(|name| Listed {
                brief: self.brief(&name),
                name,
            })
            .collect();
        let changed = |listed: &Listed| listed.brief.as_ref().ok().and_then(|brief| brief.changed);
        listed.sort_by(|a, b| {
            changed(b)
                .cmp(&changed(a))
                .then_with(|| a.name.cmp(&b.name))
        });
        listed
    }

    fn brief(&self, name: &str) -> Result<Brief, StorageError> {
        let folder = self.root.join(name);
        let run: RunFile = read_sealed(&folder.join("run.ron"), "run")?;
        let checkpoint = folder.join("checkpoint.ron");
        let (columns, rows) = metrics::read(&folder.join("metrics.csv"))?;
        let latest = |name: &str| {
            let place = columns.iter().position(|column| column == name)?;
            rows.iter().rev().find_map(|row| row.values()[place])
        };
        Ok(Brief {
            generation: rows.last().map_or(0, |row| row.generation() + 1),
            generations: run.preset.generations,
            objective: objective(columns.iter().map(String::as_str))
                .and_then(|place| latest(&columns[place])),
            changed: fs::metadata(&checkpoint)
                .and_then(|meta| meta.modified())
                .ok(),
            is_open: Lock::take(&folder).is_err(),
            game: run.preset.game.name().to_owned(),
            preset: run.preset.name,
            seed: run.seed,
        })
    }

    /// The folder of a run, by its name or path.
    pub fn folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        let places = [self.root.join(name), PathBuf::from(name)];
        let known = places
            .into_iter()
            .find(|folder| folder.join("run.ron").is_file());
        known.ok_or_else(|| {
            let listed = self.list();
            let names: Vec<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
            let (root, hint) = (self.root.display(), suggest(name, &names));
            StorageError::Unknown(format!(
                "{name}: there is no such run in {root}; {hint} (--saves names another folder)"
            ))
        })
    }

    /// Reads a run.
    pub fn load(&self, name: &str) -> Result<Loaded, StorageError> {
        let folder = self.folder(name)?;
        let run = read_sealed(&folder.join("run.ron"), "run")?;
        let checkpoint: Checkpoint = read_sealed(&folder.join("checkpoint.ron"), "checkpoint")?;
        Ok(Loaded {
            name: name_of(&folder),
            run,
            seconds: checkpoint.seconds,
            state: checkpoint.state,
            metrics_bytes: checkpoint.metrics_bytes,
        })
    }

    /// What a run is, without its population.
    pub fn run_file(&self, name: &str) -> Result<RunFile, StorageError> {
        read_sealed(&self.folder(name)?.join("run.ron"), "run")
    }

    /// The generations whose champions a run has kept, in ascending order.
    pub fn champions(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        let folder = self.folder(name)?.join("champions");
        let Ok(entries) = fs::read_dir(&folder) else {
            return Ok(Vec::new());
        };
        let number = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
        let mut generations: Vec<u64> = entries
            .flatten()
            .filter_map(|entry| number(entry.path()))
            .collect();
        generations.sort_unstable();
        Ok(generations)
    }

    /// The champion of one generation.
    pub fn champion(&self, name: &str, generation: u64) -> Result<Champion, StorageError> {
        let path = self
            .folder(name)?
            .join("champions")
            .join(format!("{generation}.ron"));
        if !path.is_file() {
            let kept = self.champions(name)?;
            let nearest = kept.iter().min_by_key(|&&kept| kept.abs_diff(generation));
            let nearest = nearest.map_or_else(
                || "none is".to_owned(),
                |nearest| format!("the nearest is of {nearest}"),
            );
            let what =
                format!("{name}: the champion of generation {generation} is not kept; {nearest}");
            return Err(StorageError::Unknown(what));
        }
        read_sealed(&path, "champion")
    }

    /// The column names and rows of a run.
    pub fn metrics(&self, name: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read(&self.folder(name)?.join("metrics.csv"))
    }

    /// The text of `metrics.csv`.
    pub fn metrics_text(&self, name: &str) -> Result<String, StorageError> {
        let path = self.folder(name)?.join("metrics.csv");
        fs::read_to_string(&path).map_err(StorageError::io(&path))
    }

    /// Makes the folder of a new run and opens it for writing. An existing run is never touched: the name gets a number.
    pub fn create(&self, session: &Session) -> Result<Keeper, StorageError> {
        let wanted = format!("{}-{}", session.began().name, session.seed());
        fs::create_dir_all(&self.root).map_err(StorageError::io(&self.root))?;
        let mut folder = self.root.join(&wanted);
        let mut count = 1;
        while folder.exists() {
            count += 1;
            folder = self.root.join(format!("{wanted}-{count}"));
        }
        for part in ["champions", "games"] {
            let part = folder.join(part);
            fs::create_dir_all(&part).map_err(StorageError::io(&part))?;
        }
        let mut keeper = Keeper::open(folder, 0)?;
        keeper.pending = metrics::header(session.columns());
        keeper.checkpoint(session, 0.0, &[])?;
        Ok(keeper)
    }

    /// Opens a run that was read for writing; refused while another process has it open.
    pub fn reopen(&self, loaded: &Loaded) -> Result<Keeper, StorageError> {
        let keeper = Keeper::open(self.folder(&loaded.name)?, loaded.metrics_bytes)?;
        let path = keeper.folder.join("metrics.csv");
        let length = fs::metadata(&path).map_err(StorageError::io(&path))?.len();
        if length < loaded.metrics_bytes {
            let what = format!(
                "is cut short: {length} bytes, the checkpoint counts {}",
                loaded.metrics_bytes
            );
            return Err(StorageError::unusable(
                &path,
                what,
                "restore it from a copy; it has been left as it is",
            ));
        }
        Ok(keeper)
    }
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(
        || "run".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Holds a run's folder so that no second process writes to it. The lock goes with the process, however it ends.
#[derive(Debug)]
struct Lock(#[allow(dead_code, reason = "held for its drop")] Option<File>);

impl Lock {
    fn take(folder: &Path) -> Result<Self, StorageError> {
        let path = folder.join("lock");
        let Ok(file) = OpenOptions::new().create(true).append(true).open(&path) else {
            // A folder that can't be written to is told by the first write that matters.
            return Ok(Self(None));
        };
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => Err(StorageError::unusable(
                folder,
                "is open in another finches",
                "wait until that one has ended",
            )),
            _ => Ok(Self(Some(file))),
        }
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
    pending: String,
    /// Generations whose champions are on disk.
    champions: Vec<u64>,
}

/// Lines waiting for a full disk take at most this much memory; then the oldest wait no longer.
const MOST_PENDING: usize = 64 << 20;

impl Keeper {
    fn open(folder: PathBuf, written: u64) -> Result<Self, StorageError> {
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
        let fields = row
            .values()
            .iter()
            .map(|value| value.map_or_else(String::new, |value| value.to_string()));
        self.pending.push_str(&fields.collect::<Vec<_>>().join(","));
        self.pending.push('\n');
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
