//! A network as drawn: named nodes, edges by strength, and what is new since an earlier network.

use std::collections::HashSet;

use crate::screens::node_names::node_names;
use finches_engine::games::input_plane::InputPlane;
use finches_engine::genomes::network_changes::NetworkChanges;
use finches_engine::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use finches_engine::genomes::network_layout::NetworkLayout;

use super::Direction;
use super::view_options::InactiveParts;

mod lines;
mod paths;
mod side;
mod view;
mod viewport;

/// A network and its changes.
#[derive(Clone)]
pub(in crate::screens) struct NetworkDrawing {
    nodes: Vec<DrawnNode>,
    /// The strongest first.
    edges: Vec<DrawnEdge>,
    /// The number of layers.
    layers: usize,
    /// The layout of the active nodes and edges.
    active: NetworkLayout,
    /// The layout of all nodes and edges; `None` if all are active.
    whole: Option<NetworkLayout>,
    /// `None` without a network to compare with.
    changes: Option<NetworkChanges>,
}

#[derive(Clone)]
struct DrawnNode {
    node: NetworkNode,
    name: String,
    is_new: bool,
    is_active: bool,
}

#[derive(Clone)]
struct DrawnEdge {
    edge: NetworkEdge,
    is_new: bool,
    is_active: bool,
}

impl NetworkDrawing {
    /// Prepares a network, compared with an earlier one. Nodes match by their numbers.
    pub(super) fn new(
        sketch: &NetworkGraph,
        before: Option<&NetworkGraph>,
        sheets: &[InputPlane],
    ) -> Self {
        Self::after(sketch, before, sheets, None)
    }

    /// The same, with the nodes of each layer in the order that they have in an earlier drawing, as
    /// far as that costs no crossings.
    pub(in crate::screens) fn after(
        sketch: &NetworkGraph,
        before: Option<&NetworkGraph>,
        sheets: &[InputPlane],
        drawn_before: Option<&Self>,
    ) -> Self {
        let known = before.map(|before| {
            let nodes: HashSet<_> = before.nodes.iter().map(|node| node.number).collect();
            let edges: HashSet<_> = before.edges.iter().map(|edge| before.ends(edge)).collect();
            (nodes, edges)
        });
        let known = known.as_ref();
        let is_new = |edge: &NetworkEdge| {
            known.is_some_and(|(_, known)| !known.contains(&sketch.ends(edge)))
        };
        let part = sketch.active();
        let drawn_edge = |(edge, &is_active): (&NetworkEdge, &bool)| DrawnEdge {
            edge: *edge,
            is_new: is_new(edge),
            is_active,
        };
        let pairs_of_edges = sketch.edges.iter().zip(&part.edges);
        let mut edges: Vec<DrawnEdge> = pairs_of_edges.map(drawn_edge).collect();
        edges.sort_by(|a, b| b.edge.weight.abs().total_cmp(&a.edge.weight.abs()));
        let names = node_names(sketch, sheets);
        let drawn = |((index, node), name): ((usize, &NetworkNode), String)| DrawnNode {
            node: *node,
            name,
            is_new: known.is_some_and(|(known, _)| !known.contains(&node.number)),
            is_active: part.nodes[index],
        };
        let ordered = reordered(sketch, drawn_before);
        let changes = before.map(|before| NetworkChanges::between(before, sketch));
        Self {
            nodes: sketch
                .nodes
                .iter()
                .enumerate()
                .zip(names)
                .map(drawn)
                .collect(),
            edges,
            layers: sketch.top_layer() + 1,
            active: NetworkLayout::new(&ordered, &part),
            whole: (part != sketch.whole()).then(|| NetworkLayout::new(&ordered, &sketch.whole())),
            changes,
        }
    }

    /// Whether most edges are new, as those of a champion of another family.
    pub(in crate::screens) fn is_mostly_new(&self) -> bool {
        let new = self.edges.iter().filter(|drawn| drawn.is_new).count();
        2 * new > self.edges.len()
    }

    /// Takes what is new as known.
    pub(in crate::screens) fn settle(&mut self) {
        self.nodes.iter_mut().for_each(|drawn| drawn.is_new = false);
        self.edges.iter_mut().for_each(|drawn| drawn.is_new = false);
    }

