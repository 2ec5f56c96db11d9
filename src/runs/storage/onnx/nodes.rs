//! The operations of a network as ONNX nodes and their constants. Sums are chains of nodes, so that
//! they round as the network's do: an ONNX matrix product may add in any order.

use std::collections::BTreeMap;

use finches_engine::genomes::op_graph::{Binary, Op, OpGraph, Unary, ValueColumn, ValueId};

use super::messages::{OnnxAttribute, OnnxNode, OnnxTensor};

/// `TensorProto.DataType`.
pub(super) const FLOAT: i32 = 1;
const INT64: i32 = 7;
const DOUBLE: i32 = 11;

/// `AttributeProto.AttributeType` of a whole number.
const WHOLE: i32 = 2;

/// The nodes of a model and its constants.
#[derive(Default)]
pub(super) struct OnnxParts {
    pub(super) nodes: Vec<OnnxNode>,
    pub(super) tensors: Vec<OnnxTensor>,
}

impl OnnxParts {
    /// Those of a network whose input and output have these names.
    pub(super) fn of(graph: &OpGraph, input: &str, output: &str) -> Self {
        let mut writer = NodeWriter {
            graph,
            parts: Self::default(),
            names: Vec::new(),
            columns: BTreeMap::new(),
        };
        for (index, op) in graph.ops.iter().enumerate() {
            let name = if *op == Op::Input {
                input.to_owned()
            } else {
                format!("v{index}")
            };
            writer.names.push(name.clone());
            writer.op(op, &name);
        }
        let last = writer.names[graph.output.0].clone();
        writer.node("Identity", &[&last], output, &[]);
        writer.parts
    }
}

/// Writes one operation after the other.
struct NodeWriter<'a> {
    graph: &'a OpGraph,
    parts: OnnxParts,
    /// The name of each value.
    names: Vec<String>,
    /// The names of the single columns that exist.
    columns: BTreeMap<ValueColumn, String>,
}

