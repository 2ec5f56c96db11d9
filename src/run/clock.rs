//! Working time and speed of a run.

use crate::session::Session;

use super::message::Speed;

/// Measures working time and speed.
#[derive(Debug)]
pub(super) struct RunClock {
    pub(super) seconds: f64,
    measuring: f64,
    /// Working time, generations and games when the current window began; a window lasts about a second.
    stretch: (f64, u64, u64),
    speed: Speed,
}

impl RunClock {
    /// A clock that continues from the working time of earlier sessions, in seconds.
    pub(super) fn new(seconds: f64, session: &Session) -> Self {
        Self {
            seconds,
            measuring: 0.0,
            stretch: (seconds, session.generation(), session.state().totals.games),
            speed: Speed::default(),
        }
    }

    /// Adds a generation: its working time and the part of it spent measuring, in seconds.
    pub(super) fn add(&mut self, seconds: f64, measuring: f64, session: &Session) {
        const WINDOW: f64 = 1.0;
        self.seconds += seconds;
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
