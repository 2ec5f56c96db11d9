//! A network as a list of operations on rows of numbers, for writers of file formats. It computes
//! what the brain computes, addition by addition, so that the outputs have the same bits. It knows
//! no file format.

use std::collections::BTreeMap;

use super::activation::Activation;
use super::sparse::node_rule::NodeFunction;

#[cfg(test)]
mod evaluate;
mod functions;
#[cfg(test)]
mod tests;

/// A value of an [`OpGraph`], by the index of the operation that computes it: for each row of a
/// batch as many numbers as it is wide. By default it is the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub usize);

/// A column of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueColumn(pub ValueId, pub u32);

/// What two numbers become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Their sum.
    Add,
    /// The first minus the second.
    Subtract,
    /// Their product.
    Multiply,
    /// The first divided by the second.
    Divide,
    /// The larger.
    Maximum,
    /// The smaller.
    Minimum,
}

/// What a number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// The largest whole number that is not above it.
    Floor,
    /// Its absolute value.
    Absolute,
    /// 1, or 0 if it is below 0.
    Step,
}

/// An operation. Numbers are in single precision and rounded after each step, unless it says
/// otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// The raw inputs of the network.
    Input,
    /// The same numbers in every row.
    Constant(Vec<f32>),
    /// Some columns of a value, in this order.
    Columns(ValueId, Vec<u32>),
    /// Values side by side.
    Join(Vec<ValueId>),
    /// The same numbers in the same order, in rows of this width.
    Reshape(ValueId, usize),
    /// Each number alone.
    Each(Unary, ValueId),
    /// Two values, number by number. The second may be a constant, or a single column that stands
    /// for each column.
    Pair(Binary, ValueId, ValueId),
    /// Weighted sums in double precision, rounded to single precision at the end.
    ExactSums {
        /// What is summed.
        of: ValueId,
        /// What each sum starts with.
        starts: Vec<f64>,
        /// For each column of the value, its weight in each sum.
        weights: Vec<f64>,
    },
    /// Weighted sums in the order of the terms.
    OrderedSums {
        /// What each sum starts with.
        starts: Vec<f32>,
        /// Columns with their weights in each sum.
        terms: Vec<(ValueColumn, Vec<f32>)>,
    },
    /// For each number, which is whole, the entry of a table.
    Lookup(ValueId, Vec<f32>),
    /// For a single column of whole numbers, the row of a table with rows of this width.
    RowLookup(ValueId, Vec<f32>, usize),
    /// The sum over all columns, which are whole numbers, of the entries of a table, in double
    /// precision.
    LookupSum(ValueId, Vec<f64>),
}

/// The operations of a network. Each uses only values of earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct OpGraph {
    /// The operations; the first is the input.
    pub ops: Vec<Op>,
    /// The width of each value.
    pub widths: Vec<usize>,
    /// The outputs of the network.
    pub output: ValueId,
    /// The single numbers among the constants, by their bits.
    numbers: BTreeMap<u32, ValueId>,
}

impl OpGraph {
    /// A network whose outputs are its inputs.
    pub fn new(inputs: usize) -> Self {
        Self {
            ops: vec![Op::Input],
            widths: vec![inputs],
            output: ValueId(0),
            numbers: BTreeMap::new(),
        }
    }

    /// The raw inputs.
    pub fn input(&self) -> ValueId {
        ValueId(0)
    }

    /// The number of columns of a value.
    pub fn width(&self, value: ValueId) -> usize {
        self.widths[value.0]
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.width(self.output)
    }

    /// Adds an operation.
    pub fn push(&mut self, op: Op) -> ValueId {
        let width = match &op {
            Op::Input => self.widths[0],
            Op::Constant(numbers) => numbers.len(),
            Op::Columns(_, columns) => columns.len(),
            Op::Join(values) => values.iter().map(|&value| self.width(value)).sum(),
            Op::Reshape(_, width) | Op::RowLookup(_, _, width) => *width,
            Op::Each(_, value) | Op::Lookup(value, _) => self.width(*value),
            Op::Pair(_, one, other) => self.width(*one).max(self.width(*other)),
            Op::ExactSums { starts, .. } => starts.len(),
            Op::OrderedSums { starts, .. } => starts.len(),
            Op::LookupSum(..) => 1,
        };
        self.ops.push(op);
        self.widths.push(width);
        ValueId(self.ops.len() - 1)
    }

    /// One column of a value, as a value.
    pub fn column(&mut self, ValueColumn(value, column): ValueColumn) -> ValueId {
        if self.width(value) == 1 {
            return value;
        }
        self.push(Op::Columns(value, vec![column]))
    }

    /// A number as a value.
    pub fn number(&mut self, number: f32) -> ValueId {
        if let Some(&known) = self.numbers.get(&number.to_bits()) {
            return known;
        }
        let value = self.push(Op::Constant(vec![number]));
        self.numbers.insert(number.to_bits(), value);
        value
    }

    /// Combines two values.
    pub fn pair(&mut self, binary: Binary, one: ValueId, other: ValueId) -> ValueId {
        self.push(Op::Pair(binary, one, other))
    }

    /// Combines a value with a number, which comes second.
    pub fn with(&mut self, binary: Binary, value: ValueId, number: f32) -> ValueId {
        let number = self.number(number);
        self.pair(binary, value, number)
    }

    /// Combines a number, which comes first, with a value.
    pub fn number_with(&mut self, binary: Binary, number: f32, value: ValueId) -> ValueId {
        let number = self.number(number);
        self.pair(binary, number, value)
    }

    /// Bounds each number.
    pub fn clamp(&mut self, value: ValueId, low: f32, high: f32) -> ValueId {
        let above = self.with(Binary::Maximum, value, low);
        self.with(Binary::Minimum, above, high)
    }

    /// Bounds each number and removes what is after its point. The lower bound must not be
    /// negative.
    pub fn whole(&mut self, value: ValueId, high: f32) -> ValueId {
        let bounded = self.clamp(value, 0.0, high);
        self.push(Op::Each(Unary::Floor, bounded))
    }

    /// Weighted sums in the order of the terms.
    pub fn ordered_sums(
        &mut self,
        starts: Vec<f32>,
        mut terms: Vec<(ValueColumn, Vec<f32>)>,
    ) -> ValueId {
        if terms.is_empty() {
            // A sum of nothing needs as many rows as the inputs have.
            terms.push((ValueColumn(self.input(), 0), vec![0.0; starts.len()]));
        }
        self.push(Op::OrderedSums { starts, terms })
    }

    /// Applies the function of a node.
    pub(super) fn node_function(&mut self, function: NodeFunction, value: ValueId) -> ValueId {
        functions::node_function(self, function, value)
    }

    /// Applies an activation function.
    pub fn activation(&mut self, activation: Activation, value: ValueId) -> ValueId {
        functions::activation(self, activation, value)
    }
}
