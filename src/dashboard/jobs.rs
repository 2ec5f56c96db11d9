//! Background work: a screen asks for an answer under a key, a thread works it out, and the screen
//! takes it when it arrives. This module knows no screen and no question.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use finches_engine::search::CancelToken;

/// Wakes the event loop after an answer. A default waker wakes nothing.
#[derive(Clone, Debug, Default)]
pub struct Waker(Option<Sender<()>>);

impl Waker {
    /// A waker, and the receiver that the event loop waits for. It signals the answers of all jobs.
    pub fn new() -> (Self, Receiver<()>) {
        let (wake, woken) = bounded(1);
        (Self(Some(wake)), woken)
    }

    pub fn wake(&self) {
        if let Some(wake) = &self.0 {
            // A pending signal is enough, and without a receiver nothing waits.
            let _ = wake.try_send(());
        }
    }
}

/// Why a job has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobError {
    Failed(String),
    Panicked(String),
}

impl<E: std::error::Error> From<E> for JobError {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(reason) => f.write_str(reason),
            Self::Panicked(message) => write!(f, "internal error: {message}"),
        }
    }
}

/// Cancels a job, and the searches that it starts.
#[derive(Clone, Debug, Default)]
pub struct JobToken {
    is_canceled: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl JobToken {
    fn cancel(&self) {
        self.is_canceled.store(true, Ordering::Relaxed);
    }

    /// The flag that is set once the job is canceled.
    pub fn flag(&self) -> &AtomicBool {
        &self.is_canceled
    }

    /// The same token with a deadline `limit` from now; `None` is no deadline.
    pub fn with_limit(&self, limit: Option<Duration>) -> Arc<dyn CancelToken> {
        Arc::new(Self {
            is_canceled: Arc::clone(&self.is_canceled),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        })
    }
}

impl CancelToken for JobToken {
    fn is_canceled(&self) -> bool {
        let is_late = |deadline| Instant::now() >= deadline;
        self.is_canceled.load(Ordering::Relaxed) || self.deadline.is_some_and(is_late)
    }
}

/// What a job sends: its number, and a part of its answer or the end. The answer has lost its type,
/// so that channels are compiled once.
struct JobUpdate {
    number: u64,
    answer: Result<Box<dyn Any + Send>, JobError>,
    is_last: bool,
}

/// The worker's end of a job.
pub struct Job<A> {
    number: u64,
    out: Sender<JobUpdate>,
    waker: Waker,
    pub token: JobToken,
    answers: PhantomData<fn(A)>,
}

impl<A: Send + 'static> Job<A> {
    /// Sends a part of the answer before the job ends.
    pub fn report(&self, part: A) {
        self.send(Ok(part), false);
    }

    /// Whether the answer is no longer wanted, or what there is of it is enough.
    pub fn is_canceled(&self) -> bool {
        self.token.is_canceled()
    }

    fn send(&self, answer: Result<A, JobError>, is_last: bool) {
        let update = JobUpdate {
            number: self.number,
            answer: answer.map(|answer| Box::new(answer) as Box<dyn Any + Send>),
            is_last,
        };
        // A closed channel means that the screen is gone.
        let _ = self.out.send(update);
        self.waker.wake();
    }

    /// Works out the answer and sends it. A panic becomes an error; the panic hook logs it.
    fn run(self, work: impl FnOnce(&Self) -> Result<A, JobError>) {
        let answer = catch_unwind(AssertUnwindSafe(|| work(&self)));
        let answer = answer.unwrap_or_else(|panic| Err(JobError::Panicked(message(&*panic))));
        self.send(answer, true);
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|&words| words.to_owned());
    words
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a background thread has panicked".to_owned())
}

/// Runs work on a thread of its own. It is boxed so that starting a thread is compiled once.
fn start(work: Box<dyn FnOnce() + Send>) {
    thread::spawn(work);
}

/// A job that has not ended.
struct OpenJob<K> {
    key: K,
    number: u64,
    token: JobToken,
}

/// Which answers to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedAnswers {
    Arrived,
    /// Those of all jobs, even if they have to be waited for. For callers without an event loop.
    All,
}

/// The jobs of a screen, at most one for each key: a new question cancels the one before it with
/// the same key.
pub struct Jobs<K, A> {
    out: Sender<JobUpdate>,
    updates: Receiver<JobUpdate>,
    waker: Waker,
    asked: u64,
    open: Vec<OpenJob<K>>,
    answers: PhantomData<fn() -> A>,
}

