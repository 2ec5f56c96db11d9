//! The time of a run: its running time and its working time, how far the current generation is, and
//! how long the rest takes. Between two events, working time and progress are read from the
//! worker's counters.

use std::sync::Arc;
use std::time::Duration;

use finches_engine::session::progress::{GenerationPhase, PhaseProgress};
use finches_runs::run::message::Speed;
use finches_runs::run::progress::{ProgressReading, RunProgress};

/// Generations that take at least this long, in seconds, have a progress bar. A bar for shorter
/// ones would flicker.
const LONG_GENERATION: f64 = 0.5;

/// Working time, in seconds, after which an estimate of the remaining time is shown. Before it, a
/// speed that is still rising gives estimates that are several times too long.
const EARLIEST_ESTIMATE: f64 = 3.0;

/// The least share of the first generation that must be done for an estimate of its length.
const LEAST_SHARE: f64 = 0.02;

/// The intervals at which counters are read: while a generation has a progress bar, and otherwise.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
const CLOCK_INTERVAL: Duration = Duration::from_millis(250);

/// The time of a run.
#[derive(Clone, Debug, Default)]
pub struct RunTiming {
    /// The counters of the worker; `None` for a run of another process.
    source: Option<Arc<RunProgress>>,
    reading: ProgressReading,
    /// The time since the run was started or resumed here, without pauses.
    running: Duration,
    /// The working time up to the end of the learning before the first generation, in seconds.
    learned: f64,
    mean: GenerationTime,
}

/// The mean length of a generation. The last half of the working time has most of the weight, so
/// the mean follows a run that gets faster or slower and does not jump.
#[derive(Clone, Copy, Debug, Default)]
struct GenerationTime {
    /// Working time and generations since the dashboard shows the run.
    total: (f64, u64),
    /// Both, with less weight the longer ago they were.
    weighted: (f64, f64),
}

impl GenerationTime {
    fn add(&mut self, seconds: f64, generations: u64) {
        self.total.0 += seconds;
        self.total.1 += generations;
        let memory = (self.total.0 / 2.0).max(EARLIEST_ESTIMATE);
        let keep = (-seconds / memory).exp();
        self.weighted.0 = self.weighted.0 * keep + seconds;
        self.weighted.1 = self.weighted.1 * keep + generations as f64;
    }

    /// Seconds per generation; `None` before the first.
    fn mean(&self) -> Option<f64> {
        (self.weighted.1 > 0.0).then(|| self.weighted.0 / self.weighted.1)
    }
}

impl RunTiming {
    /// The time of a run that starts or resumes after `seconds` of working time.
    pub fn new(seconds: f64) -> Self {
        Self {
            reading: ProgressReading {
                seconds,
                ..ProgressReading::default()
            },
            ..Self::default()
        }
    }

    /// Reads these counters from now on.
    pub fn follow(&mut self, source: Arc<RunProgress>) {
        self.source = Some(source);
    }

    /// Adds to the running time and reads the counters. Returns whether a frame is due. The time of
    /// a run without counters is drawn with its rows.
    pub fn tick(&mut self, passed: Duration) -> bool {
        let seconds = self.running.as_secs();
        self.running += passed;
        let Some(source) = &self.source else {
            return false;
        };
        let before = std::mem::replace(&mut self.reading, source.read());
        if self.is_learning() {
            self.learned = self.reading.seconds;
        }
        let has_progressed = self.has_bar() && before.phase != self.reading.phase;
        has_progressed || seconds != self.running.as_secs()
    }

    /// The time until the next reading; `None` if nothing can be read.
    pub fn time_to_tick(&self) -> Option<Duration> {
        let interval = if self.has_bar() {
            BAR_INTERVAL
        } else {
            CLOCK_INTERVAL
        };
        self.source.as_ref().map(|_| interval)
    }

    /// Takes in the speed reported with the rows of some generations; `before` is the one reported
    /// before.
    pub fn add(&mut self, before: &Speed, now: &Speed, generations: u64) {
        let since = before.seconds.max(self.learned);
        self.mean.add((now.seconds - since).max(0.0), generations);
        if self.source.is_none() {
            self.reading.seconds = now.seconds;
        }
    }

