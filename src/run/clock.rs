//! Working time and speed of a run.

use std::sync::Arc;

use crate::session::Session;

use super::message::Speed;
use super::progress::RunProgress;

/// Measures working time and speed.
#[derive(Debug)]
pub(super) struct RunClock {
    pub(super) seconds: f64,
    pub(super) progress: Arc<RunProgress>,
    measuring: f64,
    /// Working time, generations and games when the current window began; a window lasts about a second.
    stretch: (f64, u64, u64),
    speed: Speed,
}

impl RunClock {
    /// A clock that continues from the working time of earlier sessions, in seconds.
    pub(super) fn new(seconds: f64, session: &Session) -> Self {
        let progress = RunProgress::new(Arc::clone(session.progress()), seconds);
        Self {
            seconds,
            progress: Arc::new(progress),
            measuring: 0.0,
            stretch: (seconds, session.generation(), session.state().totals.games),
            speed: Speed::default(),
        }
    }

    /// Starts a generation, or continues one after a pause.
    pub(super) fn start(&self) {
        self.progress.start();
    }

    /// Adds the working time of a part of a generation before a pause, in seconds.
    pub(super) fn interrupt(&mut self, seconds: f64) {
        self.seconds += seconds;
        self.progress.interrupt(self.seconds);
    }

    /// Adds a generation: its working time and the part of it spent measuring, in seconds.
    pub(super) fn add(&mut self, seconds: f64, measuring: f64, session: &Session) {
        const WINDOW: f64 = 1.0;
        self.seconds += seconds;
        self.progress.finish(self.seconds);
        self.measuring += measuring;
        let (began, generation, games) = self.stretch;
        let length = self.seconds - began;
        if length >= WINDOW || self.speed.generations_per_second == 0.0 {
            self.speed = Speed {
                generations_per_second: (session.generation() - generation) as f64 / length,
                games_per_second: (session.state().totals.games - games) as f64 / length,
                measuring: (self.measuring / length).min(1.0),
                seconds: self.seconds,
            };
        }
        if length >= WINDOW {
            self.measuring = 0.0;
            self.stretch = (
                self.seconds,
                session.generation(),
                session.state().totals.games,
            );
        }
    }

    pub(super) fn speed(&self) -> Speed {
        Speed {
            seconds: self.seconds,
            ..self.speed
        }
    }
}
