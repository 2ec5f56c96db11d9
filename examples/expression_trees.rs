//! Genetic programming (Koza 1992) as parts of another crate: expression trees as a genome, a
//! mutation that looks inside them, and a measure of them.
//!
//! ```text
//! cargo run --release --example expression_trees -- examples/expression_trees.ron
//! ```

use std::process::ExitCode;

use finches::Program;
use finches::evolution::mutation::{Mutation, MutationContext};
use finches::genomes::capabilities::{Activations, Capabilities, Distance, Operations};
use finches::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use finches::genomes::op_graph::{Binary, Op, OpGraph, ValueColumn, ValueId};
use finches::genomes::{
    AnyGenome, Brain, Genome, GenomeParams, InputBatch, IoSpec, Scratch, Topology,
};
use finches::params::params;
use finches::registry::CustomPart;
use finches::rng::Stream;
use finches::session::measures::Measure;
use rand::RngExt;
use serde::{Deserialize, Serialize};

params! {
    /// The size of expression trees.
    pub(crate) struct TreeConfig {
        /// Most levels of functions in a random tree; half as many on average.
        fixed depth: u32 = 4, in 1..=8, "levels";
        /// Most symbols of a tree. An offspring that would have more stays as it was.
        fixed most_symbols: u32 = 63, in 3..=1000, "symbols";
    }
}

impl CustomPart for TreeConfig {
    const NAME: &'static str = "expression_trees";
    const ABOUT: &'static str = "Expressions of inputs and numbers, one for each output.";
}

impl GenomeParams for TreeConfig {
    type Genome = Forest;
}

/// A function of two numbers, or a terminal (Koza 1992, section 6.1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Symbol {
    Add,
    Subtract,
    Multiply,
    Maximum,
    Minimum,
    Input(u32),
    Number(f32),
}

/// The largest absolute value of a product; products of products would exceed all numbers.
const LARGEST: f32 = 1e12;

impl Symbol {
    const FUNCTIONS: [Self; 5] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Maximum,
        Self::Minimum,
    ];

    /// The name of a function; `None` for a terminal.
    fn function(self) -> Option<&'static str> {
        match self {
            Self::Add => Some("+"),
            Self::Subtract => Some("-"),
            Self::Multiply => Some("*"),
            Self::Maximum => Some("max"),
            Self::Minimum => Some("min"),
            Self::Input(_) | Self::Number(_) => None,
        }
    }

    fn arguments(self) -> usize {
        if self.function().is_some() { 2 } else { 0 }
    }

    /// The value for these inputs, given those of its arguments if it is a function.
    fn value(self, [one, other]: [f32; 2], inputs: &[f32]) -> f32 {
        match self {
            Self::Add => one + other,
            Self::Subtract => one - other,
            Self::Multiply => (one * other).clamp(-LARGEST, LARGEST),
            Self::Maximum => one.max(other),
            Self::Minimum => one.min(other),
            Self::Input(input) => inputs[input as usize],
            Self::Number(number) => number,
        }
    }
}

/// An expression in Polish notation: each function stands before its two arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Tree(Vec<Symbol>);

impl Tree {
    /// A random tree of at most this many levels of functions. Every second branch ends earlier, so
    /// that shapes differ (the "grow" method of section 6.2).
    fn random(depth: u32, inputs: usize, rng: &mut Stream) -> Self {
        let mut symbols = Vec::new();
        // The levels that are left at each place still to be filled, the next last.
        let mut open = vec![depth];
        while let Some(depth) = open.pop() {
            symbols.push(if depth > 0 && rng.random() {
                open.extend([depth - 1; 2]);
                Symbol::FUNCTIONS[rng.random_range(0..Symbol::FUNCTIONS.len())]
            } else if rng.random_bool(0.75) {
                Symbol::Input(rng.random_range(0..inputs as u32))
            } else {
                Symbol::Number(rng.random_range(-1.0..=1.0))
            });
        }
        Self(symbols)
    }

