//! How a champion is looked at: with which eyes, where the cursor is, and what it is compared with.

use std::sync::Arc;

use crate::arena::Arena;
use crate::ui::theme::Theme;
use crate::ui::zoom::Zoom;

/// What the drawings of all kinds are told.
pub(super) struct Sight<'a> {
    pub(super) theme: &'a Theme,
    /// The place of what is pointed at.
    pub(super) cursor: usize,
    /// The generation of the champion it is compared with.
    pub(super) before: Option<u64>,
    pub(super) arena: &'a Arc<dyn Arena>,
    pub(super) amount: Amount,
    /// Whether the picture has the room of the panes beside and below it too.
    pub(super) zoom: Zoom,
    /// What each node of the drawing gives in the position looked at; none where weights are looked at.
    pub(super) values: &'a [f32],
}

impl Sight<'_> {
    /// What a node gives, where that is looked at.
    pub(super) fn value(&self, node: usize) -> Option<f32> {
        self.values.get(node).copied()
    }
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
