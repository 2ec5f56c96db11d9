//! How long presets take on this machine. Their speeds are measured while they run, or for a moment
//! in the background while nothing else is done, and kept beside the saved runs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::jobs::{Job, JobError, Jobs, Waker, WantedAnswers};
use finches_engine::metrics::Row;
use finches_engine::play::pool::Pool;
use finches_engine::preset::Preset;
use finches_engine::session::Session;
use finches_runs::run::message::Speed;
use finches_runs::storage::saves::Saves;
use finches_runs::storage::speeds::PresetSpeeds;

/// The time without a key before a measurement, and the longest measurement.
const IDLE: Duration = Duration::from_millis(800);
const LIMIT: Duration = Duration::from_millis(2500);

/// The least working time, in seconds, and the fewest generations whose speed counts.
const SHORTEST: f64 = 0.5;
const FEWEST: u64 = 4;

/// The change of a speed from which on it is kept anew.
const CHANGE: f64 = 0.1;

#[derive(Clone, Debug, PartialEq, Eq)]
enum TimingJob {
    /// Measure the preset of this name.
    Measure(String),
    Keep,
}

enum Timed {
    /// Generations per second.
    Speed(f64),
    /// No generation has ended in time: an upper limit of the speed.
    Below(f64),
    Kept,
}

/// The run that is timed. Its first generations, which come with all that is set up, do not count.
struct TimedRun {
    preset: String,
    /// The generations from one measuring to the next.
    every: u64,
    /// The generations and the working time from which on it is timed.
    start: Option<(u64, f64)>,
}

/// The lengths of the parts of a run, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    /// The first generation without its measuring.
    first: f64,
    /// Measuring, once everything is set up.
    measuring: f64,
    /// The generations after the first, with what is measured in each of them.
    later: f64,
    /// Their number.
    generations: u32,
}

impl Lengths {
    /// The generations per second of a long run that measures in every `every`-th generation.
    fn speed(&self, every: u32) -> f64 {
        let each_is_measured = every <= 1;
        let every = f64::from(every.max(1));
        let seconds = match self.generations {
            0 => self.first + self.measuring / every,
            // The later ones include all measuring.
            count if each_is_measured => self.later / f64::from(count),
            count => {
                // Those of them that are measured in full.
                let measured = (f64::from(count) / every).floor();
                let plain = (self.later - measured * self.measuring).max(0.0);
                plain / f64::from(count) + self.measuring / every
            }
        };
        1.0 / seconds
    }
}

/// How long a run takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    seconds: f64,
    /// Whether the speed has been measured; otherwise the time is a lower limit.
    is_measured: bool,
}

impl Estimate {
    /// The least time at a pace, where the speed has not been measured.
    pub(super) fn at_least(generations: u64, pace: f64) -> Self {
        Self {
            seconds: generations as f64 / pace,
            is_measured: false,
        }
    }

    /// In words: `about 40 s`, `under 1 s` or `over 2 h`.
    pub(super) fn words(self) -> String {
        self.text(["about", "under", "over"])
    }

    /// With signs: `≈ 40 s`, `< 1 s` or `> 2 h`.
    pub(super) fn short(self) -> String {
        self.text(["≈", "<", ">"])
    }

    fn text(self, [about, under, over]: [&str; 3]) -> String {
        match self.is_measured {
            true if self.seconds < 1.0 => format!("{under} 1 s"),
            true => format!("{about} {}", round_time(self.seconds)),
            false => format!("{over} {}", round_time(self.seconds)),
        }
    }
}

/// The speeds of presets. By default nothing is measured.
#[derive(Default)]
pub(super) struct Timing {
    /// The saved runs beside which speeds are kept, if they are.
    saves: Option<Saves>,
    known: PresetSpeeds,
    /// Upper limits of the speeds of presets that are too slow to measure in a moment.
    limits: BTreeMap<String, f64>,
    jobs: Option<Jobs<TimingJob, Timed>>,
    run: Option<TimedRun>,
    /// The time since the last key.
    idle: Duration,
}

impl Timing {
    /// The speeds on `threads` threads that are kept beside these saved runs.
    pub(super) fn kept(saves: Saves, threads: usize) -> Self {
        Self {
            known: PresetSpeeds::read(&saves, threads),
            saves: Some(saves),
            ..Self::default()
        }
    }

    /// The generations per second of a preset, if they are known.
    pub(super) fn speed(&self, preset: &str) -> Option<f64> {
        self.known.steady_speeds.get(preset).copied()
    }

