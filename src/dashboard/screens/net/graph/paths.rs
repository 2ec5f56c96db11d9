//! The paths through the selected node: from the inputs to it, and from it to the outputs.

use super::{DrawnEdge, NetworkDrawing};

/// How prominent a node or an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Light {
    /// Without a selected node: it was not there before. A trunk is new if all its edges are.
    New,
    /// No path through the selected node has it.
    Dim,
    /// It is on a path through the selected node.
    Lit,
    /// The selected node, its neighbors and its edges.
    Bright,
}

/// The nodes on paths through the selected one, or all nodes if none is selected.
pub(super) struct Paths {
    cursor: usize,
    /// For each node whether a path leads from it to the selected node, and from the selected node
    /// to it.
    leads_to: Vec<bool>,
    is_led_to: Vec<bool>,
    is_neighbor: Vec<bool>,
}

impl Paths {
    /// The paths of these edges through a node.
    pub(super) fn new(drawing: &NetworkDrawing, edges: &[&DrawnEdge], cursor: usize) -> Self {
        let count = drawing.nodes.len();
        let layer = |node: usize| drawing.nodes[node].node.layer;
        let mut sorted: Vec<(usize, usize)> = edges
            .iter()
            .map(|drawn| (drawn.edge.from, drawn.edge.to))
            .collect();
        let mut paths = Self {
            cursor,
            leads_to: vec![false; count],
            is_led_to: vec![false; count],
            is_neighbor: vec![false; count],
        };
        if cursor >= count {
            paths.leads_to.fill(true);
            return paths;
        }
        paths.leads_to[cursor] = true;
        paths.is_led_to[cursor] = true;
        // Edges lead upwards: taken by layer, each node is settled before its edges.
        sorted.sort_unstable_by_key(|&(from, _)| layer(from));
        for &(from, to) in &sorted {
            paths.is_led_to[to] |= paths.is_led_to[from];
        }
        sorted.sort_unstable_by_key(|&(_, to)| std::cmp::Reverse(layer(to)));
        for &(from, to) in &sorted {
            paths.leads_to[from] |= paths.leads_to[to];
            if [from, to].contains(&cursor) {
                paths.is_neighbor[from] = true;
                paths.is_neighbor[to] = true;
            }
        }
        paths
    }

    pub(super) fn node(&self, node: usize) -> Light {
        if node == self.cursor || self.is_neighbor[node] {
            Light::Bright
        } else if self.leads_to[node] || self.is_led_to[node] {
            Light::Lit
        } else {
            Light::Dim
        }
    }

    pub(super) fn edge(&self, edge: &DrawnEdge) -> Light {
        let (from, to) = (edge.edge.from, edge.edge.to);
        if [from, to].contains(&self.cursor) {
            Light::Bright
        } else if edge.is_new && self.cursor >= self.leads_to.len() {
            Light::New
        } else if self.leads_to[to] || self.is_led_to[from] {
            Light::Lit
        } else {
            Light::Dim
        }
    }
}
