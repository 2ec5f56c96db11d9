//! Experiments: runs of presets × seeds in parallel. Each run gives the same results as on its own, and is saved when it
//! finishes, so that an interrupted experiment can be continued. This module knows neither the screen nor signals: events go to a
//! callback, and a flag stops the work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::metrics::{Columns, Row};
use crate::play::pool::{Pool, PoolError};
use crate::preset::{Preset, PresetError};
use crate::session::Session;
use crate::storage::StorageError;
use crate::storage::experiments::manifest::RunId;
use crate::storage::experiments::outcome::RunOutcome;
use crate::storage::experiments::players::KeptPlayers;
use crate::storage::experiments::{ExperimentFolder, ExperimentRunWriter, RunStatus};

use self::sweep::rounds::run_rounds;
use self::worker_pool::{WorkerPool, WorkerSlot};

pub mod collect;
pub mod curves;
pub mod duration;
pub mod fork;
pub mod matrix;
#[cfg(any(feature = "cli", feature = "dashboard"))]
pub mod plot;
pub mod summary;
pub mod sweep;
pub mod table;
mod worker_pool;

/// Interval between the events of a run.
const TIME_SLICE: Duration = Duration::from_millis(100);

/// Why an experiment can't be run.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// A preset is invalid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A file can't be read or written.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The threads can't be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The request is invalid.
    #[error("{0}")]
    Usage(String),
    /// A run has panicked, or two folders contradict each other.
    #[error("{0}")]
    Failed(String),
}

/// A part of an experiment: every `of`-th run, starting with the `index`-th. Both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

/// A text that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a shard; write I/N with I from 1 to N, such as 2/10")]
pub struct ShardError(String);

impl Shard {
    /// The whole experiment.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Parses `I/N`.
    pub fn parse(text: &str) -> Result<Self, ShardError> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(ShardError(text.to_owned())),
        }
    }

    fn contains(self, index: usize) -> bool {
        index % self.of == self.index - 1
    }

    /// A suffix for the files of this shard's process; empty for the whole experiment.
    pub fn file_suffix(self) -> String {
        if self == Self::WHOLE {
            String::new()
        } else {
            format!("-{}-of-{}", self.index, self.of)
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

/// An event of a running experiment.
#[derive(Debug)]
pub enum ExperimentEvent {
    /// The files of a run are damaged and have been renamed; the run is repeated.
    Damaged(StorageError),
    /// A run was finished earlier and is on disk.
    AlreadyDone {
        /// The run.
        id: RunId,
        /// Its outcome, read from disk.
        outcome: RunOutcome,
    },
    /// These runs will be done now.
    Scheduled(Vec<RunId>),
    /// A worker has started a run.
    Started(RunId),
    /// A run has done more generations; one row for each.
    Rows {
        /// The run.
        id: RunId,
        /// The rows since its last event, oldest first.
        rows: Vec<Row>,
    },
    /// A run is finished and on disk.
    Finished {
        /// The run.
        id: RunId,
        /// Its outcome, as written to disk.
        outcome: RunOutcome,
    },
}

/// What to run and how.
pub struct RunSpec<'a> {
    /// Where the presets are read from and the outcomes are written to.
    pub folder: &'a ExperimentFolder,
    /// The part to run.
    pub shard: Shard,
    /// The number of runs at the same time, each on one thread.
    pub threads: usize,
    /// Once set, runs stop between two games; only finished runs are saved.
    pub halt: &'a AtomicBool,
    /// Called on the thread of the run.
    pub on_event: &'a (dyn Fn(ExperimentEvent) + Sync),
}

/// How an experiment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExperimentEnd {
    /// All runs of the shard are finished.
    Done,
    /// It was stopped before.
    Halted,
}

/// The columns of a preset's runs. Fails if the preset is invalid.
pub fn columns(preset: &Preset) -> Result<Columns, ExperimentError> {
    let pool = Pool::new(1)?;
    let session = Session::new(preset.clone(), 0, Vec::new(), pool)?;
    Ok(session.columns().clone())
}

/// Does the unfinished runs of a shard; of a sweep with successive halving, those of all its rounds.
pub fn run(spec: &RunSpec<'_>) -> Result<ExperimentEnd, ExperimentError> {
    let sweep = spec.folder.manifest().sweep.as_ref();
    match sweep.and_then(|sweep| Some((sweep, sweep.halving?))) {
        Some((sweep, rate)) => run_rounds(spec, sweep, rate),
        None => run_some(spec, |_| true),
    }
}

/// Does the unfinished runs of a shard that are wanted.
fn run_some(
    spec: &RunSpec<'_>,
    is_wanted: impl Fn(RunId) -> bool,
) -> Result<ExperimentEnd, ExperimentError> {
    tracing::info!(
        target: "finches::experiment",
        shard = %spec.shard,
        threads = spec.threads,
        "experiment started"
    );
    let runs = remaining_runs(spec, is_wanted)?;
    let workers = WorkerPool::new(spec.threads, runs);
    let ended: Vec<Result<(), ExperimentError>> = thread::scope(|scope| {
        let start = |worker| {
            let workers = &workers;
            let work = move || {
                let ended = run_worker(spec, workers.register(worker)?);
                if ended.is_err() {
                    spec.halt.store(true, Ordering::Relaxed);
                }
                ended
            };
            scope.spawn(work)
        };
        let handles: Vec<_> = (0..workers.workers()).map(start).collect();
        let ended = handles.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .map(|joined| joined.expect("panics are caught within the worker"))
            .collect()
    });
    ended.into_iter().collect::<Result<(), ExperimentError>>()?;
    Ok(if workers.is_done() {
        ExperimentEnd::Done
    } else {
        ExperimentEnd::Halted
    })
}

