//! Saved runs, a folder each: `run.ron` (what is run), `checkpoint.ron` (where it stands), `metrics.csv` (a row per
//! generation, cut back to the checkpoint on resume), `champions/`, `games/`, and `populations/` where they are kept whole. One
//! without a checkpoint can't go on, but is listed, and its champions can be played.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::arena::pool::Pool;
use crate::evolution::archive::Champion;
use crate::genomes::AnyGenome;
use crate::metrics::{Row, objective};
use crate::params::suggest;
use crate::preset::{Intervention, Preset};
use crate::session::{Session, State};

use super::keeper::{Keeper, Lock};
use super::tail::Tail;
use super::{Durability, StorageError, metrics, read_sealed, write_whole};

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
pub(super) struct Checkpoint {
    /// Time the run has worked so far.
    pub(super) seconds: f64,
    /// Bytes of `metrics.csv` that belong to the generations before.
    pub(super) metrics_bytes: u64,
    pub(super) state: State,
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
    /// Whether there is a population to go on with, and not only champions.
    pub can_go_on: bool,
}

impl Saves {
    /// Saved runs below a folder, which need not exist yet.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The names of all saved runs in ascending order, without a look at what is in them.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.root) else {
            return Vec::new();
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
        names.retain(|name| self.find(name).is_some());
        names.sort_unstable();
        names
    }

    /// The folder of a run, by its name or path, where there is one.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let places = [self.root.join(name), PathBuf::from(name)];
        places
            .into_iter()
            .find(|folder| folder.join("run.ron").is_file())
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
                brief: brief(&self.root.join(&name)),
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

    /// Whether a run has a population to go on with, and not only champions.
    pub fn can_go_on(&self, name: &str) -> Result<bool, StorageError> {
        Ok(self.folder(name)?.join("checkpoint.ron").is_file())
    }

    /// The folder of a run, by its name or path.
    pub fn folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        self.find(name).ok_or_else(|| {
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
        let path = folder.join("checkpoint.ron");
        if !path.exists() {
            let what =
                format!("{name}: has no population to go on with; its champions can be played");
            return Err(StorageError::Unknown(what));
        }
        let checkpoint: Checkpoint = read_sealed(&path, "checkpoint")?;
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
        Ok(numbered(&self.folder(name)?.join("champions")))
    }

    /// The champion of one generation.
    pub fn champion(&self, name: &str, generation: u64) -> Result<Champion, StorageError> {
        let path = self
            .folder(name)?
            .join("champions")
            .join(format!("{generation}.ron"));
        if !path.is_file() {
            let kept = self.champions(name)?;
            let what = format!("{name}: the champion of generation {generation} is not kept");
            return Err(StorageError::Unknown(nearest(&what, &kept, generation)));
        }
        read_sealed(&path, "champion")
    }

    /// The generations whose populations a run has kept, in ascending order.
    pub fn populations(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        Ok(numbered(&self.folder(name)?.join("populations")))
    }

    /// The members of a generation whose population was kept.
    pub fn population(&self, name: &str, generation: u64) -> Result<Vec<AnyGenome>, StorageError> {
        let folder = self.folder(name)?.join("populations");
        let path = folder.join(format!("{generation}.ron"));
        if !path.is_file() {
            let what = format!("{name}: the population of generation {generation} is not kept");
            return Err(StorageError::Unknown(nearest(
                &what,
                &numbered(&folder),
                generation,
            )));
        }
        read_sealed(&path, "population")
    }

    /// The column names and rows of a run.
    pub fn metrics(&self, name: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read(&self.folder(name)?.join("metrics.csv"))
    }

    /// The metrics of a run, to be read as they come.
    pub fn tail(&self, name: &str) -> Result<Tail, StorageError> {
        Ok(Tail::new(self.folder(name)?.join("metrics.csv")))
    }

    /// Hands the rows of a run to `each`, one at a time, with the column names, which are returned.
    pub fn each_row(
        &self,
        name: &str,
        each: impl FnMut(&[String], &Row),
    ) -> Result<Vec<String>, StorageError> {
        metrics::each(&self.folder(name)?.join("metrics.csv"), each)
    }

    /// Writes files that are named alike but for their endings beside the runs. Nothing is overwritten: the name gets a number.
    pub fn export(
        &self,
        stem: &str,
        files: &[(&str, String)],
    ) -> Result<Vec<PathBuf>, StorageError> {
        fs::create_dir_all(&self.root).map_err(StorageError::io(&self.root))?;
        let path = |number: u32, ending: &str| match number {
            1 => self.root.join(format!("{stem}.{ending}")),
            number => self.root.join(format!("{stem}-{number}.{ending}")),
        };
        let is_taken = |number: &u32| {
            let mut endings = files.iter().map(|(ending, _)| ending);
            endings.any(|ending| path(*number, ending).exists())
        };
        let number = (1..=u32::MAX).find(|number| !is_taken(number)).unwrap_or(1);
        let mut paths = Vec::new();
        for (ending, content) in files {
            let path = path(number, ending);
            write_whole(&path, content.as_bytes(), Durability::Lazy)?;
            paths.push(path);
        }
        Ok(paths)
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
        let path = keeper.folder().join("metrics.csv");
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

/// The generations that files in a folder are named by, in ascending order.
pub(super) fn numbered(folder: &Path) -> Vec<u64> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let number = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
    let entries = entries.flatten();
    let mut generations: Vec<u64> = entries.filter_map(|entry| number(entry.path())).collect();
    generations.sort_unstable();
    generations
}

/// The run of a folder in a few words.
fn brief(folder: &Path) -> Result<Brief, StorageError> {
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
        is_open: Lock::is_taken(folder),
        can_go_on: checkpoint.is_file(),
        game: run.preset.game.name().to_owned(),
        preset: run.preset.name,
        seed: run.seed,
    })
}

/// What is wrong with asking for a generation, and which kept one is nearest.
fn nearest(what: &str, kept: &[u64], generation: u64) -> String {
    let nearest = kept.iter().min_by_key(|&&kept| kept.abs_diff(generation));
    nearest.map_or_else(
        || format!("{what}; none is"),
        |nearest| format!("{what}; the nearest is of {nearest}"),
    )
}

pub(super) fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(
        || "run".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
