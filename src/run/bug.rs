//! Bugs to order, to see that all ends well; never wanted in earnest.

use crate::arena::pool::Pool;

/// A panic at a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bug {
    pub generation: u64,
    pub place: BugPlace,
}

/// Where a bug shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BugPlace {
    /// In a game, on a thread of the pool.
    Bout,
    /// On the worker's own thread.
    Worker,
    /// On the thread that draws.
    Screen,
}

impl Bug {
    /// Panics where it is due, unless its place is the screen.
    pub(super) fn show(self, generation: u64, pool: &Pool) {
        if self.generation != generation {
            return;
        }
        match self.place {
            BugPlace::Bout => {
                pool.map_with(1, || (), |(), _| panic!("a bout panics as it was told to"));
            }
            BugPlace::Worker => panic!("the worker panics as it was told to"),
            BugPlace::Screen => {}
        }
    }
}
