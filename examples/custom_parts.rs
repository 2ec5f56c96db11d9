//! An agent, a genome, a selection and a measure of another crate:
//!
//! ```text
//! cargo run --release --example custom_parts -- presets examples/custom_parts.ron
//! cargo run --release --example custom_parts -- examples/custom_parts.ron --set epsilon=0.2
//! ```

use std::process::ExitCode;

use finches::Program;
use finches::agents::custom::{DecisionNode, ScoringAgent};
use finches::agents::{Agent, argmax};
use finches::evolution::selection::{RouletteWheel, Selection, Selector};
use finches::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use finches::genomes::{Brain, Genome, GenomeParams, InputBatch, IoSpec, Scratch, Topology};
use finches::params::params;
use finches::registry::CustomPart;
use finches::rng::Stream;
use finches::session::measures::Measure;
use rand::RngExt;
use serde::{Deserialize, Serialize};

params! {
    /// One-ply choice with random moves, so that games between the same players differ (Lucas &
    /// Runarsson 2006).
    pub(crate) struct EpsilonGreedy {
        /// Probability that a random move is played instead of the one with the highest value.
        fixed epsilon: f64 = 0.1, in 0.0..=1.0, "chance";
    }
}

impl CustomPart for EpsilonGreedy {
    const NAME: &'static str = "epsilon_greedy";
    const ABOUT: &'static str = "As one_ply, but some moves are random.";
}

impl Agent for EpsilonGreedy {
    fn is_deterministic(&self) -> bool {
        false
    }

    fn score_unit(&self) -> &'static str {
        "value of the position after the move"
    }
}

impl ScoringAgent for EpsilonGreedy {
    fn score_moves(&self, node: &mut dyn DecisionNode, scores: &mut Vec<f32>) {
        scores.extend_from_slice(node.successor_outputs());
    }

    fn choose_index(&self, scores: &[f32], rng: &mut Stream) -> usize {
        if rng.random_bool(self.epsilon) {
            rng.random_range(0..scores.len())
        } else {
            argmax(scores.iter().copied())
        }
    }
}

params! {
    /// Mutation of a perceptron.
    pub(crate) struct PerceptronConfig {
        /// The largest change of a weight by a mutation.
        live step: f64 = 0.1, in 0.0..=10.0;
    }
}

impl CustomPart for PerceptronConfig {
    const NAME: &'static str = "perceptron";
    const ABOUT: &'static str = "Weighted sums of the inputs, without hidden nodes.";
}

impl GenomeParams for PerceptronConfig {
    type Genome = Perceptron;
}

/// The weights of each output, its bias last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Perceptron {
    inputs: usize,
    weights: Vec<f32>,
}

impl Perceptron {
    fn outputs(&self) -> impl Iterator<Item = (&f32, &[f32])> {
        let outputs = self.weights.chunks(self.inputs + 1);
        outputs.filter_map(|output| output.split_last())
    }
}

impl Genome for Perceptron {
    type Config = PerceptronConfig;

    fn random(_config: &PerceptronConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let inputs = io_spec.inputs.raw_count();
        let genes = (inputs + 1) * io_spec.outputs;
        Self {
            inputs,
            weights: (0..genes).map(|_| rng.random_range(-1.0..=1.0)).collect(),
        }
    }

    fn crossover(&self, other: &Self, _config: &PerceptronConfig, rng: &mut Stream) -> Self {
        let genes = self.weights.iter().zip(&other.weights);
        Self {
            inputs: self.inputs,
            weights: genes
                .map(|(&one, &other)| if rng.random() { one } else { other })
                .collect(),
        }
    }

    fn mutate(&mut self, config: &PerceptronConfig, rng: &mut Stream) {
        let step = config.step as f32;
        for weight in &mut self.weights {
            *weight += rng.random_range(-step..=step);
        }
    }

    fn grow(&self, _config: &PerceptronConfig, _io_spec: &IoSpec) -> Box<dyn Brain> {
        Box::new(self.clone())
    }

    fn topology(&self) -> Topology {
        let outputs = self.outputs().count();
        Topology {
            layers: vec![self.inputs, outputs],
            edges: self.inputs * outputs,
        }
    }

    fn network_graph(&self, _config: &PerceptronConfig) -> NetworkGraph {
        let node = |number, layer, index_in_layer, bias| NetworkNode {
            number,
            layer,
            index_in_layer,
            bias,
            kind: None,
        };
        let mut graph = NetworkGraph::default();
        graph
            .nodes
            .extend((0..self.inputs).map(|input| node(input, 0, input, 0.0)));
        for (index, (&bias, weights)) in self.outputs().enumerate() {
            let to = graph.nodes.len();
            graph.nodes.push(node(to, 1, index, bias));
            let edge = |(from, &weight)| NetworkEdge { from, to, weight };
            graph.edges.extend(weights.iter().enumerate().map(edge));
        }
        graph
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        let inputs = io_spec.inputs.raw_count();
        let genes = (inputs + 1) * io_spec.outputs;
        let fits = self.inputs == inputs && self.weights.len() == genes;
        (!fits).then(|| format!("it has {} weights, {genes} are needed", self.weights.len()))
    }
}

impl Brain for Perceptron {
    fn forward(&self, batch: InputBatch<'_>, _scratch: &mut Scratch, out: &mut Vec<f32>) {
        out.clear();
        for row in 0..batch.ends.len() {
            let mut inputs = batch.base.to_vec();
            for &(input, value) in batch.row_changes(row) {
                inputs[input as usize] = value;
            }
            let sum = |(bias, weights): (&f32, &[f32])| {
                let products = weights.iter().zip(&inputs);
                bias + products.map(|(weight, input)| weight * input).sum::<f32>()
            };
            out.extend(self.outputs().map(sum));
        }
    }
}

params! {
    /// Selection by the Boltzmann distribution (Goldberg 1990).
    pub(crate) struct Boltzmann {
        /// The difference in fitness that makes a candidate e times as likely to be a parent. Lower
        /// it to increase selection pressure.
        live temperature: f64 = 1.0, in 0.001..=1000.0;
    }
}

impl CustomPart for Boltzmann {
    const NAME: &'static str = "boltzmann";
    const ABOUT: &'static str = "Probability proportional to an exponential function of fitness.";
}

impl Selection for Boltzmann {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The library function gives the same bits on every machine.
        let weight = |fitness: &f64| libm::exp((fitness - best) / self.temperature);
        Box::new(RouletteWheel::new(fitness.iter().map(weight)))
    }
}

/// How much the members differ in fitness.
pub(crate) const FITNESS_DEVIATION: Measure = Measure {
    name: "fitness_deviation",
    help: "Standard deviation of fitness in the population.",
    figure: |run| {
        let fitness = &run.finished.fitness;
        let count = fitness.len() as f64;
        let mean = fitness.iter().sum::<f64>() / count;
        let squares = fitness.iter().map(|one| (one - mean).powi(2));
        Some((squares.sum::<f64>() / count).sqrt())
    },
    ..Measure::PLAIN
};

/// The program with these parts.
pub(crate) fn program() -> Program {
    Program::new()
        .agent::<EpsilonGreedy>()
        .genome::<PerceptronConfig>()
        .selection::<Boltzmann>()
        .measure(FITNESS_DEVIATION)
}

#[allow(dead_code, reason = "a test includes this file")]
fn main() -> ExitCode {
    program().main()
}
