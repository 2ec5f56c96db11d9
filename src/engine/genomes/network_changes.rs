//! What changed from one network to another.

use std::collections::BTreeMap;

use super::network_graph::NetworkGraph;

/// The differences of a network from an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkChanges {
    /// Nodes that only the later one has.
    pub new_nodes: usize,
    /// Nodes that only the earlier one has.
    pub removed_nodes: usize,
    /// Edges that only the later one has.
    pub new_edges: usize,
    /// Edges that only the earlier one has.
    pub removed_edges: usize,
    /// Edges of both whose weights differ.
    pub changed_weights: usize,
    /// Nodes of both whose biases differ, or what they compute.
    pub changed_nodes: usize,
    /// The largest difference of a weight or a bias.
    pub largest_change: f32,
}

impl NetworkChanges {
    /// Compares two networks. Nodes match by their numbers.
    pub fn between(before: &NetworkGraph, after: &NetworkGraph) -> Self {
        let (old, new) = (sorted_edges(before), sorted_edges(after));
        let mut changes = Self::of_nodes(before, after);
        let mut old = old.into_iter().peekable();
        for (ends, weight) in new {
            while old.next_if(|(other, _)| *other < ends).is_some() {
                changes.removed_edges += 1;
            }
            match old.next_if(|(other, _)| *other == ends) {
                None => changes.new_edges += 1,
                Some((_, before)) if before.to_bits() != weight.to_bits() => {
                    changes.changed_weights += 1;
                    changes.largest_change = changes.largest_change.max((weight - before).abs());
                }
                Some(_) => {}
            }
        }
        changes.removed_edges += old.count();
        changes
    }

    /// The changes of the nodes alone.
    fn of_nodes(before: &NetworkGraph, after: &NetworkGraph) -> Self {
        let mut changes = Self::default();
        let numbered = before.nodes.iter().map(|node| (node.number, node));
        let mut old: BTreeMap<_, _> = numbered.collect();
        for new in &after.nodes {
            let Some(old) = old.remove(&new.number) else {
                changes.new_nodes += 1;
                continue;
            };
            let is_changed = old.bias.to_bits() != new.bias.to_bits() || old.kind != new.kind;
            changes.changed_nodes += usize::from(is_changed);
            changes.largest_change = changes.largest_change.max((new.bias - old.bias).abs());
        }
        changes.removed_nodes = old.len();
        changes
    }
}

/// The edges with the numbers of their ends, in the order of these. Each pair of nodes has one edge
/// at most.
fn sorted_edges(graph: &NetworkGraph) -> Vec<((usize, usize), f32)> {
    let edges = graph.edges.iter();
    let mut edges: Vec<_> = edges.map(|edge| (graph.ends(edge), edge.weight)).collect();
    edges.sort_by_key(|(ends, _)| *ends);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::network_graph::{NetworkEdge, NetworkNode};

    fn graph(nodes: usize, edges: &[(usize, usize, f32)]) -> NetworkGraph {
        let node = |number| NetworkNode {
            number,
            layer: 0,
            index_in_layer: 0,
            bias: 0.0,
            kind: None,
        };
        let edge = |&(from, to, weight): &(usize, usize, f32)| NetworkEdge { from, to, weight };
        NetworkGraph {
            nodes: (0..nodes).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    #[test]
    fn biases_and_kinds_of_nodes_are_compared() {
        let before = graph(3, &[]);
        let mut after = graph(3, &[]);
        after.nodes[1].bias = -0.5;
        after.nodes[2].kind = Some("sin");
        let expected = NetworkChanges {
            changed_nodes: 2,
            largest_change: 0.5,
            ..NetworkChanges::default()
        };
        assert_eq!(NetworkChanges::between(&before, &after), expected);
    }

    #[test]
    fn edges_are_compared_by_their_ends_in_any_order() {
        let before = graph(3, &[(0, 2, 1.0), (0, 1, 0.5), (1, 2, 2.0)]);
        let after = graph(4, &[(1, 2, 0.5), (0, 3, 1.0), (0, 2, 1.0)]);
        let expected = NetworkChanges {
            new_nodes: 1,
            removed_nodes: 0,
            new_edges: 1,
            removed_edges: 1,
            changed_weights: 1,
            changed_nodes: 0,
            largest_change: 1.5,
        };
        assert_eq!(NetworkChanges::between(&before, &after), expected);
        assert_eq!(
            NetworkChanges::between(&after, &after),
            NetworkChanges::default()
        );
    }

    #[test]
    fn a_node_that_moves_to_another_index_is_not_new() {
        let before = graph(3, &[(0, 2, 1.0), (1, 2, 1.0)]);
        // A node 3 comes in before the last one.
        let mut after = graph(4, &[(0, 3, 1.0), (1, 3, 1.0), (2, 3, 1.0)]);
        (after.nodes[2].number, after.nodes[3].number) = (3, 2);
        let changes = NetworkChanges::between(&before, &after);
        let expected = NetworkChanges {
            new_nodes: 1,
            new_edges: 1,
            ..NetworkChanges::default()
        };
        assert_eq!(changes, expected);
    }
}
