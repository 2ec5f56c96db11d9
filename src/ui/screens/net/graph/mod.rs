//! A network as drawn: named nodes, edges by strength, and what is new since an earlier network.

use std::collections::HashMap;

use crate::games::input_plane::InputPlane;
use crate::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};

use super::CursorDirection;

mod layout;
mod side;
mod view;

/// A network and its changes.
pub(super) struct NetworkDrawing {
    nodes: Vec<DrawnNode>,
    /// The strongest first.
    edges: Vec<DrawnEdge>,
    /// The node indices of each layer, in vertical order.
    layers: Vec<Vec<usize>>,
    /// `None` without a network to compare with.
    changes: Option<NetworkChanges>,
}

struct DrawnNode {
    node: NetworkNode,
    name: String,
    is_new: bool,
}

struct DrawnEdge {
    edge: NetworkEdge,
    is_new: bool,
}

/// The differences from an earlier network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct NetworkChanges {
    new_nodes: usize,
    new_edges: usize,
    removed_nodes: usize,
    removed_edges: usize,
    /// Edges in both networks whose weights differ.
    changed_weights: usize,
}

impl NetworkDrawing {
    /// Prepares a network, compared with an earlier one. Nodes match by index: hidden nodes are numbered by age, so a new
    /// node has a new number.
    pub(super) fn new(
        sketch: &NetworkGraph,
        before: Option<&NetworkGraph>,
        sheets: &[InputPlane],
    ) -> Self {
        let old_nodes = before.map_or(usize::MAX, |before| before.nodes.len());
        let pairs = |sketch: &NetworkGraph| -> HashMap<(usize, usize), f32> {
            let edges = sketch.edges.iter();
            edges
                .map(|edge| ((edge.from, edge.to), edge.weight))
                .collect()
        };
        let old_edges = before.map(pairs);
        let is_new = |edge: &NetworkEdge| {
            let known = old_edges.as_ref();
            known.is_some_and(|known| !known.contains_key(&(edge.from, edge.to)))
        };
        let mut edges: Vec<DrawnEdge> = sketch
            .edges
            .iter()
            .map(|edge| DrawnEdge {
                edge: *edge,
                is_new: is_new(edge),
            })
            .collect();
        edges.sort_by(|a, b| b.edge.weight.abs().total_cmp(&a.edge.weight.abs()));
        let names = node_names(sketch, sheets);
        let drawn = |((index, node), name): ((usize, &NetworkNode), String)| DrawnNode {
            node: *node,
            name,
            is_new: index >= old_nodes,
        };
        let top = sketch.nodes.iter().map(|node| node.layer).max();
        let mut layers = vec![Vec::new(); top.map_or(0, |top| top + 1)];
        for (index, node) in sketch.nodes.iter().enumerate() {
            layers[node.layer].push(index);
        }
        for layer in &mut layers {
            layer.sort_by_key(|&index| sketch.nodes[index].index_in_layer);
        }
        let changes = before.zip(old_edges.as_ref()).map(|(before, old)| {
            let now = pairs(sketch);
            let kept = old.iter().filter(|(pair, _)| now.contains_key(*pair));
            let changed_weights = kept
                .clone()
                .filter(|(pair, weight)| now[*pair].to_bits() != weight.to_bits());
            NetworkChanges {
                new_nodes: sketch.nodes.len().saturating_sub(before.nodes.len()),
                new_edges: edges.iter().filter(|drawn_edge| drawn_edge.is_new).count(),
                removed_nodes: before.nodes.len().saturating_sub(sketch.nodes.len()),
                removed_edges: old.len() - kept.count(),
                changed_weights: changed_weights.count(),
            }
        });
        Self {
            nodes: sketch
                .nodes
                .iter()
                .enumerate()
                .zip(names)
                .map(drawn)
                .collect(),
            edges,
            layers,
            changes,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The first output.
    pub(super) fn initial_cursor(&self) -> usize {
        let outputs = self.layers.last();
        outputs
            .and_then(|outputs| outputs.first())
            .map_or(0, |&first| first)
    }

    /// Up and down move within the layer; left and right move to the next layer at the same height.
    pub(super) fn next(&self, from: usize, direction: CursorDirection) -> usize {
        let Some(node) = self.nodes.get(from).map(|drawn| drawn.node) else {
            return from;
        };
        let here = &self.layers[node.layer];
        let place = here.iter().position(|&index| index == from).unwrap_or(0);
        let beside = |layer: Option<usize>| {
            let layer = self.layers.get(layer?)?;
            layer.get(place * layer.len() / here.len())
        };
        let to = match direction {
            CursorDirection::Up => place.checked_sub(1).and_then(|place| here.get(place)),
            CursorDirection::Down => here.get(place + 1),
            CursorDirection::Left => beside(node.layer.checked_sub(1)),
            CursorDirection::Right => beside(Some(node.layer + 1)),
        };
        to.copied().unwrap_or(from)
    }

    /// The largest absolute weight.
    fn max_weight(&self) -> f32 {
        self.edges
            .first()
            .map_or(0.0, |drawn_edge| drawn_edge.edge.weight.abs())
    }
}

/// A name for each node: inputs by square or number, outputs by number, hidden nodes by age.
fn node_names(sketch: &NetworkGraph, sheets: &[InputPlane]) -> Vec<String> {
    let top = sketch.nodes.iter().map(|node| node.layer).max();
    let squares = square_names(sheets);
    let mut hidden = 0;
    let name = |node: &NetworkNode| match node.layer {
        0 => squares
            .get(&node.index_in_layer)
            .cloned()
            .unwrap_or_else(|| format!("in{}", node.index_in_layer + 1)),
        layer if Some(layer) == top => format!("out{}", node.index_in_layer + 1),
        _ => {
            hidden += 1;
            format!("h{hidden}")
        }
    };
    sketch.nodes.iter().map(name).collect()
}

/// The square of each input that covers exactly one square, by input index.
fn square_names(sheets: &[InputPlane]) -> HashMap<usize, String> {
    let mut squares = HashMap::new();
    for (sheet, sign) in sheets.iter().zip(["", "'"]) {
        for (place, feeds) in sheet.cells.iter().enumerate() {
            if let &[(input, _)] = feeds.as_slice() {
                let name = format!("{}{sign}", sheet.squares[place]);
                squares.insert(input as usize, name);
            }
        }
    }
    // If an input covers several squares, input numbers are clearer.
    let fed = sheets.iter().flat_map(|sheet| &sheet.cells);
    let alone = fed.filter(|feeds| !feeds.is_empty()).count() == squares.len();
    if alone { squares } else { HashMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(layer: usize, place: usize) -> NetworkNode {
        NetworkNode {
            layer,
            index_in_layer: place,
            bias: 0.0,
        }
    }

    fn edge(from: usize, to: usize, weight: f32) -> NetworkEdge {
        NetworkEdge { from, to, weight }
    }

    /// Two inputs, one output, and `hidden` hidden nodes in between.
    fn sketch(hidden: usize, edges: Vec<NetworkEdge>) -> NetworkGraph {
        let mut nodes = vec![node(0, 0), node(0, 1), node(2, 0)];
        nodes.extend((0..hidden).map(|place| node(1, place)));
        NetworkGraph { nodes, edges }
    }

    #[test]
    fn what_is_new_is_told_from_what_was_there() {
        let before = sketch(1, vec![edge(0, 2, 1.0), edge(1, 3, 0.5), edge(3, 2, 0.25)]);
        let now = sketch(2, vec![edge(0, 2, 1.0), edge(1, 3, -2.0), edge(0, 4, 0.1)]);
        let drawing = NetworkDrawing::new(&now, Some(&before), &[]);
        let expected = NetworkChanges {
            new_nodes: 1,
            new_edges: 1,
            removed_nodes: 0,
            removed_edges: 1,
            changed_weights: 1,
        };
        assert_eq!(drawing.changes, Some(expected));
        let names: Vec<&str> = drawing
            .nodes
            .iter()
            .map(|drawn| drawn.name.as_str())
            .collect();
        assert_eq!(names, ["in1", "in2", "out1", "h1", "h2"]);
        let new: Vec<bool> = drawing.nodes.iter().map(|drawn| drawn.is_new).collect();
        assert_eq!(new, [false, false, false, false, true]);
        let sizes: Vec<f32> = drawing
            .edges
            .iter()
            .map(|drawn_edge| drawn_edge.edge.weight)
            .collect();
        assert_eq!(sizes, [-2.0, 1.0, 0.1]);
        let alone = NetworkDrawing::new(&now, None, &[]);
        assert_eq!(alone.changes, None);
        assert!(!alone.nodes.iter().any(|drawn| drawn.is_new));
    }

    #[test]
    fn the_cursor_goes_through_layers_and_never_out() {
        let drawing = NetworkDrawing::new(&sketch(3, Vec::new()), None, &[]);
        assert_eq!(drawing.initial_cursor(), 2);
        let check = |from, direction, expected| {
            assert_eq!(
                drawing.next(from, direction),
                expected,
                "{from} {direction:?}"
            );
        };
        check(2, CursorDirection::Left, 3);
        check(3, CursorDirection::Down, 4);
        check(5, CursorDirection::Left, 1);
        check(1, CursorDirection::Left, 1);
        check(0, CursorDirection::Up, 0);
        check(2, CursorDirection::Right, 2);
        check(99, CursorDirection::Up, 99);
    }
}
