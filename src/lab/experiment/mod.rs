//! Experiments: runs of presets × seeds in parallel. Each run gives the same results as on its own.
//! It is saved when it finishes, and now and then before, so that an interrupted experiment can be
//! continued. This module knows neither the screen nor signals: events go to a callback, and a flag
//! stops the work. The runs of an experiment with islands send each other members; files and
//! waiting keep clocks and the number of processes from changing a run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use finches_engine::metrics::{Columns, Row};
use finches_engine::params::ParamError;
use finches_engine::play::pool::{Pool, PoolError};
use finches_engine::preset::{Preset, PresetError};
use finches_engine::session::Session;
use finches_engine::session::team::Team;
use finches_runs::launch::LaunchError;
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::manifest::{Manifest, ManifestError, RunId};
use finches_runs::storage::experiments::outcome::RunOutcome;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::{ExperimentFolder, RunStatus};

use self::active_run::ActiveRun;
use self::collect::part_status;
use self::sweep::rounds::run_rounds;
use self::worker_pool::{WorkerPool, WorkerSlot};

mod active_run;
pub mod again;
pub mod collect;
pub mod curves;
pub mod duration;
pub mod fork;
pub mod matrix;
#[cfg(feature = "charts")]
pub mod plot;
pub mod summary;
pub mod sweep;
pub mod table;
mod worker_pool;

/// Interval between the events of a run.
const TIME_SLICE: Duration = Duration::from_millis(100);

/// The time between two looks for a champion that has not been sent yet: at first, and after a long
/// wait.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(100);

/// How long a run waits for a champion before it is saved and says so.
const LONG_WAIT: Duration = Duration::from_secs(2);

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
    /// A run can't be started or continued.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Presets and seeds can't be an experiment.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A parameter can't be changed.
    #[error(transparent)]
    Change(#[from] ParamError),
    /// A chart can't be drawn.
    #[cfg(feature = "charts")]
    #[error(transparent)]
    Plot(#[from] plot::PlotError),
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
    /// The files of a run, or its checkpoint, can't be used and have been renamed; what they held
    /// is done again.
    Damaged(StorageError),
    /// A run was finished earlier and is on disk.
    AlreadyDone {
        /// The run.
        id: RunId,
        /// How much of it is done.
        part: RunPart,
        /// Its outcome, read from disk.
        outcome: RunOutcome,
    },
    /// These runs will be done now, to the end of this part of them.
    Scheduled(Vec<RunId>, RunPart),
    /// A worker has started a run.
    Started(RunId),
    /// A run continues from a part of it or from its checkpoint.
    Continued {
        /// The run.
        id: RunId,
        /// The number of generations that are done.
        generations: u64,
        /// The names of the columns of its rows.
        names: Vec<String>,
        /// The rows so far that are written.
        rows: Vec<Row>,
    },
    /// A run has done more generations; one row for each.
    Rows {
        /// The run.
        id: RunId,
        /// The rows since its last event, oldest first.
        rows: Vec<Row>,
    },
    /// A run, or the part of it that was to be done, is finished and on disk.
    Finished {
        /// The run.
        id: RunId,
        /// How much of it is done.
        part: RunPart,
        /// Its outcome, as written to disk.
        outcome: RunOutcome,
    },
    /// A run has been waiting for members of another one for some time, or stops for want of them.
    /// It is saved.
    Waits {
        /// The run.
        id: RunId,
        /// The other run.
        source: RunId,
        /// The generation in which they arrive.
        generation: u64,
    },
}

/// What to run and how.
pub struct RunSpec<'a> {
    /// Where the presets are read from and the outcomes are written to.
    pub folder: &'a ExperimentFolder,
    /// The part to run.
    pub shard: Shard,
    /// The number of runs at the same time, each on one thread. Islands run at the same time, each
    /// on one thread at least.
    pub threads: usize,
    /// Other processes that play some of the games. They take one run after the other, with all
    /// threads.
    pub team: Option<Arc<dyn Team>>,
    /// Whether islands wait for each other's champions; otherwise one that lacks a champion stops.
    pub waits: bool,
    /// Once set, runs stop between two games. The next time, each continues after its last complete
    /// generation.
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
    /// All runs of the shard are finished that can be chosen before other shards have finished
    /// theirs; or islands are saved that lack champions of others.
    Waiting,
}

