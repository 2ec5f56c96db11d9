//! Log entries of a run besides its events: the time spent on the parts of generations, and new
//! best values. Generations are summed up before they are logged, so the cost is a few additions
//! per generation.

use std::time::{Duration, Instant};

use tracing::{debug, error, info, warn};

use finches_engine::metrics::{BestGeneration, Columns, Row};

use super::message::{Phase, RunEvent};

/// Interval between summaries.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(1);

/// Time spent on each part of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GenerationTiming {
    pub(super) playing: Duration,
    pub(super) measuring: Duration,
    pub(super) reproduction: Duration,
}

/// Collects what is to be logged.
pub(super) struct RunLog {
    first: u64,
    generations: u64,
    parts: GenerationTiming,
    best: BestGeneration,
    /// Whether it has not been logged yet.
    is_new: bool,
    last: Instant,
}

impl RunLog {
    /// The log of a run whose earlier generations had this best one.
    pub(super) fn new(best: BestGeneration) -> Self {
        Self {
            first: 0,
            generations: 0,
            parts: GenerationTiming::default(),
            best,
            is_new: false,
            last: Instant::now(),
        }
    }

    /// Adds a generation, and flushes once the interval has passed.
    pub(super) fn add(&mut self, columns: &Columns, row: &Row, parts: GenerationTiming) {
        if self.generations == 0 {
            self.first = row.generation();
        }
        self.generations += 1;
        self.parts.playing += parts.playing;
        self.parts.measuring += parts.measuring;
        self.parts.reproduction += parts.reproduction;
        self.is_new |= self.best.observe(columns, row);
        if self.last.elapsed() >= SUMMARY_INTERVAL {
            self.flush();
        }
    }

    /// Logs what has not been logged yet.
    pub(super) fn flush(&mut self) {
        self.last = Instant::now();
        let generations = std::mem::take(&mut self.generations);
        let parts = std::mem::take(&mut self.parts);
        if generations > 0 {
            let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
            debug!(
                target: "finches::run",
                from = self.first,
                count = generations,
                playing_ms = milliseconds(parts.playing),
                measuring_ms = milliseconds(parts.measuring),
                breeding_ms = milliseconds(parts.reproduction),
                "generations done"
            );
        }
        if let Some((generation, objective)) = self.best.0.filter(|_| self.is_new) {
            self.is_new = false;
            info!(target: "finches::run", generation, objective, "new best");
        }
    }
}

/// Logs the rare events before this generation. Those that end a part of the run name the last one
/// that is done.
pub(super) fn log_event(event: &RunEvent, generation: u64) {
    let generation = match event {
        RunEvent::Phase(Phase::Paused | Phase::Done) | RunEvent::TargetReached(_) => {
            generation.saturating_sub(1)
        }
        _ => generation,
    };
    match event {
        RunEvent::Phase(Phase::Paused) => info!(target: "finches::run", generation, "paused"),
        RunEvent::Phase(Phase::Running) => info!(target: "finches::run", generation, "running"),
        RunEvent::Phase(Phase::Done) => info!(target: "finches::run", generation, "done"),
        RunEvent::BreakpointHit { generation, reason } => {
            info!(target: "finches::run", generation, "breakpoint reached: {reason}");
        }
        RunEvent::TargetReached(target) => {
            info!(target: "finches::run", generation, "target reached: {target}");
        }
        RunEvent::Changed(change) => info!(
            target: "finches::run",
            generation = change.generation,
            "changed {} from {} to {}", change.key, change.from, change.to
        ),
        RunEvent::Rejected(problem) => {
            warn!(target: "finches::run", generation, "change rejected: {problem}");
        }
        RunEvent::NotSaved(reason) => {
            warn!(target: "finches::run", generation, "not saved: {reason}");
        }
        RunEvent::Repaired(words) => warn!(target: "finches::run", generation, "{words}"),
        RunEvent::Failed(message) => {
            error!(target: "finches::run", generation, "failed in {message}");
        }
        _ => {}
    }
}
