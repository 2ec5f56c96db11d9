//! The names of a network's nodes.

use std::collections::HashMap;

use finches_engine::games::input_plane::InputPlane;
use finches_engine::genomes::network_graph::{NetworkGraph, NetworkNode};

/// A name for each node: inputs by square or number, outputs by number, hidden nodes by age, after
/// `h` or the word for what they compute.
pub(super) fn node_names(graph: &NetworkGraph, planes: &[InputPlane]) -> Vec<String> {
    let top = graph.top_layer();
    let inputs = graph.nodes.iter().filter(|node| node.layer == 0).count();
    let mut squares = square_names(planes);
    // A module sees some of the board only, and not always the same part.
    if squares.keys().any(|&input| input >= inputs) {
        squares.clear();
    }
    let mut hidden = 0;
    let name = |node: &NetworkNode| match node.layer {
        0 => squares
            .get(&node.index_in_layer)
            .cloned()
            .unwrap_or_else(|| format!("in{}", node.index_in_layer + 1)),
        layer if layer == top => format!("out{}", node.index_in_layer + 1),
        _ => {
            hidden += 1;
            format!("{}{hidden}", node.kind.unwrap_or("h"))
        }
    };
    graph.nodes.iter().map(name).collect()
}

/// The square of each input that covers exactly one square, by input index.
fn square_names(planes: &[InputPlane]) -> HashMap<usize, String> {
    let mut squares = HashMap::new();
    for (plane, sign) in planes.iter().zip(["", "'"]) {
        for (place, feeds) in plane.cells.iter().enumerate() {
            if let &[(input, _)] = feeds.as_slice() {
                let name = format!("{}{sign}", plane.squares[place]);
                squares.insert(input as usize, name);
            }
        }
    }
    // If an input covers several squares, input numbers are clearer.
    let fed = planes.iter().flat_map(|plane| &plane.cells);
    let alone = fed.filter(|feeds| !feeds.is_empty()).count() == squares.len();
    if alone { squares } else { HashMap::new() }
}
