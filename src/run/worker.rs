//! The worker: carries out orders between generations, evolves, saves, tells.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError};

use crate::metrics::Row;
use crate::metrics::until::Until;
use crate::session::{Census, Session};
use crate::storage::StorageError;
use crate::storage::keeper::Keeper;

use super::clock::Clock;
use super::message::{Command, Event, Phase, Snapshot};
use super::telling::{self, Parts, Telling};
use super::{Bug, Listener, Options};

/// Time from one batch of rows to the next: a screen draws when one comes, and twenty times a second is smooth.
const BATCH: Duration = Duration::from_millis(50);

/// Time from one snapshot to the next.
const SNAPSHOT: Duration = Duration::from_millis(200);

/// Time from one flush of the metrics to the next.
const FLUSH: Duration = Duration::from_secs(1);

/// Rows that wait for a slow screen; beyond it every second one goes, the record on disk being whole.
const MOST_ROWS: usize = 8192;

/// Why the worker's loop goes on or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

pub(super) struct Worker {
    session: Session,
    keeper: Option<Keeper>,
    listener: Listener,
    orders: Receiver<Command>,
    news: Sender<Event>,
    /// The listener's end of `news`, to take back a snapshot that is out of date.
    waiting: Receiver<Event>,
    halt: Arc<AtomicBool>,
    phase: Phase,
    /// The generation that was last told, kept until the next one is for whoever looks at its members.
    told: Arc<Census>,
    /// Generations to do though paused.
    steps: u32,
    /// Settings to turn at the next boundary.
    turns: Vec<(String, String)>,
    rows: Vec<Row>,
    telling: Telling,
    clock: Clock,
    checkpoint_every: Duration,
    last_batch: Instant,
    last_snapshot: Option<Instant>,
    last_checkpoint: Instant,
    last_flush: Instant,
    /// Whether generations have been done since the last checkpoint.
    unsaved: bool,
    /// Whether the listener has been told that nothing is saved.
    troubled: bool,
    sample: u64,
    bug: Option<Bug>,
    until: Option<Until>,
    /// Whether `until` has been met.
    reached: bool,
}

impl Worker {
    pub(super) fn new(
        session: Session,
        options: Options,
        orders: Receiver<Command>,
        news: Sender<Event>,
        waiting: Receiver<Event>,
        halt: Arc<AtomicBool>,
    ) -> Self {
        let now = Instant::now();
        let clock = Clock::new(options.seconds, &session);
        let until = options.until.or_else(|| session.preset().target());
        Self {
            session,
            keeper: options.keeper,
            listener: options.listener,
            orders,
            news,
            waiting,
            halt,
            phase: if options.paused {
                Phase::Paused
            } else {
                Phase::Running
            },
            told: Arc::default(),
            steps: 0,
            turns: Vec::new(),
            rows: Vec::new(),
            telling: Telling::new(),
            clock,
            checkpoint_every: options.checkpoint_every,
            last_batch: now,
            last_snapshot: None,
            last_checkpoint: now,
            last_flush: now,
            unsaved: false,
            troubled: false,
            sample: 0,
            bug: options.bug,
            until,
            reached: false,
        }
    }

    /// Works until the orders end; a panic anywhere is told, and the last checkpoint stays.
    pub(super) fn run(mut self) {
        // Wholly on the pool's threads: no generation waits for one of them to wake.
        let pool = self.session.pool().clone();
        let ended = catch_unwind(AssertUnwindSafe(|| pool.inside(|| self.work())));
        match ended {
            Ok(()) => {
                self.save();
                self.flush_rows();
                self.telling.tell();
            }
            Err(panic) => {
                let message = format!(
                    "generation {}: {}",
                    self.session.generation(),
                    panic_words(panic.as_ref())
                );
                self.tell(Event::Failed(message));
            }
        }
    }

    fn work(&mut self) {
        self.tell(Event::Phase(self.phase));
        self.snapshot();
        while self.obey() == Next::GoOn {
            if self.is_working() {
                self.generation();
            }
            self.keep_up();
        }
    }

    fn is_done(&self) -> bool {
        self.reached || self.session.is_done()
    }

    /// Whether there is a generation to do now.
    fn is_working(&self) -> bool {
        let wanted = match self.phase {
            Phase::Running | Phase::Starting => true,
            Phase::Paused => self.steps > 0,
            Phase::Done => false,
        };
        wanted && !self.is_done()
    }

