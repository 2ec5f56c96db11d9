//! Distributes runs and threads over workers: one thread per run while there are enough runs. When
//! no runs are left, the threads of idle workers go to the runs still in progress, so that the last
//! run is as fast as on its own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use finches_engine::play::pool::Pool;
use finches_runs::storage::experiments::manifest::RunId;

use super::ExperimentError;

/// The workers of an experiment and its queue of runs.
pub(super) struct WorkerPool {
    threads: usize,
    workers: usize,
    runs: Vec<RunId>,
    next: AtomicUsize,
    finished: AtomicUsize,
    /// Workers that still have a run, in ascending order.
    working: Mutex<Vec<usize>>,
    /// Counts the changes of `active_workers`.
    epoch: AtomicUsize,
}

/// A registered worker with its thread pool.
pub(super) struct WorkerSlot<'a> {
    workers: &'a WorkerPool,
    worker: usize,
    pool: Pool,
    epoch: usize,
}

impl WorkerPool {
    /// `most` is the most runs at the same time, at most the number of threads.
    pub(super) fn new(threads: usize, most: usize, runs: Vec<RunId>) -> Self {
        let workers = most.min(runs.len());
        Self {
            threads,
            workers,
            runs,
            next: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            working: Mutex::new((0..workers).collect()),
            epoch: AtomicUsize::new(0),
        }
    }

    /// The number of workers.
    pub(super) fn workers(&self) -> usize {
        self.workers
    }

    pub(super) fn is_done(&self) -> bool {
        self.finished.load(Ordering::Relaxed) == self.runs.len()
    }

    pub(super) fn register(&self, worker: usize) -> Result<WorkerSlot<'_>, ExperimentError> {
        Ok(WorkerSlot {
            workers: self,
            worker,
            epoch: self.epoch.load(Ordering::Relaxed),
            pool: self.pool(worker)?,
        })
    }

    fn active_workers(&self) -> MutexGuard<'_, Vec<usize>> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of threads for a worker. Threads are divided evenly; the first workers get the
    /// remainder.
    fn thread_share(&self, worker: usize) -> usize {
        let working = self.active_workers();
        let position = working.iter().position(|&other| other == worker);
        let workers = working.len().max(1);
        let has_extra = position.is_some_and(|position| position < self.threads % workers);
        (self.threads / workers + usize::from(has_extra)).max(1)
    }

    fn pool(&self, worker: usize) -> Result<Pool, ExperimentError> {
        Ok(Pool::new(self.thread_share(worker))?)
    }
}

impl WorkerSlot<'_> {
    /// The next run to do. If there is none, the worker's threads go to the others.
    pub(super) fn next_run(&mut self) -> Option<RunId> {
        let next = self.workers.next.fetch_add(1, Ordering::Relaxed);
        let run = self.workers.runs.get(next).copied();
        if run.is_none() {
            self.workers
                .active_workers()
                .retain(|&other| other != self.worker);
            self.workers.epoch.fetch_add(1, Ordering::Relaxed);
        }
        run
    }

    pub(super) fn finish_run(&self) {
        self.workers.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the set of active workers has changed since the pool was made.
    pub(super) fn is_outdated(&self) -> bool {
        self.epoch != self.workers.epoch.load(Ordering::Relaxed)
    }

    /// Makes the pool as large as it should be now; true if it is a new one.
    pub(super) fn resize(&mut self) -> Result<bool, ExperimentError> {
        if !self.is_outdated() {
            return Ok(false);
        }
        self.epoch = self.workers.epoch.load(Ordering::Relaxed);
        let threads = self.workers.thread_share(self.worker);
        let is_new = threads != self.pool.threads();
        if is_new {
            self.pool = Pool::new(threads)?;
        }
        Ok(is_new)
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(threads: usize, runs: u64) -> WorkerPool {
        let run = |seed| RunId { preset: 0, seed };
        WorkerPool::new(threads, threads, (0..runs).map(run).collect())
    }

    #[test]
    fn every_run_has_a_thread_and_no_thread_is_idle() {
        for (threads, runs, shares) in [
            (4, 9, vec![1, 1, 1, 1]),
            (4, 3, vec![2, 1, 1]),
            (5, 2, vec![3, 2]),
            (3, 1, vec![3]),
            (2, 0, vec![]),
        ] {
            let workers = workers(threads, runs);
            let found: Vec<usize> = (0..workers.workers())
                .map(|worker| workers.thread_share(worker))
                .collect();
            assert_eq!(found, shares, "{threads} threads, {runs} runs");
        }
    }

    #[test]
    fn the_threads_of_an_idle_worker_go_to_the_others() {
        let workers = workers(2, 2);
        let mut slots = [0, 1].map(|worker| workers.register(worker).expect("there are threads"));
        assert!(slots.iter_mut().all(|slot| slot.next_run().is_some()));
        assert!(!slots[1].resize().expect("the pool is unchanged"));
        assert_eq!(slots[0].next_run(), None);
        assert!(slots[1].is_outdated());
        assert!(slots[1].resize().expect("there are threads"));
        assert_eq!(slots[1].pool().threads(), 2);
    }
}
