//! The strategies of Weaver & Bossomaier (1996, "Human Strategies") as rules of thumb. Their level 0 is the random player.

use crate::games::reference::Judge;

/// Closes a box where it can, and otherwise moves at random.
pub(super) const CLOSING: usize = 0;

pub(super) const JUDGES: [Judge; 2] = [
    Judge {
        name: "level-1",
        about: "closes boxes where it can",
        depths: &[1],
        measured: Some(0.0),
    },
    Judge {
        name: "level-2",
        about: "closes boxes where it can, and otherwise draws no third side where it need not",
        depths: &[1],
        measured: None,
    },
];