    /// How long a number of generations takes here, at most `pace` of them per second.
    pub(super) fn estimate(
        &self,
        preset: &str,
        generations: u64,
        pace: Option<f64>,
    ) -> Option<Estimate> {
        let (speed, is_measured) = match (self.speed(preset), self.limits.get(preset)) {
            (Some(speed), _) => (speed, true),
            (None, Some(&limit)) => (limit, false),
            (None, None) => return None,
        };
        let speed = pace.map_or(speed, |pace| speed.min(pace));
        Some(Estimate {
            seconds: generations as f64 / speed,
            is_measured,
        })
    }

    /// Whether a preset's speed has not been measured yet, although it could be.
    fn is_unknown(&self, preset: &str) -> bool {
        self.speed(preset).is_none() && !self.limits.contains_key(preset)
    }

    /// A key was pressed.
    pub(super) fn interrupt(&mut self) {
        self.idle = Duration::ZERO;
    }

    /// Lets time pass in which nothing else is done. Measures the first of the presets whose speed
    /// is unknown.
    pub(super) fn tick<'a>(
        &mut self,
        passed: Duration,
        mut presets: impl Iterator<Item = &'a Preset>,
        waker: &Waker,
    ) {
        self.idle += passed;
        if self.saves.is_none() || self.idle < IDLE {
            return;
        }
        if self.is_measuring() {
            if self.idle >= IDLE + LIMIT {
                self.stop();
            }
            return;
        }
        let Some(preset) = presets.find(|preset| self.is_unknown(&preset.name)) else {
            return;
        };
        self.idle = IDLE;
        let (preset, threads) = (preset.clone(), self.known.threads);
        let jobs = self.jobs.get_or_insert_with(|| Jobs::new(waker.clone()));
        let key = TimingJob::Measure(preset.name.clone());
        jobs.ask(key, move |job| measure(preset, threads, job));
    }

    /// The time until [`Self::tick`] has something to do; `None` if nothing is left to measure.
    pub(super) fn due<'a>(
        &self,
        mut presets: impl Iterator<Item = &'a Preset>,
    ) -> Option<Duration> {
        self.saves.as_ref()?;
        if self.is_measuring() {
            return Some((IDLE + LIMIT).saturating_sub(self.idle));
        }
        let unknown = presets.any(|preset| self.is_unknown(&preset.name));
        unknown.then(|| IDLE.saturating_sub(self.idle))
    }

    fn is_measuring(&self) -> bool {
        let jobs = self.jobs.as_ref();
        jobs.is_some_and(|jobs| jobs.keys().any(|key| *key != TimingJob::Keep))
    }

    /// Ends a measurement; what it has found is kept.
    pub(super) fn stop(&mut self) {
        if let Some(jobs) = &self.jobs {
            let measured = jobs.keys().filter(|key| **key != TimingJob::Keep);
            measured.for_each(|key| jobs.hasten(key));
        }
    }

    /// A run has started. It is timed if it is one of a preset as it is.
    pub(super) fn begin(&mut self, preset: Option<&Preset>) {
        self.stop();
        let preset = preset.filter(|_| self.saves.is_some());
        self.run = preset.map(|preset| TimedRun {
            preset: preset.name.clone(),
            every: preset.measures.every.into(),
            start: None,
        });
    }

    /// The run is no longer one of its preset.
    pub(super) fn forget_run(&mut self) {
        self.run = None;
    }

    /// Takes note of the speed of the run, once a few generations have been played. What was known
    /// before is better than a part of a run in which little is measured.
    pub(super) fn observe(&mut self, rows: &[Row], speed: &Speed, waker: &Waker) {
        let (Some(run), Some(row)) = (&mut self.run, rows.last()) else {
            return;
        };
        let now = (row.generation() + 1, speed.seconds);
        let start = *run.start.get_or_insert(now);
        let (done, worked) = (now.0.saturating_sub(start.0), now.1 - start.1);
        let (is_whole, preset) = (done >= run.every, run.preset.clone());
        let is_better = is_whole || self.speed(&preset).is_none();
        if done >= FEWEST && worked >= SHORTEST && is_better {
            self.learn(preset, done as f64 / worked, waker);
        }
    }

    /// Keeps a speed, if it is new or has changed.
    fn learn(&mut self, preset: String, speed: f64, waker: &Waker) {
        let known = self.speed(&preset);
        let is_same = |known: f64| (speed / known - 1.0).abs() < CHANGE;
        let Some(saves) = self.saves.clone().filter(|_| !known.is_some_and(is_same)) else {
            return;
        };
        self.known.steady_speeds.insert(preset, speed);
        let known = self.known.clone();
        let jobs = self.jobs.get_or_insert_with(|| Jobs::new(waker.clone()));
        jobs.ask(TimingJob::Keep, move |_| {
            known.write(&saves)?;
            Ok(Timed::Kept)
        });
    }

    /// Whether speeds are being written.
    pub(super) fn is_writing(&self) -> bool {
        let jobs = self.jobs.as_ref();
        jobs.is_some_and(|jobs| jobs.is_running(&TimingJob::Keep))
    }

    /// Takes in the results of background work.
    pub(super) fn take_answers(&mut self, wanted: WantedAnswers, waker: &Waker) {
        while let Some((key, answer)) = self.jobs.as_mut().and_then(|jobs| jobs.next(wanted)) {
            match (key, answer) {
                (TimingJob::Measure(preset), Ok(Timed::Speed(speed))) => {
                    self.learn(preset, speed, waker);
                }
                (TimingJob::Measure(preset), Ok(Timed::Below(limit))) => {
                    self.limits.insert(preset, limit);
                }
                // It is not tried again.
                (TimingJob::Measure(preset), Err(error)) => {
                    tracing::debug!(%preset, %error, "no speed measured");
                    self.limits.insert(preset, f64::INFINITY);
                }
                // A folder that can't be written to does not matter here.
                (TimingJob::Keep, Err(error)) => tracing::debug!(%error, "speeds not kept"),
                _ => {}
            }
        }
    }
}

