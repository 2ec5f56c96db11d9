//! The brain grown from a graph genome: nodes in layer order, each with its incoming edges, evaluated for several rows of
//! a batch at a time.

use crate::genomes::activation::Activation;
use crate::genomes::{Brain, Scratch, Sight};

use super::Graph;

/// Rows of a batch that are evaluated together, side by side in vector registers.
const LANES: usize = 8;

/// The compiled network. Slots are nodes in layer order: inputs, hidden nodes, outputs.
#[derive(Debug)]
pub(super) struct Net {
    inputs: usize,
    /// Slots of the inputs and hidden nodes; the outputs come after.
    below_outputs: usize,
    activation: Activation,
    /// Bias and end of the incoming edges of each slot but the inputs.
    nodes: Vec<(f32, u32)>,
    /// Source slot and weight, grouped by target.
    edges: Vec<(u32, f32)>,
}

impl Net {
    pub(super) fn new(graph: &Graph, activation: Activation) -> Self {
        let order = graph.by_layer();
        let mut slots = vec![0; order.len()];
        for (slot, &node) in order.iter().enumerate() {
            slots[node as usize] = slot as u32;
        }
        let mut incoming: Vec<(u32, u32, f32)> = graph
            .edges
            .iter()
            .map(|edge| (slots[edge.1 as usize], slots[edge.0 as usize], edge.2))
            .collect();
        incoming.sort_unstable_by_key(|&(to, from, _)| (to, from));
        let inputs = graph.inputs as usize;
        let mut end = 0;
        let node = |&node: &u32| {
            end += incoming[end..]
                .iter()
                .take_while(|edge| edge.0 == slots[node as usize])
                .count();
            (graph.biases[node as usize - inputs], end as u32)
        };
        let nodes = order[inputs..].iter().map(node).collect();
        Self {
            inputs,
            below_outputs: order.len() - graph.outputs as usize,
            activation,
            nodes,
            edges: incoming
                .into_iter()
                .map(|(_, from, weight)| (from, weight))
                .collect(),
        }
    }

    /// Evaluates rows `row..row + count` (at most `L`) and appends their outputs.
    fn rows<const L: usize>(
        &self,
        sight: Sight<'_>,
        row: usize,
        count: usize,
        values: &mut Vec<f32>,
        out: &mut Vec<f32>,
    ) {
        values.resize((self.inputs + self.nodes.len()) * L, 0.0);
        let (values, _) = values.as_chunks_mut::<L>();
        for (slot, &input) in values.iter_mut().zip(sight.base) {
            *slot = [input; L];
        }
        for (lane, row) in (row..row + count).enumerate() {
            for &(input, value) in sight.row(row) {
                values[input as usize][lane] = value;
            }
        }
        let mut from = 0;
        for (index, &(bias, end)) in self.nodes.iter().enumerate() {
            let slot = self.inputs + index;
            let mut sum = [bias; L];
            for &(source, weight) in &self.edges[from..end as usize] {
                let source = &values[source as usize];
                for lane in 0..L {
                    sum[lane] += weight * source[lane];
                }
            }
            from = end as usize;
            if slot < self.below_outputs {
                self.activation.apply(&mut sum);
            }
            values[slot] = sum;
        }
        for lane in 0..count {
            out.extend(
                values[self.below_outputs..]
                    .iter()
                    .map(|output| output[lane]),
            );
        }
    }
}

impl Brain for Net {
    fn think(&self, sight: Sight<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        let rows = sight.ends.len();
        let mut row = 0;
        while row < rows {
            let count = (rows - row).min(LANES);
            if count <= 2 {
                self.rows::<1>(sight, row, 1, &mut scratch.values, out);
                row += 1;
            } else {
                self.rows::<LANES>(sight, row, count, &mut scratch.values, out);
                row += count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::graph::GraphConfig;
    use crate::genomes::{Genome, Ports};
    use crate::rng::{Purpose, stream};

    /// The definition, node by node: the oracle for the compiled network.
    fn plain(graph: &Graph, inputs: &[f32]) -> Vec<f32> {
        let mut values = vec![0.0; graph.layers.len()];
        values[..inputs.len()].copy_from_slice(inputs);
        for node in graph.by_layer().into_iter().skip(inputs.len()) {
            let mut edges: Vec<_> = graph.edges.iter().filter(|edge| edge.1 == node).collect();
            let order = graph.by_layer();
            edges.sort_by_key(|edge| order.iter().position(|&other| other == edge.0));
            let mut sum = graph.biases[node as usize - inputs.len()];
            for edge in edges {
                sum += edge.2 * values[edge.0 as usize];
            }
            let hidden = node >= graph.first_hidden();
            values[node as usize] = if hidden && sum <= 0.0 {
                0.1 * (crate::genomes::activation::exp(sum) - 1.0)
            } else {
                sum
            };
        }
        values[graph.inputs as usize..graph.first_hidden() as usize].to_vec()
    }

    #[test]
    fn the_compiled_network_computes_what_its_graph_says_for_any_batch() {
        let config = GraphConfig {
            max_mutations: 3,
            ..GraphConfig::default()
        };
        let ports = Ports {
            inputs: 3,
            outputs: 2,
        };
        for seed in 0..30 {
            let mut rng = stream(seed, Purpose::Breeding, 0, 0);
            let mut graph = Graph::random(&config, ports, &mut rng);
            for _ in 0..40 {
                graph.mutate(&config, &mut rng);
            }
            let brain = graph.grow(&config);
            let base = [2.0, -1.0, 7.0];
            for rows in 1..20_u32 {
                let changes: Vec<(u32, f32)> = (0..rows).map(|row| (row % 3, row as f32)).collect();
                let ends: Vec<u32> = (1..=rows).collect();
                let sight = Sight {
                    base: &base,
                    changes: &changes,
                    ends: &ends,
                };
                let mut out = Vec::new();
                brain.think(sight, &mut Scratch::default(), &mut out);
                for (row, outputs) in out.chunks(2).enumerate() {
                    let mut inputs = base;
                    inputs[changes[row].0 as usize] = changes[row].1;
                    assert_eq!(
                        outputs,
                        plain(&graph, &inputs),
                        "seed {seed}, row {row} of {rows}"
                    );
                }
            }
        }
    }
}
