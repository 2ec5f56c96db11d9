//! The columns of a drawing: nodes, and the bends of trunks where they pass a column.

use std::ops::Range;

use crate::genomes::network_graph::{GraphPart, NetworkGraph};

/// The vertices of a drawing by column. A vertex is a node, by its number in the network, or a
/// bend; bends come after the nodes.
pub(super) struct LayerColumns {
    /// The layer of each column.
    pub(super) layers: Vec<usize>,
    /// The vertices of each column from top to bottom.
    pub(super) order: Vec<Vec<usize>>,
    /// For each vertex its neighbors in the column before.
    pub(super) before: Vec<Vec<usize>>,
    /// For each vertex its neighbors in the next column.
    pub(super) after: Vec<Vec<usize>>,
    /// The column of each node; `None` if it is not drawn.
    node_columns: Vec<Option<usize>>,
    /// The bends of each node's trunk, by column.
    bends: Vec<Range<usize>>,
}

impl LayerColumns {
    /// The natural order: nodes by their index in the layer, then bends by node.
    pub(super) fn new(graph: &NetworkGraph, part: &GraphPart) -> Self {
        let shown = (0..graph.nodes.len()).filter(|&node| part.nodes[node]);
        let mut layers: Vec<usize> = shown.clone().map(|node| graph.nodes[node].layer).collect();
        layers.sort_unstable();
        layers.dedup();
        let column = |node: usize| {
            let found = layers.binary_search(&graph.nodes[node].layer).ok();
            found.filter(|_| part.nodes[node])
        };
        let node_columns: Vec<Option<usize>> = (0..graph.nodes.len()).map(column).collect();
        let mut order = vec![Vec::new(); layers.len()];
        for node in shown {
            order[node_columns[node].expect("a shown node has a column")].push(node);
        }
        for column in &mut order {
            column.sort_by_key(|&node: &usize| graph.nodes[node].index_in_layer);
        }
        let mut columns = Self {
            layers,
            order,
            before: vec![Vec::new(); graph.nodes.len()],
            after: vec![Vec::new(); graph.nodes.len()],
            node_columns,
            bends: Vec::new(),
        };
        columns.connect(graph, part);
        columns
    }

    /// Adds the trunk of each node and its branches.
    fn connect(&mut self, graph: &NetworkGraph, part: &GraphPart) {
        let mut targets = vec![Vec::new(); graph.nodes.len()];
        for (edge, _) in graph
            .edges
            .iter()
            .zip(&part.edges)
            .filter(|(_, is_in)| **is_in)
        {
            if let (Some(from), Some(to)) =
                (self.node_columns[edge.from], self.node_columns[edge.to])
                && from < to
            {
                targets[edge.from].push((to, edge.to));
            }
        }
        for (node, targets) in targets.into_iter().enumerate() {
            let first = self.before.len();
            let start = self.node_columns[node].unwrap_or(0);
            let farthest = targets.iter().map(|&(column, _)| column).max();
            let mut last = node;
            for column in start + 1..farthest.unwrap_or(0) {
                let bend = self.before.len();
                self.order[column].push(bend);
                self.before.push(Vec::new());
                self.after.push(Vec::new());
                self.join(last, bend);
                last = bend;
            }
            self.bends.push(first..self.before.len());
            for (column, target) in targets {
                let from = match column - start {
                    1 => node,
                    steps => first + steps - 2,
                };
                self.join(from, target);
            }
        }
    }

    fn join(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }

    pub(super) fn of_node(&self, node: usize) -> Option<usize> {
        self.node_columns[node]
    }

    /// The bends of a node's trunk, as vertices.
    pub(super) fn bends(&self, node: usize) -> Range<usize> {
        self.bends[node].clone()
    }

    pub(super) fn is_bend(&self, vertex: usize) -> bool {
        vertex >= self.node_columns.len()
    }

    /// The number of vertices, drawn or not.
    pub(super) fn vertices(&self) -> usize {
        self.before.len()
    }

    /// The number of lines between neighboring columns.
    pub(super) fn lines(&self) -> usize {
        self.after.iter().map(Vec::len).sum()
    }
}