/// The wanted runs of the shard that are not finished. Damaged files are renamed.
fn remaining_runs(
    spec: &RunSpec<'_>,
    is_wanted: impl Fn(RunId) -> bool,
) -> Result<Vec<RunId>, ExperimentError> {
    let manifest = spec.folder.manifest();
    let all = manifest.run_ids().into_iter().enumerate();
    let own = all.filter(|(index, id)| spec.shard.contains(*index) && is_wanted(*id));
    let mut runs = Vec::new();
    for (_, id) in own {
        match spec.folder.status(id) {
            RunStatus::Finished(outcome) => {
                (spec.on_event)(ExperimentEvent::AlreadyDone { id, outcome });
                continue;
            }
            RunStatus::Missing => {}
            RunStatus::Damaged(error) => {
                spec.folder.move_damaged_files(id)?;
                (spec.on_event)(ExperimentEvent::Damaged(error));
            }
        }
        runs.push(id);
    }
    spec.folder.remove_unfinished(&runs);
    (spec.on_event)(ExperimentEvent::Scheduled(runs.clone()));
    Ok(runs)
}

/// Does runs one after another until none is left.
fn run_worker(spec: &RunSpec<'_>, mut slot: WorkerSlot<'_>) -> Result<(), ExperimentError> {
    while !spec.halt.load(Ordering::Relaxed)
        && let Some(id) = slot.next_run()
    {
        let ran = catch_unwind(AssertUnwindSafe(|| run_one(spec, id, &mut slot)));
        let is_finished = ran.unwrap_or_else(|_| {
            let name = spec.folder.manifest().run_name(id);
            Err(ExperimentError::Failed(format!(
                "run {name} failed because of a bug; finished runs are saved"
            )))
        })?;
        if is_finished {
            slot.finish_run();
        }
    }
    Ok(())
}

/// Does one run from start to end; false if it was halted.
fn run_one(
    spec: &RunSpec<'_>,
    id: RunId,
    slot: &mut WorkerSlot<'_>,
) -> Result<bool, ExperimentError> {
    let preset = spec.folder.manifest().presets[id.preset].clone();
    let session = Session::new(preset, id.seed, Vec::new(), slot.pool().clone())?;
    let mut run = ActiveRun {
        writer: spec.folder.writer(id, session.columns())?,
        session,
        reached: None,
        worked: Duration::ZERO,
        players: (spec.folder.manifest().keeps_players).then(KeptPlayers::default),
    };
    (spec.on_event)(ExperimentEvent::Started(id));
    while !run.is_done() {
        if slot.resize()? {
            run.session.set_pool(slot.pool().clone());
        }
        let pool = slot.pool().clone();
        let Some(rows) = pool.install(|| run.run_slice(spec.halt, slot))? else {
            return Ok(false);
        };
        (spec.on_event)(ExperimentEvent::Rows { id, rows });
    }
    if let Some(players) = &mut run.players {
        players.add_champions(run.session.state());
    }
    spec.folder.keep_time(id, run.worked)?;
    let outcome = run.writer.finish(run.reached, run.players.as_ref())?;
    (spec.on_event)(ExperimentEvent::Finished { id, outcome });
    Ok(true)
}

/// A run in progress.
struct ActiveRun<'a> {
    session: Session,
    writer: ExperimentRunWriter<'a>,
    /// The generation in which the target was met.
    reached: Option<u64>,
    /// The time that its generations took.
    worked: Duration,
    /// The players that are kept, if any.
    players: Option<KeptPlayers>,
}

impl ActiveRun<'_> {
    fn is_done(&self) -> bool {
        self.reached.is_some() || self.session.is_done()
    }

    /// Runs generations for one time slice. Returns their rows, or `None` if halted.
    fn run_slice(
        &mut self,
        halt: &AtomicBool,
        slot: &WorkerSlot<'_>,
    ) -> Result<Option<Vec<Row>>, StorageError> {
        let target = self.session.preset().stop_condition();
        let meets = |columns: &Columns, row: &Row| {
            target
                .as_ref()
                .is_some_and(|target| target.is_met(columns, row))
        };
        let (began, mut rows) = (Instant::now(), Vec::new());
        while !self.is_done() {
            if let Some(players) = &mut self.players {
                players.add_population(&self.session);
            }
            let Some(row) = self.session.advance(halt) else {
                return Ok(None);
            };
            self.writer.write_row(&row)?;
            if meets(self.session.columns(), &row) {
                self.reached = Some(row.generation());
            }
            rows.push(row);
            if began.elapsed() >= TIME_SLICE || slot.is_outdated() {
                break;
            }
        }
        self.worked += began.elapsed();
        Ok(Some(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_take_every_run_once() {
        for of in 1..6 {
            let shards: Vec<Shard> = (1..=of)
                .map(|index| Shard::parse(&format!("{index}/{of}")).expect("it is a shard"))
                .collect();
            for index in 0..20 {
                assert_eq!(shards.iter().filter(|one| one.contains(index)).count(), 1);
            }
        }
        for text in ["0/3", "4/3", "1", "1/", "a/b", "1/0"] {
            let error = Shard::parse(text)
                .expect_err("it is not a shard")
                .to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
