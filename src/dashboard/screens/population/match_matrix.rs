//! Match results between champions of different generations, pair by pair. No drawing.

use std::sync::Arc;

use finches_engine::evolution::archive::Champion;
use finches_engine::play::health::cross_table::CrossTable;

/// Champions ordered by generation, oldest first, and their results so far.
pub(super) struct MatchMatrix {
    pub(super) champions: Vec<Arc<Champion>>,
    pub(super) table: CrossTable,
}

impl MatchMatrix {
    pub(super) fn new(champions: Vec<Arc<Champion>>) -> Self {
        Self {
            table: CrossTable::new(champions.len(), &[]),
            champions,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.champions.len()
    }
}