/// Plays generations of a preset for a moment, some of them after the first. That one is measured
/// twice: the first time, players and positions are set up that the rest of a run finds ready.
fn measure(mut preset: Preset, threads: usize, job: &Job<Timed>) -> Result<Timed, JobError> {
    let every = preset.measures.every;
    // Populations are kept and graded so seldom that this moment would count them too often.
    preset.measures.keep_every = 0;
    let mut session = Session::new(preset, 1, Vec::new(), Pool::new(threads)?)?;
    let mut lengths = Lengths::default();
    let began = Instant::now();
    let Some(finished) = session.play(job.token.flag()) else {
        return Ok(Timed::Below(1.0 / began.elapsed().as_secs_f64()));
    };
    lengths.first = began.elapsed().as_secs_f64();
    for _ in 0..2 {
        let began = Instant::now();
        session.measure(&finished);
        lengths.measuring = began.elapsed().as_secs_f64();
        if job.is_canceled() {
            break;
        }
    }
    session.reproduce(finished);
    let began = Instant::now();
    while !job.is_canceled() && !session.is_done() && began.elapsed() < LIMIT {
        if session.advance(job.token.flag()).is_some() {
            lengths.generations += 1;
            lengths.later = began.elapsed().as_secs_f64();
        }
    }
    Ok(Timed::Speed(lengths.speed(every)))
}

