//! How a champion is drawn: cursor, filter, zoom, and what it is compared with.

use std::sync::Arc;

use crate::model::zoom::Zoom;
use crate::theme::Theme;
use finches_engine::play::Arena;

/// What all views of a champion need for drawing.
pub(in crate::screens) struct NetViewOptions<'a> {
    pub(in crate::screens) theme: &'a Theme,
    /// The selected item; none if there is no such item.
    pub(in crate::screens) cursor: usize,
    /// The generation of the champion it is compared with.
    pub(in crate::screens) compared_with: Option<u64>,
    pub(in crate::screens) arena: &'a Arc<dyn Arena>,
    /// Whether all edges of a network are drawn, not only the strongest.
    pub(in crate::screens) shows_all_edges: bool,
    pub(in crate::screens) inactive: InactiveParts,
    /// Whether the picture also takes the room of the side panes.
    pub(in crate::screens) zoom: Zoom,
    /// The activation of each node; empty if weights are shown.
    pub(in crate::screens) activations: &'a [f32],
}

impl NetViewOptions<'_> {
    /// The activation of a node; `None` if weights are shown.
    pub(in crate::screens) fn activation(&self, node: usize) -> Option<f32> {
        self.activations.get(node).copied()
    }
}

/// Whether nodes and edges on no path from an input to an output are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::screens) enum InactiveParts {
    Hidden,
    Shown,
}

impl InactiveParts {
    pub(in crate::screens) fn toggled(self) -> Self {
        match self {
            Self::Hidden => Self::Shown,
            Self::Shown => Self::Hidden,
        }
    }
}
