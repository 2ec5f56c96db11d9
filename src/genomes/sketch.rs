//! A network as nodes and links to draw, free of any screen.

/// Nodes by layer, and the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
}

/// A node: its layer (0 for inputs), its place within the layer, and its bias (0 for inputs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    pub layer: usize,
    pub place: usize,
    pub bias: f32,
}

/// A weighted link between two nodes, given by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub weight: f32,
}
