//! A network as nodes and weighted edges, for drawing and export.

/// Nodes in layer order, and the edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkGraph {
    pub nodes: Vec<NetworkNode>,
    pub edges: Vec<NetworkEdge>,
}

/// A node: its layer (0 for inputs), its index within the layer, and its bias (0 for inputs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkNode {
    pub layer: usize,
    pub index_in_layer: usize,
    pub bias: f32,
}

/// A weighted edge between two nodes, given by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkEdge {
    pub from: usize,
    pub to: usize,
    pub weight: f32,
}
