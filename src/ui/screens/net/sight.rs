//! How a champion is looked at: with which eyes, where the cursor is, and what it is compared with.

use std::sync::Arc;

use crate::arena::Arena;
use crate::ui::theme::Theme;

/// What the drawings of all kinds are told.
pub(super) struct Sight<'a> {
    pub(super) theme: &'a Theme,
    /// The place of what is pointed at.
    pub(super) cursor: usize,
    /// The generation of the champion it is compared with.
    pub(super) before: Option<u64>,
    pub(super) arena: &'a Arc<dyn Arena>,
    pub(super) amount: Amount,
}

/// How many of a network's links are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Strongest,
    All,
}

impl Amount {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Strongest => Self::All,
            Self::All => Self::Strongest,
        }
    }
}