/// From where to where runs are done.
#[derive(Clone, Copy, Debug)]
struct RunLeg {
    /// The part that is done already; `None` if runs begin.
    from: Option<RunPart>,
    /// The part that is done then.
    to: RunPart,
}

impl RunLeg {
    /// From the first generation to the last.
    const WHOLE: Self = Self {
        from: None,
        to: RunPart::WHOLE,
    };
}

/// The columns of a preset's runs. Fails if the preset is invalid.
pub fn columns(preset: &Preset) -> Result<Columns, ExperimentError> {
    let pool = Pool::new(1)?;
    let session = Session::new(preset.clone(), 0, Vec::new(), pool)?;
    Ok(session.columns().clone())
}

/// The columns of the runs of each preset. Those of a fork are those of its run.
pub fn all_columns(manifest: &Manifest) -> Result<Vec<Columns>, ExperimentError> {
    let fork = manifest.fork.as_ref();
    let presets = manifest.presets.iter();
    presets
        .map(|preset| columns(fork.map_or(preset, |fork| &fork.preset)))
        .collect()
}

/// Does the unfinished runs of a shard; of a sweep with successive halving, those of all its
/// rounds.
pub fn run(spec: &RunSpec<'_>) -> Result<ExperimentEnd, ExperimentError> {
    let sweep = spec.folder.manifest().sweep.as_ref();
    match sweep.filter(|sweep| sweep.halving.is_some()) {
        Some(sweep) => run_rounds(spec, sweep),
        None => run_some(spec, RunLeg::WHOLE, |_| true),
    }
}

