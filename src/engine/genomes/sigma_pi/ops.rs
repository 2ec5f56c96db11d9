//! Product units as operations: a row of factors for each input, multiplied in the order of the
//! inputs.

use crate::genomes::op_graph::{Binary, Op, OpGraph, ValueColumn, ValueId};

use super::network::{LANES, ProductNetwork};

impl ProductNetwork {
    /// The operations from inputs to outputs.
    pub(super) fn ops(&self) -> OpGraph {
        let mut graph = OpGraph::new(self.inputs.len());
        let input = graph.input();
        let width = self.blocks * LANES;
        let mut products = graph.push(Op::Constant(vec![1.0; width]));
        for (number, table) in self.inputs.iter().enumerate() {
            let column = graph.column(ValueColumn(input, number as u32));
            let level = graph.whole(column, table.top as f32);
            let blocks = &self.factors[table.start..][..(table.top + 1) * self.blocks];
            let factors = blocks.as_flattened().to_vec();
            let factors = graph.push(Op::RowLookup(level, factors, width));
            products = graph.pair(Binary::Multiply, factors, products);
        }
        let weights = self.weights.chunks_exact(self.blocks);
        let outputs = weights.map(|weights| {
            let mut total = graph.push(Op::Constant(vec![0.0; LANES]));
            for (block, weights) in weights.iter().enumerate() {
                let own = lanes(&mut graph, products, block * LANES, LANES);
                let weights = graph.push(Op::Constant(weights.to_vec()));
                let weighted = graph.pair(Binary::Multiply, own, weights);
                total = graph.pair(Binary::Add, weighted, total);
            }
            sum(&mut graph, total)
        });
        let outputs = outputs.collect();
        graph.output = graph.push(Op::Join(outputs));
        graph
    }
}

/// Some columns that lie together.
fn lanes(graph: &mut OpGraph, value: ValueId, start: usize, count: usize) -> ValueId {
    let columns = start as u32..(start + count) as u32;
    graph.push(Op::Columns(value, columns.collect()))
}

/// The sum of eight columns in the order of the network's.
fn sum(graph: &mut OpGraph, mut value: ValueId) -> ValueId {
    for half in [4, 2, 1] {
        let [one, other] = [0, half].map(|start| lanes(graph, value, start, half));
        value = graph.pair(Binary::Add, one, other);
    }
    value
}
