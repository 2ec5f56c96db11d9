//! NEAT's networks (Stanley & Miikkulainen 2002, *Evolving Neural Networks through Augmenting
//! Topologies*): feed-forward networks that grow by mutation, whose genes carry historical
//! markings, so that networks of different shapes can be crossed and compared.
//!
//! Where the publication leaves something open: a hidden node has no bias of its own, but edges
//! from a bias node; such edges are not split, since a constant node would be no use; weights are
//! bounded; an edge is sought 20 times, and none is added where all tries fail.

use serde::{Deserialize, Serialize};

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::capabilities::{Activations, Capabilities, Distance, Markings, Operations};
use super::innovations::GenerationInnovations;
use super::network_graph::NetworkGraph;
use super::op_graph::OpGraph;
use super::projected::with_projection;
use super::sparse::node_rule::{Aggregation, NodeFunction};
use super::{Brain, Genome, GenomeParams, IoSpec, Relative, Topology};

use self::shape::NetworkShape;

mod crossover;
mod network;
mod numbering;
mod shape;
mod variation;

params! {
    /// Initialization, mutation and crossover of NEAT's networks, and the distance between them.
    pub struct NeatConfig {
        /// Function of the outputs. The players of games need values of any size.
        fixed output: NodeFunction = NodeFunction::Linear;
        /// Functions that hidden nodes can have. A new node has the first; `change_function` draws
        /// from all.
        fixed functions: Vec<NodeFunction> = vec![NodeFunction::SteepSigmoid];
        /// How hidden nodes can aggregate their weighted inputs. A new node has the first;
        /// `change_aggregation` draws from all.
        fixed aggregations: Vec<Aggregation> = vec![Aggregation::Sum];
        /// Bound on the absolute value of the weights of initial networks and new edges, uniform
        /// within it.
        live initial_weight: f64 = 1.0, in 0.0..=1000.0;
        /// Probability that the weights of an offspring are mutated.
        live change_weights: f64 = 0.8, in 0.0..=1.0, "of offspring";
        /// When weights are mutated, the share of them that new random ones replace; all others are
        /// shifted.
        live new_weights: f64 = 0.1, in 0.0..=1.0, "of weights";
        /// Largest shift of a weight; all shifts up to it are equally likely. Lower it to fine-tune
        /// a good champion.
        live weight_step: f64 = 0.5, in 0.0..=1000.0;
        /// Bound on the absolute value of a shifted weight.
        live weight_bound: f64 = 8.0, in 0.0..=1000000.0;
        /// Probability that an edge of an offspring is split with a new node. Raise it if networks
        /// stay too small for the game.
        live add_node: f64 = 0.03, in 0.0..=1.0, "of offspring";
        /// Probability that an offspring gets a new edge. The publication has 0.3 for large
        /// populations.
        live add_edge: f64 = 0.05, in 0.0..=1.0, "of offspring";
        /// Probability that a hidden node of an offspring gets another of the allowed functions.
        live change_function: f64 = 0.0, in 0.0..=1.0, "of offspring";
        /// Probability that a hidden node of an offspring gets another of the allowed aggregations.
        live change_aggregation: f64 = 0.0, in 0.0..=1.0, "of offspring";
        /// Probability that an edge of an offspring is disabled if it is so in one of its two
        /// parents.
        live stay_disabled: f64 = 0.75, in 0.0..=1.0, "of edges";
        /// Share of crossovers in which edges of both parents get the mean of their weights,
        /// instead of one of them (Stanley & Miikkulainen 2004: 0.4).
        live mean_weights: f64 = 0.0, in 0.0..=1.0, "of crossovers";
        /// What an excess gene counts in the distance between two genomes: a gene younger than all
        /// of the other genome.
        live excess_weight: f64 = 1.0, in 0.0..=1000.0;
        /// What a disjoint gene counts: one that the other genome lacks, and that is not excess.
        live disjoint_weight: f64 = 1.0, in 0.0..=1000.0;
        /// What the mean difference of the weights of the shared genes counts.
        live difference_weight: f64 = 0.4, in 0.0..=1000.0;
    }
}

