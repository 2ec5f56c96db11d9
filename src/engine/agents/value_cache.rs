//! The values that brains gave to positions in one game. Searches reach the same positions again by
//! other lines of play, at another depth and in the next move.

use crate::genomes::Brain;

/// Slots of the cache. Sixteen times as many find more values but do not stay in the processor's
/// own cache: waiting for memory then took an eighth of a tree search.
const SIZE: usize = 1 << 12;

/// A table of values. A new one replaces the one in its slot.
#[derive(Debug)]
pub(super) struct ValueCache {
    /// Empty until a search needs it.
    entries: Vec<CachedValue>,
    epoch: u32,
}

/// A value, valid if its epoch is that of the cache.
#[derive(Clone, Copy, Debug, Default)]
struct CachedValue {
    key: u64,
    epoch: u32,
    value: f32,
}

impl Default for ValueCache {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            epoch: 1,
        }
    }
}

/// The key of a brain's value of a position, given the key of the position's encoding.
///
/// The address identifies a brain: brains do not move in memory during a game.
pub(super) fn key(brain: &dyn Brain, encoding_key: u64) -> u64 {
    // Any odd number that spreads the bits of an address.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let address = std::ptr::from_ref(brain).addr() as u64;
    encoding_key ^ address.wrapping_mul(SPREAD)
}

impl ValueCache {
    /// Allocates the slots. Call it before each search.
    pub(super) fn prepare(&mut self) {
        self.entries.resize(SIZE, CachedValue::default());
    }

    /// Invalidates all values, since the brains may have changed.
    pub(super) fn clear(&mut self) {
        self.epoch += 1;
    }

    pub(super) fn find(&self, key: u64) -> Option<f32> {
        let entry = self.entries[key as usize % SIZE];
        (entry.key == key && entry.epoch == self.epoch).then_some(entry.value)
    }

    pub(super) fn store(&mut self, key: u64, value: f32) {
        self.entries[key as usize % SIZE] = CachedValue {
            key,
            epoch: self.epoch,
            value,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_key_until_the_cache_is_cleared_or_the_slot_is_used_again() {
        let mut cache = ValueCache::default();
        cache.prepare();
        assert_eq!(cache.find(0), None, "an empty slot has no value");
        cache.store(7, 0.5);
        assert_eq!(cache.find(7), Some(0.5));
        let same_slot = 7 + SIZE as u64;
        assert_eq!(cache.find(same_slot), None);
        cache.store(same_slot, 0.25);
        assert_eq!((cache.find(7), cache.find(same_slot)), (None, Some(0.25)));
        cache.clear();
        assert_eq!(cache.find(same_slot), None);
    }
}
