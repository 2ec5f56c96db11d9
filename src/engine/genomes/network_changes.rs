//! What changed from one network to another.

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
    /// Compares two networks. Nodes match by index: hidden nodes are numbered by age, so a new node
    /// has a new number.
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
        let mut changes = Self {
            new_nodes: after.nodes.len().saturating_sub(before.nodes.len()),
            removed_nodes: before.nodes.len().saturating_sub(after.nodes.len()),
            ..Self::default()
        };
        for (old, new) in before.nodes.iter().zip(&after.nodes) {
            let is_changed = old.bias.to_bits() != new.bias.to_bits() || old.kind != new.kind;
            changes.changed_nodes += usize::from(is_changed);
            changes.largest_change = changes.largest_change.max((new.bias - old.bias).abs());
        }
        changes
    }
}

/// The edges with their ends, in the order of these. Each pair of nodes has one edge at most.
fn sorted_edges(graph: &NetworkGraph) -> Vec<((usize, usize), f32)> {
    let edges = graph.edges.iter();
    let mut edges: Vec<_> = edges
        .map(|edge| ((edge.from, edge.to), edge.weight))
        .collect();
    edges.sort_by_key(|(ends, _)| *ends);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::network_graph::{NetworkEdge, NetworkNode};

    fn graph(nodes: usize, edges: &[(usize, usize, f32)]) -> NetworkGraph {
        let node = NetworkNode {
            layer: 0,
            index_in_layer: 0,
            bias: 0.0,
            kind: None,
        };
        let edge = |&(from, to, weight): &(usize, usize, f32)| NetworkEdge { from, to, weight };
        NetworkGraph {
            nodes: vec![node; nodes],
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
}
