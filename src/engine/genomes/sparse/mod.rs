//! The brain of a network of any shape without cycles: nodes in an order in which each comes after
//! its sources, each with its incoming edges. Several rows of a batch are evaluated at a time. Each
//! row is summed in a fixed order, so that all instruction sets give the same bits.

#![allow(
    clippy::inline_always,
    reason = "only what is part of the dispatched closure is compiled for the machine's \
        instructions"
)]

use pulp::{Arch, NullaryFnOnce};

use crate::simd;

use super::{Brain, InputBatch, Scratch};

use self::node_rule::{Aggregation, NodeRule};

pub mod node_rule;
mod ops;

/// Rows of a batch that are evaluated together in vector registers: the more, the less often edges
/// are read. A batch of the positions of a small game has about as many.
const WIDE: usize = 32;
/// The same for the last rows of a batch.
const NARROW: usize = 8;
/// The largest absolute value of a product. Products of products would otherwise exceed all
/// numbers.
const LARGEST: f32 = 1e12;
/// The most rows that are evaluated one by one.
const FEW: usize = 2;

/// The compiled network. Its slots are the inputs, then the other nodes in the order of their
/// evaluation; the last are the outputs.
#[derive(Debug)]
pub(super) struct SparseNetwork {
    arch: Arch,
    inputs: usize,
    outputs: usize,
    /// For each slot except the inputs, its bias and the end of its incoming edges.
    nodes: Vec<(f32, u32)>,
    /// What each of them computes.
    rules: Vec<NodeRule>,
    /// Source slot and weight, grouped by target.
    edges: Vec<(u32, f32)>,
}

impl SparseNetwork {
    /// A network of `inputs` inputs and these other nodes, each with its bias and its rule, in the
    /// order of their evaluation. An edge has a source slot, a higher target slot, and a weight.
    /// The edges are sorted by counting, since every member of every generation is compiled; those
    /// of a node keep their order.
    pub(super) fn new(
        [inputs, outputs]: [usize; 2],
        nodes: &[(f32, NodeRule)],
        edges: impl Iterator<Item = (u32, u32, f32)> + Clone,
    ) -> Self {
        let rules = nodes.iter().map(|&(_, rule)| rule).collect();
        let mut nodes: Vec<(f32, u32)> = nodes.iter().map(|&(bias, _)| (bias, 0)).collect();
        let mut count = 0;
        for (_, to, _) in edges.clone() {
            nodes[to as usize - inputs].1 += 1;
            count += 1;
        }
        let mut start = 0;
        for node in &mut nodes {
            (node.1, start) = (start, start + node.1);
        }
        let mut grouped = vec![(0, 0.0); count];
        for (from, to, weight) in edges {
            let end = &mut nodes[to as usize - inputs].1;
            grouped[*end as usize] = (from, weight);
            *end += 1;
        }
        Self {
            arch: simd::arch(),
            inputs,
            outputs,
            nodes,
            rules,
            edges: grouped,
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

    /// The value of each slot for one row of inputs, for inspection.
    pub(super) fn values(&self, inputs: &[f32]) -> Vec<f32> {
        let batch = InputBatch::single(inputs);
        let mut values = Vec::new();
        self.rows::<1>(batch, 0, 1, &mut values, &mut Vec::new());
        values
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
        let below_outputs = values.len() - self.outputs;
        let mut from = 0;
        for (index, (&(bias, end), rule)) in self.nodes.iter().zip(&self.rules).enumerate() {
            let edges = &self.edges[from..end as usize];
            from = end as usize;
            let mut value = aggregated(rule.aggregation, bias, edges, values);
            rule.function.apply(&mut value);
            values[self.inputs + index] = value;
        }
        for lane in 0..count {
            let outputs = values[below_outputs..].iter();
            out.extend(outputs.map(|output| output[lane]));
        }
    }
}

/// What a node makes of its weighted inputs and its bias, before its function.
#[inline(always)]
fn aggregated<const L: usize>(
    aggregation: Aggregation,
    bias: f32,
    edges: &[(u32, f32)],
    values: &[[f32; L]],
) -> [f32; L] {
    match aggregation {
        Aggregation::Sum => weighted_sum(bias, edges, values),
        Aggregation::Product => weighted_product(bias, edges, values),
        Aggregation::Maximum => extreme(bias, edges, values, f32::max),
        Aggregation::Minimum => extreme(bias, edges, values, f32::min),
        Aggregation::Mean => {
            let sum = weighted_sum(0.0, edges, values);
            let share = 1.0 / edges.len().max(1) as f32;
            sum.map(|sum| sum * share + bias)
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

/// The largest or smallest of the weighted inputs, and the bias added. Without inputs it is the
/// bias alone.
#[inline(always)]
fn extreme<const L: usize>(
    bias: f32,
    edges: &[(u32, f32)],
    values: &[[f32; L]],
    of_two: impl Fn(f32, f32) -> f32,
) -> [f32; L] {
    let weighted = |&(source, weight): &(u32, f32)| values[source as usize].map(|x| weight * x);
    let (mut result, others) = match edges.split_first() {
        None => return [bias; L],
        Some((first, others)) => (weighted(first), others),
    };
    for edge in others {
        let value = weighted(edge);
        for lane in 0..L {
            result[lane] = of_two(result[lane], value[lane]);
        }
    }
    result.map(|result| result + bias)
}

/// The evaluation of a batch. It is a type rather than a closure, because only a named function can
/// be inlined into the dispatched one.
struct SparsePass<'a> {
    network: &'a SparseNetwork,
    batch: InputBatch<'a>,
    values: &'a mut Vec<f32>,
    out: &'a mut Vec<f32>,
}

impl NullaryFnOnce for SparsePass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.network.all_rows(self.batch, self.values, self.out);
    }
}

impl Brain for SparseNetwork {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        self.arch.dispatch(SparsePass {
            network: self,
            batch,
            values: &mut scratch.values,
            out,
        });
    }
}
