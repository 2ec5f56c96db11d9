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

/// A node of the first layer above the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstLayerNode {
    /// A weight for each input.
    pub weights: Vec<f32>,
    /// The weight from this node to the output; `None` if the node is an output itself, if there are several outputs, or if more
    /// layers lie between.
    pub outgoing: Option<f32>,
}
