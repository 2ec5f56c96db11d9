//! Tuples as operations: the index of each lookup is a weighted sum of digits, and the value the
//! sum of the entries.

use crate::genomes::op_graph::{Binary, Op, OpGraph, Unary, ValueId};

use super::network::TupleNetwork;

impl TupleNetwork {
    /// The operations from inputs to the value.
    pub(super) fn ops(&self) -> OpGraph {
        let mut graph = OpGraph::new(self.layout.digits.inputs);
        let input = graph.input();
        let shifted = graph.with(Binary::Subtract, input, self.layout.lowest.into());
        let digits = graph.whole(shifted, f32::from(self.layout.digits.levels) - 1.0);
        let mut indices = self.add_indices(&mut graph, digits);
        if self.stages > 1 {
            let start = self.add_stage_start(&mut graph, digits);
            indices = graph.pair(Binary::Add, indices, start);
        }
        let stages = 0..self.stages;
        let entries = stages.flat_map(|stage| self.stage(stage).flat_map(|(_, entries)| entries));
        let entries = entries.map(|&entry| f64::from(entry) * self.unit).collect();
        graph.output = graph.push(Op::LookupSum(indices, entries));
        graph
    }

    /// The index of each lookup in the first stage.
    fn add_indices(&self, graph: &mut OpGraph, digits: ValueId) -> ValueId {
        let empty = f64::from(self.layout.digits.empty);
        let mut starts = Vec::new();
        let mut block_start = 0;
        for block in &self.layout.blocks {
            let own = block.empty[..block.lookups].iter();
            starts.extend(own.map(|&index| f64::from(index) + block_start as f64));
            block_start += block.stage_len;
        }
        let mut weights = Vec::new();
        for input in 0..self.layout.digits.inputs {
            let powers = self
                .layout
                .blocks
                .iter()
                .flat_map(|block| block.powers_of(input));
            for (start, &power) in starts.iter_mut().zip(powers) {
                weights.push(f64::from(power));
                *start -= empty * f64::from(power);
            }
        }
        graph.push(Op::ExactSums {
            of: digits,
            starts,
            weights,
        })
    }

    /// Where the entries of the stage begin, which follows from the number of pieces.
    fn add_stage_start(&self, graph: &mut OpGraph, digits: ValueId) -> ValueId {
        let inputs = self.layout.digits.inputs;
        let distance = graph.with(Binary::Subtract, digits, self.layout.digits.empty.into());
        let distance = graph.push(Op::Each(Unary::Absolute, distance));
        let is_piece = graph.with(Binary::Minimum, distance, 1.0);
        let pieces = graph.push(Op::ExactSums {
            of: is_piece,
            starts: vec![0.0],
            weights: vec![self.stages as f64; inputs],
        });
        let share = graph.with(Binary::Divide, pieces, (inputs + 1) as f32);
        let stage = graph.push(Op::Each(Unary::Floor, share));
        let stage_len: usize = self.layout.blocks.iter().map(|block| block.stage_len).sum();
        graph.with(Binary::Multiply, stage, stage_len as f32)
    }
}