impl NodeWriter<'_> {
    fn name(&self, value: ValueId) -> String {
        self.names[value.0].clone()
    }

    fn node(&mut self, kind: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) {
        let attribute = |&(name, value): &(&str, i64)| OnnxAttribute {
            name: name.to_owned(),
            i: Some(value),
            kind: WHOLE,
        };
        self.parts.nodes.push(OnnxNode {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: format!("{output}_{}", kind.to_lowercase()),
            op_type: kind.to_owned(),
            attribute: attributes.iter().map(attribute).collect(),
        });
    }

    fn tensor(&mut self, name: &str, dims: &[usize], data_type: i32, raw_data: Vec<u8>) {
        self.parts.tensors.push(OnnxTensor {
            dims: dims.iter().map(|&length| length as i64).collect(),
            data_type,
            name: name.to_owned(),
            raw_data,
        });
    }

    fn floats(&mut self, name: &str, dims: &[usize], numbers: &[f32]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        self.tensor(name, dims, FLOAT, bytes.collect());
    }

    fn doubles(&mut self, name: &str, dims: &[usize], numbers: &[f64]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        self.tensor(name, dims, DOUBLE, bytes.collect());
    }

    fn whole_numbers(&mut self, name: &str, numbers: &[i64]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        self.tensor(name, &[numbers.len()], INT64, bytes.collect());
    }

    /// Converts numbers to another type.
    fn cast(&mut self, from: &str, to: &str, data_type: i32) {
        self.node("Cast", &[from], to, &[("to", data_type.into())]);
    }

    fn op(&mut self, op: &Op, name: &str) {
        match op {
            Op::Input => {}
            Op::Constant(numbers) => self.floats(name, &[1, numbers.len()], numbers),
            Op::Columns(of, columns) => self.gather_columns(*of, columns, name),
            Op::Join(values) => {
                let values: Vec<String> = values.iter().map(|&value| self.name(value)).collect();
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                self.node("Concat", &values, name, &[("axis", 1)]);
            }
            Op::Reshape(of, width) => self.reshape(&self.name(*of), *width, name),
            Op::Each(unary, of) => self.each(*unary, &self.name(*of), name),
            Op::Pair(binary, one, other) => {
                let kind = match binary {
                    Binary::Add => "Add",
                    Binary::Subtract => "Sub",
                    Binary::Multiply => "Mul",
                    Binary::Divide => "Div",
                    Binary::Maximum => "Max",
                    Binary::Minimum => "Min",
                };
                let [one, other] = [*one, *other].map(|value| self.name(value));
                self.node(kind, &[&one, &other], name, &[]);
            }
            Op::ExactSums {
                of,
                starts,
                weights,
            } => self.exact_sums(*of, starts, weights, name),
            Op::OrderedSums { starts, terms } => self.ordered_sums(starts, terms, name),
            Op::Lookup(of, entries) => {
                let table = format!("{name}_table");
                self.floats(&table, &[entries.len()], entries);
                self.look_up(&table, *of, name);
            }
            Op::RowLookup(of, entries, width) => {
                let [table, rows] = ["table", "rows"].map(|word| format!("{name}_{word}"));
                self.floats(&table, &[entries.len() / width, *width], entries);
                self.look_up(&table, *of, &rows);
                self.reshape(&rows, *width, name);
            }
            Op::LookupSum(of, entries) => self.lookup_sum(*of, entries, name),
        }
    }

    fn each(&mut self, unary: Unary, of: &str, name: &str) {
        match unary {
            Unary::Floor => self.node("Floor", &[of], name, &[]),
            Unary::Absolute => self.node("Abs", &[of], name, &[]),
            Unary::Step => {
                let [zero, truth] = ["zero", "truth"].map(|word| format!("{name}_{word}"));
                self.floats(&zero, &[1, 1], &[0.0]);
                self.node("GreaterOrEqual", &[of, &zero], &truth, &[]);
                self.cast(&truth, name, FLOAT);
            }
        }
    }

    fn reshape(&mut self, of: &str, width: usize, name: &str) {
        let shape = format!("{name}_shape");
        self.whole_numbers(&shape, &[-1, width as i64]);
        self.node("Reshape", &[of, &shape], name, &[]);
    }

    fn gather_columns(&mut self, of: ValueId, columns: &[u32], name: &str) {
        let places = format!("{name}_places");
        let numbers: Vec<i64> = columns.iter().map(|&column| column.into()).collect();
        self.whole_numbers(&places, &numbers);
        let of = self.name(of);
        self.node("Gather", &[&of, &places], name, &[("axis", 1)]);
    }

    /// The name of a single column.
    fn column(&mut self, column: ValueColumn) -> String {
        let ValueColumn(value, place) = column;
        if self.graph.width(value) == 1 {
            return self.name(value);
        }
        if let Some(known) = self.columns.get(&column) {
            return known.clone();
        }
        let name = format!("{}_{place}", self.name(value));
        self.gather_columns(value, &[place], &name);
        self.columns.insert(column, name.clone());
        name
    }

    fn exact_sums(&mut self, of: ValueId, starts: &[f64], weights: &[f64], name: &str) {
        let words = ["wide", "weights", "starts", "product", "sums"];
        let [wide, matrix, row, product, sums] = words.map(|word| format!("{name}_{word}"));
        let count = starts.len();
        self.doubles(&matrix, &[weights.len() / count, count], weights);
        self.doubles(&row, &[1, count], starts);
        self.cast(&self.name(of), &wide, DOUBLE);
        self.node("MatMul", &[&wide, &matrix], &product, &[]);
        self.node("Add", &[&product, &row], &sums, &[]);
        self.cast(&sums, name, FLOAT);
    }

    fn ordered_sums(&mut self, starts: &[f32], terms: &[(ValueColumn, Vec<f32>)], name: &str) {
        let mut sum = format!("{name}_starts");
        self.floats(&sum, &[1, starts.len()], starts);
        for (number, (column, weights)) in terms.iter().enumerate() {
            let column = self.column(*column);
            let words = ["weights", "term", "sum"];
            let [row, term, next] = words.map(|word| format!("{name}_{word}{number}"));
            self.floats(&row, &[1, weights.len()], weights);
            self.node("Mul", &[&column, &row], &term, &[]);
            let next = if number + 1 == terms.len() {
                name.to_owned()
            } else {
                next
            };
            self.node("Add", &[&sum, &term], &next, &[]);
            sum = next;
        }
    }

    fn look_up(&mut self, table: &str, of: ValueId, name: &str) {
        let index = format!("{name}_index");
        self.cast(&self.name(of), &index, INT64);
        self.node("Gather", &[table, &index], name, &[("axis", 0)]);
    }

    fn lookup_sum(&mut self, of: ValueId, entries: &[f64], name: &str) {
        let words = ["table", "entries", "axis", "sum"];
        let [table, found, axis, sum] = words.map(|word| format!("{name}_{word}"));
        self.doubles(&table, &[entries.len()], entries);
        self.whole_numbers(&axis, &[1]);
        self.look_up(&table, of, &found);
        self.node("ReduceSum", &[&found, &axis], &sum, &[("keepdims", 1)]);
        self.cast(&sum, name, FLOAT);
    }
}
