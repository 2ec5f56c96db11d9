//! The threads that games are played on. Results come back in order, so that nothing depends on how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::Yield;
use rayon::prelude::*;

/// How often a thread looks for its part of some work before it falls asleep: some tenths of a millisecond, longer than the steps
/// between that one thread does alone.
const PATIENCE: u32 = 4000;

/// A pool of threads of its own.
#[derive(Clone, Debug)]
pub struct Pool {
    threads: Arc<rayon::ThreadPool>,
}

impl Pool {
    /// A pool of `threads` threads; 0 means as many as the machine has, less one from four on.
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
            format!("the system gives no {wanted} threads ({error}); ask for fewer with --threads")
        })?;
        Ok(Self {
            threads: Arc::new(threads),
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Does something on one of the threads. A caller with many small jobs does them all inside, which saves waking a thread
    /// for each; and the others stay awake as long as there are parts for them every now and then. Waking one takes 0.15 ms,
    /// twice in a generation of 3 ms (`cargo bench --bench generation`).
    pub fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        if self.threads() == 1 {
            return self.threads.install(work);
        }
        self.threads.install(|| {
            let (own, over) = (rayon::current_thread_index(), Arc::default());
            let ends = Arc::clone(&over);
            self.threads.spawn_broadcast(move |thread| {
                if Some(thread.index()) != own {
                    attend(&ends);
                }
            });
            let result = work();
            over.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Calls `work` for each index in 0..count; each thread keeps a tool made by `tool`.
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

    /// Drops many things, beside other work where there are threads for it: freeing memory takes its time too.
    pub fn discard<T: Send + 'static>(&self, things: T) {
        // A single thread would put it off for as long as it has anything else to do.
        if self.threads() > 1 {
            self.threads.spawn(|| drop(things));
        }
    }

    /// Fills the slots, at most `at_once` of them with each call of `work`, which is given the index of the first. Those that
    /// are full are left alone, and so are those not yet begun once `halt` is set.
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
        let filled = chunks.map(|(place, (values, full))| {
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
                    work(&mut tool, place * chunk + offset * at_once, values);
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

/// Does parts of the others' work until that is over, or none has come for a while.
fn attend(over: &AtomicBool) {
    let mut idle = 0;
    while !over.load(Ordering::Relaxed) && idle < PATIENCE {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle = 0;
        } else {
            idle += 1;
            std::hint::spin_loop();
        }
    }
}

/// Places for results that come in any order, and perhaps not all at one go.
#[derive(Clone, Debug, Default)]
pub struct Slots<R> {
    values: Vec<R>,
    full: Vec<bool>,
    /// Whether none is empty any more.
    is_full: bool,
}

impl<R: Clone + Default> Slots<R> {
    /// So many empty slots.
    pub fn new(count: usize) -> Self {
        Self::default().emptied(count)
    }

    /// So many empty slots, in the memory of these.
    #[must_use]
    pub fn emptied(mut self, count: usize) -> Self {
        self.values.resize(count, R::default());
        self.full.clear();
        self.full.resize(count, false);
        self.is_full = count == 0;
        self
    }
}

impl<R> Slots<R> {
    /// Whether no slot is empty any more.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// What is in the slots that are not empty, with their places.
    pub fn filled(&self) -> impl Iterator<Item = (usize, &R)> {
        let slots = self.values.iter().zip(&self.full).enumerate();
        slots.filter_map(|(place, (value, &full))| full.then_some((place, value)))
    }

    /// What is in the slots, in order; `None` while one of them is empty.
    pub fn values(&self) -> Option<&[R]> {
        self.is_full.then_some(&self.values)
    }
}

fn default_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= 4 { cores - 1 } else { cores }
}
