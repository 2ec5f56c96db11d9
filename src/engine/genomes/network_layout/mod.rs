//! A layered drawing of a network with few crossings (Sugiyama, Tagawa & Toda 1981). It knows
//! nothing of screens: columns and heights are scaled by the caller.
//!
//! The edges of a node share one line, its trunk, until the column before their targets; only there
//! does each edge branch off. An edge that skips layers thus passes every column in between at a
//! place of its own, and a node with ten far targets takes one place in a column rather than ten.

use super::network_graph::{GraphPart, NetworkGraph};

use self::columns::LayerColumns;

mod columns;
mod heights;
mod order;
#[cfg(test)]
mod tests;

/// A drawing of a part of a network. Left is the lowest layer; heights grow downwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkLayout {
    /// The layers that are drawn, lowest first; each is a column.
    pub layers: Vec<usize>,
    /// For each node of the network its point; `None` if it is not drawn.
    pub nodes: Vec<Option<LayoutPoint>>,
    /// For each node the heights of its trunk in the columns after its own.
    trunks: Vec<Vec<f32>>,
    /// The largest height. Neighboring nodes of a column are at least 1 apart, trunks at least
    /// [`TRUNK_SPACE`].
    pub height: f32,
    /// The number of crossings between lines.
    pub crossings: usize,
}

/// The least distance between two trunks.
pub const TRUNK_SPACE: f32 = 0.5;

/// A point of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayoutPoint {
    /// The index of the column.
    pub column: usize,
    /// From 0 at the top.
    pub height: f32,
}

impl NetworkLayout {
    /// Arranges the nodes and edges of a part of the network. The same part always gets the same
    /// drawing.
    pub fn new(graph: &NetworkGraph, part: &GraphPart) -> Self {
        let mut columns = LayerColumns::new(graph, part);
        let crossings = order::reduce_crossings(&mut columns);
        let heights = heights::assign(&columns);
        let lowest = |found: f32, other: &f32| found.max(*other);
        let trunk = |node: usize| heights[columns.bends(node)].to_vec();
        let point = |node: usize| {
            let column = columns.of_node(node)?;
            let height = heights[node];
            Some(LayoutPoint { column, height })
        };
        Self {
            nodes: (0..graph.nodes.len()).map(point).collect(),
            trunks: (0..graph.nodes.len()).map(trunk).collect(),
            height: heights.iter().fold(0.0, lowest),
            layers: columns.layers,
            crossings,
        }
    }

    /// The points of a node's trunk, starting at the node; none if the node is not drawn.
    pub fn trunk(&self, node: usize) -> Vec<LayoutPoint> {
        let Some(start) = self.nodes[node] else {
            return Vec::new();
        };
        let bend = |(column, &height): (usize, &f32)| LayoutPoint { column, height };
        let bends = (start.column + 1..).zip(&self.trunks[node]).map(bend);
        std::iter::once(start).chain(bends).collect()
    }

    /// The points of an edge, in columns one after the other; none if an end is not drawn.
    pub fn path(&self, from: usize, to: usize) -> Vec<LayoutPoint> {
        let Some(end) = self.nodes[to] else {
            return Vec::new();
        };
        let mut points = self.trunk(from);
        points.retain(|point| point.column < end.column);
        if !points.is_empty() {
            points.push(end);
        }
        points
    }
}
