//! Panics caused on purpose, to test how a run ends.

use finches_engine::play::pool::Pool;

/// A panic at a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectedFault {
    /// The generation in which it happens.
    pub generation: u64,
    /// The thread that it happens on.
    pub location: FaultLocation,
}

/// Where the panic happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultLocation {
    /// In a game, on a thread of the pool.
    Game,
    /// On the worker's own thread.
    Worker,
    /// On the thread that draws the screen.
    Screen,
}

impl InjectedFault {
    /// Panics if this is the generation, unless the location is the screen.
    pub(super) fn trigger(self, generation: u64, pool: &Pool) {
        if self.generation != generation {
            return;
        }
        match self.location {
            FaultLocation::Game => {
                pool.map_with(1, || (), |(), _| panic!("injected panic in a game"));
            }
            FaultLocation::Worker => panic!("injected panic in the worker"),
            FaultLocation::Screen => {}
        }
    }
}