impl<K: Clone + Eq, A: Send + 'static> Jobs<K, A> {
    pub fn new(waker: Waker) -> Self {
        let (out, updates) = unbounded();
        Self {
            out,
            updates,
            waker,
            asked: 0,
            open: Vec::new(),
            answers: PhantomData,
        }
    }

    /// What wakes the event loop after an answer.
    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Starts a job in place of the one with the same key. What `work` returns is the last part of
    /// the answer.
    pub fn ask(
        &mut self,
        key: K,
        work: impl FnOnce(&Job<A>) -> Result<A, JobError> + Send + 'static,
    ) {
        self.cancel(&key);
        self.asked += 1;
        let job = Job {
            number: self.asked,
            out: self.out.clone(),
            waker: self.waker.clone(),
            token: JobToken::default(),
            answers: PhantomData,
        };
        self.open.push(OpenJob {
            key,
            number: job.number,
            token: job.token.clone(),
        });
        start(Box::new(move || job.run(work)));
    }

    /// Whether the job with that key has not ended.
    pub fn is_running(&self, key: &K) -> bool {
        self.open.iter().any(|job| job.key == *key)
    }

    /// The keys of the jobs that have not ended.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.open.iter().map(|job| &job.key)
    }

    /// Whether any job has not ended.
    pub fn is_busy(&self) -> bool {
        !self.open.is_empty()
    }

    /// Ends a job early; what it has found by then is still received.
    pub fn hasten(&self, key: &K) {
        let jobs = self.open.iter().filter(|job| job.key == *key);
        jobs.for_each(|job| job.token.cancel());
    }

    /// Cancels a job; nothing more is received from it.
    pub fn cancel(&mut self, key: &K) {
        self.hasten(key);
        self.open.retain(|job| job.key != *key);
    }

    /// The next answer that has arrived, without those of canceled jobs.
    pub fn receive(&mut self) -> Option<(K, Result<A, JobError>)> {
        while let Ok(update) = self.updates.try_recv() {
            if let Some(answer) = self.accept(update) {
                return Some(answer);
            }
        }
        None
    }

    /// Waits for the next answer; `None` if no job is running.
    pub fn wait(&mut self) -> Option<(K, Result<A, JobError>)> {
        while self.is_busy() {
            // Every job sends an end, even after a panic.
            let update = self.updates.recv().ok()?;
            if let Some(answer) = self.accept(update) {
                return Some(answer);
            }
        }
        None
    }

    /// The next answer that is wanted.
    pub fn next(&mut self, wanted: WantedAnswers) -> Option<(K, Result<A, JobError>)> {
        match wanted {
            WantedAnswers::Arrived => self.receive(),
            WantedAnswers::All => self.wait(),
        }
    }

    fn accept(&mut self, update: JobUpdate) -> Option<(K, Result<A, JobError>)> {
        let place = self
            .open
            .iter()
            .position(|job| job.number == update.number)?;
        let key = if update.is_last {
            self.open.remove(place).key
        } else {
            self.open[place].key.clone()
        };
        let answer = update.answer.map(|answer| {
            let answer = answer.downcast::<A>();
            *answer.expect("the answers of a screen have one type")
        });
        Some((key, answer))
    }
}

impl<K, A> Drop for Jobs<K, A> {
    fn drop(&mut self) {
        self.open.iter().for_each(|job| job.token.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs<&'static str, u32> {
        Jobs::new(Waker::default())
    }

    #[test]
    fn an_answer_comes_in_parts_under_its_key() {
        let mut jobs = jobs();
        jobs.ask("count", |job| {
            job.report(1);
            Ok(2)
        });
        assert_eq!(jobs.wait(), Some(("count", Ok(1))));
        assert!(jobs.is_running(&"count"));
        assert_eq!(jobs.wait(), Some(("count", Ok(2))));
        assert!(!jobs.is_busy());
        assert_eq!(jobs.wait(), None);
    }

    #[test]
    fn the_newest_question_with_a_key_wins() {
        let (mut jobs, (release, held)) = (jobs(), bounded::<()>(0));
        jobs.ask("one", move |job| {
            let _ = held.recv();
            Ok(u32::from(job.is_canceled()))
        });
        jobs.ask("other", |_| Ok(3));
        jobs.ask("one", |_| Ok(7));
        let mut answers = [jobs.wait(), jobs.wait()];
        answers.sort_by_key(|answer| answer.as_ref().map(|(key, _)| *key));
        assert_eq!(answers, [Some(("one", Ok(7))), Some(("other", Ok(3)))]);
        drop(release);
        assert_eq!(jobs.wait(), None);
    }

    #[test]
    fn a_hastened_job_still_answers() {
        let mut jobs = jobs();
        jobs.ask("search", |job| {
            while !job.is_canceled() {
                thread::yield_now();
            }
            Ok(5)
        });
        jobs.hasten(&"search");
        assert_eq!(jobs.wait(), Some(("search", Ok(5))));
    }

    #[test]
    fn a_token_with_a_limit_is_canceled_after_it() {
        let token = JobToken::default();
        assert!(token.with_limit(Some(Duration::ZERO)).is_canceled());
        let limited = token.with_limit(None);
        assert!(!limited.is_canceled());
        token.cancel();
        assert!(limited.is_canceled());
    }

    #[test]
    fn errors_and_panics_are_answers() {
        let mut jobs = jobs();
        let error = JobError::Failed("no such file".to_owned());
        let failure = error.clone();
        jobs.ask("error", |_| Err(failure));
        assert_eq!(jobs.wait(), Some(("error", Err(error))));
        jobs.ask("panic", |_| panic!("index {}", 4));
        let Some(("panic", Err(error))) = jobs.wait() else {
            panic!("a panic is an error");
        };
        assert_eq!(error.to_string(), "internal error: index 4");
        assert!(!jobs.is_busy());
    }

    #[test]
    fn one_receiver_is_woken_by_all_jobs() {
        let (waker, woken) = Waker::new();
        let mut first: Jobs<(), u32> = Jobs::new(waker.clone());
        let mut second: Jobs<(), &str> = Jobs::new(waker);
        first.ask((), |_| Ok(1));
        assert_eq!(woken.recv(), Ok(()));
        assert_eq!(first.receive(), Some(((), Ok(1))));
        second.ask((), |_| Ok("two"));
        assert_eq!(woken.recv(), Ok(()));
        assert_eq!(second.receive(), Some(((), Ok("two"))));
        assert_eq!(second.receive(), None);
    }
}
