//! The brain grown from a graph genome: nodes in layer order, each with its incoming edges. Several rows of a batch are
//! evaluated at a time. Each row is summed in a fixed order, so that all instruction sets give the same bits.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's instructions"
)]

use pulp::{Arch, NullaryFnOnce};

use crate::genomes::activation::Activation;
use crate::genomes::{Brain, InputBatch, Scratch};
use crate::simd;

use super::node_kind::NodeKind;
use super::{Edge, Graph};

/// Rows of a batch that are evaluated together in vector registers: the more, the less often edges are read. A batch of the
/// positions of a small game has about as many.
const WIDE: usize = 32;
/// The same for the last rows of a batch.
const NARROW: usize = 8;
/// The largest absolute value of a product. Products of products would otherwise exceed all numbers.
const LARGEST: f32 = 1e12;
/// The most rows that are evaluated one by one.
const FEW: usize = 2;

/// The compiled network. Slots are nodes in layer order: inputs, hidden nodes, outputs.
#[derive(Debug)]
pub(super) struct GraphNetwork {
    arch: Arch,
    inputs: usize,
    /// The number of inputs and hidden nodes; the outputs come after them.
    below_outputs: usize,
    activation: Activation,
    /// For each slot except the inputs, its bias and the end of its incoming edges.
    nodes: Vec<(f32, u32)>,
    /// What each of them computes; empty if all are plain.
    kinds: Vec<NodeKind>,
    /// Source slot and weight, grouped by target.
    edges: Vec<(u32, f32)>,
}

impl GraphNetwork {
    /// Uses counting sort for slots and edges, since every member of every generation is compiled.
    pub(super) fn new(graph: &Graph, activation: Activation) -> Self {
        let slots = slots(graph);
        let inputs = graph.inputs as usize;
        let mut nodes = vec![(0.0, 0_u32); graph.biases.len()];
        for (&slot, &bias) in slots[inputs..].iter().zip(&graph.biases) {
            nodes[slot as usize - inputs].0 = bias;
        }
        let target = |edge: &Edge| slots[edge.1 as usize] as usize - inputs;
        for edge in &graph.edges {
            nodes[target(edge)].1 += 1;
        }
        let mut start = 0;
        for node in &mut nodes {
            (node.1, start) = (start, start + node.1);
        }
        let mut edges = vec![(0, 0.0); graph.edges.len()];
        for edge in &graph.edges {
            let end = &mut nodes[target(edge)].1;
            edges[*end as usize] = (slots[edge.0 as usize], edge.2);
            *end += 1;
        }
        let mut kinds = Vec::new();
        if !graph.kinds.is_empty() {
            kinds = vec![NodeKind::Plain; nodes.len()];
            for (node, &slot) in slots.iter().enumerate().skip(inputs) {
                kinds[slot as usize - inputs] = graph.kind(node);
            }
        }
        Self {
            arch: simd::arch(),
            inputs,
            below_outputs: graph.layers.len() - graph.outputs as usize,
            activation,
            nodes,
            kinds,
            edges,
        }
    }

    /// Evaluates all rows and appends their outputs.
    #[inline(always)]
    fn all_rows(&self, batch: InputBatch<'_>, values: &mut Vec<f32>, out: &mut Vec<f32>) {
        let rows = batch.ends.len();
        let mut row = 0;
        while row < rows {
            let count = match rows - row {
                1..=FEW => 1,
                left => left.min(WIDE),
            };
            if count == 1 {
                self.rows::<1>(batch, row, count, values, out);
            } else if count <= NARROW {
                self.rows::<NARROW>(batch, row, count, values, out);
            } else {
                self.rows::<WIDE>(batch, row, count, values, out);
            }
            row += count;
        }
    }

