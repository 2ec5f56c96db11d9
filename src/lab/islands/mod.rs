//! The island model (Cohoon, Hegde, Martin & Richards 1987; Tanese 1989): several runs of one
//! preset in one process or in many, which send their champions round a ring at fixed generations.
//! A champion is a file, so that an island waits for the one before it and neither clocks nor the
//! number of processes change the result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use finches_engine::evolution::archive::Champion;
use finches_engine::genomes::GenomeError;
use finches_engine::metrics::Row;
use finches_engine::metrics::stop_condition::StopCondition;
use finches_engine::play::pool::{Pool, PoolError};
use finches_engine::preset::PresetError;
use finches_engine::session::Session;
use finches_engine::session::measures::progress;
use finches_runs::storage::StorageError;
use finches_runs::storage::islands::IslandsFolder;
use finches_runs::storage::run_writer::RunWriter;

/// The time between two looks for a champion that has not been sent yet: at first, and after a long
/// wait.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(100);

/// How long an island waits before it says so.
const LONG_WAIT: Duration = Duration::from_secs(2);

/// Interval between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);

/// Why an island can't evolve.
#[derive(Debug, Error)]
pub enum IslandError {
    /// The preset is invalid.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A file can't be read or written.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The threads can't be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A champion does not fit the preset.
    #[error(
        "the champion of island {source_island} for generation {generation} does not fit: {error}"
    )]
    Migrant {
        /// The island that sent it, counted from 1.
        source_island: u32,
        /// The generation in which it arrives.
        generation: u64,
        /// What does not fit.
        error: GenomeError,
    },
}

/// What happens on an island.
#[derive(Debug)]
pub enum IslandEvent<'a> {
    /// It starts or goes on at this generation.
    Started {
        /// The next generation.
        generation: u64,
    },
    /// It has done a generation.
    Row(&'a Row),
    /// It has been waiting for the champion of another island for some time.
    Waits {
        /// The other island, counted from 0.
        source_island: u32,
        /// The generation in which the champion arrives.
        generation: u64,
    },
}

/// How the work on an island ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IslandEnd {
    /// All generations are done, or its target is met.
    Done,
    /// It was stopped before, and is saved.
    Halted,
    /// It is saved and can't go on before another island has sent a champion.
    Waiting {
        /// The other island, counted from 0.
        source_island: u32,
    },
}

/// An island and how it is evolved.
pub struct IslandSpec<'a> {
    /// The islands.
    pub folder: &'a IslandsFolder,
    /// Which of them, counted from 0.
    pub island: u32,
    /// The number of threads that play its games.
    pub threads: usize,
    /// Whether it waits for champions of other islands; otherwise it stops where one is missing.
    pub waits: bool,
    /// Once set, it stops between two games.
    pub halt: &'a AtomicBool,
    /// Called on its thread.
    pub on_event: &'a (dyn Fn(IslandEvent<'_>) + Sync),
}

/// Evolves an island until it is done, halted or, if it does not wait, in want of a champion.
pub fn evolve(spec: &IslandSpec<'_>) -> Result<IslandEnd, IslandError> {
    let mut island = LiveIsland::open(spec)?;
    (spec.on_event)(IslandEvent::Started {
        generation: island.session.generation(),
    });
    let ended = island.work();
    island.save()?;
    ended
}

/// An island in progress.
struct LiveIsland<'a> {
    spec: &'a IslandSpec<'a>,
    session: Session,
    writer: RunWriter,
    /// Working time so far, in seconds.
    seconds: f64,
    until: Option<StopCondition>,
    is_target_met: bool,
    saved: Instant,
    /// The generations whose champions have been sent since it was saved.
    sent: Vec<u64>,
}

