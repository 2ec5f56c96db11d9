//! What networks have worked out for the rows that they have seen last. From one move of a game to
//! the next a player's inputs change little, so it can be corrected by the inputs that differ.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a compiled network within this process, also after others have been dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NetworkId(u64);

impl NetworkId {
    /// One that no other network has. It does not influence any result.
    pub(super) fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// What two networks have kept: those of the two players of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent<T> {
    slots: [(NetworkId, T); 2],
    /// The index of the slot that was not used last.
    older: usize,
}

impl<T> Recent<T> {
    /// What this network has kept, and whether it has; if not, it is that of another network or the
    /// default.
    #[inline]
    pub(super) fn of(&mut self, network: NetworkId) -> (&mut T, bool) {
        let known = self.slots.iter().position(|(id, _)| *id == network);
        let index = known.unwrap_or(self.older);
        self.older = 1 - index;
        let (id, kept) = &mut self.slots[index];
        *id = network;
        (kept, known.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_networks_keep_something_and_a_third_replaces_the_older() {
        let [a, b, c] = [(); 3].map(|()| NetworkId::next());
        let mut recent = Recent::<u32>::default();
        for (network, number) in [(a, 1), (b, 2)] {
            let (kept, is_known) = recent.of(network);
            assert!(!is_known);
            *kept = number;
        }
        assert_eq!(recent.of(a), (&mut 1, true));
        let (kept, is_known) = recent.of(c);
        assert_eq!((*kept, is_known), (2, false));
        *kept = 3;
        assert_eq!(recent.of(a), (&mut 1, true));
        assert_eq!(recent.of(c), (&mut 3, true));
        assert!(!recent.of(b).1);
    }
}