    /// Evaluates rows `row..row + count` (at most `L`) and appends their outputs.
    #[inline(always)]
    fn rows<const L: usize>(
        &self,
        batch: InputBatch<'_>,
        row: usize,
        count: usize,
        values: &mut Vec<f32>,
        out: &mut Vec<f32>,
    ) {
        values.resize((self.inputs + self.nodes.len()) * L, 0.0);
        let (values, _) = values.as_chunks_mut::<L>();
        for (slot, &input) in values.iter_mut().zip(batch.base) {
            *slot = [input; L];
        }
        for (lane, row) in (row..row + count).enumerate() {
            for &(input, value) in batch.row_changes(row) {
                values[input as usize][lane] = value;
            }
        }
        let mut from = 0;
        for (index, &(bias, end)) in self.nodes.iter().enumerate() {
            let slot = self.inputs + index;
            let edges = &self.edges[from..end as usize];
            let kind = self.kinds.get(index).copied().unwrap_or_default();
            let mut sum = if kind == NodeKind::Product {
                weighted_product(bias, edges, values)
            } else {
                weighted_sum(bias, edges, values)
            };
            from = end as usize;
            if slot < self.below_outputs {
                kind.apply(self.activation, &mut sum);
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

#[inline(always)]
fn weighted_sum<const L: usize>(bias: f32, edges: &[(u32, f32)], values: &[[f32; L]]) -> [f32; L] {
    let mut sum = [bias; L];
    for &(source, weight) in edges {
        let source = &values[source as usize];
        for lane in 0..L {
            sum[lane] += weight * source[lane];
        }
    }
    sum
}

/// The product of the weighted inputs, and the bias added. Without inputs it is the bias alone.
#[inline(always)]
fn weighted_product<const L: usize>(
    bias: f32,
    edges: &[(u32, f32)],
    values: &[[f32; L]],
) -> [f32; L] {
    let mut product = [if edges.is_empty() { 0.0 } else { 1.0 }; L];
    for &(source, weight) in edges {
        let source = &values[source as usize];
        for lane in 0..L {
            product[lane] = (product[lane] * (weight * source[lane])).clamp(-LARGEST, LARGEST);
        }
    }
    product.map(|product| product + bias)
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

/// The value of each node by its number, computed directly from the graph, for inspection.
pub(super) fn values(graph: &Graph, activation: Activation, inputs: Vec<f32>) -> Vec<f32> {
    let count = inputs.len();
    let mut values = inputs;
    values.resize(graph.layers.len(), 0.0);
    let mut nodes: Vec<usize> = (count..values.len()).collect();
    nodes.sort_by_key(|&node| graph.layers[node]);
    for node in nodes {
        let edges = graph.edges.iter().filter(|edge| edge.1 as usize == node);
        let edges: Vec<(u32, f32)> = edges.map(|edge| (edge.0, edge.2)).collect();
        let (bias, kind) = (graph.biases[node - count], graph.kind(node));
        let mut value = if kind == NodeKind::Product {
            weighted_product(bias, &edges, values.as_chunks::<1>().0)
        } else {
            weighted_sum(bias, &edges, values.as_chunks::<1>().0)
        };
        if node >= graph.first_hidden() as usize {
            kind.apply(activation, &mut value);
        }
        [values[node]] = value;
    }
    values
}

/// The evaluation of a batch. It is a type rather than a closure, because only a named function can be inlined into the
/// dispatched one.
struct GraphPass<'a> {
    network: &'a GraphNetwork,
    batch: InputBatch<'a>,
    values: &'a mut Vec<f32>,
    out: &'a mut Vec<f32>,
}

impl NullaryFnOnce for GraphPass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.network.all_rows(self.batch, self.values, self.out);
    }
}

impl Brain for GraphNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        self.arch.dispatch(GraphPass {
            network: self,
            batch,
            values: &mut scratch.values,
            out,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::activation::exp;
    use crate::genomes::graph::GraphConfig;
    use crate::genomes::{Genome, IoSpec};
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
                    kind.apply(Activation::Linear, &mut value);
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
