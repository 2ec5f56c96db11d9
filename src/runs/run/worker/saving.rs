//! What a worker saves, and when. Each method returns what the listener has to know, if there is
//! something.

use std::time::{Duration, Instant};

use finches_engine::metrics::{BestGeneration, Row};
use finches_engine::session::{GenerationSnapshot, Session};

use crate::run::is_kept;
use crate::run::message::RunEvent;
use crate::storage::StorageError;
use crate::storage::run_writer::{RunWriter, has_games};

/// Interval between flushes of the metrics.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// The shortest interval between checkpoints at first, and later, unless another is asked for. It
/// is as long as the run until then, so that one that is killed soon does not lose the whole.
const CHECKPOINT_INTERVALS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// The interval is at least this many times the time that the last checkpoint took, so that they
/// take at most 3% of the time.
const CHECKPOINT_PAUSE: u32 = 33;

pub(super) struct Saving {
    writer: Option<RunWriter>,
    /// The interval that was asked for, if any.
    checkpoint_every: Option<Duration>,
    /// The time that the last checkpoint took.
    checkpoint_cost: Duration,
    began: Instant,
    /// When it was done.
    last_checkpoint: Instant,
    last_flush: Instant,
    has_unsaved_work: bool,
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
    pub(super) fn new(writer: Option<RunWriter>, checkpoint_every: Option<Duration>) -> Self {
        Self {
            writer,
            checkpoint_every,
            checkpoint_cost: Duration::ZERO,
            began: Instant::now(),
            last_checkpoint: Instant::now(),
            last_flush: Instant::now(),
            has_unsaved_work: false,
            is_failing: false,
        }
    }

    /// What is due by its interval.
    pub(super) fn due(&self) -> Option<Due> {
        let pause = self.checkpoint_cost * CHECKPOINT_PAUSE;
        let interval = self.checkpoint_every;
        let [least, most] = CHECKPOINT_INTERVALS;
        let so_far = self.last_checkpoint.saturating_duration_since(self.began);
        let interval = interval.unwrap_or_else(|| pause.max(so_far.clamp(least, most)));
        if self.last_checkpoint.elapsed() >= interval {
            Some(Due::Checkpoint)
        } else {
            (self.last_flush.elapsed() >= FLUSH_INTERVAL).then_some(Due::Flush)
        }
    }

    /// Whether there is something to save before the worker waits.
    pub(super) fn is_behind(&self) -> bool {
        self.has_unsaved_work || self.is_failing
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

    /// Adds the row of the generation that a session has just done, and its sample games, if they
    /// are kept: see [`is_kept`].
    pub(super) fn push(
        &mut self,
        row: &Row,
        (best, is_end): (BestGeneration, bool),
        session: &Session,
    ) {
        self.has_unsaved_work = true;
        if let Some(writer) = &mut self.writer {
            if is_kept(writer.rows_every(), row, best, is_end) {
                writer.write_row(row);
            }
            let generation = row.generation();
            if has_games(generation) {
                writer.add_games(generation, &session.sample_games(0));
            }
        }
    }

    /// Notes that the first members have learned more.
    pub(super) fn note_learned(&mut self) {
        self.has_unsaved_work = true;
    }

    /// Writes how the processes of the run have worked, if that is known anew.
    pub(super) fn write_processes(&self, session: &Session) {
        if let (Some(writer), Some(figures)) = (&self.writer, session.team_figures()) {
            // The rows tell of a full disk; nothing depends on this file.
            let _ = writer.write_processes(figures);
        }
    }

    /// Writes the rows that wait for it.
    pub(super) fn flush(&mut self) -> Option<RunEvent> {
        self.last_flush = Instant::now();
        let flushed = self.writer.as_mut().map_or(Ok(()), RunWriter::flush);
        self.report(flushed)
    }

    /// Goes on in a new folder if that of the run is no longer there.
    pub(super) fn follow_loss(&mut self, session: &Session, seconds: f64) -> Option<RunEvent> {
        let writer = self.writer.as_mut()?;
        match writer.follow_loss(session, seconds) {
            Ok(is_lost) => is_lost.then(|| {
                RunEvent::Repaired(format!(
                    "the folder of the run was moved away, removed or replaced: it is saved anew \
                    in {}, with the rows from generation {} on",
                    writer.folder().display(),
                    session.generation()
                ))
            }),
            Err(error) => self.report(Err(error)),
        }
    }

    /// Writes a checkpoint, with sample games of this number.
    pub(super) fn save(
        &mut self,
        session: &Session,
        (seconds, sample_number): (f64, u64),
    ) -> Option<RunEvent> {
        let began = Instant::now();
        (self.last_checkpoint, self.last_flush) = (began, began);
        let writer = self.writer.as_mut()?;
        if session.is_within_generation() && !self.has_unsaved_work {
            return None;
        }
        let latest = session.generation().checked_sub(1);
        let wanted = latest.filter(|&latest| !has_games(latest));
        let games = wanted.map_or_else(Vec::new, |_| session.sample_games(sample_number));
        let saved = writer.checkpoint(session, seconds, &games);
        self.last_checkpoint = Instant::now();
        self.checkpoint_cost = self.last_checkpoint - began;
        if saved.is_err() {
            return self.report(saved);
        }
        self.has_unsaved_work = false;
        self.is_failing = false;
        let generation = session.generation();
        let took_ms = self.checkpoint_cost.as_secs_f64() * 1e3;
        let done = generation.saturating_sub(1);
        tracing::info!(target: "finches::run", generation = done, took_ms, "saved");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that began this many seconds ago and was saved so many ago, in so many milliseconds.
    fn saving_after(began: u64, saved: u64, asked: Option<u64>, cost: u64) -> Saving {
        let mut saving = Saving::new(None, asked.map(Duration::from_secs));
        saving.checkpoint_cost = Duration::from_millis(cost);
        let before = |seconds| {
            let before = Instant::now().checked_sub(Duration::from_secs(seconds));
            before.expect("the machine has run for a while")
        };
        (saving.began, saving.last_checkpoint) = (before(began), before(saved));
        saving
    }

    #[test]
    fn a_young_run_is_saved_more_often() {
        let due = |began, saved| saving_after(began, saved, None, 1).due() == Some(Due::Checkpoint);
        assert!(due(1, 1) && due(4, 2) && due(8, 4) && due(60, 10));
        assert!(!due(3, 1) && !due(9, 4) && !due(60, 9));
    }

    #[test]
    fn saving_takes_at_most_three_percent_of_the_time_unless_asked_for() {
        let due = |asked: Option<u64>, cost: u64| {
            saving_after(20, 20, asked, cost).due() == Some(Due::Checkpoint)
        };
        assert!(due(None, 100));
        assert!(!due(None, 1000));
        assert!(due(Some(15), 1000));
        assert!(!due(Some(30), 100));
    }
}
