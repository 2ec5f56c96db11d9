//! A network as nodes and weighted edges, for drawing and export.

/// Nodes in layer order, and the edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkGraph {
    /// All nodes, inputs first.
    pub nodes: Vec<NetworkNode>,
    /// All edges with a weight, in any order.
    pub edges: Vec<NetworkEdge>,
}

/// A node: its layer (0 for inputs), its index within the layer, and its bias (0 for inputs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkNode {
    /// 0 for inputs; the outputs have the highest.
    pub layer: usize,
    /// Its place in the layer, from 0.
    pub index_in_layer: usize,
    /// 0 for inputs.
    pub bias: f32,
}

/// A weighted edge between two nodes, given by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkEdge {
    /// The index of the lower node in [`NetworkGraph::nodes`].
    pub from: usize,
    /// The index of the higher node in [`NetworkGraph::nodes`].
    pub to: usize,
    /// What the value of the lower node is multiplied by.
    pub weight: f32,
}
