//! The transposition table: results of positions that the search may reach again by another line of
//! play or at another depth.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// A table of positions. A new entry replaces the one in its slot, unless that one is of the same
/// search and deeper.
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
    /// The index of the best move found, or [`TableEntry::NO_MOVE`].
    best: u16,
    is_cut_off: bool,
}

/// What a search found of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    pub(super) value: f32,
    /// The index of the best move, if it is known.
    pub(super) best: Option<usize>,
    /// Whether some line ended before the end of the game.
    pub(super) is_cut_off: bool,
}

/// What an entry's value says of the true value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ValueBound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// The hash key of a position `ply` moves from the root. The value of a finished game depends on
/// that distance.
pub(super) fn key(state: &impl Hash, ply: usize) -> u64 {
    // Any odd number that spreads the bits of a distance.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    FixedState::default().hash_one(state) ^ (ply as u64).wrapping_mul(SPREAD)
}

impl TranspositionTable {
    /// Starts a new search of that depth. Entries of earlier searches become invalid.
    pub(super) fn start_search(&mut self, depth: u8) {
        // A small table stays in the processor's own cache.
        let size = match depth {
            ..=4 => 1 << 11,
            5..=8 => 1 << 14,
            9.. => 1 << 20,
        };
        if self.entries.len() < size {
            self.entries = vec![TableEntry::default(); size];
        }
        self.search += 1;
    }

    pub(super) fn find(&self, key: u64) -> Option<TableEntry> {
        let entry = self.entries[key as usize % self.entries.len()];
        (entry.key == key && entry.search == self.search).then_some(entry)
    }

    /// Stores what a search to `depth` within a window found of a position.
    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u8,
        (alpha, beta): (f32, f32),
        result: SearchResult,
    ) {
        let value = result.value;
        let place = key as usize % self.entries.len();
        let present = self.entries[place];
        if present.search == self.search && present.depth > depth {
            return;
        }
        let bound = if value >= beta {
            ValueBound::Lower
        } else if value <= alpha {
            ValueBound::Upper
        } else {
            ValueBound::Exact
        };
        self.entries[place] = TableEntry {
            key,
            search: self.search,
            value,
            depth,
            bound,
            best: result.best.map_or(TableEntry::NO_MOVE, |best| best as u16),
            is_cut_off: result.is_cut_off,
        };
    }
}

impl TableEntry {
    /// Stands for no move: no position has as many.
    const NO_MOVE: u16 = u16::MAX;

    /// The best of a position's moves, if one is known.
    pub(super) fn best_of<M: Copy>(&self, moves: &[M]) -> Option<M> {
        moves.get(usize::from(self.best)).copied()
    }

    /// The stored value if it allows a cutoff, and whether some line ended before the end of the
    /// game. Only entries of the same depth count, so that the table changes no value.
    pub(super) fn cutoff(&self, depth: u8, (alpha, beta): (f32, f32)) -> Option<(f32, bool)> {
        let is_cutoff = match self.bound {
            ValueBound::Exact => true,
            ValueBound::Lower => self.value >= beta,
            ValueBound::Upper => self.value <= alpha,
        };
        (self.depth == depth && is_cutoff).then_some((self.value, self.is_cut_off))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(value: f32, best: Option<usize>) -> SearchResult {
        SearchResult {
            value,
            best,
            is_cut_off: true,
        }
    }

    #[test]
    fn an_entry_allows_cutoffs_only_at_its_depth_and_in_its_search() {
        let mut table = TranspositionTable::default();
        table.start_search(4);
        let wide = (-1.0, 1.0);
        table.store(7, 3, wide, result(0.5, Some(2)));
        let found = table.find(7).expect("it was stored");
        assert_eq!(found.cutoff(3, wide), Some((0.5, true)));
        assert_eq!(found.cutoff(2, wide), None);
        assert_eq!(found.best_of(&[5, 6, 7]), Some(7));
        table.store(7, 3, wide, result(2.0, None));
        let low = table.find(7).expect("it was stored");
        assert_eq!(low.cutoff(3, (-1.0, 3.0)), None, "it may be more");
        assert_eq!(low.best_of(&[5, 6, 7]), None);
        assert_eq!(low.cutoff(3, (-1.0, 1.5)), Some((2.0, true)));
        table.store(7, 3, wide, result(-2.0, Some(0)));
        let high = table.find(7).expect("it was stored");
        assert_eq!(high.cutoff(3, (-3.0, 1.0)), None, "it may be less");
        assert_eq!(high.cutoff(3, (-1.5, 1.0)), Some((-2.0, true)));
        table.store(7, 2, wide, result(0.5, Some(2)));
        let kept = table.find(7).expect("it was stored");
        assert_eq!(kept.cutoff(2, wide), None, "the deeper entry stays");
        assert!(table.find(8).is_none());
        table.start_search(4);
        assert!(table.find(7).is_none());
    }

    #[test]
    fn a_position_has_another_key_at_another_distance_from_the_root() {
        let keys = [0, 1, 2, 3].map(|ply| key(&7, ply));
        assert!((1..4).all(|ply| keys[ply] != keys[0]));
        assert_eq!(key(&7, 2), keys[2]);
    }
}
