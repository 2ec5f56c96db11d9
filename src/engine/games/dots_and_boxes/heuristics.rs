//! The strategies of Weaver & Bossomaier (1996, "Human Strategies") as heuristics. Their level 0 is
//! the random player.

use crate::games::heuristic::Heuristic;

/// The heuristic that closes boxes and otherwise moves at random.
pub(super) const CLOSING: usize = 0;

pub(super) const HEURISTICS: [Heuristic; 2] = [
    Heuristic {
        name: "level-1",
        about: "closes boxes if possible",
        depths: &[1],
        random_move_share: Some(0.0),
    },
    Heuristic {
        name: "level-2",
        about: "closes boxes if possible and avoids drawing third sides",
        depths: &[1],
        random_move_share: None,
    },
];