/// The genome. Nodes are the inputs from 0 on, the bias node, the outputs, and hidden nodes with
/// higher numbers.
///
/// Invariants: hidden nodes and edges are sorted by their numbers, which are unique; an edge leads
/// from an input, the bias or a hidden node to a hidden node or an output; no two edges connect the
/// same nodes; edges, disabled ones included, make no cycle; all numbers are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neat {
    inputs: u32,
    outputs: u32,
    hidden: Vec<NodeGene>,
    edges: Vec<EdgeGene>,
}

/// A hidden node: its number, the number of the edge that it splits, its aggregation, and its
/// function.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct NodeGene(u32, u32, Aggregation, NodeFunction);

/// A connection gene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    from = "(u32, u32, u32, f32, bool)",
    into = "(u32, u32, u32, f32, bool)"
)]
struct EdgeGene {
    /// The innovation number.
    number: u32,
    from: u32,
    to: u32,
    weight: f32,
    is_enabled: bool,
}

impl From<(u32, u32, u32, f32, bool)> for EdgeGene {
    fn from((number, from, to, weight, is_enabled): (u32, u32, u32, f32, bool)) -> Self {
        Self {
            number,
            from,
            to,
            weight,
            is_enabled,
        }
    }
}

impl From<EdgeGene> for (u32, u32, u32, f32, bool) {
    fn from(edge: EdgeGene) -> Self {
        (
            edge.number,
            edge.from,
            edge.to,
            edge.weight,
            edge.is_enabled,
        )
    }
}

impl Neat {
    /// The number of the bias node.
    fn bias(&self) -> u32 {
        self.inputs
    }

    /// The number of the first output.
    fn first_output(&self) -> u32 {
        self.inputs + 1
    }

    /// The lowest number that a hidden node can have.
    fn first_hidden(&self) -> u32 {
        self.first_output() + self.outputs
    }

    fn is_joined(&self, from: u32, to: u32) -> bool {
        let mut edges = self.edges.iter();
        edges.any(|edge| (edge.from, edge.to) == (from, to))
    }

    /// Whether edges, disabled ones included, lead from one node to another. Each node leads to
    /// itself.
    fn leads_to(&self, from: u32, to: u32) -> bool {
        let mut open = vec![from];
        let mut seen = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            for edge in self.edges.iter().filter(|edge| edge.from == node) {
                if !seen.contains(&edge.to) {
                    seen.push(edge.to);
                    open.push(edge.to);
                }
            }
        }
        false
    }

    /// The place of a hidden node among the hidden nodes.
    fn place_of_hidden(&self, node: u32) -> Option<usize> {
        if node < self.first_hidden() {
            return None;
        }
        let place = self.hidden.binary_search_by_key(&node, |hidden| hidden.0);
        place.ok()
    }

    /// What is wrong with the nodes and edges, if anything.
    fn structure_error(&self) -> Option<&'static str> {
        let rises = |numbers: &mut dyn Iterator<Item = u32>| numbers.is_sorted_by(|a, b| a < b);
        let is_known =
            |node: u32| node < self.first_hidden() || self.place_of_hidden(node).is_some();
        let is_directed = |edge: &EdgeGene| {
            let from = edge.from <= self.bias() || edge.from >= self.first_hidden();
            from && edge.to > self.bias() && is_known(edge.from) && is_known(edge.to)
        };
        let first_hidden = self.first_hidden();
        let mut pairs: Vec<(u32, u32)> =
            self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        if self
            .hidden
            .first()
            .is_some_and(|node| node.0 < first_hidden)
            || !rises(&mut self.hidden.iter().map(|node| node.0))
            || !rises(&mut self.edges.iter().map(|edge| edge.number))
        {
            Some("its genes are not sorted by their numbers")
        } else if !self.edges.iter().all(is_directed) || pairs.len() < self.edges.len() {
            Some(
                "an edge has an unknown node, leads to an input or from an output, or is a \
                duplicate",
            )
        } else if !self.edges.iter().all(|edge| edge.weight.is_finite()) {
            Some("a weight is not a finite number")
        } else if NetworkShape::of(self).is_none() {
            Some("its edges make a cycle")
        } else {
            None
        }
    }
}

