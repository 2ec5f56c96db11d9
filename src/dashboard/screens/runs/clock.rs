//! The time since an experiment began.

use std::time::{Duration, Instant};

/// The clock of an experiment.
pub(super) struct ExperimentClock {
    began: Instant,
    now: Duration,
}

impl ExperimentClock {
    pub(super) fn start() -> Self {
        Self {
            began: Instant::now(),
            now: Duration::ZERO,
        }
    }

    /// The time since the start by the clock of the system.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The time since the start, which stops at the end.
    pub(super) fn now(&self) -> Duration {
        self.now
    }

    pub(super) fn set(&mut self, now: Duration) {
        self.now = now;
    }
}