    /// The numbers of nodes and edges on paths from inputs to outputs.
    pub(in crate::screens) fn active_size(&self) -> (usize, usize) {
        let (nodes, edges) = self.inactive();
        (self.nodes.len() - nodes, self.edges.len() - edges)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The layout that is drawn.
    fn layout(&self, inactive: InactiveParts) -> &NetworkLayout {
        match (inactive, &self.whole) {
            (InactiveParts::Shown, Some(whole)) => whole,
            _ => &self.active,
        }
    }

    /// The numbers of inactive nodes and edges.
    fn inactive(&self) -> (usize, usize) {
        let nodes = self.nodes.iter().filter(|drawn| !drawn.is_active);
        let edges = self.edges.iter().filter(|drawn| !drawn.is_active);
        (nodes.count(), edges.count())
    }

    /// The first output.
    pub(super) fn initial_cursor(&self) -> usize {
        let output = |drawn: &DrawnNode| drawn.node.layer + 1 == self.layers;
        self.nodes.iter().position(output).unwrap_or(0)
    }

    /// The node itself if it is drawn, else the nearest drawn one by number.
    pub(super) fn drawn_node(&self, node: usize, inactive: InactiveParts) -> usize {
        let layout = self.layout(inactive);
        let drawn = (0..self.nodes.len()).filter(|&node| layout.nodes[node].is_some());
        drawn.min_by_key(|other| other.abs_diff(node)).unwrap_or(0)
    }

    /// Up and down move within the layer; left and right move to the next layer, to the node
    /// nearest in height.
    pub(super) fn next(&self, from: usize, direction: Direction, inactive: InactiveParts) -> usize {
        let layout = self.layout(inactive);
        let Some(here) = layout.nodes.get(from).copied().flatten() else {
            return from;
        };
        let column = match direction {
            Direction::Up | Direction::Down => Some(here.column),
            Direction::Left => here.column.checked_sub(1),
            Direction::Right => Some(here.column + 1),
        };
        let points = layout.nodes.iter().enumerate();
        let others = points.filter_map(|(node, point)| Some((node, (*point)?)));
        let reachable = others.filter(|&(node, point)| {
            let is_ahead = match direction {
                Direction::Up => point.height < here.height,
                Direction::Down => point.height > here.height,
                Direction::Left | Direction::Right => true,
            };
            Some(point.column) == column && node != from && is_ahead
        });
        let distance = |height: f32| (height - here.height).abs();
        let nearest = reachable
            .min_by(|(_, one), (_, other)| distance(one.height).total_cmp(&distance(other.height)));
        nearest.map_or(from, |(node, _)| node)
    }

    /// The largest absolute weight.
    fn max_weight(&self) -> f32 {
        self.edges
            .first()
            .map_or(0.0, |drawn_edge| drawn_edge.edge.weight.abs())
    }
}

/// The network with the nodes of each layer in the order of an earlier drawing; those that it does
/// not have come last.
fn reordered(graph: &NetworkGraph, before: Option<&NetworkDrawing>) -> NetworkGraph {
    let mut graph = graph.clone();
    let Some(before) = before else { return graph };
    let place = |node: usize| {
        let point = before
            .layout(InactiveParts::Shown)
            .nodes
            .get(node)
            .copied()
            .flatten();
        point.map_or(f32::INFINITY, |point| point.height)
    };
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by(|&one, &other| place(one).total_cmp(&place(other)));
    for (rank, node) in order.into_iter().enumerate() {
        graph.nodes[node].index_in_layer = rank;
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::paths::{Light, Paths};
    use super::*;

    fn node(layer: usize, place: usize) -> NetworkNode {
        NetworkNode {
            number: 0,
            layer,
            index_in_layer: place,
            bias: 0.0,
            kind: None,
        }
    }

    fn edge(from: usize, to: usize, weight: f32) -> NetworkEdge {
        NetworkEdge { from, to, weight }
    }

    /// Two inputs, one output, and `hidden` hidden nodes in between.
    fn sketch(hidden: usize, edges: Vec<NetworkEdge>) -> NetworkGraph {
        let mut nodes = vec![node(0, 0), node(0, 1), node(2, 0)];
        nodes.extend((0..hidden).map(|place| node(1, place)));
        let numbered = nodes.iter_mut().enumerate();
        numbered.for_each(|(number, node)| node.number = number);
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
            changed_nodes: 0,
            largest_change: 2.5,
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
    fn nodes_keep_their_places_from_one_champion_to_the_next() {
        let mut turned = sketch(3, Vec::new());
        for node in &mut turned.nodes[3..] {
            node.index_in_layer = 2 - node.index_in_layer;
        }
        let before = NetworkDrawing::new(&turned, None, &[]);
        let now = sketch(4, (3..7).map(|hidden| edge(hidden, 2, 1.0)).collect());
        let mut now = NetworkDrawing::after(&now, Some(&turned), &[], Some(&before));
        let layout = now.layout(InactiveParts::Shown);
        let height = |node: usize| layout.nodes[node].expect("it is drawn").height;
        assert!([5, 4, 3, 6].map(height).is_sorted(), "{layout:?}");
        assert!(now.is_mostly_new() && now.nodes[6].is_new);
        now.settle();
        assert!(!now.is_mostly_new() && !now.nodes[6].is_new);
    }

    #[test]
    fn the_cursor_goes_through_layers_and_never_out() {
        let drawing = NetworkDrawing::new(&sketch(3, Vec::new()), None, &[]);
        assert_eq!(drawing.initial_cursor(), 2);
        let check = |from, direction, expected| {
            assert_eq!(
                drawing.next(from, direction, InactiveParts::Shown),
                expected,
                "{from} {direction:?}"
            );
        };
        check(2, Direction::Left, 4);
        check(3, Direction::Down, 4);
        check(5, Direction::Left, 1);
        check(1, Direction::Left, 1);
        check(0, Direction::Up, 0);
        check(2, Direction::Right, 2);
        check(99, Direction::Up, 99);
    }

    #[test]
    fn inactive_nodes_are_drawn_on_request_and_the_cursor_avoids_them() {
        // The second hidden node leads nowhere.
        let edges = vec![edge(0, 3, 1.0), edge(3, 2, 1.0), edge(1, 4, 1.0)];
        let drawing = NetworkDrawing::new(&sketch(2, edges), None, &[]);
        assert_eq!(drawing.inactive(), (1, 1));
        assert_eq!(drawing.drawn_node(4, InactiveParts::Shown), 4);
        assert_eq!(drawing.drawn_node(4, InactiveParts::Hidden), 3);
        let down = |inactive| drawing.next(3, Direction::Down, inactive);
        let up = |inactive| drawing.next(3, Direction::Up, inactive);
        let hidden = InactiveParts::Hidden;
        assert_eq!((up(hidden), down(hidden)), (3, 3));
        let shown = InactiveParts::Shown;
        assert!(up(shown) == 4 || down(shown) == 4);
    }

    #[test]
    fn paths_through_the_selected_node_are_lit_and_its_own_edges_bright() {
        // 0 → 3 → 2 and 1 → 4 → 2, and 0 → 2 past both.
        let edges = [(0, 3), (3, 2), (1, 4), (4, 2), (0, 2)];
        let edges = edges.map(|(from, to)| edge(from, to, 1.0));
        let drawing = NetworkDrawing::new(&sketch(2, edges.to_vec()), None, &[]);
        let all: Vec<&DrawnEdge> = drawing.edges.iter().collect();
        let check = |cursor: usize, nodes: [Light; 5], edges: [Light; 5]| {
            let paths = Paths::new(&drawing, &all, cursor);
            assert_eq!([0, 1, 2, 3, 4].map(|node| paths.node(node)), nodes);
            let lights: Vec<Light> = all.iter().map(|edge| paths.edge(edge)).collect();
            assert_eq!(lights, edges);
        };
        let (bright, lit, dim) = (Light::Bright, Light::Lit, Light::Dim);
        check(
            3,
            [bright, dim, bright, bright, dim],
            [bright, bright, dim, dim, dim],
        );
        check(
            2,
            [bright, lit, bright, bright, bright],
            [lit, bright, lit, bright, bright],
        );
        check(
            1,
            [dim, bright, lit, dim, bright],
            [dim, dim, bright, lit, dim],
        );
    }
}
