//! How a champion is drawn: cursor, filter, zoom, and what it is compared with.

use std::sync::Arc;

use crate::model::zoom::Zoom;
use crate::theme::Theme;
use finches_engine::play::Arena;

/// What all views of a champion need for drawing.
pub(super) struct NetViewOptions<'a> {
    pub(super) theme: &'a Theme,
    /// The selected item.
    pub(super) cursor: usize,
    /// The generation of the champion it is compared with.
    pub(super) compared_with: Option<u64>,
    pub(super) arena: &'a Arc<dyn Arena>,
    /// Whether all edges of a network are drawn, not only the strongest.
    pub(super) shows_all_edges: bool,
    pub(super) inactive: InactiveParts,
    /// Whether the picture also takes the room of the side panes.
    pub(super) zoom: Zoom,
    /// The activation of each node; empty if weights are shown.
    pub(super) activations: &'a [f32],
}

impl NetViewOptions<'_> {
    /// The activation of a node; `None` if weights are shown.
    pub(super) fn activation(&self, node: usize) -> Option<f32> {
        self.activations.get(node).copied()
    }
}

/// Whether nodes and edges on no path from an input to an output are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InactiveParts {
    Hidden,
    Shown,
}

impl InactiveParts {
    pub(super) fn toggled(self) -> Self {
        match self {
            Self::Hidden => Self::Shown,
            Self::Shown => Self::Hidden,
        }
    }
}
