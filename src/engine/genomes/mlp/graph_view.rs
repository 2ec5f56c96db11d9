//! Conversion of dense networks to a [`NetworkGraph`], and their first layer.

use crate::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use crate::genomes::{FirstLayerKind, FirstLayerNode};

use super::Mlp;

/// All nodes and weights, layer by layer.
pub(in crate::genomes) fn network_graph(network: &Mlp) -> NetworkGraph {
    let mut nodes = vec![(0, 0.0, None); network.layers[0] as usize];
    let (mut edges, mut below) = (Vec::new(), 0);
    for layer in 1..network.layers.len() {
        let above = nodes.len();
        for (place, (bias, weights)) in network.nodes(layer).enumerate() {
            nodes.push((layer, bias, None));
            let edge = |(source, &weight): (usize, &f32)| NetworkEdge {
                from: below + source,
                to: above + place,
                weight,
            };
            edges.extend(weights.iter().enumerate().map(edge));
        }
        below = above;
    }
    NetworkGraph {
        nodes: NetworkNode::placed(nodes.into_iter()),
        edges,
    }
}

/// The nodes of the first layer.
pub(in crate::genomes) fn first_layer_nodes(network: &Mlp) -> Vec<FirstLayerNode> {
    let above = matches!(network.layers[..], [_, _, 1]);
    let output = above.then(|| network.nodes(2).next()).flatten();
    let node = |(place, (_, weights)): (usize, (f32, &[f32]))| FirstLayerNode {
        kind: FirstLayerKind::Node,
        weights: weights.to_vec(),
        outgoing: output.map(|(_, weights)| weights[place]),
    };
    network.nodes(1).enumerate().map(node).collect()
}

/// Adds the bypass edges of weight 1 from all inputs to all outputs. If these are connected
/// already, adds 1 to the weights.
pub(super) fn add_bypass_edges(network: &Mlp, network_graph: &mut NetworkGraph) {
    let inputs = network.layers[0] as usize;
    let nodes = network_graph.nodes.len();
    let outputs = nodes - network.layers[network.layers.len() - 1] as usize..nodes;
    if network.layers.len() == 2 {
        for edge in &mut network_graph.edges {
            edge.weight += 1.0;
        }
        return;
    }
    let edges = outputs.flat_map(|to| {
        (0..inputs).map(move |from| NetworkEdge {
            from,
            to,
            weight: 1.0,
        })
    });
    network_graph.edges.extend(edges);
}

#[cfg(test)]
mod tests {
    use crate::genomes::mlp::MlpConfig;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

    /// Checks how many edges the bypass adds, and how much it adds to the sum of all weights.
    fn check(hidden: &[u16], expected: (usize, f32)) {
        let plain = MlpConfig {
            hidden: hidden.to_vec(),
            ..MlpConfig::default()
        };
        let passing = MlpConfig {
            bypass: true,
            ..plain.clone()
        };
        let io_spec = IoSpec::new(5, 2);
        let plain = GenomeConfig::Mlp(plain);
        let genome = plain.random(&io_spec, &mut stream(1, Purpose::Initialization, 0, 0));
        let drawn = |config: &GenomeConfig| {
            let network_graph = config.network_graph(&genome);
            let weights = network_graph.edges.iter().map(|edge| edge.weight);
            (network_graph.edges.len(), weights.sum::<f32>())
        };
        let (before, after) = (drawn(&plain), drawn(&GenomeConfig::Mlp(passing)));
        assert_eq!(after.0 - before.0, expected.0, "{hidden:?}");
        assert!((after.1 - before.1 - expected.1).abs() < 1e-3, "{hidden:?}");
    }

    #[test]
    fn a_network_graph_contains_the_bypass() {
        check(&[3, 4], (10, 10.0));
        check(&[3], (10, 10.0));
        check(&[], (0, 10.0));
    }
}
