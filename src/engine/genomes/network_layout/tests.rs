//! Layouts of small and random networks. They check order and distances, not pictures.

use rand::RngExt;

use crate::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use crate::rng::{Purpose, stream};

use super::columns::LayerColumns;
use super::{LayoutPoint, NetworkLayout, heights, order};

/// A network with this many nodes in each layer, and edges between nodes by number.
fn graph(layers: &[usize], edges: &[(usize, usize)]) -> NetworkGraph {
    let node = |layer: usize, index_in_layer: usize| NetworkNode {
        number: 0,
        layer,
        index_in_layer,
        bias: 0.0,
        kind: None,
    };
    let layer = |(layer, &count): (usize, &usize)| (0..count).map(move |index| node(layer, index));
    let edge = |&(from, to): &(usize, usize)| NetworkEdge {
        from,
        to,
        weight: 1.0,
    };
    NetworkGraph {
        nodes: layers.iter().enumerate().flat_map(layer).collect(),
        edges: edges.iter().map(edge).collect(),
    }
}

/// A network of random layers and edges, each edge to any higher layer.
fn random_graph(seed: u64, layers: usize, edges: usize) -> NetworkGraph {
    let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
    let counts: Vec<usize> = (0..layers).map(|_| rng.random_range(1..4)).collect();
    let mut graph = graph(&counts, &[]);
    while graph.edges.len() < edges {
        let [from, to] = [0, 0].map(|_: usize| rng.random_range(0..graph.nodes.len()));
        if graph.nodes[from].layer < graph.nodes[to].layer {
            graph.edges.push(NetworkEdge {
                from,
                to,
                weight: rng.random_range(-1.0..1.0),
            });
        }
    }
    graph
}

fn whole(graph: &NetworkGraph) -> NetworkLayout {
    NetworkLayout::new(graph, &graph.whole())
}

#[test]
fn small_networks_that_can_be_drawn_without_crossings_are() {
    let check = |layers: &[usize], edges: &[(usize, usize)]| {
        let layout = whole(&graph(layers, edges));
        assert_eq!(layout.crossings, 0, "{layers:?} {edges:?}");
    };
    check(&[2, 2], &[(0, 3), (1, 2)]);
    check(&[3, 3], &[(0, 5), (1, 4), (2, 3)]);
    check(&[1, 2, 1], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    check(&[2, 2, 2], &[(0, 3), (1, 2), (2, 4), (3, 5)]);
    // A long edge that would run through the middle of the others.
    check(&[2, 1, 1, 2], &[(0, 2), (2, 3), (3, 5), (1, 4)]);
    // A binary tree whose leaves are out of order.
    check(
        &[4, 2, 1],
        &[(0, 4), (2, 4), (1, 5), (3, 5), (4, 6), (5, 6)],
    );
    check(&[], &[]);
    check(&[3], &[]);
}

#[test]
fn crossings_that_cannot_be_avoided_are_counted() {
    let all = [(0, 2), (0, 3), (1, 2), (1, 3)];
    assert_eq!(whole(&graph(&[2, 2], &all)).crossings, 1);
    let all: Vec<(usize, usize)> = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
    assert_eq!(whole(&graph(&[3, 3], &all)).crossings, 9);
}

#[test]
fn a_drawing_never_has_more_crossings_than_the_natural_order() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..40 {
        let graph = random_graph(seed, 3 + seed as usize % 12, 4 * (3 + seed as usize));
        let natural = order::crossings_of(&LayerColumns::new(&graph, &graph.whole()));
        let layout = whole(&graph);
        assert!(layout.crossings <= natural, "{seed}");
        before += natural;
        after += layout.crossings;
    }
    assert!(after * 2 < before, "{after} of {before}");
}

#[test]
fn the_same_network_is_always_drawn_alike() {
    let graph = random_graph(7, 30, 134);
    assert_eq!(whole(&graph), whole(&graph));
}

#[test]
fn vertices_keep_their_distance_and_their_order() {
    for seed in 0..10 {
        let graph = random_graph(seed, 12, 60);
        let mut columns = LayerColumns::new(&graph, &graph.whole());
        order::reduce_crossings(&mut columns);
        let heights = heights::assign(&columns);
        for column in &columns.order {
            for pair in column.windows(2) {
                let bends = pair.iter().filter(|&&one| columns.is_bend(one)).count();
                let least = [1.0, 0.75, 0.5][bends] - 0.001;
                assert!(heights[pair[1]] - heights[pair[0]] >= least, "{seed}");
            }
        }
        assert!(heights.iter().all(|&height| height >= 0.0));
    }
}

#[test]
fn a_long_edge_beside_a_chain_runs_straight() {
    let layout = whole(&graph(
        &[2, 1, 1, 1, 2],
        &[(0, 2), (2, 3), (3, 4), (4, 5), (1, 6)],
    ));
    let heights: Vec<f32> = layout.path(1, 6).iter().map(|point| point.height).collect();
    assert_eq!(heights.len(), 5);
    let bend = |three: &[f32]| (three[0] - 2.0 * three[1] + three[2]).abs();
    assert!(
        heights.windows(3).all(|three| bend(three) < 0.1),
        "{heights:?}"
    );
}

#[test]
fn edges_of_a_node_share_a_trunk_until_the_column_before_their_target() {
    let layout = whole(&graph(
        &[1, 1, 1, 1],
        &[(0, 1), (1, 2), (2, 3), (0, 2), (0, 3)],
    ));
    let columns =
        |path: Vec<LayoutPoint>| -> Vec<usize> { path.iter().map(|point| point.column).collect() };
    assert_eq!(columns(layout.trunk(0)), [0, 1, 2]);
    assert_eq!(columns(layout.trunk(3)), [3]);
    assert_eq!(columns(layout.path(0, 3)), [0, 1, 2, 3]);
    assert_eq!(layout.path(0, 2)[..2], layout.path(0, 3)[..2]);
    assert_eq!(columns(layout.path(3, 0)), [0; 0]);
}

#[test]
fn what_is_left_out_takes_no_place() {
    let graph = graph(&[1, 1, 1, 1], &[(0, 2), (2, 3), (0, 1)]);
    let layout = NetworkLayout::new(&graph, &graph.active());
    assert_eq!(layout.layers, [0, 2, 3]);
    assert_eq!(layout.nodes[1], None);
    assert!(layout.trunk(1).is_empty() && layout.path(0, 1).is_empty());
    assert_eq!(layout.trunk(0).len(), 1);
}

#[test]
fn a_network_of_thirty_layers_is_arranged_with_far_fewer_crossings() {
    let graph = random_graph(7, 30, 134);
    let natural = order::crossings_of(&LayerColumns::new(&graph, &graph.whole()));
    let layout = whole(&graph);
    assert_eq!(layout.layers.len(), 30);
    assert!(
        layout.crossings * 2 < natural,
        "{} of {natural}",
        layout.crossings
    );
}