    /// Carries out all orders that wait; blocks while there is nothing to do but wait for more.
    fn obey(&mut self) -> Next {
        loop {
            let order = if self.is_working() {
                match self.orders.try_recv() {
                    Ok(order) => order,
                    Err(TryRecvError::Empty) => return Next::GoOn,
                    Err(TryRecvError::Disconnected) => return Next::End,
                }
            } else {
                self.settle();
                match self.orders.recv_timeout(FLUSH) {
                    Ok(order) => order,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return Next::End,
                }
            };
            self.carry_out(order);
        }
    }

    /// Tells and saves what is open before the worker waits.
    fn settle(&mut self) {
        if self.is_done() && self.phase != Phase::Done {
            self.phase = Phase::Done;
            self.flush_rows();
            self.snapshot();
            self.save();
            self.telling.tell();
            self.tell(Event::Phase(Phase::Done));
        }
        self.flush_rows();
        self.turn_all();
        if self.unsaved || self.troubled {
            self.save();
        }
    }

    fn carry_out(&mut self, order: Command) {
        match order {
            Command::Pause => {
                self.halt.store(false, Ordering::Relaxed);
                self.steps = 0;
                self.flush_rows();
                self.snapshot();
                self.enter(Phase::Paused);
            }
            Command::Resume => {
                self.steps = 0;
                self.enter(Phase::Running);
            }
            Command::Step if self.phase == Phase::Paused => self.steps += 1,
            Command::Step => {}
            Command::Turn { key, value } => self.turns.push((key, value)),
            Command::Save => self.save(),
            Command::Resample => {
                self.sample += 1;
                self.snapshot();
            }
        }
    }

    fn enter(&mut self, phase: Phase) {
        if self.phase == Phase::Done && self.is_done() {
            return;
        }
        self.phase = phase;
        self.tell(Event::Phase(phase));
    }

    /// Turns what was ordered, unless a generation is being played.
    fn turn_all(&mut self) {
        if self.session.is_within_generation() || self.turns.is_empty() {
            return;
        }
        for (key, value) in std::mem::take(&mut self.turns) {
            match self.session.turn(&key, &value) {
                Ok(intervention) => self.tell(Event::Turned(intervention)),
                Err(problem) => self.tell(Event::Refused(problem)),
            }
        }
        let recorded = self
            .keeper
            .as_ref()
            .map_or(Ok(()), |keeper| keeper.record(&self.session));
        self.note(recorded);
        if self.phase == Phase::Done && !self.is_done() {
            self.enter(Phase::Running);
        }
    }

    /// Does a generation, or as much of it as a pause leaves time for.
    fn generation(&mut self) {
        self.turn_all();
        if let Some(bug) = self.bug {
            bug.show(self.session.generation(), self.session.pool());
        }
        let began = Instant::now();
        let (session, halt, keeper) = (&mut self.session, &self.halt, &self.keeper);
        let pool = session.pool().clone();
        let done = pool.inside(|| {
            let finished = session.play(halt)?;
            let kept = keeper
                .as_ref()
                .map_or(Ok(()), |keeper| keep(session, keeper));
            let played = Instant::now();
            let row = session.measure(&finished);
            let measured = Instant::now();
            session.breed(finished);
            let parts = Parts {
                playing: played - began,
                measuring: measured - played,
                breeding: measured.elapsed(),
            };
            Some((row, parts, kept))
        });
        let seconds = began.elapsed().as_secs_f64();
        let Some((mut row, parts, kept)) = done else {
            self.clock.seconds += seconds;
            return;
        };
        let measured = parts.measuring.as_secs_f64();
        self.clock.add(seconds, measured, &self.session);
        self.telling.add(self.session.columns(), &row, parts);
        if kept.is_err() {
            self.note(kept);
        }
        row.set(
            self.session.columns(),
            "seconds",
            (self.clock.seconds * 1e3).round() / 1e3,
        );
        if let Some(keeper) = &mut self.keeper {
            keeper.row(&row);
        }
        self.reached = self
            .until
            .as_ref()
            .is_some_and(|until| until.is_met(self.session.columns(), &row));
        self.rows.push(row);
        self.unsaved = true;
        self.steps = self.steps.saturating_sub(1);
    }

