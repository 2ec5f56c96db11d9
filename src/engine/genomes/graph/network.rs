//! The brain grown from a graph genome, and the values of its nodes.

use crate::genomes::activation::Activation;
use crate::genomes::sparse::SparseNetwork;
use crate::genomes::sparse::node_rule::{NodeFunction, NodeRule};

use super::Graph;

/// The compiled network, and the slot of each node in it.
pub(super) fn compiled(graph: &Graph, activation: Activation) -> (SparseNetwork, Vec<u32>) {
    let slots = slots(graph);
    let inputs = graph.inputs as usize;
    let mut nodes = vec![(0.0, NodeRule::sum(NodeFunction::Linear)); graph.biases.len()];
    for (node, &slot) in slots.iter().enumerate().skip(inputs) {
        let is_hidden = node >= graph.first_hidden() as usize;
        let place = &mut nodes[slot as usize - inputs];
        place.0 = graph.biases[node - inputs];
        if is_hidden {
            place.1 = graph.kind(node).rule(activation);
        }
    }
    let slot = |node: u32| slots[node as usize];
    let edges = graph.edges.iter();
    let edges = edges.map(|edge| (slot(edge.0), slot(edge.1), edge.2));
    let ends = [inputs, graph.outputs as usize];
    (SparseNetwork::new(ends, &nodes, edges), slots)
}

/// The slot of each node: nodes are sorted by layer, then by number.
fn slots(graph: &Graph) -> Vec<u32> {
    let mut next = vec![0; graph.top_layer() as usize + 2];
    for &layer in &graph.layers {
        next[layer as usize + 1] += 1;
    }
    for layer in 1..next.len() {
        next[layer] += next[layer - 1];
    }
    let slot = |&layer: &u16| {
        let slot = next[layer as usize];
        next[layer as usize] += 1;
        slot
    };
    graph.layers.iter().map(slot).collect()
}

/// The value of each node by its number, for inspection.
pub(super) fn values(graph: &Graph, activation: Activation, inputs: &[f32]) -> Vec<f32> {
    let (network, slots) = compiled(graph, activation);
    let values = network.values(inputs);
    slots.iter().map(|&slot| values[slot as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::activation::exp;
    use crate::genomes::graph::GraphConfig;
    use crate::genomes::graph::node_kind::NodeKind;
    use crate::genomes::{Genome, InputBatch, IoSpec, Scratch};
    use crate::rng::{Purpose, stream};

    /// The definition, node by node, as a reference for the compiled network.
    fn reference_outputs(graph: &Graph, inputs: &[f32]) -> Vec<f32> {
        let mut values = vec![0.0; graph.layers.len()];
        values[..inputs.len()].copy_from_slice(inputs);
        let mut nodes: Vec<usize> = (inputs.len()..values.len()).collect();
        nodes.sort_by_key(|&node| graph.layers[node]);
        for node in nodes {
            let bias = graph.biases[node - inputs.len()];
            let edges = graph.edges.iter().filter(|edge| edge.1 as usize == node);
            let terms: Vec<f32> = edges.map(|edge| edge.2 * values[edge.0 as usize]).collect();
            let sum = terms.iter().fold(bias, |sum, term| sum + term);
            let hidden = node >= graph.first_hidden() as usize;
            values[node] = match graph.kind(node) {
                NodeKind::Plain if hidden && sum <= 0.0 => 0.1 * (exp(sum) - 1.0),
                NodeKind::Plain => sum,
                NodeKind::Product if terms.is_empty() => bias,
                NodeKind::Product => terms.iter().product::<f32>() + bias,
                NodeKind::Absolute => sum.abs(),
                NodeKind::Step => f32::from(sum >= 0.0),
                kind => {
                    let mut value = [sum];
                    kind.rule(Activation::Linear).function.apply(&mut value);
                    value[0]
                }
            };
        }
        values[graph.inputs as usize..graph.first_hidden() as usize].to_vec()
    }

    #[test]
    fn the_compiled_network_computes_what_its_graph_says_for_any_batch() {
        let plain = GraphConfig {
            max_mutations: 3,
            ..GraphConfig::default()
        };
        check_batches(&plain);
        check_batches(&GraphConfig {
            product_nodes: 1.0,
            sine_nodes: 1.0,
            cosine_nodes: 1.0,
            step_nodes: 1.0,
            absolute_nodes: 1.0,
            change_kind: 1.0,
            ..plain
        });
    }

    fn check_batches(config: &GraphConfig) {
        let io_spec = IoSpec::new(3, 2);
        for seed in 0..30 {
            let mut rng = stream(seed, Purpose::Reproduction, 0, 0);
            let mut graph = Graph::random(config, &io_spec, &mut rng);
            for _ in 0..40 {
                graph.mutate(config, &mut rng);
            }
            let brain = graph.grow(config, &io_spec);
            let base = [2.0, -1.0, 7.0];
            for rows in 1..80_u32 {
                let changes: Vec<(u32, f32)> = (0..rows).map(|row| (row % 3, row as f32)).collect();
                let ends: Vec<u32> = (1..=rows).collect();
                let batch = InputBatch {
                    base: &base,
                    changes: &changes,
                    ends: &ends,
                };
                let mut out = Vec::new();
                brain.forward(batch, &mut Scratch::default(), &mut out);
                for (row, outputs) in out.chunks(2).enumerate() {
                    let mut inputs = base;
                    inputs[changes[row].0 as usize] = changes[row].1;
                    assert_eq!(
                        outputs,
                        reference_outputs(&graph, &inputs),
                        "seed {seed}, row {row} of {rows}"
                    );
                }
            }
        }
    }
}
