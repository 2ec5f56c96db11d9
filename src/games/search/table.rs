//! What a search has found out of positions that it may meet again by another line of play, or one move deeper.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// A table of positions. One that falls on the place of another takes it.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: Vec<Entry>,
    /// The number of the search, which entries of earlier ones do not have.
    search: u32,
}

/// What is known of a position met before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    key: u64,
    search: u32,
    value: f32,
    /// Moves looked ahead.
    depth: u8,
    bound: Bound,
    /// The place of the move found best.
    pub(super) best: u16,
}

/// What the value of an entry says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bound {
    #[default]
    Exact,
    /// It is that or more.
    Low,
    /// It is that or less.
    High,
}

/// By what a position is found.
pub(super) fn key(state: &impl Hash) -> u64 {
    FixedState::default().hash_one(state)
}

impl Table {
    /// Begins a search so many moves ahead, which knows nothing of those before it.
    pub(super) fn open(&mut self, depth: u8) {
        const SMALL: usize = 1 << 14;
        const LARGE: usize = 1 << 20;
        let size = if depth > 8 { LARGE } else { SMALL };
        if self.entries.len() < size {
            self.entries = vec![Entry::default(); size];
        }
        self.search += 1;
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[key as usize % self.entries.len()];
        (entry.key == key && entry.search == self.search).then_some(entry)
    }

    /// Takes note of the value of a position searched so many moves ahead within a window, and of the place of its best move.
    pub(super) fn note(
        &mut self,
        key: u64,
        depth: u8,
        (alpha, beta): (f32, f32),
        (value, best): (f32, usize),
    ) {
        let bound = if value >= beta {
            Bound::Low
        } else if value <= alpha {
            Bound::High
        } else {
            Bound::Exact
        };
        let place = key as usize % self.entries.len();
        self.entries[place] = Entry {
            key,
            search: self.search,
            value,
            depth,
            bound,
            best: best as u16,
        };
    }
}

impl Entry {
    /// The value of the position where no more needs to be known. Only what was looked as far ahead counts, so that a table
    /// changes no value.
    pub(super) fn settles(&self, depth: u8, (alpha, beta): (f32, f32)) -> Option<f32> {
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Low => self.value >= beta,
            Bound::High => self.value <= alpha,
        };
        (self.depth == depth && settles).then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_settles_what_it_bounds_at_its_own_depth_in_its_own_search() {
        let mut table = Table::default();
        table.open(4);
        let wide = (-1.0, 1.0);
        table.note(7, 3, wide, (0.5, 2));
        let found = table.find(7).expect("it was noted");
        assert_eq!(found.settles(3, wide), Some(0.5));
        assert_eq!((found.settles(2, wide), found.best), (None, 2));
        table.note(7, 3, wide, (2.0, 0));
        let low = table.find(7).expect("it was noted");
        assert_eq!(low.settles(3, (-1.0, 3.0)), None, "it may be more");
        assert_eq!(low.settles(3, (-1.0, 1.5)), Some(2.0));
        table.note(7, 3, wide, (-2.0, 0));
        let high = table.find(7).expect("it was noted");
        assert_eq!(high.settles(3, (-3.0, 1.0)), None, "it may be less");
        assert_eq!(high.settles(3, (-1.5, 1.0)), Some(-2.0));
        assert!(table.find(8).is_none());
        table.open(4);
        assert!(table.find(7).is_none());
    }
}