    /// Tells and saves what is due.
    fn keep_up(&mut self) {
        let now = Instant::now();
        if now - self.last_batch >= BATCH || self.rows.len() >= MOST_ROWS {
            self.flush_rows();
        }
        if self.listener == Listener::Screen
            && self.last_snapshot.is_none_or(|last| now - last >= SNAPSHOT)
        {
            self.snapshot();
        }
        if now - self.last_checkpoint >= self.checkpoint_every {
            self.save();
        } else if now - self.last_flush >= FLUSH {
            self.last_flush = now;
            let flushed = self.keeper.as_mut().map_or(Ok(()), Keeper::flush);
            self.note(flushed);
        }
    }

    /// Tells the rows that have come together.
    fn flush_rows(&mut self) {
        self.last_batch = Instant::now();
        if self.rows.is_empty() {
            return;
        }
        let event = Event::Rows(std::mem::take(&mut self.rows), self.clock.pace());
        if self.listener == Listener::Script {
            self.tell(event);
        } else if let Err(TrySendError::Full(Event::Rows(rows, _))) = self.news.try_send(event) {
            self.rows = rows;
            if self.rows.len() >= MOST_ROWS {
                let mut odd = false;
                self.rows.retain(|_| {
                    odd = !odd;
                    odd
                });
            }
        }
    }

    /// Tells the latest champion and its games; one that nobody has looked at yet is replaced.
    fn snapshot(&mut self) {
        if self.listener != Listener::Screen {
            return;
        }
        self.last_snapshot = Some(Instant::now());
        let Some(champion) = self.session.state().champion.clone() else {
            return;
        };
        let topology = champion.genome.topology();
        let snapshot = Snapshot {
            champion,
            layers: topology.layers,
            edges: topology.edges,
            fitness: self.session.fitness().to_vec(),
            lengths: self.session.lengths().clone(),
            games: self.session.sample_games(self.sample),
        };
        // Where the listener is behind, the next snapshot is more to the point.
        let _ = self.news.try_send(Event::Snapshot(Box::new(snapshot)));
        self.told = Arc::clone(self.session.census());
        let members = Arc::downgrade(&self.told);
        let _ = self.news.try_send(Event::Members(members));
    }

    /// Writes a checkpoint.
    fn save(&mut self) {
        self.last_checkpoint = Instant::now();
        self.last_flush = self.last_checkpoint;
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        if self.session.is_within_generation() && !self.unsaved {
            return;
        }
        let games = self.session.sample_games(self.sample);
        let saved = keeper.checkpoint(&self.session, self.clock.seconds, &games);
        if saved.is_ok() {
            self.unsaved = false;
            let generation = self.session.generation();
            let took_ms = self.last_checkpoint.elapsed().as_secs_f64() * 1e3;
            tracing::info!(target: "finches::run", generation, took_ms, "saved");
            self.tell(Event::Saved { generation });
        }
        self.note(saved);
    }

    /// Tells once when saving begins to fail.
    fn note(&mut self, saved: Result<(), StorageError>) {
        match saved {
            Ok(()) => self.troubled = false,
            Err(error) => {
                if !self.troubled {
                    self.tell(Event::NotSaved(error.to_string()));
                }
                self.troubled = true;
            }
        }
    }

    /// Tells something that must not get lost. Where a screen has stopped reading, its oldest news go instead, rows back to
    /// those that wait.
    fn tell(&mut self, event: Event) {
        telling::log(&event);
        if self.listener == Listener::Script {
            // A listener that has gone needs no news.
            let _ = self.news.send(event);
            return;
        }
        let mut event = event;
        while let Err(TrySendError::Full(back)) = self.news.try_send(event) {
            if let Ok(Event::Rows(mut rows, _)) = self.waiting.try_recv() {
                rows.append(&mut self.rows);
                self.rows = rows;
            }
            event = back;
        }
    }
}

/// Writes the population of the generation just played where the preset wants it kept.
fn keep(session: &Session, keeper: &Keeper) -> Result<(), StorageError> {
    let generation = session.generation();
    if session.preset().keeps(generation) {
        keeper.keep_population(generation, &session.state().population.members)
    } else {
        Ok(())
    }
}

/// The message of a panic.
fn panic_words(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(ToString::to_string);
    words
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a bug without a message".to_owned())
}
