//! The thread pool that plays games. Results come back in order, so nothing depends on the number of threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::Yield;
use rayon::prelude::*;

/// How often an idle thread polls for work before it sleeps: a few tenths of a millisecond, longer than the sequential steps
/// between two parallel ones.
const IDLE_POLLS: u32 = 4000;

/// A thread pool.
#[derive(Clone, Debug)]
pub struct Pool {
    threads: Arc<rayon::ThreadPool>,
}

impl Pool {
    /// A pool of `threads` threads. 0 means one per core of the machine, or one less if it has four or more.
    pub fn new(threads: usize) -> Result<Self, String> {
        let wanted = if threads == 0 {
            default_threads()
        } else {
            threads
        };
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(wanted)
            .thread_name(|index| format!("arena-{index}"))
            .build();
        let threads = built.map_err(|error| {
            format!("can't start {wanted} threads ({error}); use fewer with --threads")
        })?;
        Ok(Self {
            threads: Arc::new(threads),
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs `work` on one of the threads. A caller with many small jobs runs them in one call: no thread is woken for each job, and
    /// the other threads stay awake as long as work comes often enough. Waking a thread takes 0.15 ms, twice in a generation of
    /// 3 ms (`cargo bench --bench generation`).
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        if self.threads() == 1 {
            return self.threads.install(work);
        }
        self.threads.install(|| {
            let (own, over) = (rayon::current_thread_index(), Arc::default());
            let ends = Arc::clone(&over);
            self.threads.spawn_broadcast(move |thread| {
                if Some(thread.index()) != own {
                    work_until(&ends);
                }
            });
            let result = work();
            over.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Calls `work` for each index in `0..count`, in parallel; each thread has a workspace made by `tool`.
    pub fn map_with<T, R>(
        &self,
        count: usize,
        tool: impl Fn() -> T + Sync + Send,
        work: impl Fn(&mut T, usize) -> R + Sync + Send,
    ) -> Vec<R>
    where
        R: Send,
    {
        self.threads
            .install(|| (0..count).into_par_iter().map_init(tool, work).collect())
    }

    /// Drops a large value on another thread if there is one, because freeing memory takes time.
    pub fn drop_in_background<T: Send + 'static>(&self, things: T) {
        // A single thread would delay the drop until it has nothing else to do.
        if self.threads() > 1 {
            self.threads.spawn(|| drop(things));
        }
    }

    /// Fills the empty slots. Each call of `work` fills at most `at_once` slots and receives the index of the first. Once `halt` is
    /// set, no further call is made.
    pub fn fill<T, R>(
        &self,
        slots: &mut Slots<R>,
        halt: &AtomicBool,
        at_once: usize,
        tool: impl Fn() -> T + Sync + Send,
        work: impl Fn(&mut T, usize, &mut [R]) + Sync + Send,
    ) where
        R: Send,
    {
        const CHUNK: usize = 256;
        let chunk = (slots.values.len() / (self.threads() * 4)).clamp(1, CHUNK);
        let chunk = chunk.next_multiple_of(at_once);
        let values = slots.values.par_chunks_mut(chunk);
        let chunks = values.zip(slots.full.par_chunks_mut(chunk)).enumerate();
        let filled = chunks.map(|(index, (values, full))| {
            let mut tool = tool();
            let mut is_full = true;
            let parts = values.chunks_mut(at_once).zip(full.chunks_mut(at_once));
            for (offset, (values, full)) in parts.enumerate() {
                if !full.contains(&false) {
                    continue;
                }
                if halt.load(Ordering::Relaxed) {
                    is_full = false;
                } else {
                    work(&mut tool, index * chunk + offset * at_once, values);
                    full.fill(true);
                }
            }
            is_full
        });
        slots.is_full = self
            .threads
            .install(|| filled.reduce(|| true, |one, other| one & other));
    }
}

/// Works on the tasks of other threads until `over` is set or no task has come for a while.
fn work_until(over: &AtomicBool) {
    let mut idle = 0;
    while !over.load(Ordering::Relaxed) && idle < IDLE_POLLS {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle = 0;
        } else {
            idle += 1;
            std::hint::spin_loop();
        }
    }
}

/// Slots for results that arrive in any order, possibly in several passes.
#[derive(Clone, Debug, Default)]
pub struct Slots<R> {
    values: Vec<R>,
    full: Vec<bool>,
    /// Whether no slot is empty.
    is_full: bool,
}

impl<R: Clone + Default> Slots<R> {
    /// `count` empty slots.
    pub fn new(count: usize) -> Self {
        Self::default().reset(count)
    }

    /// `count` empty slots that reuse the memory of these.
    #[must_use]
    pub fn reset(mut self, count: usize) -> Self {
        self.values.resize(count, R::default());
        self.full.clear();
        self.full.resize(count, false);
        self.is_full = count == 0;
        self
    }
}

impl<R> Slots<R> {
    /// Whether no slot is empty.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The values of the full slots, with their indices.
    pub fn filled(&self) -> impl Iterator<Item = (usize, &R)> {
        let slots = self.values.iter().zip(&self.full).enumerate();
        slots.filter_map(|(index, (value, &full))| full.then_some((index, value)))
    }

    /// All values in order; `None` while a slot is empty.
    pub fn values(&self) -> Option<&[R]> {
        self.is_full.then_some(&self.values)
    }
}

fn default_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= 4 { cores - 1 } else { cores }
}
