//! The events that a worker sends: rows in batches, snapshots for a screen, and all others at once.
//! A listener that has stopped reading does not stop it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError};

use finches_engine::metrics::Row;
use finches_engine::session::{GenerationSnapshot, Session};

use crate::run::Listener;
use crate::run::message::{LearningReport, RunEvent, Snapshot, Speed};
use crate::run::run_log;

/// Interval between batches of rows. The screen redraws on every batch; 20 redraws per second look
/// smooth.
const BATCH_INTERVAL: Duration = Duration::from_millis(50);

/// Interval between snapshots.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum number of rows queued for a slow screen. Above it every second row is dropped; the file
/// on disk stays complete.
const MAX_QUEUED_ROWS: usize = 8192;

pub(super) struct Outbox {
    listener: Listener,
    events: Sender<RunEvent>,
    /// The receiving end of `events`, used to take back events that the listener has not read.
    queue: Receiver<RunEvent>,
    rows: Vec<Row>,
    last_batch: Instant,
    last_snapshot: Option<Instant>,
    /// The generation reported last. It is kept alive until the next one is reported, so that the
    /// listener can read its members.
    reported_generation: Arc<GenerationSnapshot>,
    sample_number: u64,
}

impl Outbox {
    /// An outbox of these two ends of a channel.
    pub(super) fn new(
        listener: Listener,
        (events, queue): (Sender<RunEvent>, Receiver<RunEvent>),
    ) -> Self {
        Self {
            listener,
            events,
            queue,
            rows: Vec::new(),
            last_batch: Instant::now(),
            last_snapshot: None,
            reported_generation: Arc::default(),
            sample_number: 0,
        }
    }

    pub(super) fn has_screen(&self) -> bool {
        self.listener == Listener::Screen
    }

    /// The number of the sample games that are shown.
    pub(super) fn sample_number(&self) -> u64 {
        self.sample_number
    }

    /// Sends other sample games.
    pub(super) fn resample(&mut self, session: &Session) {
        self.sample_number += 1;
        self.snapshot(session);
    }

    /// Collects a row for the next batch.
    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Sends what is due by its interval.
    pub(super) fn flush_due(&mut self, session: &Session, speed: Speed) {
        let now = Instant::now();
        if now - self.last_batch >= BATCH_INTERVAL || self.rows.len() >= MAX_QUEUED_ROWS {
            self.flush_rows(speed);
        }
        let last = self.last_snapshot;
        if self.has_screen() && last.is_none_or(|last| now - last >= SNAPSHOT_INTERVAL) {
            self.snapshot(session);
        }
    }

    /// Sends the collected rows.
    pub(super) fn flush_rows(&mut self, speed: Speed) {
        self.last_batch = Instant::now();
        if self.rows.is_empty() {
            return;
        }
        let event = RunEvent::Rows(std::mem::take(&mut self.rows), speed);
        if !self.has_screen() {
            // The listener may be gone.
            let _ = self.events.send(event);
        } else if let Err(TrySendError::Full(RunEvent::Rows(rows, _))) = self.events.try_send(event)
        {
            self.rows = rows;
            if self.rows.len() >= MAX_QUEUED_ROWS {
                let mut odd = false;
                self.rows.retain(|_| {
                    odd = !odd;
                    odd
                });
            }
        }
    }

    /// Sends the latest champion and its sample games. Dropped if the queue of events is full.
    pub(super) fn snapshot(&mut self, session: &Session) {
        if !self.has_screen() {
            return;
        }
        self.last_snapshot = Some(Instant::now());
        let Some(snapshot) = Snapshot::of(session, self.sample_number) else {
            return;
        };
        // If the listener is behind, it gets a later snapshot instead.
        let _ = self.events.try_send(RunEvent::Snapshot(Box::new(snapshot)));
        self.reported_generation = Arc::clone(session.snapshot());
        let members = Arc::downgrade(&self.reported_generation);
        let _ = self.events.try_send(RunEvent::Members(members));
    }

    /// Sends what learns before the first generation. Dropped if the queue of events is full.
    pub(super) fn learner(&self, session: &Session) {
        if let Some(report) = LearningReport::of(session) {
            let _ = self.events.try_send(RunEvent::Learned(Box::new(report)));
        }
    }

    /// Sends an event of a generation that must not be lost. If a screen has stopped reading, its
    /// oldest events are dropped instead, and rows return to the collected rows.
    pub(super) fn send(&mut self, event: RunEvent, generation: u64) {
        run_log::log_event(&event, generation);
        if !self.has_screen() {
            // The listener may be gone.
            let _ = self.events.send(event);
            return;
        }
        let mut event = event;
        while let Err(TrySendError::Full(back)) = self.events.try_send(event) {
            if let Ok(RunEvent::Rows(mut rows, _)) = self.queue.try_recv() {
                rows.append(&mut self.rows);
                self.rows = rows;
            }
            event = back;
        }
    }
}