impl Genome for Neat {
    type Config = NeatConfig;

    /// Connects every input and the bias to every output, with random weights.
    fn random(config: &NeatConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let (inputs, outputs) = (io_spec.inputs.count as u32, io_spec.outputs as u32);
        let pairs =
            (0..=inputs).flat_map(|from| (0..outputs).map(move |to| (from, inputs + 1 + to)));
        let edge = |(number, (from, to)): (u32, (u32, u32))| EdgeGene {
            number,
            from,
            to,
            weight: variation::random_weight(config, rng),
            is_enabled: true,
        };
        Self {
            inputs,
            outputs,
            hidden: Vec::new(),
            edges: (0..).zip(pairs).map(edge).collect(),
        }
    }

    /// As if the parents were equally fit.
    fn crossover(&self, other: &Self, config: &NeatConfig, rng: &mut Stream) -> Self {
        self.crossover_ranked(other, Relative::Equal, config, rng)
    }

    /// Genes of both parents come from either. The others come from the fitter parent, or if they
    /// are equally fit, each is inherited with probability 1/2.
    fn crossover_ranked(
        &self,
        other: &Self,
        rank: Relative,
        config: &NeatConfig,
        rng: &mut Stream,
    ) -> Self {
        crossover::crossover([self, other], rank, config, rng)
    }

    fn mutate(&mut self, config: &NeatConfig, rng: &mut Stream) {
        variation::mutate(self, config, rng);
    }

    fn grow(&self, config: &NeatConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        with_projection(network::compiled(self, config).0, io_spec)
    }

    /// Edges from the bias are not counted, like the biases of other networks.
    fn topology(&self) -> Topology {
        let shape = NetworkShape::of(self).unwrap_or_default();
        let mut layers = vec![0; shape.top_layer + 1];
        layers[0] = self.inputs as usize;
        layers[shape.top_layer] = self.outputs as usize;
        for &(layer, _) in &shape.hidden {
            layers[layer] += 1;
        }
        let enabled = self.edges.iter().filter(|edge| edge.is_enabled);
        Topology {
            layers,
            edges: enabled.filter(|edge| edge.from != self.bias()).count(),
        }
    }

    fn network_graph(&self, config: &NeatConfig) -> NetworkGraph {
        network::network_graph(self, config)
    }

    fn capabilities(config: &NeatConfig) -> Capabilities<'_> {
        Capabilities {
            markings: Some(config),
            distance: Some(config),
            operations: Some(config),
            activations: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        if let Some(error) = io_spec.size_error([self.inputs, self.outputs]) {
            return Some(error);
        }
        self.structure_error().map(ToOwned::to_owned)
    }

    fn problems(config: &NeatConfig) -> Vec<ParamError> {
        let lists = [
            ("functions", config.functions.is_empty()),
            ("aggregations", config.aggregations.is_empty()),
        ];
        let empty = lists.into_iter().filter(|&(_, is_empty)| is_empty);
        let problem = |(name, _)| ParamError::new(name, "must name at least one");
        empty.map(problem).collect()
    }
}

impl GenomeParams for NeatConfig {
    type Genome = Neat;
}

impl Markings<Neat> for NeatConfig {
    fn number_new_genes(&self, genome: &mut Neat, innovations: &mut GenerationInnovations<'_>) {
        numbering::number_new_genes(genome, innovations);
    }
}

/// δ = (excess · E + disjoint · D) / N + difference · W̄ (their equation 1), where N is the number
/// of genes of the larger genome, or 1 if both have fewer than 20.
impl Distance<Neat> for NeatConfig {
    fn distance(&self, one: &Neat, other: &Neat) -> f64 {
        crossover::distance([one, other], self)
    }
}

impl Operations<Neat> for NeatConfig {
    fn ops(&self, genome: &Neat, io_spec: &IoSpec) -> Option<OpGraph> {
        Some(network::compiled(genome, self).0.ops(io_spec))
    }
}

impl Activations<Neat> for NeatConfig {
    fn activations(&self, genome: &Neat, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let inputs = io_spec.inputs.project(raw_inputs.to_vec());
        network::compiled(genome, self).0.values(&inputs)
    }
}
