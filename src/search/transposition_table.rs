//! The transposition table: results of positions that the search may reach again by another line of play or at another depth.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// A table of positions. A new entry replaces the one in its slot.
#[derive(Debug, Default)]
pub(super) struct TranspositionTable {
    entries: Vec<TableEntry>,
    /// The number of the current search. Entries of earlier searches have other numbers.
    search: u32,
}

/// The result of a position searched before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableEntry {
    key: u64,
    search: u32,
    value: f32,
    /// The search depth, in moves.
    depth: u8,
    bound: ValueBound,
    /// The index of the best move found.
    pub(super) best: u16,
}

/// What an entry's value says of the true value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ValueBound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// The hash key of a position.
pub(super) fn key(state: &impl Hash) -> u64 {
    FixedState::default().hash_one(state)
}

impl TranspositionTable {
    /// Starts a new search of that depth. Entries of earlier searches become invalid.
    pub(super) fn start_search(&mut self, depth: u8) {
        const SMALL: usize = 1 << 14;
        const LARGE: usize = 1 << 20;
        let size = if depth > 8 { LARGE } else { SMALL };
        if self.entries.len() < size {
            self.entries = vec![TableEntry::default(); size];
        }
        self.search += 1;
    }

    pub(super) fn find(&self, key: u64) -> Option<TableEntry> {
        let entry = self.entries[key as usize % self.entries.len()];
        (entry.key == key && entry.search == self.search).then_some(entry)
    }

    /// Stores the value of a position searched to `depth` within a window, and the index of its best move.
    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u8,
        (alpha, beta): (f32, f32),
        (value, best): (f32, usize),
    ) {
        let bound = if value >= beta {
            ValueBound::Lower
        } else if value <= alpha {
            ValueBound::Upper
        } else {
            ValueBound::Exact
        };
        let place = key as usize % self.entries.len();
        self.entries[place] = TableEntry {
            key,
            search: self.search,
            value,
            depth,
            bound,
            best: best as u16,
        };
    }
}

impl TableEntry {
    /// The stored value if it allows a cutoff. Only entries of the same depth count, so that the table changes no value.
    pub(super) fn cutoff(&self, depth: u8, (alpha, beta): (f32, f32)) -> Option<f32> {
        let is_cutoff = match self.bound {
            ValueBound::Exact => true,
            ValueBound::Lower => self.value >= beta,
            ValueBound::Upper => self.value <= alpha,
        };
        (self.depth == depth && is_cutoff).then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_allows_cutoffs_only_at_its_depth_and_in_its_search() {
        let mut table = TranspositionTable::default();
        table.start_search(4);
        let wide = (-1.0, 1.0);
        table.store(7, 3, wide, (0.5, 2));
        let found = table.find(7).expect("it was stored");
        assert_eq!(found.cutoff(3, wide), Some(0.5));
        assert_eq!((found.cutoff(2, wide), found.best), (None, 2));
        table.store(7, 3, wide, (2.0, 0));
        let low = table.find(7).expect("it was stored");
        assert_eq!(low.cutoff(3, (-1.0, 3.0)), None, "it may be more");
        assert_eq!(low.cutoff(3, (-1.0, 1.5)), Some(2.0));
        table.store(7, 3, wide, (-2.0, 0));
        let high = table.find(7).expect("it was stored");
        assert_eq!(high.cutoff(3, (-3.0, 1.0)), None, "it may be less");
        assert_eq!(high.cutoff(3, (-1.5, 1.0)), Some(-2.0));
        assert!(table.find(8).is_none());
        table.start_search(4);
        assert!(table.find(7).is_none());
    }
}
