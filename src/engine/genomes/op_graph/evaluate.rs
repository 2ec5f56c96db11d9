//! The outputs of a list of operations, as a reference for tests.

use super::{Binary, Op, OpGraph, Unary, ValueColumn, ValueId};

/// Rows of numbers, of the same width.
type Rows = Vec<Vec<f32>>;

impl OpGraph {
    /// The outputs for one row of raw inputs.
    pub(in crate::genomes) fn evaluate(&self, inputs: &[f32]) -> Vec<f32> {
        let mut values: Vec<Rows> = Vec::new();
        for (op, &width) in self.ops.iter().zip(&self.widths) {
            let value = value(op, inputs, &values);
            assert!(value.iter().all(|row| row.len() == width), "{op:?}");
            values.push(value);
        }
        values.swap_remove(self.output.0).concat()
    }
}

fn value(op: &Op, inputs: &[f32], values: &[Rows]) -> Rows {
    let rows = |id: ValueId| values[id.0].iter();
    let table = |row: &Vec<f32>, entries: &[f32]| -> Vec<f32> {
        row.iter().map(|&x| entries[x as usize]).collect()
    };
    match op {
        Op::Input => vec![inputs.to_vec()],
        Op::Constant(numbers) => vec![numbers.clone()],
        Op::Columns(of, columns) => {
            let pick = |row: &Vec<f32>| columns.iter().map(|&at| row[at as usize]).collect();
            rows(*of).map(pick).collect()
        }
        Op::Join(parts) => {
            let count = values[parts[0].0].len();
            let joined = |row: usize| {
                parts
                    .iter()
                    .flat_map(move |part| values[part.0][row].clone())
            };
            (0..count).map(|row| joined(row).collect()).collect()
        }
        Op::Reshape(of, width) => {
            let all = values[of.0].concat();
            all.chunks(*width).map(<[f32]>::to_vec).collect()
        }
        Op::Each(unary, of) => {
            let apply = |x: &f32| match unary {
                Unary::Floor => x.floor(),
                Unary::Absolute => x.abs(),
                Unary::Step => f32::from(u8::from(*x >= 0.0)),
            };
            rows(*of)
                .map(|row| row.iter().map(apply).collect())
                .collect()
        }
        Op::Pair(binary, one, other) => pairs(*binary, &values[one.0], &values[other.0]),
        Op::ExactSums {
            of,
            starts,
            weights,
        } => {
            let sum = |row: &Vec<f32>, at: usize| {
                let terms = row.iter().zip(weights.chunks(starts.len()));
                let terms = terms.map(|(&x, weights)| f64::from(x) * weights[at]);
                (starts[at] + terms.sum::<f64>()) as f32
            };
            let sums = |row: &Vec<f32>| (0..starts.len()).map(|at| sum(row, at)).collect();
            rows(*of).map(sums).collect()
        }
        Op::OrderedSums { starts, terms } => {
            let count = terms.first().map_or(1, |term| values[term.0.0.0].len());
            let sum = |row: usize, at: usize| {
                let term =
                    |sum: f32, (ValueColumn(of, column), weights): &(ValueColumn, Vec<f32>)| {
                        sum + weights[at] * values[of.0][row][*column as usize]
                    };
                terms.iter().fold(starts[at], term)
            };
            let sums = |row| (0..starts.len()).map(|at| sum(row, at)).collect();
            (0..count).map(sums).collect()
        }
        Op::Lookup(of, entries) => rows(*of).map(|row| table(row, entries)).collect(),
        Op::RowLookup(of, entries, width) => {
            let entry = |row: &Vec<f32>| entries[row[0] as usize * width..][..*width].to_vec();
            rows(*of).map(entry).collect()
        }
        Op::LookupSum(of, entries) => {
            let sum = |row: &Vec<f32>| row.iter().map(|&x| entries[x as usize]).sum::<f64>();
            rows(*of).map(|row| vec![sum(row) as f32]).collect()
        }
    }
}

fn pairs(binary: Binary, one: &Rows, other: &Rows) -> Rows {
    let apply = |x: f32, y: f32| match binary {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Maximum => x.max(y),
        Binary::Minimum => x.min(y),
    };
    let at = |rows: &Rows, row: usize, column: usize| {
        let row = &rows[row % rows.len()];
        row[column % row.len()]
    };
    let width = one[0].len().max(other[0].len());
    let row = |row| {
        let columns = 0..width;
        columns
            .map(|column| apply(at(one, row, column), at(other, row, column)))
            .collect()
    };
    (0..one.len().max(other.len())).map(row).collect()
}
