//! A session on its own thread: commands go in, events come out. A slow or dead listener neither
//! stops evolution nor makes memory grow. However the worker ends, the listener gets an event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::launch::PreparedRun;
#[cfg(doc)]
use crate::storage::saves::RunFile;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::metrics::{BestGeneration, Columns, Row};
use finches_engine::play::Arena;
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::Session;
use finches_engine::session::breakpoint::BreakpointWatch;

pub use self::injected_fault::{FaultLocation, InjectedFault};
use self::message::{RunCommand, RunEvent};
use self::pace::Pace;
use self::progress::RunProgress;
use self::worker::Worker;

mod clock;
pub mod follow;
mod injected_fault;
pub mod message;
pub mod pace;
pub mod progress;
pub mod recording;
mod run_log;
mod worker;

/// The kind of listener a run reports to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listener {
    /// A screen: rows come in batches, 20 per second at most. If the screen falls behind, rows are
    /// dropped; the file on disk stays complete.
    Screen,
    /// A script: every row is sent, and the worker waits until it is read.
    #[default]
    Script,
}

/// How a worker saves and reports its run.
#[derive(Debug, Default)]
pub struct WorkerOptions {
    /// Who reads the events.
    pub listener: Listener,
    /// Interval between checkpoints. By default ten seconds, shorter at the start, and longer so
    /// that they take at most 3% of the time.
    pub checkpoint_every: Option<Duration>,
    /// Whether the run starts paused.
    pub paused: bool,
    /// The generations per second at most.
    pub pace: Pace,
    /// What makes the run pause, with all rows before the first one that this run makes.
    pub breakpoints: BreakpointWatch,
    /// A condition that ends the run; it replaces the preset's.
    pub until: Option<StopCondition>,
    /// Whether the latest generation has met it.
    pub is_target_met: bool,
    /// A panic to cause on purpose, for tests.
    pub injected_fault: Option<InjectedFault>,
}

impl WorkerOptions {
    /// Options without a limit, a pace or a breakpoint.
    pub fn new(listener: Listener) -> Self {
        Self {
            listener,
            ..Self::default()
        }
    }
}

/// A run in progress. Dropping it stops the worker, which saves the run first.
#[derive(Debug)]
pub struct Run {
    commands: Sender<RunCommand>,
    events: Receiver<RunEvent>,
    halt: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
    info: RunInfo,
    progress: Arc<RunProgress>,
}

/// What is known about a run from the start.
#[derive(Clone)]
pub struct RunInfo {
    /// The preset as it was when the worker started.
    pub preset: Preset,
    /// The seed of the run.
    pub seed: u64,
    /// The columns of the rows that it sends.
    pub columns: Columns,
    /// The changes in force when the worker started.
    pub interventions: Vec<Intervention>,
    /// The arena of its game and agent.
    pub arena: Arc<dyn Arena>,
    /// The number of threads that play; 0 if another process runs it.
    pub threads: usize,
    /// The name of the run's folder, if it is saved.
    pub saved_as: Option<String>,
    /// The generation at which the worker started.
    pub generation: u64,
    /// How many of its rows are kept: see [`RunFile::rows_every`].
    pub rows_every: u64,
}

impl RunInfo {
    /// A run of which no more is known.
    pub fn new(preset: Preset, seed: u64, arena: Arc<dyn Arena>) -> Self {
        Self {
            preset,
            seed,
            columns: Columns::default(),
            interventions: Vec::new(),
            arena,
            threads: 1,
            saved_as: None,
            generation: 0,
            rows_every: 1,
        }
    }

    /// A session that is about to run.
    pub fn of(session: &Session, saved_as: Option<String>) -> Self {
        let arena = Arc::clone(session.arena());
        Self {
            columns: session.columns().clone(),
            interventions: session.made_changes().cloned().collect(),
            threads: session.pool().threads(),
            saved_as,
            generation: session.generation(),
            ..Self::new(session.preset().clone(), session.seed(), arena)
        }
    }
}

impl std::fmt::Debug for RunInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunInfo")
            .field("preset", &self.preset.name)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Whether a row is kept of a run that keeps that of every so many generations: it is one of them,
/// the best so far, or one that ends the run or makes it pause. `best` takes the row into account.
pub fn is_kept(rows_every: u64, row: &Row, best: BestGeneration, is_end: bool) -> bool {
    let generation = row.generation();
    let is_best = best.0.is_some_and(|(best, _)| best == generation);
    generation.is_multiple_of(rows_every) || is_best || is_end
}

/// Events queued for the listener before the worker drops rows (screen) or waits (script).
const EVENT_QUEUE_LENGTH: usize = 64;

impl Run {
    /// Starts a worker thread for a run.
    pub fn spawn(mut run: PreparedRun, options: WorkerOptions) -> std::io::Result<Self> {
        if let Some(writer) = &mut run.writer {
            writer.set_rows_every(run.rows_every);
        }
        let session = &run.session;
        let info = RunInfo {
            rows_every: run.rows_every,
            ..RunInfo::of(session, run.saved_as())
        };
        let verb = if info.generation == 0 {
            "started"
        } else {
            "resumed"
        };
        tracing::info!(
            target: "finches::run",
            preset = info.preset.name,
            seed = info.seed,
            generation = info.generation,
            threads = info.threads,
            saved_as = info.saved_as.as_deref().unwrap_or("nothing"),
            "{verb}"
        );
        let (commands, command_receiver) = unbounded();
        let (event_sender, events) = bounded(EVENT_QUEUE_LENGTH);
        let halt = Arc::new(AtomicBool::new(false));
        let worker = Worker::new(
            run,
            options,
            command_receiver,
            (event_sender, events.clone()),
            Arc::clone(&halt),
        );
        let progress = Arc::clone(worker.progress());
        let worker = std::thread::Builder::new()
            .name("worker".to_owned())
            .spawn(move || worker.run())?;
        Ok(Self {
            commands,
            events,
            halt,
            worker: Some(worker),
            info,
            progress,
        })
    }

    /// What was known when the worker started.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// How far the run is, at any time between two events.
    pub fn progress(&self) -> &Arc<RunProgress> {
        &self.progress
    }

    /// Sends a command; false if the worker has ended. A pause takes effect between two games.
    pub fn send(&self, command: RunCommand) -> bool {
        if command == RunCommand::Pause {
            self.halt.store(true, Ordering::Relaxed);
        }
        self.commands.send(command).is_ok()
    }

    /// The worker's events; the channel closes when the worker ends.
    pub fn events(&self) -> &Receiver<RunEvent> {
        &self.events
    }

    /// Stops between two games, saves, and waits for the worker to end. Returns the events not yet
    /// read.
    pub fn stop(mut self) -> Vec<RunEvent> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Vec<RunEvent> {
        let Some(worker) = self.worker.take() else {
            return Vec::new();
        };
        self.halt.store(true, Ordering::Relaxed);
        let (closed, _) = bounded(0);
        // The worker ends when the command channel closes.
        drop(std::mem::replace(&mut self.commands, closed));
        let last: Vec<RunEvent> = self.events.iter().collect();
        // A panic of the worker has already been reported as an event.
        let _ = worker.join();
        last
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.shut_down();
    }
}
