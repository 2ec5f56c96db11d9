//! The progress of a run, which a screen can read at any time without an event: its working time,
//! how far the current generation is, and the best generation.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use finches_engine::metrics::BestGeneration;
use finches_engine::session::progress::{GenerationProgress, PhaseProgress};

/// The progress of a run. The worker writes it, a screen reads it.
#[derive(Debug)]
pub struct RunProgress {
    phase: Arc<GenerationProgress>,
    time: Mutex<WorkingTime>,
    best: Mutex<BestGeneration>,
}

/// Working time, in seconds without pauses.
#[derive(Debug)]
struct WorkingTime {
    /// Up to the work in progress.
    done: f64,
    /// When the current generation began.
    generation_began: f64,
    /// When the work in progress began; `None` while the worker waits.
    since: Option<Instant>,
}

/// A reading of a [`RunProgress`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProgressReading {
    /// Working time so far, without pauses, in seconds.
    pub seconds: f64,
    /// The part of it spent on the current generation; 0 between two generations.
    pub generation_seconds: f64,
    /// How far the current generation is.
    pub phase: PhaseProgress,
}

impl RunProgress {
    /// The progress of a run that continues from the working time of earlier sessions, in seconds.
    pub(super) fn new(phase: Arc<GenerationProgress>, seconds: f64) -> Self {
        Self {
            phase,
            time: Mutex::new(WorkingTime {
                done: seconds,
                generation_began: seconds,
                since: None,
            }),
            best: Mutex::default(),
        }
    }

    /// The best generation of the run, those before it was resumed included.
    pub fn best(&self) -> BestGeneration {
        *self.best.lock().expect("no holder of the lock panics")
    }

    pub(super) fn set_best(&self, best: BestGeneration) {
        *self.best.lock().expect("no holder of the lock panics") = best;
    }

    /// The progress at this moment.
    pub fn read(&self) -> ProgressReading {
        let time = self.time();
        let running = time
            .since
            .map_or(0.0, |since| since.elapsed().as_secs_f64());
        let seconds = time.done + running;
        ProgressReading {
            seconds,
            generation_seconds: seconds - time.generation_began,
            phase: self.phase.read(),
        }
    }

    /// Starts a generation, or continues one after a pause.
    pub(super) fn start(&self) {
        self.time().since = Some(Instant::now());
    }

    /// Interrupts a generation after `seconds` of working time in all.
    pub(super) fn interrupt(&self, seconds: f64) {
        let mut time = self.time();
        (time.done, time.since) = (seconds, None);
    }

    /// Ends a generation after `seconds` of working time in all.
    pub(super) fn finish(&self, seconds: f64) {
        let mut time = self.time();
        (time.done, time.since) = (seconds, None);
        time.generation_began = seconds;
    }

    fn time(&self) -> MutexGuard<'_, WorkingTime> {
        self.time.lock().expect("no holder of the lock panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_time_stands_during_a_pause_and_belongs_to_the_generation_afterwards() {
        let progress = RunProgress::new(Arc::default(), 10.0);
        let read = || {
            let reading = progress.read();
            (reading.seconds, reading.generation_seconds)
        };
        assert_eq!(read(), (10.0, 0.0));
        progress.start();
        assert!(read().0 >= 10.0);
        progress.interrupt(12.0);
        assert_eq!(read(), (12.0, 2.0));
        progress.start();
        assert!(read().1 >= 2.0);
        progress.finish(15.0);
        assert_eq!(read(), (15.0, 0.0));
    }
}