    /// The subtree that begins at a symbol.
    fn subtree(&self, start: usize) -> &[Symbol] {
        let (mut end, mut missing) = (start, 1);
        while missing > 0 {
            missing += self.0[end].arguments();
            missing -= 1;
            end += 1;
        }
        &self.0[start..end]
    }

    /// Puts other symbols in place of a subtree, unless the tree becomes too large.
    fn replace(&mut self, start: usize, symbols: &[Symbol], config: &TreeConfig) {
        let old = self.subtree(start).len();
        if self.0.len() - old + symbols.len() <= config.most_symbols as usize {
            self.0.splice(start..start + old, symbols.iter().copied());
        }
    }

    /// The places of the symbols that lie on the same path from the root in both trees, as far as
    /// there are functions above them in both.
    fn common(&self, other: &Self) -> Vec<[usize; 2]> {
        let (mut found, mut open) = (Vec::new(), vec![[0, 0]]);
        while let Some([one, two]) = open.pop() {
            found.push([one, two]);
            if self.0[one].arguments() == 2 && other.0[two].arguments() == 2 {
                let second = |tree: &Self, at: usize| at + 1 + tree.subtree(at + 1).len();
                open.push([second(self, one), second(other, two)]);
                open.push([one + 1, two + 1]);
            }
        }
        found
    }

    /// Calls `visit` for each symbol, arguments before their functions, with what it returned for
    /// the arguments, and returns the answer for the root. For terminals, which have no arguments,
    /// there are defaults.
    fn fold<T: Copy + Default>(&self, mut visit: impl FnMut(Symbol, [T; 2]) -> T) -> T {
        let mut done: Vec<T> = Vec::new();
        for &symbol in self.0.iter().rev() {
            let arguments = match symbol.arguments() {
                0 => [T::default(); 2],
                _ => [(); 2].map(|()| done.pop().unwrap_or_default()),
            };
            done.push(visit(symbol, arguments));
        }
        done[0]
    }
}

/// The genome.
///
/// Invariant: every tree is one whole expression of inputs that there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Forest {
    inputs: usize,
    /// A tree for each output.
    trees: Vec<Tree>,
}

impl Forest {
    fn random_tree(&mut self, rng: &mut Stream) -> &mut Tree {
        let tree = rng.random_range(0..self.trees.len());
        &mut self.trees[tree]
    }

    /// A subtree takes the place of its tree.
    fn hoist(&mut self, rng: &mut Stream) {
        let tree = self.random_tree(rng);
        let start = rng.random_range(0..tree.0.len());
        *tree = Tree(tree.subtree(start).to_vec());
    }

    /// The graph, and the value of each of its nodes for these inputs. Numbers and functions are
    /// nodes below the outputs.
    fn drawn(&self, inputs: &[f32]) -> (NetworkGraph, Vec<f32>) {
        let mut drawing = Drawing::default();
        for &value in inputs {
            drawing.add(0, None, value, &[]);
        }
        let roots: Vec<usize> = self
            .trees
            .iter()
            .map(|tree| drawing.tree(tree, inputs))
            .collect();
        let top = drawing.graph.top_layer() + 1;
        for root in roots {
            drawing.add(top, None, drawing.values[root], &[root]);
        }
        (drawing.graph, drawing.values)
    }
}

/// A network graph that is being drawn, with the values of its nodes.
#[derive(Default)]
struct Drawing {
    graph: NetworkGraph,
    values: Vec<f32>,
}

impl Drawing {
    /// Adds a tree and returns its root's node.
    fn tree(&mut self, tree: &Tree, inputs: &[f32]) -> usize {
        tree.fold(|symbol, arguments: [usize; 2]| match symbol {
            Symbol::Input(input) => input as usize,
            Symbol::Number(number) => self.add(1, Some("number"), number, &[]),
            function => {
                let value = function.value(arguments.map(|node| self.values[node]), inputs);
                let [one, other] = arguments.map(|node| self.graph.nodes[node].layer);
                self.add(1 + one.max(other), function.function(), value, &arguments)
            }
        })
    }

