//! A session on a thread of its own: orders go in, news come out. However slow or dead the listener, evolution goes on and
//! memory stays bounded; however the worker ends, the listener is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::arena::Arena;
use crate::metrics::Columns;
use crate::metrics::until::Until;
use crate::preset::{Intervention, Preset};
use crate::session::Session;
use crate::storage::keeper::Keeper;

pub use self::bug::{Bug, BugPlace};
use self::message::{Command, Event};
use self::worker::Worker;

mod bug;
mod clock;
pub mod follow;
pub mod message;
mod telling;
mod worker;

/// Who listens to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// A screen: rows come in batches a few times a second, and where it falls behind they are thinned out for it, the
    /// full record being on disk.
    Screen,
    /// A script: every row comes, and the worker waits for it.
    Script,
}

/// How a run is kept and shown.
#[derive(Debug)]
pub struct Options {
    pub listener: Listener,
    /// Where the run is saved, or nowhere.
    pub keeper: Option<Keeper>,
    /// Time the run has worked before it was resumed.
    pub seconds: f64,
    /// Time from one checkpoint to the next.
    pub checkpoint_every: Duration,
    /// Whether the run begins paused.
    pub paused: bool,
    /// A condition that ends the run as the last generation does, in place of the preset's.
    pub until: Option<Until>,
    /// A bug to order, to see that all ends well; never set in earnest.
    pub bug: Option<Bug>,
}

impl Options {
    /// A run for a listener, saved by `keeper` every ten seconds.
    pub fn new(listener: Listener, keeper: Option<Keeper>) -> Self {
        Self {
            listener,
            keeper,
            seconds: 0.0,
            checkpoint_every: Duration::from_secs(10),
            paused: false,
            until: None,
            bug: None,
        }
    }
}

/// A run in progress. Dropping it stops the worker, which saves first.
#[derive(Debug)]
pub struct Run {
    commands: Sender<Command>,
    events: Receiver<Event>,
    halt: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
    facts: Facts,
}

/// What is known of a run from its beginning.
#[derive(Clone)]
pub struct Facts {
    /// The preset as it stood when the worker started.
    pub preset: Preset,
    pub seed: u64,
    pub columns: Columns,
    pub interventions: Vec<Intervention>,
    pub arena: Arc<dyn Arena>,
    pub threads: usize,
    /// The folder's name, where the run is saved.
    pub saved_as: Option<String>,
    /// The generation at which the worker started.
    pub generation: u64,
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts")
            .field("preset", &self.preset.name)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Batches that wait for a listener before the worker thins or waits.
const WAITING: usize = 64;

impl Run {
    /// Starts a worker for the session.
    pub fn spawn(session: Session, options: Options) -> std::io::Result<Self> {
        let facts = Facts {
            preset: session.preset().clone(),
            seed: session.seed(),
            columns: session.columns().clone(),
            interventions: session.interventions().to_vec(),
            arena: Arc::clone(session.arena()),
            threads: session.pool().threads(),
            saved_as: options.keeper.as_ref().map(Keeper::name),
            generation: session.generation(),
        };
        let began = if facts.generation == 0 {
            "started"
        } else {
            "resumed"
        };
        tracing::info!(
            target: "finches::run",
            preset = facts.preset.name,
            seed = facts.seed,
            generation = facts.generation,
            threads = facts.threads,
            saved_as = facts.saved_as.as_deref().unwrap_or("nothing"),
            "{began}"
        );
        let (commands, orders) = unbounded();
        let (news, events) = bounded(WAITING);
        let halt = Arc::new(AtomicBool::new(false));
        let worker = Worker::new(
            session,
            options,
            orders,
            news,
            events.clone(),
            Arc::clone(&halt),
        );
        let worker = std::thread::Builder::new()
            .name("worker".to_owned())
            .spawn(move || worker.run())?;
        Ok(Self {
            commands,
            events,
            halt,
            worker: Some(worker),
            facts,
        })
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Gives an order; false where the worker has ended. A pause takes hold between two games.
    pub fn send(&self, command: Command) -> bool {
        if command == Command::Pause {
            self.halt.store(true, Ordering::Relaxed);
        }
        self.commands.send(command).is_ok()
    }

    /// What the worker tells; closed once it has ended.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Stops between two games, saves, and waits for the worker to end. News that come meanwhile are returned.
    pub fn stop(mut self) -> Vec<Event> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Vec<Event> {
        let Some(worker) = self.worker.take() else {
            return Vec::new();
        };
        self.halt.store(true, Ordering::Relaxed);
        let (closed, _) = bounded(0);
        // The worker ends when its orders end.
        drop(std::mem::replace(&mut self.commands, closed));
        let last: Vec<Event> = self.events.iter().collect();
        // A panic of the worker has been told as an event.
        let _ = worker.join();
        last
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.shut_down();
    }
}
