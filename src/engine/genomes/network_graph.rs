//! A network as nodes and weighted edges, for drawing and export.

use std::iter;

/// Nodes in layer order, and the edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkGraph {
    /// All nodes, inputs first.
    pub nodes: Vec<NetworkNode>,
    /// All edges with a weight, in any order.
    pub edges: Vec<NetworkEdge>,
}

/// A node: its place, its bias, and what it computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkNode {
    /// What it is known by: a node has the same number in all networks that have it.
    pub number: usize,
    /// 0 for inputs; the outputs have the highest.
    pub layer: usize,
    /// Its place in the layer, from 0.
    pub index_in_layer: usize,
    /// 0 for inputs.
    pub bias: f32,
    /// What it computes, as a short word; `None` for inputs, outputs and weighted sums with the
    /// activation function of the network.
    pub kind: Option<&'static str>,
}

impl NetworkNode {
    /// The nodes of layers of these sizes, without biases.
    pub(super) fn of_layers(sizes: &[usize]) -> Vec<Self> {
        let layers = sizes.iter().enumerate();
        Self::placed(layers.flat_map(|(layer, &count)| iter::repeat_n((layer, 0.0, None), count)))
    }

    /// The nodes with these layers, biases and kinds. Each takes the next place in its layer, and
    /// its index as its number.
    pub(super) fn placed(
        nodes: impl Iterator<Item = (usize, f32, Option<&'static str>)>,
    ) -> Vec<Self> {
        let mut filled: Vec<usize> = Vec::new();
        let place = |(number, (layer, bias, kind)): (usize, (usize, f32, _))| {
            filled.resize(filled.len().max(layer + 1), 0);
            filled[layer] += 1;
            Self {
                number,
                layer,
                index_in_layer: filled[layer] - 1,
                bias,
                kind,
            }
        };
        nodes.enumerate().map(place).collect()
    }
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

/// A choice of nodes and edges of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPart {
    /// For each node whether it is chosen.
    pub nodes: Vec<bool>,
    /// For each edge whether it is chosen. Both ends of a chosen edge are chosen.
    pub edges: Vec<bool>,
}

impl NetworkGraph {
    /// The numbers of the nodes that an edge joins.
    pub fn ends(&self, edge: &NetworkEdge) -> (usize, usize) {
        (self.nodes[edge.from].number, self.nodes[edge.to].number)
    }

    /// All nodes and edges.
    pub fn whole(&self) -> GraphPart {
        GraphPart {
            nodes: vec![true; self.nodes.len()],
            edges: vec![true; self.edges.len()],
        }
    }

    /// The nodes and edges on a path from an input to an output that has no weight of 0, and all
    /// inputs and outputs.
    pub fn active(&self) -> GraphPart {
        let top = self.top_layer();
        let mut edges: Vec<bool> = self.edges.iter().map(|edge| edge.weight != 0.0).collect();
        let ends = |edge: &NetworkEdge| (edge.from, edge.to);
        let forward = self.reached(&edges, |node| node.layer == 0, ends);
        let ends = |edge: &NetworkEdge| (edge.to, edge.from);
        let backward = self.reached(&edges, |node| node.layer == top, ends);
        for (edge, is_active) in self.edges.iter().zip(&mut edges) {
            *is_active = *is_active && forward[edge.from] && backward[edge.to];
        }
        let is_end = |node: &NetworkNode| node.layer == 0 || node.layer == top;
        let nodes = self.nodes.iter().zip(forward.iter().zip(backward));
        GraphPart {
            nodes: nodes
                .map(|(node, (&forward, backward))| is_end(node) || (forward && backward))
                .collect(),
            edges,
        }
    }

    /// The layer of the outputs.
    pub fn top_layer(&self) -> usize {
        let layers = self.nodes.iter().map(|node| node.layer);
        layers.max().unwrap_or(0)
    }

    /// For each node whether chosen edges lead to it from a start. `ends` gives the near and the
    /// far end of an edge.
    pub fn reached(
        &self,
        chosen: &[bool],
        is_start: impl Fn(&NetworkNode) -> bool,
        ends: impl Fn(&NetworkEdge) -> (usize, usize),
    ) -> Vec<bool> {
        let mut neighbors = vec![Vec::new(); self.nodes.len()];
        for (edge, _) in self.edges.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
            let (near, far) = ends(edge);
            neighbors[near].push(far);
        }
        let mut reached: Vec<bool> = self.nodes.iter().map(is_start).collect();
        let mut open: Vec<usize> = (0..reached.len()).filter(|&node| reached[node]).collect();
        while let Some(node) = open.pop() {
            for &next in &neighbors[node] {
                if !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes in these layers, and edges of weight 1 but for the last, which has weight 0.
    fn graph(layers: &[usize], edges: &[(usize, usize)]) -> NetworkGraph {
        let node = |&layer: &usize| NetworkNode {
            number: 0,
            layer,
            index_in_layer: 0,
            bias: 0.0,
            kind: None,
        };
        let edge = |(index, &(from, to)): (usize, &(usize, usize))| NetworkEdge {
            from,
            to,
            weight: f32::from(index + 1 < edges.len()),
        };
        NetworkGraph {
            nodes: layers.iter().map(node).collect(),
            edges: edges.iter().enumerate().map(edge).collect(),
        }
    }

    #[test]
    fn active_is_what_carries_a_signal_from_an_input_to_an_output() {
        // Input 0 reaches the output 2 through 3. Node 4 leads nowhere, nothing leads to 5, and 6
        // hangs on a weight of 0.
        let edges = [(0, 3), (3, 2), (3, 4), (5, 2), (6, 2), (1, 6)];
        let graph = graph(&[0, 0, 3, 1, 2, 1, 1], &edges);
        let part = graph.active();
        let nodes = [true, true, true, true, false, false, false];
        assert_eq!(part.nodes, nodes);
        assert_eq!(part.edges, [true, true, false, false, false, false]);
    }
}