/// Does the unfinished runs of a shard that are wanted. The wanted runs are shared out among the
/// shards.
fn run_some(
    spec: &RunSpec<'_>,
    leg: RunLeg,
    is_wanted: impl Fn(RunId) -> bool,
) -> Result<ExperimentEnd, ExperimentError> {
    tracing::info!(
        target: "finches::experiment",
        shard = %spec.shard,
        threads = spec.threads,
        "experiment started"
    );
    let runs = remaining_runs(spec, leg.to, is_wanted)?;
    let threads = match &spec.folder.manifest().islands {
        Some(_) => spec.threads.max(runs.len()),
        None => spec.threads,
    };
    let most = if spec.team.is_some() { 1 } else { threads };
    let workers = WorkerPool::new(threads, most, runs);
    let ended: Vec<Result<(), ExperimentError>> = thread::scope(|scope| {
        let start = |worker| {
            let workers = &workers;
            let work = move || {
                let ended = run_worker(spec, leg, workers.register(worker)?);
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
    } else if spec.halt.load(Ordering::Relaxed) {
        ExperimentEnd::Halted
    } else {
        ExperimentEnd::Waiting
    })
}

/// The wanted runs of the shard that are not finished. Damaged files are renamed.
fn remaining_runs(
    spec: &RunSpec<'_>,
    to: RunPart,
    is_wanted: impl Fn(RunId) -> bool,
) -> Result<Vec<RunId>, ExperimentError> {
    let manifest = spec.folder.manifest();
    let mut wanted = manifest.run_ids();
    wanted.retain(|id| is_wanted(*id));
    if manifest.fork.is_some() {
        // Both branches of a seed, so that there are differences early.
        wanted.sort_by_key(|id| id.seed);
    }
    let own = wanted
        .into_iter()
        .enumerate()
        .filter(|(index, _)| spec.shard.contains(*index));
    let mut runs = Vec::new();
    for (_, id) in own {
        let (part, status) = part_status(spec.folder, id, to);
        match status {
            RunStatus::Finished(outcome) => {
                // It is left if the program was killed just before it would have been removed.
                spec.folder.remove_checkpoint(id, to);
                (spec.on_event)(ExperimentEvent::AlreadyDone { id, part, outcome });
                continue;
            }
            RunStatus::Missing => {}
            RunStatus::Damaged(error) => {
                spec.folder.move_damaged_files(id, part)?;
                (spec.on_event)(ExperimentEvent::Damaged(error));
            }
        }
        runs.push(id);
    }
    spec.folder.remove_unfinished(&runs);
    (spec.on_event)(ExperimentEvent::Scheduled(runs.clone(), to));
    Ok(runs)
}

/// Does runs one after another until none is left.
fn run_worker(
    spec: &RunSpec<'_>,
    leg: RunLeg,
    mut slot: WorkerSlot<'_>,
) -> Result<(), ExperimentError> {
    while !spec.halt.load(Ordering::Relaxed)
        && let Some(id) = slot.next_run()
    {
        let ran = catch_unwind(AssertUnwindSafe(|| run_one(spec, (id, leg), &mut slot)));
        let is_finished = ran.unwrap_or_else(|_| {
            let name = spec.folder.manifest().run_name(id);
            Err(ExperimentError::Failed(format!(
                "run {name} failed because of a bug; finished runs and the progress of the others \
                are saved"
            )))
        })?;
        if is_finished {
            slot.finish_run();
        }
    }
    Ok(())
}

/// Does one run, or a part of it; false if it was halted or lacks a champion. Then its checkpoint
/// is written.
fn run_one(
    spec: &RunSpec<'_>,
    (id, leg): (RunId, RunLeg),
    slot: &mut WorkerSlot<'_>,
) -> Result<bool, ExperimentError> {
    let on_damage = |error| (spec.on_event)(ExperimentEvent::Damaged(error));
    let (mut run, earlier) =
        ActiveRun::start(spec.folder, (id, leg), slot.pool().clone(), &on_damage)?;
    if let Some(team) = &spec.team {
        run.set_team(Arc::clone(team));
    }
    (spec.on_event)(ExperimentEvent::Started(id));
    if let Some((names, rows)) = earlier {
        (spec.on_event)(ExperimentEvent::Continued {
            id,
            generations: run.generations(),
            names,
            rows,
        });
    }
    while !run.is_done() {
        if slot.resize()? {
            run.set_pool(slot.pool().clone());
        }
        if run.is_exchange_due() && !exchange(spec, id, &mut run)? {
            run.write_checkpoint()?;
            return Ok(false);
        }
        let pool = slot.pool().clone();
        let Some(rows) = pool.install(|| run.run_slice(spec.halt, slot))? else {
            run.write_checkpoint()?;
            return Ok(false);
        };
        (spec.on_event)(ExperimentEvent::Rows { id, rows });
        run.send_if_due()?;
        run.write_checkpoint_if_due();
    }
    let (part, outcome) = run.finish()?;
    (spec.on_event)(ExperimentEvent::Finished { id, part, outcome });
    Ok(true)
}

/// Sends members of an island and takes in those of others, for which it waits; false if they do
/// not arrive.
fn exchange(
    spec: &RunSpec<'_>,
    id: RunId,
    run: &mut ActiveRun<'_>,
) -> Result<bool, ExperimentError> {
    run.send_if_due()?;
    let generation = run.generations();
    let (began, mut is_told) = (Instant::now(), false);
    while let Some(source) = run.receive()? {
        let tell = || {
            (spec.on_event)(ExperimentEvent::Waits {
                id,
                source,
                generation,
            });
        };
        if spec.halt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        if !spec.waits {
            tell();
            return Ok(false);
        }
        if !is_told && began.elapsed() > LONG_WAIT {
            is_told = true;
            run.write_checkpoint()?;
            tell();
        }
        thread::sleep(if is_told { LAST_LOOK } else { FIRST_LOOK });
    }
    Ok(true)
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
