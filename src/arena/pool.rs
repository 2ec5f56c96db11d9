//! The threads that games are played on. Results come back in order, so that nothing depends on how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

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
    /// for each.
    pub fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
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

    /// Drops many things; freeing memory takes its time too.
    pub fn discard<T: Send>(&self, things: Vec<T>) {
        self.threads
            .install(|| things.into_par_iter().for_each(drop));
    }

    /// Fills the slots, at most `at_once` of them with each call of `work`, which is given the index of the first. Those that
    /// are full are left alone, and so are those not yet begun once `halt` is set.
    pub fn fill<T, R>(
        &self,
        slots: &mut [Option<R>],
        halt: &AtomicBool,
        at_once: usize,
        tool: impl Fn() -> T + Sync + Send,
        work: impl Fn(&mut T, usize, &mut [Option<R>]) + Sync + Send,
    ) where
        R: Send,
    {
        const CHUNK: usize = 256;
        let chunk = (slots.len() / (self.threads() * 4)).clamp(1, CHUNK);
        let chunk = chunk.next_multiple_of(at_once);
        self.threads.install(|| {
            slots
                .par_chunks_mut(chunk)
                .enumerate()
                .for_each(|(place, slots)| {
                    let mut tool = tool();
                    for (offset, slots) in slots.chunks_mut(at_once).enumerate() {
                        let empty = slots.iter().any(Option::is_none);
                        if empty && !halt.load(Ordering::Relaxed) {
                            work(&mut tool, place * chunk + offset * at_once, slots);
                        }
                    }
                });
        });
    }
}

fn default_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores >= 4 { cores - 1 } else { cores }
}
