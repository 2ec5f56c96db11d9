//! The size of networks, and their first layer.

/// The size of a genome's network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Nodes in each layer, inputs first, outputs last.
    pub layers: Vec<usize>,
    /// Weighted connections between nodes.
    pub edges: usize,
}

impl Topology {
    /// Layers in which each node is connected to all nodes of the layer below.
    pub(super) fn dense(layers: &[u32]) -> Self {
        let edges = layers.windows(2).map(|pair| pair[0] * pair[1]);
        Self {
            layers: layers.iter().map(|&nodes| nodes as usize).collect(),
            edges: edges.sum::<u32>() as usize,
        }
    }

    /// Layers between inputs and outputs.
    pub fn hidden_layers(&self) -> usize {
        self.layers.len().saturating_sub(2)
    }

    /// Nodes that are neither inputs nor outputs.
    pub fn hidden_nodes(&self) -> usize {
        self.layers.iter().skip(1).take(self.hidden_layers()).sum()
    }

    /// All nodes.
    pub fn nodes(&self) -> usize {
        self.layers.iter().sum()
    }
}

/// What a network does with its inputs at once, to be drawn on a board: a node of the first layer
/// above the inputs, or a tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstLayerNode {
    /// What it is.
    pub kind: FirstLayerKind,
    /// A weight for each input.
    pub weights: Vec<f32>,
    /// The weight from this node to the output; `None` if the node is an output itself, if there
    /// are several outputs, or if more layers lie between.
    pub outgoing: Option<f32>,
}

/// What looks at the inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstLayerKind {
    /// A node with a weight for each input.
    Node,
    /// A tuple in all its places. The weight of an input is how much its highest value is worth
    /// more than its lowest, on average over the values of the tuple's other inputs.
    Tuple(TupleFacts),
    /// All tuples together; the weights are the sums of theirs.
    Sum,
}

/// What is known of a tuple of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleFacts {
    /// The inputs in one of its places.
    pub inputs: Vec<u32>,
    /// The number of places that share its table.
    pub places: usize,
    /// The number of entries of its table, in each stage of the game.
    pub entries: usize,
    /// The values of the inputs with the highest entry, and the entry.
    pub highest: (Vec<i8>, f32),
    /// The values of the inputs with the lowest entry, and the entry.
    pub lowest: (Vec<i8>, f32),
}