impl<'a> LiveIsland<'a> {
    fn open(spec: &'a IslandSpec<'a>) -> Result<Self, IslandError> {
        let definition = spec.folder.definition();
        let pool = Pool::new(spec.threads)?;
        let saved = spec.folder.saved(spec.island)?;
        let session = if let Some(saved) = &saved {
            saved.session(pool, None)?
        } else {
            let seed = definition.seed_of(spec.island);
            let mut session = Session::new(definition.preset.clone(), seed, Vec::new(), pool)?;
            session.settle(spec.island, definition.islands);
            session
        };
        let last = spec.folder.last(spec.island)?;
        let is_last = |last: &Champion| last.generation + 1 == session.generation();
        Ok(Self {
            is_target_met: last.as_ref().is_some_and(is_last),
            writer: spec
                .folder
                .open_run(spec.island, saved.as_ref(), &session)?,
            seconds: saved.map_or(0.0, |saved| saved.seconds),
            until: session.preset().stop_condition(),
            spec,
            session,
            saved: Instant::now(),
            sent: Vec::new(),
        })
    }

    fn work(&mut self) -> Result<IslandEnd, IslandError> {
        while !self.is_target_met && !self.session.is_done() {
            if let Some(end) = self.exchange()? {
                return Ok(end);
            }
            if !self.generation() {
                return Ok(IslandEnd::Halted);
            }
            if !self.is_target_met && self.saved.elapsed() >= CHECKPOINT_INTERVAL {
                self.save()?;
            }
        }
        // Before the checkpoint, which does not say whether the target is met.
        if let Some(champion) = &self.session.state().champion {
            self.spec.folder.finish(self.spec.island, champion)?;
        }
        Ok(IslandEnd::Done)
    }

    /// Does a generation; false if it was halted.
    fn generation(&mut self) -> bool {
        let began = Instant::now();
        let (session, halt) = (&mut self.session, self.spec.halt);
        let pool = session.pool().clone();
        let Some(mut row) = pool.install(|| session.advance(halt)) else {
            return false;
        };
        self.seconds += began.elapsed().as_secs_f64();
        let seconds = (self.seconds * 1e3).round() / 1e3;
        row.set(self.session.columns(), &progress::SECONDS, seconds);
        self.writer.write_row(&row);
        let until = self.until.as_ref();
        self.is_target_met = until.is_some_and(|until| until.is_met(self.session.columns(), &row));
        (self.spec.on_event)(IslandEvent::Row(&row));
        true
    }

    /// Sends the champion and takes in that of another island, if it is time. An end if it has to
    /// stop instead.
    fn exchange(&mut self) -> Result<Option<IslandEnd>, IslandError> {
        let (folder, island) = (self.spec.folder, self.spec.island);
        let generation = self.session.generation();
        let is_due = folder.definition().is_exchange(generation);
        let champion = self.session.state().champion.as_ref().filter(|_| is_due);
        let Some(champion) = champion.filter(|_| self.session.takes_migrant()) else {
            return Ok(None);
        };
        folder.send(island, generation, champion)?;
        self.sent.push(generation);
        let source_island = folder.definition().source(island);
        let (began, mut is_told) = (Instant::now(), false);
        let migrant = loop {
            if let Some(migrant) = folder.migrant(island, generation)? {
                break migrant;
            }
            if !self.spec.waits {
                return Ok(Some(IslandEnd::Waiting { source_island }));
            }
            if self.spec.halt.load(Ordering::Relaxed) {
                return Ok(Some(IslandEnd::Halted));
            }
            if !is_told && began.elapsed() > LONG_WAIT {
                is_told = true;
                self.save()?;
                (self.spec.on_event)(IslandEvent::Waits {
                    source_island,
                    generation,
                });
            }
            thread::sleep(if is_told { LAST_LOOK } else { FIRST_LOOK });
        };
        let settled = self.session.immigrate(&migrant);
        settled.map_err(|error| IslandError::Migrant {
            source_island: source_island + 1,
            generation,
            error,
        })?;
        Ok(None)
    }

    /// Writes a checkpoint, after the champions that it relies on.
    fn save(&mut self) -> Result<(), StorageError> {
        self.saved = Instant::now();
        for generation in self.sent.drain(..) {
            self.spec.folder.sync_sent(self.spec.island, generation)?;
        }
        self.writer.checkpoint(&self.session, self.seconds, &[])
    }
}
