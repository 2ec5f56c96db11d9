//! What a worker tells of itself besides its news: how long the parts of generations take, and its best. It costs a few
//! additions a generation, since generations are summed up before they are told.

use std::time::{Duration, Instant};

use tracing::{debug, error, info, warn};

use crate::metrics::{Columns, Row};

use super::message::{Event, Phase};

/// Time from one summary to the next.
const EVERY: Duration = Duration::from_secs(1);

/// What parts generations are made of, and how long they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) playing: Duration,
    pub(super) measuring: Duration,
    pub(super) breeding: Duration,
}

/// Sums up what is to be told.
pub(super) struct Telling {
    first: u64,
    generations: u64,
    parts: Parts,
    /// The best objective, and whether it has been told.
    best: Option<(u64, f64)>,
    is_new: bool,
    last: Instant,
}

impl Telling {
    pub(super) fn new() -> Self {
        Self {
            first: 0,
            generations: 0,
            parts: Parts::default(),
            best: None,
            is_new: false,
            last: Instant::now(),
        }
    }

    /// Takes a generation in, and tells the latest ones once a while has passed.
    pub(super) fn add(&mut self, columns: &Columns, row: &Row, parts: Parts) {
        if self.generations == 0 {
            self.first = row.generation();
        }
        self.generations += 1;
        self.parts.playing += parts.playing;
        self.parts.measuring += parts.measuring;
        self.parts.breeding += parts.breeding;
        let value = columns.objective();
        let value = value.and_then(|place| row.values().get(place).copied().flatten());
        if let Some(value) = value
            && self.best.is_none_or(|(_, best)| value > best)
        {
            self.is_new = true;
            self.best = Some((row.generation(), value));
        }
        if self.last.elapsed() >= EVERY {
            self.tell();
        }
    }

    /// Tells what has not been told yet.
    pub(super) fn tell(&mut self) {
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
                breeding_ms = milliseconds(parts.breeding),
                "generations done"
            );
        }
        if let Some((generation, objective)) = self.best.filter(|_| self.is_new) {
            self.is_new = false;
            info!(target: "finches::run", generation, objective, "new best");
        }
    }
}

/// Tells what a listener is told, as far as it happens seldom.
pub(super) fn log(event: &Event) {
    match event {
        Event::Phase(Phase::Paused) => info!(target: "finches::run", "paused"),
        Event::Phase(Phase::Running) => info!(target: "finches::run", "running"),
        Event::Phase(Phase::Done) => info!(target: "finches::run", "all generations done"),
        Event::Turned(turned) => info!(
            target: "finches::run",
            generation = turned.generation,
            "turned {} from {} to {}", turned.key, turned.from, turned.to
        ),
        Event::Refused(problem) => warn!(target: "finches::run", "refused: {problem}"),
        Event::NotSaved(reason) => warn!(target: "finches::run", "not saved: {reason}"),
        Event::Failed(message) => error!(target: "finches::run", "failed in {message}"),
        _ => {}
    }
}
