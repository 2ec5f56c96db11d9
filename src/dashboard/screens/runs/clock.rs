//! The time since an experiment began, and the speed of all its runs.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which the speed is measured.
const SPEED_WINDOW: Duration = Duration::from_secs(5);

/// The clock of an experiment.
pub(super) struct ExperimentClock {
    began: Instant,
    now: Duration,
    /// Generations done so far, and at times within the last seconds.
    generations: u64,
    recent: VecDeque<(Duration, u64)>,
}

impl ExperimentClock {
    pub(super) fn start() -> Self {
        Self {
            began: Instant::now(),
            now: Duration::ZERO,
            generations: 0,
            recent: VecDeque::new(),
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

    /// Counts generations of a run.
    pub(super) fn count(&mut self, generations: u64) {
        self.generations += generations;
    }

    pub(super) fn set(&mut self, now: Duration) {
        self.now = now;
        let latest = self.recent.back().map(|(at, _)| *at);
        if latest.is_none_or(|at| now.saturating_sub(at) >= SPEED_WINDOW / 10) {
            self.recent.push_back((now, self.generations));
        }
        while let Some((at, _)) = self.recent.front()
            && now.saturating_sub(*at) > SPEED_WINDOW
        {
            self.recent.pop_front();
        }
    }

    /// Generations per second of all runs, over the last seconds.
    pub(super) fn speed(&self) -> Option<f64> {
        let (from, done) = *self.recent.front()?;
        let passed = self.now.saturating_sub(from).as_secs_f64();
        (passed >= 0.5).then(|| (self.generations - done) as f64 / passed)
    }
}