    /// Adds a node with edges from its sources and returns its index.
    fn add(
        &mut self,
        layer: usize,
        kind: Option<&'static str>,
        value: f32,
        sources: &[usize],
    ) -> usize {
        let to = self.graph.nodes.len();
        let in_layer = self.graph.nodes.iter().filter(|node| node.layer == layer);
        self.graph.nodes.push(NetworkNode {
            number: to,
            layer,
            index_in_layer: in_layer.count(),
            bias: if kind == Some("number") { value } else { 0.0 },
            kind,
        });
        for (place, &from) in sources.iter().enumerate() {
            // Two nodes have one edge, also where both arguments are the same.
            if !sources[..place].contains(&from) {
                let weight = 1.0;
                self.graph.edges.push(NetworkEdge { from, to, weight });
            }
        }
        self.values.push(value);
        to
    }
}

impl Genome for Forest {
    type Config = TreeConfig;

    fn random(config: &TreeConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let inputs = io_spec.inputs.raw_count();
        let trees = (0..io_spec.outputs).map(|_| Tree::random(config.depth, inputs, rng));
        Self {
            inputs,
            trees: trees.collect(),
        }
    }

    /// In each tree, a subtree of the other parent takes the place of that at the same path from
    /// the root (one-point crossover; Poli & Langdon 1998), or none does. Unlike Koza's, it makes
    /// equal parents equal offspring.
    fn crossover(&self, other: &Self, config: &TreeConfig, rng: &mut Stream) -> Self {
        let mut offspring = self.clone();
        for (tree, other) in offspring.trees.iter_mut().zip(&other.trees) {
            let common = tree.common(other);
            if let Some(&[own, others]) = common.get(rng.random_range(0..=common.len())) {
                tree.replace(own, other.subtree(others), config);
            }
        }
        offspring
    }

    /// A random subtree takes the place of another (Koza 1992, section 6.5.1).
    fn mutate(&mut self, config: &TreeConfig, rng: &mut Stream) {
        let inputs = self.inputs;
        let tree = self.random_tree(rng);
        let start = rng.random_range(0..tree.0.len());
        let depth = rng.random_range(0..=config.depth);
        tree.replace(start, &Tree::random(depth, inputs, rng).0, config);
    }

    fn grow(&self, _config: &TreeConfig, _io_spec: &IoSpec) -> Box<dyn Brain> {
        Box::new(self.clone())
    }

    fn topology(&self) -> Topology {
        let graph = self.drawn(&vec![0.0; self.inputs]).0;
        let mut layers = vec![0; graph.top_layer() + 1];
        for node in &graph.nodes {
            layers[node.layer] += 1;
        }
        Topology {
            layers,
            edges: graph.edges.len(),
        }
    }

    fn network_graph(&self, _config: &TreeConfig) -> NetworkGraph {
        self.drawn(&vec![0.0; self.inputs]).0
    }

    fn capabilities(config: &TreeConfig) -> Capabilities<'_> {
        Capabilities {
            distance: Some(config),
            operations: Some(config),
            activations: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        let needed = (io_spec.inputs.raw_count(), io_spec.outputs);
        if (self.inputs, self.trees.len()) != needed {
            return Some(format!(
                "it needs {} inputs and {} trees",
                needed.0, needed.1
            ));
        }
        let is_valid = |symbol: &Symbol| match *symbol {
            Symbol::Input(input) => (input as usize) < self.inputs,
            Symbol::Number(number) => number.abs() <= 1.0,
            _ => true,
        };
        // The end of an expression is where no argument is missing any more.
        let is_whole = |tree: &Tree| {
            let missing = tree.0.iter().try_fold(1_usize, |missing, symbol| {
                let others = missing.checked_sub(1)?;
                is_valid(symbol).then_some(others + symbol.arguments())
            });
            missing == Some(0)
        };
        let is_valid = self.trees.iter().all(is_whole);
        (!is_valid).then(|| "a tree is not one expression of the inputs".to_owned())
    }
}

