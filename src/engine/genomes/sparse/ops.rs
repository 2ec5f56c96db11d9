//! A network of any shape as operations, node by node.

use crate::genomes::IoSpec;
use crate::genomes::op_graph::{Binary, Op, OpGraph, ValueColumn, ValueId};
use crate::projection::InputProjection;

use super::node_rule::{Aggregation, NodeRule};
use super::{LARGEST, SparseNetwork};

impl SparseNetwork {
    /// The operations from raw inputs to outputs.
    pub(in crate::genomes) fn ops(&self, io_spec: &IoSpec) -> OpGraph {
        let mut graph = OpGraph::new(io_spec.inputs.raw_count());
        let raw = graph.input();
        let inputs = io_spec
            .inputs
            .projection
            .as_deref()
            .map_or(raw, |projection| {
                projected(&mut graph, projection, io_spec.inputs.count)
            });
        let mut slots: Vec<ValueColumn> = (0..self.inputs as u32)
            .map(|input| ValueColumn(inputs, input))
            .collect();
        let mut from = 0;
        for (&(bias, end), rule) in self.nodes.iter().zip(&self.rules) {
            let edges = &self.edges[from..end as usize];
            from = end as usize;
            let terms = edges
                .iter()
                .map(|&(slot, weight)| (slots[slot as usize], weight));
            let value = node(&mut graph, *rule, bias, &terms.collect::<Vec<_>>());
            slots.push(ValueColumn(value, 0));
        }
        let outputs = slots.split_off(slots.len() - self.outputs);
        let outputs = outputs.into_iter().map(|output| output.0).collect();
        graph.output = graph.push(Op::Join(outputs));
        graph
    }
}

/// The inputs of the network, given features.
fn projected(graph: &mut OpGraph, projection: &InputProjection, inputs: usize) -> ValueId {
    let piece_value = projection.piece_value().unwrap_or(1.0);
    let term = |feature: usize| {
        let mut weights = vec![0.0; inputs];
        for (input, factor) in projection.terms(feature, piece_value) {
            weights[input] += factor as f32;
        }
        (ValueColumn(graph.input(), feature as u32), weights)
    };
    let terms = (0..projection.count()).map(term).collect();
    graph.ordered_sums(vec![0.0; inputs], terms)
}

/// The value of a node, given its sources with their weights.
fn node(graph: &mut OpGraph, rule: NodeRule, bias: f32, terms: &[(ValueColumn, f32)]) -> ValueId {
    let aggregated = match rule.aggregation {
        _ if terms.is_empty() => sum(graph, bias, terms),
        Aggregation::Sum => sum(graph, bias, terms),
        Aggregation::Product => {
            let mut product = graph.number(1.0);
            for &term in terms {
                let value = weighted(graph, term);
                product = graph.pair(Binary::Multiply, value, product);
                product = graph.clamp(product, -LARGEST, LARGEST);
            }
            graph.with(Binary::Add, product, bias)
        }
        Aggregation::Maximum => extreme(graph, Binary::Maximum, bias, terms),
        Aggregation::Minimum => extreme(graph, Binary::Minimum, bias, terms),
        Aggregation::Mean => {
            let sum = sum(graph, 0.0, terms);
            let share = 1.0 / terms.len() as f32;
            let mean = graph.with(Binary::Multiply, sum, share);
            graph.with(Binary::Add, mean, bias)
        }
    };
    graph.node_function(rule.function, aggregated)
}

fn sum(graph: &mut OpGraph, bias: f32, terms: &[(ValueColumn, f32)]) -> ValueId {
    let terms = terms.iter().map(|&(column, weight)| (column, vec![weight]));
    graph.ordered_sums(vec![bias], terms.collect())
}

fn weighted(graph: &mut OpGraph, (column, weight): (ValueColumn, f32)) -> ValueId {
    let value = graph.column(column);
    graph.with(Binary::Multiply, value, weight)
}

fn extreme(
    graph: &mut OpGraph,
    of_two: Binary,
    bias: f32,
    terms: &[(ValueColumn, f32)],
) -> ValueId {
    let values: Vec<ValueId> = terms.iter().map(|&term| weighted(graph, term)).collect();
    let (first, others) = values.split_first().expect("there are terms");
    let result = others
        .iter()
        .fold(*first, |result, &value| graph.pair(of_two, result, value));
    graph.with(Binary::Add, result, bias)
}