    /// The time in seconds since the run was started or resumed here, without pauses. While a run
    /// waits for its pace, it passes; 0 for a run that has only been opened.
    pub fn running(&self) -> f64 {
        self.running.as_secs_f64()
    }

    /// Working time in seconds, over all sessions of the run, without pauses and without waiting
    /// for the pace.
    pub fn working(&self) -> f64 {
        self.reading.seconds
    }

    /// How far the current generation is, if generations take long enough for a progress bar.
    pub fn within_generation(&self) -> Option<PhaseProgress> {
        self.has_bar().then_some(self.reading.phase)
    }

    fn has_bar(&self) -> bool {
        self.source.is_some() && self.is_long()
    }

    /// Whether the current generation, or the mean one, takes long.
    fn is_long(&self) -> bool {
        let mean = self.mean.mean().unwrap_or_default();
        self.is_learning() || self.reading.generation_seconds.max(mean) >= LONG_GENERATION
    }

    /// Whether what learns before the first generation still does.
    fn is_learning(&self) -> bool {
        self.reading.phase.phase == GenerationPhase::Learning
    }

    /// Seconds until all is learned before the first generation; `None` while that can't be
    /// estimated, or nothing learns.
    pub fn learning_remaining(&self) -> Option<f64> {
        let share = self.reading.phase.share().filter(|_| self.is_learning())?;
        let seconds = self.reading.seconds;
        let is_known = share >= LEAST_SHARE && seconds >= EARLIEST_ESTIMATE;
        is_known.then(|| seconds * (1.0 - share) / share)
    }

    /// The length of a generation in seconds: the mean, or an estimate from the part of the first
    /// generation that is done.
    fn generation_length(&self) -> Option<f64> {
        self.mean.mean().or_else(|| {
            let share = self.reading.phase.share().filter(|_| !self.is_learning())?;
            (share >= LEAST_SHARE).then(|| self.reading.generation_seconds / share)
        })
    }

    /// The generations per second of working time that it reaches without a pace, once that is
    /// known.
    pub fn speed(&self) -> Option<f64> {
        let is_known = self.mean.total.0 >= EARLIEST_ESTIMATE;
        self.mean.mean().filter(|_| is_known).map(f64::recip)
    }

    /// Seconds until the first generation is played; `None` while that can't be estimated.
    pub fn first_generation_remaining(&self) -> Option<f64> {
        let is_long = self.reading.generation_seconds >= LONG_GENERATION;
        let left = self.generation_length()? - self.reading.generation_seconds;
        is_long.then_some(left.max(0.0))
    }

