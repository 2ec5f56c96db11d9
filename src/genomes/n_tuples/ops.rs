//! Tuples as operations: the index of each lookup is a weighted sum of digits, and the value the sum of the entries.

use crate::genomes::op_graph::{Binary, Op, OpGraph, Unary, ValueId};

use super::network::TupleNetwork;

impl TupleNetwork {
    /// The operations from inputs to the value.
    pub(super) fn ops(&self) -> OpGraph {
        let mut graph = OpGraph::new(self.inputs);
        let input = graph.input();
        let shifted = graph.with(Binary::Subtract, input, self.lowest.into());
        let digits = graph.whole(shifted, f32::from(self.levels) - 1.0);
        let mut indices = self.add_indices(&mut graph, digits);
        if self.entries.len() > self.stage_len {
            let start = self.add_stage_start(&mut graph, digits);
            indices = graph.pair(Binary::Add, indices, start);
        }
        let entries = self.entries.iter();
        let entries = entries.map(|&entry| f64::from(entry) * self.unit).collect();
        graph.output = graph.push(Op::LookupSum(indices, entries));
        graph
    }

    /// The index of each lookup in the first stage.
    fn add_indices(&self, graph: &mut OpGraph, digits: ValueId) -> ValueId {
        let lookups = self.empty.len();
        let empty = f64::from(self.empty_digit());
        let mut starts: Vec<f64> = self.empty.iter().map(|&index| index.into()).collect();
        let mut weights = vec![0.0; self.inputs * lookups];
        for (input, weights) in weights.chunks_mut(lookups).enumerate() {
            let powers = self.powers_of(input).iter().map(|&power| f64::from(power));
            for ((weight, start), power) in weights.iter_mut().zip(&mut starts).zip(powers) {
                *weight = power;
                *start -= empty * power;
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
        let stages = self.entries.len() / self.stage_len;
        let distance = graph.with(Binary::Subtract, digits, self.empty_digit() as f32);
        let distance = graph.push(Op::Each(Unary::Absolute, distance));
        let is_piece = graph.with(Binary::Minimum, distance, 1.0);
        let pieces = graph.push(Op::ExactSums {
            of: is_piece,
            starts: vec![0.0],
            weights: vec![stages as f64; self.inputs],
        });
        let share = graph.with(Binary::Divide, pieces, (self.inputs + 1) as f32);
        let stage = graph.push(Op::Each(Unary::Floor, share));
        graph.with(Binary::Multiply, stage, self.stage_len as f32)
    }
}