/// A time in words with no more digits than an estimate has: `40 s`, `3 min`, `1.5 h`, `12 days`.
fn round_time(seconds: f64) -> String {
    let to = |step: f64, unit: f64| (seconds / unit / step).round().max(1.0) * step;
    match seconds {
        ..9.5 => format!("{:.0} s", to(1.0, 1.0)),
        ..87.5 => format!("{:.0} s", to(5.0, 1.0)),
        ..570.0 => format!("{:.0} min", to(1.0, 60.0)),
        ..5250.0 => format!("{:.0} min", to(5.0, 60.0)),
        ..34_200.0 => format!("{} h", to(0.5, 3600.0)),
        ..172_800.0 => format!("{:.0} h", to(1.0, 3600.0)),
        ..f64::INFINITY => format!("{:.0} days", to(1.0, 86_400.0)),
        _ => "years".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_runs::storage::presets;

    /// Speeds that are kept in a temporary folder.
    fn kept() -> (tempfile::TempDir, Timing) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let timing = Timing::kept(Saves::at(folder.path().to_owned()), 1);
        (folder, timing)
    }

    #[test]
    fn times_are_rounded_to_what_an_estimate_knows() {
        for (seconds, expected) in [
            (1.2, "1 s"),
            (43.0, "45 s"),
            (100.0, "2 min"),
            (700.0, "10 min"),
            (6000.0, "1.5 h"),
            (90_000.0, "25 h"),
            (1e6, "12 days"),
        ] {
            assert_eq!(round_time(seconds), expected);
        }
    }

    #[test]
    fn an_idle_moment_measures_a_preset_once_and_keeps_its_speed() {
        let (_folder, mut timing) = kept();
        let preset = presets::load("nim-2x2").expect("it ships");
        let waker = Waker::default();
        let all = || std::iter::once(&preset);
        timing.tick(IDLE / 2, all(), &waker);
        assert!(!timing.is_measuring(), "a key was just pressed");
        assert_eq!(timing.due(all()), Some(IDLE / 2));
        timing.tick(IDLE, all(), &waker);
        assert!(timing.is_measuring());
        timing.take_answers(WantedAnswers::All, &waker);
        let speed = timing.speed("nim-2x2").expect("it was measured");
        assert_eq!(timing.due(all()), None, "nothing is left to measure");
        let saves = timing.saves.clone().expect("they are kept");
        let again = Timing::kept(saves, 1);
        assert_eq!(again.speed("nim-2x2"), Some(speed));
        assert!(again.estimate("nim-2x2", 1000, None).is_some());
    }

    #[test]
    fn without_a_place_to_keep_them_no_speeds_are_measured() {
        let mut timing = Timing::default();
        let preset = presets::load("nim-2x2").expect("it ships");
        let waker = Waker::default();
        timing.tick(IDLE * 2, std::iter::once(&preset), &waker);
        timing.begin(Some(&preset));
        let speed = Speed {
            seconds: 5.0,
            ..Speed::default()
        };
        timing.observe(&[Row::from_values(vec![Some(9.0)])], &speed, &waker);
        assert_eq!(timing.due(std::iter::once(&preset)), None);
        assert!(timing.jobs.is_none() && timing.speed("nim-2x2").is_none());
    }

    #[test]
    fn a_run_of_a_preset_tells_its_speed() {
        let (_folder, mut timing) = kept();
        let waker = Waker::default();
        let mut preset = presets::load("nim-2x4").expect("it ships");
        preset.measures.every = 100;
        timing.begin(Some(&preset));
        let observe = |timing: &mut Timing, generation: f64, seconds| {
            let speed = Speed {
                seconds,
                ..Speed::default()
            };
            let rows = [Row::from_values(vec![Some(generation)])];
            timing.observe(&rows, &speed, &waker);
        };
        observe(&mut timing, 0.0, 5.0);
        observe(&mut timing, 9.0, 5.2);
        assert_eq!(timing.speed("nim-2x4"), None, "too early");
        observe(&mut timing, 50.0, 6.0);
        let speed = |timing: &Timing| timing.speed("nim-2x4").map(f64::round);
        assert_eq!(speed(&timing), Some(50.0), "without the first generation");
        observe(&mut timing, 90.0, 6.1);
        assert_eq!(speed(&timing), Some(50.0), "not all is measured yet");
        observe(&mut timing, 100.0, 9.0);
        assert_eq!(speed(&timing), Some(25.0));
        let check = |generations, pace, words: &str, short: &str| {
            let estimate = timing.estimate("nim-2x4", generations, pace);
            let estimate = estimate.expect("the speed is known");
            assert_eq!((&*estimate.words(), &*estimate.short()), (words, short));
        };
        check(1000, None, "about 40 s", "≈ 40 s");
        check(1000, Some(2.0), "about 8 min", "≈ 8 min");
        check(20, None, "under 1 s", "< 1 s");
        timing.forget_run();
        observe(&mut timing, 1000.0, 900.0);
        assert_eq!(speed(&timing), Some(25.0));
    }

    #[test]
    fn a_speed_counts_measuring_as_often_as_a_run_does() {
        let lengths = Lengths {
            first: 9.0,
            measuring: 0.4,
            later: 0.4,
            generations: 10,
        };
        let check = |lengths: &Lengths, every, expected: f64| {
            let seconds = 1.0 / lengths.speed(every);
            assert!((seconds - expected).abs() < 1e-9, "{seconds}");
        };
        check(&lengths, 100, 0.04 + 0.004);
        check(&lengths, 1, 0.04);
        let later = 0.4 + 2.0 * 0.4;
        check(&Lengths { later, ..lengths }, 5, 0.04 + 0.08);
        let generations = 0;
        check(
            &Lengths {
                generations,
                ..lengths
            },
            100,
            9.004,
        );
    }
}
