//! The thread pool that plays games. Results come back in order, so nothing depends on the number
//! of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::Yield;
use rayon::prelude::*;

use crate::search::CancelToken;

/// How often an idle thread polls for work before it sleeps: a few tenths of a millisecond, longer
/// than the sequential steps between two parallel ones.
const IDLE_POLLS: u32 = 4000;

/// Why a lock around a part of the results is never poisoned: one thread takes it, once.
const UNSHARED: &str = "each part is locked once";

/// A thread pool.
#[derive(Clone, Debug)]
pub struct Pool {
    threads: Arc<rayon::ThreadPool>,
}

/// The threads of a pool can't be started.
#[derive(Debug, thiserror::Error)]
#[error("can't start {wanted} threads ({source}); use fewer with --threads")]
pub struct PoolError {
    wanted: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Pool {
    /// A pool of [`thread_count`] threads.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let wanted = thread_count(threads);
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(wanted)
            .thread_name(|index| format!("arena-{index}"))
            .build();
        let threads = built.map_err(|source| PoolError { wanted, source })?;
        Ok(Self {
            threads: Arc::new(threads),
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs `work` on one of the threads. A caller with many small jobs runs them in one call: no
    /// thread is woken for each job, and the other threads stay awake as long as work comes often
    /// enough. Waking a thread takes 0.15 ms, twice in a generation of 3 ms
    /// (`cargo bench --bench generation`).
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let (mut work, mut result) = (Some(work), None);
        self.enter(&mut || result = work.take().map(|work| work()));
        result.expect("the work is over once the call returns")
    }

    fn enter(&self, work: &mut (dyn FnMut() + Send)) {
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
            work();
            over.store(true, Ordering::Relaxed);
        });
    }

    /// Calls `work` for each index in `0..count`, in parallel. This is the only parallel loop. It
    /// is not generic, so that rayon is compiled once and not for every loop.
    fn for_each_index(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.threads
            .install(|| (0..count).into_par_iter().for_each(work));
    }

    /// Calls `work` for each index in `0..count`, in parallel; each part of the indices has a
    /// workspace made by `tool`.
    pub fn map_with<T, R: Send>(
        &self,
        count: usize,
        tool: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, usize) -> R + Sync,
    ) -> Vec<R> {
        let chunk = self.chunk(count, 16);
        let chunks: Vec<Mutex<Vec<R>>> = (0..count.div_ceil(chunk))
            .map(|_| Mutex::default())
            .collect();
        self.for_each_index(chunks.len(), &|part| {
            let mut tool = tool();
            let indices = part * chunk..count.min((part + 1) * chunk);
            let results = indices.map(|index| work(&mut tool, index)).collect();
            *chunks[part].lock().expect(UNSHARED) = results;
        });
        let mut all = Vec::with_capacity(count);
        for part in chunks {
            all.append(&mut part.into_inner().expect(UNSHARED));
        }
        all
    }

    /// The length of the parts into which `count` indices are divided: `per_thread` parts for each
    /// thread, at most 256 indices long.
    fn chunk(&self, count: usize, per_thread: usize) -> usize {
        (count / (self.threads() * per_thread)).clamp(1, 256)
    }

    /// Drops a large value on another thread if there is one, because freeing memory takes time.
    pub fn drop_in_background<T: Send + 'static>(&self, things: T) {
        // A single thread would delay the drop until it has nothing else to do.
        if self.threads() > 1 {
            self.threads.spawn(|| drop(things));
        }
    }

    /// Fills the empty slots. Each call of `work` fills at most `at_once` slots and receives the
    /// index of the first. Once `cancel` is canceled, no further call is made.
    pub fn fill<T, R>(
        &self,
        slots: &mut Slots<R>,
        cancel: &dyn CancelToken,
        at_once: usize,
        tool: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, usize, &mut [R]) + Sync,
    ) where
        R: Send,
    {
        let start = slots.settled;
        let values = &mut slots.values[start..];
        let chunk = self.chunk(values.len(), 4).next_multiple_of(at_once);
        let full = slots.full[start..].chunks_mut(chunk);
        let chunks = values.chunks_mut(chunk).zip(full).map(Mutex::new);
        let chunks: Vec<_> = chunks.collect();
        let is_full = AtomicBool::new(true);
        self.for_each_index(chunks.len(), &|index| {
            let mut tool = tool();
            let mut part = chunks[index].lock().expect(UNSHARED);
            let (values, full) = &mut *part;
            let parts = values.chunks_mut(at_once).zip(full.chunks_mut(at_once));
            for (offset, (values, full)) in parts.enumerate() {
                if !full.contains(&false) {
                    continue;
                }
                if cancel.is_canceled() {
                    is_full.store(false, Ordering::Relaxed);
                } else {
                    work(&mut tool, start + index * chunk + offset * at_once, values);
                    full.fill(true);
                }
            }
        });
        drop(chunks);
        slots.is_full = is_full.into_inner();
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
    /// The number of slots that were full when the last ones were added.
    settled: usize,
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
        self.settled = 0;
        self.is_full = count == 0;
        self
    }

    /// Adds `count` empty slots behind these, which must be full.
    pub fn extend(&mut self, count: usize) {
        self.settled = self.values.len();
        self.values.resize(self.settled + count, R::default());
        self.full.resize(self.settled + count, false);
        self.is_full = count == 0;
    }
}

impl<R> Slots<R> {
    /// Whether no slot is empty.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The slots that were added last, if all of them are empty.
    pub fn untouched(&self) -> Option<Range<usize>> {
        let added = self.settled..self.full.len();
        (!self.full[added.clone()].contains(&true)).then_some(added)
    }

    /// Fills some slots, given by their indices, with results from elsewhere.
    pub fn place(&mut self, results: impl IntoIterator<Item = (usize, R)>) {
        for (index, result) in results {
            (self.values[index], self.full[index]) = (result, true);
        }
    }

    /// Notes whether slots are empty, after the last of [`Slots::place`].
    pub fn count_filled(&mut self) {
        self.is_full = !self.full.contains(&false);
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

/// The number of threads of a pool: `wanted`, or for 0 one per core of the machine, or one less if
/// it has four or more.
pub fn thread_count(wanted: usize) -> usize {
    let cores = cores();
    match wanted {
        0 if cores >= 4 => cores - 1,
        0 => cores,
        _ => wanted,
    }
}

/// The most threads that make sense on this machine.
pub fn max_threads() -> usize {
    8 * cores()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
