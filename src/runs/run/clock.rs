//! Working time and speed of a run.

use std::sync::Arc;

use finches_engine::session::Session;

use super::message::{MeanSpeed, Speed};
use super::progress::RunProgress;

/// Measures working time and speed.
#[derive(Debug)]
pub(super) struct RunClock {
    pub(super) seconds: f64,
    pub(super) progress: Arc<RunProgress>,
    /// The time spent measuring since the clock was made, in seconds.
    measuring: f64,
    /// The state of the run when the clock was made.
    start: Mark,
    /// The state of the run when the current window began; a window lasts about a second.
    window: Mark,
    speed: Speed,
}

/// A moment of a run.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Working time.
    seconds: f64,
    /// The part of it spent measuring, in seconds.
    measuring: f64,
    generations: u64,
    games: u64,
}

impl Mark {
    fn new(seconds: f64, measuring: f64, session: &Session) -> Self {
        Self {
            seconds,
            measuring,
            generations: session.generation(),
            games: session.state().totals.games,
        }
    }

    /// Means over the time up to a later moment.
    fn mean(&self, later: &Self) -> MeanSpeed {
        let length = later.seconds - self.seconds;
        MeanSpeed {
            generations_per_second: (later.generations - self.generations) as f64 / length,
            games_per_second: (later.games - self.games) as f64 / length,
            measuring: ((later.measuring - self.measuring) / length).min(1.0),
        }
    }
}

impl RunClock {
    /// A clock that continues from the working time of earlier sessions, in seconds.
    pub(super) fn new(seconds: f64, session: &Session) -> Self {
        let progress = RunProgress::new(Arc::clone(session.progress()), seconds);
        let start = Mark::new(seconds, 0.0, session);
        Self {
            seconds,
            progress: Arc::new(progress),
            measuring: 0.0,
            start,
            window: start,
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

    /// Adds the working time of a part of the learning before the first generation, in seconds. It
    /// is in no speed.
    pub(super) fn learned(&mut self, seconds: f64, session: &Session) {
        self.seconds += seconds;
        self.progress.finish(self.seconds);
        self.start = Mark::new(self.seconds, 0.0, session);
        self.window = self.start;
    }

    /// Adds a generation: its working time and the part of it spent measuring, in seconds.
    pub(super) fn add(&mut self, seconds: f64, measuring: f64, session: &Session) {
        const WINDOW: f64 = 1.0;
        self.seconds += seconds;
        self.progress.finish(self.seconds);
        self.measuring += measuring;
        let now = Mark::new(self.seconds, self.measuring, session);
        let is_over = now.seconds - self.window.seconds >= WINDOW;
        // The speed of the first two is that of the latest.
        if is_over || now.generations - self.start.generations <= 2 {
            let latest = self.window.mean(&now);
            self.speed = Speed {
                generations_per_second: latest.generations_per_second,
                games_per_second: latest.games_per_second,
                measuring: latest.measuring,
                ..self.speed
            };
        }
        if is_over {
            self.window = now;
        }
        self.speed.mean = self.start.mean(&now);
    }

    pub(super) fn speed(&self) -> Speed {
        Speed {
            seconds: self.seconds,
            ..self.speed
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use finches_engine::play::pool::Pool;
    use finches_engine::preset::Preset;

    use super::*;

    fn started() -> (Session, RunClock) {
        let pool = Pool::new(1).expect("there are threads");
        let session = Session::new(Preset::default(), 1, Vec::new(), pool);
        let session = session.expect("it is valid");
        let clock = RunClock::new(0.0, &session);
        (session, clock)
    }

    #[test]
    fn a_long_first_generation_is_not_in_the_speed_of_the_second() {
        let (mut session, mut clock) = started();
        let speeds = [100.0, 0.25].map(|seconds| {
            session.advance(&AtomicBool::new(false));
            clock.add(seconds, 0.0, &session);
            clock.speed().generations_per_second
        });
        let expected = [0.01, 4.0].into_iter();
        assert!(
            speeds
                .iter()
                .zip(expected)
                .all(|(speed, it)| (speed - it).abs() < 1e-9)
        );
    }

    #[test]
    fn learning_before_the_first_generation_is_working_time_and_in_no_speed() {
        let (mut session, mut clock) = started();
        clock.learned(100.0, &session);
        session.advance(&AtomicBool::new(false));
        clock.add(0.25, 0.0, &session);
        let speed = clock.speed();
        let rates = [
            speed.generations_per_second,
            speed.mean.generations_per_second,
        ];
        assert!(
            rates.iter().all(|rate| (rate - 4.0).abs() < 1e-9),
            "{rates:?}"
        );
        assert!((speed.seconds - 100.25).abs() < 1e-9);
    }
}
