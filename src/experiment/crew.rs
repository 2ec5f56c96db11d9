//! Who runs what on how many threads: one run to a thread while there are runs enough, and the threads of those that have
//! nothing left to do go to the runs still under way, so that the last run is not slower than it would be alone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::arena::pool::Pool;
use crate::storage::experiments::manifest::Cell;

use super::Fault;

/// The workers of an experiment and the runs before them.
pub(super) struct Crew {
    threads: usize,
    cells: Vec<Cell>,
    next: AtomicUsize,
    finished: AtomicUsize,
    /// Workers that have not run out of runs, in ascending order.
    working: Mutex<Vec<usize>>,
    /// Changes with `working`.
    epoch: AtomicUsize,
}

/// A worker's place in the crew.
pub(super) struct Place<'a> {
    crew: &'a Crew,
    worker: usize,
    pool: Pool,
    epoch: usize,
}

impl Crew {
    pub(super) fn new(threads: usize, cells: Vec<Cell>) -> Self {
        let workers = threads.min(cells.len());
        Self {
            threads,
            cells,
            next: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            working: Mutex::new((0..workers).collect()),
            epoch: AtomicUsize::new(0),
        }
    }

    /// How many workers there are: no more than threads, and no more than runs.
    pub(super) fn size(&self) -> usize {
        self.threads.min(self.cells.len())
    }

    pub(super) fn is_done(&self) -> bool {
        self.finished.load(Ordering::Relaxed) == self.cells.len()
    }

    pub(super) fn enter(&self, worker: usize) -> Result<Place<'_>, Fault> {
        Ok(Place {
            crew: self,
            worker,
            epoch: self.epoch.load(Ordering::Relaxed),
            pool: self.pool(worker)?,
        })
    }

    fn working(&self) -> MutexGuard<'_, Vec<usize>> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker's share of the threads: all have the same, but for what is left over.
    fn share(&self, worker: usize) -> usize {
        let working = self.working();
        let rank = working.iter().position(|&one| one == worker);
        let workers = working.len().max(1);
        let more = rank.is_some_and(|rank| rank < self.threads % workers);
        (self.threads / workers + usize::from(more)).max(1)
    }

    fn pool(&self, worker: usize) -> Result<Pool, Fault> {
        Pool::new(self.share(worker)).map_err(Fault::Failed)
    }
}

impl Place<'_> {
    /// The next run to be done; a worker that asks in vain leaves its threads to the others.
    pub(super) fn next(&mut self) -> Option<Cell> {
        let next = self.crew.next.fetch_add(1, Ordering::Relaxed);
        let cell = self.crew.cells.get(next).copied();
        if cell.is_none() {
            self.crew.working().retain(|&one| one != self.worker);
            self.crew.epoch.fetch_add(1, Ordering::Relaxed);
        }
        cell
    }

    pub(super) fn finished(&self) {
        self.crew.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the crew has changed since the pool was made.
    pub(super) fn is_outdated(&self) -> bool {
        self.epoch != self.crew.epoch.load(Ordering::Relaxed)
    }

    /// Makes a pool of the size that is due; whether it is another one.
    pub(super) fn renew(&mut self) -> Result<bool, Fault> {
        if !self.is_outdated() {
            return Ok(false);
        }
        self.epoch = self.crew.epoch.load(Ordering::Relaxed);
        let due = self.crew.share(self.worker);
        let other = due != self.pool.threads();
        if other {
            self.pool = Pool::new(due).map_err(Fault::Failed)?;
        }
        Ok(other)
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crew(threads: usize, runs: u64) -> Crew {
        let cell = |seed| Cell { preset: 0, seed };
        Crew::new(threads, (0..runs).map(cell).collect())
    }

    #[test]
    fn every_run_has_a_thread_and_no_thread_is_idle_while_runs_are_under_way() {
        for (threads, runs, shares) in [
            (4, 9, vec![1, 1, 1, 1]),
            (4, 3, vec![2, 1, 1]),
            (5, 2, vec![3, 2]),
            (3, 1, vec![3]),
            (2, 0, vec![]),
        ] {
            let crew = crew(threads, runs);
            let found: Vec<usize> = (0..crew.size()).map(|worker| crew.share(worker)).collect();
            assert_eq!(found, shares, "{threads} threads, {runs} runs");
        }
    }

    #[test]
    fn the_threads_of_a_worker_without_runs_go_to_the_others() {
        let crew = crew(2, 2);
        let mut places = [0, 1].map(|worker| crew.enter(worker).expect("there are threads"));
        assert!(places.iter_mut().all(|place| place.next().is_some()));
        assert!(!places[1].renew().expect("nothing is due"));
        assert_eq!(places[0].next(), None);
        assert!(places[1].is_outdated());
        assert!(places[1].renew().expect("there are threads"));
        assert_eq!(places[1].pool().threads(), 2);
    }
}