    /// Seconds until `left` more generations are done, at most `pace` per second; `None` while an
    /// estimate means nothing.
    pub fn remaining(&self, left: u64, pace: Option<u32>) -> Option<f64> {
        let least = pace.map(|pace| 1.0 / f64::from(pace));
        if let (Some(least), Some(mean)) = (least, self.mean.mean())
            && mean <= least
        {
            return Some(least * left as f64);
        }
        let worked = self.mean.total.0 + self.reading.generation_seconds;
        if worked < EARLIEST_ESTIMATE {
            return None;
        }
        let length = self.generation_length()?;
        let done = self.reading.generation_seconds.min(length);
        Some(length * left as f64 - done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimates of a run whose generations take `length(generation)` seconds, reported every
    /// 50 ms of work: working time and estimate.
    fn estimates(generations: u64, length: impl Fn(u64) -> f64) -> Vec<(f64, f64)> {
        let mut timing = RunTiming::new(0.0);
        let (mut reported, mut seconds, mut pending) = (Speed::default(), 0.0, 0);
        let mut shown = Vec::new();
        for generation in 0..generations {
            seconds += length(generation);
            pending += 1;
            if seconds - reported.seconds >= 0.05 {
                let now = Speed {
                    seconds,
                    ..reported
                };
                timing.add(&reported, &now, pending);
                (reported, pending) = (now, 0);
                let left = timing.remaining(generations - generation - 1, None);
                shown.extend(left.map(|left| (seconds, left)));
            }
        }
        shown
    }

    #[test]
    fn an_estimate_appears_when_it_means_something_and_then_changes_gradually() {
        // The first generations of this run take ten times as long as the others.
        let speeding_up = |generation| if generation < 100 { 0.02 } else { 0.002 };
        let shown = estimates(5000, speeding_up);
        assert!(shown[0].0 >= EARLIEST_ESTIMATE, "{:?}", shown[0]);
        for pair in shown.windows(2) {
            let (before, now) = (pair[0].1, pair[1].1);
            assert!(now <= before && before - now <= 1.0, "{pair:?}");
        }
        let steady = estimates(5000, |_| 0.002);
        for (seconds, left) in steady {
            assert!((seconds + left - 10.0).abs() < 0.2, "{seconds} {left}");
        }
        assert_eq!(estimates(600, |_| 0.002), [], "it ends within two seconds");
    }

    #[test]
    fn the_estimate_counts_the_time_within_a_generation() {
        let mut timing = RunTiming::new(0.0);
        let reports = [10.0, 20.0].map(|seconds| Speed {
            seconds,
            ..Speed::default()
        });
        timing.add(&Speed::default(), &reports[0], 1);
        timing.add(&reports[0], &reports[1], 1);
        assert_eq!(timing.remaining(3, None), Some(30.0));
        timing.reading.generation_seconds = 4.0;
        assert_eq!(timing.remaining(3, None), Some(26.0));
        timing.reading.generation_seconds = 40.0;
        assert_eq!(timing.remaining(3, None), Some(20.0));
        assert_eq!(
            timing.remaining(3, Some(1)),
            Some(20.0),
            "the pace limits nothing"
        );
        let slow = RunTiming {
            mean: GenerationTime::default(),
            ..timing.clone()
        };
        timing = slow;
        timing.add(&Speed::default(), &reports[0], 1000);
        assert_eq!(timing.remaining(30, Some(5)), Some(6.0));
    }

    #[test]
    fn short_generations_have_no_progress_bar_and_long_ones_keep_it() {
        let timing = |current: f64, [seconds, generations]: [u64; 2]| {
            let mut timing = RunTiming::new(0.0);
            timing.mean.add(seconds as f64, generations);
            timing.reading.generation_seconds = current;
            timing.is_long()
        };
        assert!(!timing(0.0, [0, 0]) && !timing(0.4, [0, 0]));
        assert!(timing(0.5, [0, 0]), "it has gone on for long");
        assert!(!timing(0.1, [10, 5000]), "full speed");
        assert!(timing(0.0, [10, 5]), "between two long ones");
    }

    #[test]
    fn the_first_generation_is_estimated_from_its_games() {
        let mut timing = RunTiming::new(0.0);
        timing.reading.generation_seconds = 5.0;
        timing.reading.phase.expected = 100;
        assert_eq!(timing.first_generation_remaining(), None);
        timing.reading.phase.done = 20;
        assert_eq!(timing.first_generation_remaining(), Some(20.0));
        assert_eq!(timing.remaining(2, None), Some(45.0));
    }

    #[test]
    fn learning_has_a_time_left_of_its_own_and_is_in_that_of_no_generation() {
        let mut timing = RunTiming::new(0.0);
        timing.reading.phase = PhaseProgress {
            phase: GenerationPhase::Learning,
            done: 25,
            expected: 100,
        };
        (timing.reading.seconds, timing.learned) = (100.0, 100.0);
        assert!(timing.is_long(), "it has a bar");
        assert_eq!(timing.learning_remaining(), Some(300.0));
        assert_eq!(timing.remaining(20, None), None);
        timing.reading.phase.phase = GenerationPhase::Playing;
        assert_eq!(timing.learning_remaining(), None);
        let now = Speed {
            seconds: 110.0,
            ..Speed::default()
        };
        timing.add(&Speed::default(), &now, 1);
        assert_eq!(timing.remaining(19, None), Some(190.0));
    }
}
