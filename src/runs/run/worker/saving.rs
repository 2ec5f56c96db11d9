//! What a worker saves, and when. Each method returns what the listener has to know, if there is
//! something.

use std::time::{Duration, Instant};

use finches_engine::metrics::Row;
use finches_engine::session::{GenerationSnapshot, Session};

use crate::run::message::RunEvent;
use crate::storage::StorageError;
use crate::storage::run_writer::RunWriter;

/// Interval between flushes of the metrics.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

pub(super) struct Saving {
    writer: Option<RunWriter>,
    checkpoint_every: Duration,
    last_checkpoint: Instant,
    last_flush: Instant,
    has_unsaved_generations: bool,
    /// Whether the latest save failed; the listener is notified only once.
    is_failing: bool,
}

/// When the files of a run are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Checkpoint,
    Flush,
}

impl Saving {
    pub(super) fn new(writer: Option<RunWriter>, checkpoint_every: Duration) -> Self {
        Self {
            writer,
            checkpoint_every,
            last_checkpoint: Instant::now(),
            last_flush: Instant::now(),
            has_unsaved_generations: false,
            is_failing: false,
        }
    }

    /// What is due by its interval.
    pub(super) fn due(&self) -> Option<Due> {
        if self.last_checkpoint.elapsed() >= self.checkpoint_every {
            Some(Due::Checkpoint)
        } else {
            (self.last_flush.elapsed() >= FLUSH_INTERVAL).then_some(Due::Flush)
        }
    }

    /// Whether there is something to save before the worker waits.
    pub(super) fn is_behind(&self) -> bool {
        self.has_unsaved_generations || self.is_failing
    }

    /// Whether evolution waits because too many rows can't be written.
    pub(super) fn is_disk_full(&self) -> bool {
        self.writer.as_ref().is_some_and(RunWriter::is_full)
    }

    /// What was damaged in the files of a resumed run.
    pub(super) fn repair(&self) -> Option<RunEvent> {
        let repair = self.writer.as_ref().and_then(RunWriter::repair);
        repair.map(|words| RunEvent::Repaired(words.to_owned()))
    }

    /// The members of the last generation that a resumed run has played, if they can be read.
    pub(super) fn members(&self) -> Option<GenerationSnapshot> {
        self.writer.as_ref()?.members().ok()
    }

    pub(super) fn set_breakpoints(&mut self, breakpoints: Vec<String>) {
        if let Some(writer) = &mut self.writer {
            writer.set_breakpoints(breakpoints);
        }
    }

    /// Adds the row of a generation.
    pub(super) fn push(&mut self, row: &Row) {
        self.has_unsaved_generations = true;
        if let Some(writer) = &mut self.writer {
            writer.write_row(row);
        }
    }

    /// Writes the rows that wait for it.
    pub(super) fn flush(&mut self) -> Option<RunEvent> {
        self.last_flush = Instant::now();
        let flushed = self.writer.as_mut().map_or(Ok(()), RunWriter::flush);
        self.report(flushed)
    }

    /// Writes a checkpoint, with sample games of this number.
    pub(super) fn save(
        &mut self,
        session: &Session,
        (seconds, sample_number): (f64, u64),
    ) -> Option<RunEvent> {
        self.last_checkpoint = Instant::now();
        self.last_flush = self.last_checkpoint;
        let writer = self.writer.as_mut()?;
        if session.is_within_generation() && !self.has_unsaved_generations {
            return None;
        }
        let games = session.sample_games(sample_number);
        let saved = writer.checkpoint(session, seconds, &games);
        if saved.is_err() {
            return self.report(saved);
        }
        self.has_unsaved_generations = false;
        self.is_failing = false;
        let generation = session.generation();
        let took_ms = self.last_checkpoint.elapsed().as_secs_f64() * 1e3;
        tracing::info!(target: "finches::run", generation, took_ms, "saved");
        Some(RunEvent::Saved { generation })
    }

    /// Writes the population of the generation just played, if the preset asks for it.
    pub(super) fn save_population(&self, session: &Session) -> Result<(), StorageError> {
        let generation = session.generation();
        match &self.writer {
            Some(writer) if session.preset().saves_population(generation) => {
                writer.write_population(generation, &session.state().population.members)
            }
            _ => Ok(()),
        }
    }

    /// Writes the state in which parameters were changed. At the start of a run, nothing has to be
    /// repeated to reach it.
    pub(super) fn save_state(&self, session: &Session) {
        let writer = self.writer.as_ref().filter(|_| session.generation() > 0);
        if let Some(Err(error)) = writer.map(|writer| writer.write_state(session)) {
            tracing::warn!(target: "finches::run", "a fork from here will repeat the run: {error}");
        }
    }

    /// Writes what defines the run, with all changes so far.
    pub(super) fn write_run_file(&mut self, session: &Session) -> Option<RunEvent> {
        let writer = self.writer.as_mut();
        let written = writer.map_or(Ok(()), |writer| writer.write_run_file(session));
        self.report(written)
    }

    /// An event when saving starts to fail.
    pub(super) fn report(&mut self, saved: Result<(), StorageError>) -> Option<RunEvent> {
        let was_failing = std::mem::replace(&mut self.is_failing, saved.is_err());
        let error = saved.err().filter(|_| !was_failing)?;
        Some(RunEvent::NotSaved(error.to_string()))
    }
}
