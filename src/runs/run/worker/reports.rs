//! What the worker sends and saves: rows in batches, snapshots, checkpoints and events. A listener that has stopped reading does not
//! stop it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::TrySendError;

use crate::run::Listener;
use crate::run::message::{RunEvent, Snapshot};
use crate::run::run_log;
use crate::storage::StorageError;
use crate::storage::run_writer::RunWriter;

use super::{FLUSH_INTERVAL, Worker};

/// Interval between batches of rows. The screen redraws on every batch; 20 redraws per second look smooth.
const BATCH_INTERVAL: Duration = Duration::from_millis(50);

/// Interval between snapshots.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum number of rows queued for a slow screen. Above it every second row is dropped; the file on disk stays complete.
const MAX_QUEUED_ROWS: usize = 8192;

impl Worker {
    /// Sends and saves whatever is due by its interval.
    pub(super) fn flush_due(&mut self) {
        let now = Instant::now();
        if now - self.last_batch >= BATCH_INTERVAL || self.rows.len() >= MAX_QUEUED_ROWS {
            self.flush_rows();
        }
        if self.listener == Listener::Screen
            && self
                .last_snapshot
                .is_none_or(|last| now - last >= SNAPSHOT_INTERVAL)
        {
            self.snapshot();
        }
        if now - self.last_checkpoint >= self.checkpoint_every {
            self.save();
        } else if now - self.last_flush >= FLUSH_INTERVAL {
            self.flush_file();
        }
    }

    /// Sends the collected rows.
    pub(super) fn flush_rows(&mut self) {
        self.last_batch = Instant::now();
        if self.rows.is_empty() {
            return;
        }
        let event = RunEvent::Rows(std::mem::take(&mut self.rows), self.clock.speed());
        if self.listener == Listener::Script {
            self.send(event);
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

    /// Writes the rows that wait for it.
    pub(super) fn flush_file(&mut self) {
        self.last_flush = Instant::now();
        let flushed = self.writer.as_mut().map_or(Ok(()), RunWriter::flush);
        self.report_save_result(flushed);
    }

    /// Says what was damaged in the files of a resumed run.
    pub(super) fn report_repair(&mut self) {
        let repair = self.writer.as_ref().and_then(RunWriter::repair);
        if let Some(repair) = repair.map(ToOwned::to_owned) {
            self.send(RunEvent::Repaired(repair));
        }
    }

    /// Reads the members of a resumed run for its screen.
    pub(super) fn restore_members(&mut self) {
        if self.listener == Listener::Screen {
            let saved = self.writer.as_ref().map(RunWriter::members);
            self.session.restore_snapshot(saved.and_then(Result::ok));
        }
    }

    /// Sends the latest champion and its sample games. Dropped if the queue of events is full.
    pub(super) fn snapshot(&mut self) {
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
            games: self.session.sample_games(self.sample_number),
        };
        // If the listener is behind, it gets a later snapshot instead.
        let _ = self.events.try_send(RunEvent::Snapshot(Box::new(snapshot)));
        self.reported_generation = Arc::clone(self.session.snapshot());
        let members = Arc::downgrade(&self.reported_generation);
        let _ = self.events.try_send(RunEvent::Members(members));
    }

    /// Writes a checkpoint.
    pub(super) fn save(&mut self) {
        self.last_checkpoint = Instant::now();
        self.last_flush = self.last_checkpoint;
        let Some(writer) = &mut self.writer else {
            return;
        };
        if self.session.is_within_generation() && !self.has_unsaved_generations {
            return;
        }
        let games = self.session.sample_games(self.sample_number);
        let saved = writer.checkpoint(&self.session, self.clock.seconds, &games);
        if saved.is_ok() {
            self.has_unsaved_generations = false;
            let generation = self.session.generation();
            let took_ms = self.last_checkpoint.elapsed().as_secs_f64() * 1e3;
            tracing::info!(target: "finches::run", generation, took_ms, "saved");
            self.send(RunEvent::Saved { generation });
        }
        self.report_save_result(saved);
    }

    /// Sends one event when saving starts to fail.
    pub(super) fn report_save_result(&mut self, saved: Result<(), StorageError>) {
        match saved {
            Ok(()) => self.is_save_failing = false,
            Err(error) => {
                if !self.is_save_failing {
                    self.send(RunEvent::NotSaved(error.to_string()));
                }
                self.is_save_failing = true;
            }
        }
    }

    /// Sends an event that must not be lost. If a screen has stopped reading, its oldest events are dropped instead, and rows
    /// return to the collected rows.
    pub(super) fn send(&mut self, event: RunEvent) {
        run_log::log_event(&event, self.session.generation());
        if self.listener == Listener::Script {
            // The listener may be gone.
            let _ = self.events.send(event);
            return;
        }
        let mut event = event;
        while let Err(TrySendError::Full(back)) = self.events.try_send(event) {
            if let Ok(RunEvent::Rows(mut rows, _)) = self.event_queue.try_recv() {
                rows.append(&mut self.rows);
                self.rows = rows;
            }
            event = back;
        }
    }

    /// Writes the state in which parameters were changed. At the start of a run, nothing has to be repeated to reach it.
    pub(super) fn write_state(&self) {
        let writer = self.writer.as_ref();
        let writer = writer.filter(|_| self.session.generation() > 0);
        if let Some(Err(error)) = writer.map(|writer| writer.write_state(&self.session)) {
            tracing::warn!(target: "finches::run", "a fork from here will repeat the run: {error}");
        }
    }

    /// Writes what defines the run, with all changes so far.
    pub(super) fn write_run_file(&mut self) {
        let writer = self.writer.as_mut();
        let written = writer.map_or(Ok(()), |writer| writer.write_run_file(&self.session));
        self.report_save_result(written);
    }
}