/// The share of symbols that do not lie at the same path from the root with the same meaning in
/// both.
impl Distance<Forest> for TreeConfig {
    fn distance(&self, one: &Forest, other: &Forest) -> f64 {
        let (mut shared, mut all) = (0, 0);
        for (one, other) in one.trees.iter().zip(&other.trees) {
            let common = one.common(other).into_iter();
            shared += common.filter(|&[a, b]| one.0[a] == other.0[b]).count();
            all += one.0.len().max(other.0.len());
        }
        1.0 - shared as f64 / all.max(1) as f64
    }
}

impl Activations<Forest> for TreeConfig {
    fn activations(&self, genome: &Forest, _io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        genome.drawn(raw_inputs).1
    }
}

impl Operations<Forest> for TreeConfig {
    fn ops(&self, genome: &Forest, _io_spec: &IoSpec) -> Option<OpGraph> {
        let mut graph = OpGraph::new(genome.inputs);
        let input = graph.input();
        let mut add = |symbol, [one, other]: [ValueId; 2]| match symbol {
            Symbol::Add => graph.pair(Binary::Add, one, other),
            Symbol::Subtract => graph.pair(Binary::Subtract, one, other),
            Symbol::Maximum => graph.pair(Binary::Maximum, one, other),
            Symbol::Minimum => graph.pair(Binary::Minimum, one, other),
            Symbol::Multiply => {
                let product = graph.pair(Binary::Multiply, one, other);
                graph.clamp(product, -LARGEST, LARGEST)
            }
            Symbol::Input(place) => graph.column(ValueColumn(input, place)),
            // A number in each row.
            Symbol::Number(number) => {
                let nothing = vec![(ValueColumn(input, 0), vec![0.0])];
                graph.ordered_sums(vec![number], nothing)
            }
        };
        let outputs = genome.trees.iter().map(|tree| tree.fold(&mut add));
        let outputs = outputs.collect();
        graph.output = graph.push(Op::Join(outputs));
        Some(graph)
    }
}

impl Brain for Forest {
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        let inputs: &mut Vec<f32> = scratch.buffers();
        for row in 0..batch.ends.len() {
            inputs.clear();
            inputs.extend_from_slice(batch.base);
            for &(input, value) in batch.row_changes(row) {
                inputs[input as usize] = value;
            }
            let value = |tree: &Tree| tree.fold(|symbol, values| symbol.value(values, inputs));
            out.extend(self.trees.iter().map(value));
        }
    }
}

params! {
    /// The mutation of the genome, except that in some offspring a subtree takes the place of its
    /// tree, so that trees do not only grow (Kinnear 1994).
    pub(crate) struct Hoist {
        /// Share of offspring in which a subtree takes the place of its tree. Raise it for shorter
        /// expressions.
        live rate: f64 = 0.2, in 0..=1, "share";
    }
}

impl CustomPart for Hoist {
    const NAME: &'static str = "hoist";
    const ABOUT: &'static str = "As plain, but some expression trees become one of their subtrees.";
}

impl Mutation for Hoist {
    fn mutate(&self, genome: &mut AnyGenome, context: &MutationContext<'_>, rng: &mut Stream) {
        match genome.downcast_mut::<Forest>() {
            Some(forest) if rng.random_bool(self.rate) => forest.hoist(rng),
            _ => context.pool.genome.mutate(genome, rng),
        }
    }
}

/// How long the champion's expressions are; no column for other genomes.
pub(crate) const SYMBOLS: Measure = Measure {
    name: "symbols",
    unit: "symbols",
    help: "Symbols in the champion's expression trees: functions, inputs and numbers.",
    applies: |preset, _| preset.genome.name() == TreeConfig::NAME,
    figure: |run| {
        let forest = run.finished.champion.genome.downcast::<Forest>()?;
        let lengths = forest.trees.iter().map(|tree| tree.0.len());
        Some(lengths.sum::<usize>() as f64)
    },
    ..Measure::PLAIN
};

/// The program with these parts.
pub(crate) fn with_parts(program: Program) -> Program {
    program
        .genome::<TreeConfig>()
        .mutation::<Hoist>()
        .measure(SYMBOLS)
}

#[allow(dead_code, reason = "a test includes this file")]
fn main() -> ExitCode {
    with_parts(Program::new()).main()
}
