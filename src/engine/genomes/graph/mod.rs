//! A feed-forward network in layers whose nodes and edges evolve (Kissling 2025, §3.1.2). Edges
//! lead from any lower to any higher layer, every node except the inputs has a bias, and initial
//! networks have no hidden nodes.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::activation::Activation;
use super::capabilities::{Activations, Capabilities, Distance, Operations};
use super::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use super::op_graph::OpGraph;
use super::projected::with_projection;
use super::weighted;
use super::{Brain, Genome, GenomeParams, IoSpec, Topology};

use self::node_kind::NodeKind;

mod network;
mod node_kind;
mod variation;

params! {
    /// Initialization and mutation of growing networks. The weights of the mutations are relative
    /// to each other.
    pub struct GraphConfig {
        /// Activation function of hidden nodes; outputs are linear.
        fixed activation: Activation = Activation::Elu;
        /// Fewest mutations per offspring.
        live min_mutations: u32 = 0, in 0.0..=100.0, "per offspring";
        /// Most mutations per offspring. All numbers from the minimum to the maximum are equally
        /// likely.
        live max_mutations: u32 = 1, in 0.0..=100.0, "per offspring";
        /// Bound on the absolute value of a shifted weight or bias, or None for no bound.
        live clamp: Option<f64> = Some(1.0), in 0.0..=1000000.0;
        /// How often a mutation gives an edge a new random weight. Raise it to escape a local
        /// optimum.
        live change_weight: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation gives a node a new random bias.
        live change_bias: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation shifts a weight a little. Raise it to fine-tune a good champion.
        live shift_weight: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation shifts a bias a little.
        live shift_bias: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// Whether mutations change the biases of outputs, as in the thesis's text. Those of its
        /// program never change: a mutation that draws a bias draws one of a hidden node.
        live output_biases: bool = true;
        /// How often a mutation connects two nodes of different layers. Raise it if neither the
        /// objective nor the network size improves; lower it if only the size grows.
        live add_edge: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation splits an edge with a new node. Raise it if neither the objective
        /// nor the network size improves; lower it if only the size grows.
        live add_node: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation removes an edge, unless an output would lose its last connection to
        /// the inputs. The thesis mentions this mutation but does not use it; it keeps networks
        /// small.
        live remove_edge: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation removes a hidden node, unless an output would lose its last
        /// connection to the inputs.
        live remove_node: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation gives a hidden node a new kind, drawn as for a new node. Raise it
        /// if nodes of several kinds are allowed.
        live change_kind: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a new node is a plain one: the activation function of its weighted sum.
        /// Relative to the other kinds of nodes below, as they are.
        live plain_nodes: f64 = 1.0, in 0.0..=1000.0;
        /// How often a new node multiplies its weighted inputs.
        live product_nodes: f64 = 0.0, in 0.0..=1000.0;
        /// How often a new node takes the sine of its weighted sum.
        live sine_nodes: f64 = 0.0, in 0.0..=1000.0;
        /// How often a new node takes the cosine of its weighted sum.
        live cosine_nodes: f64 = 0.0, in 0.0..=1000.0;
        /// How often a new node tells only whether its weighted sum is below 0.
        live step_nodes: f64 = 0.0, in 0.0..=1000.0;
        /// How often a new node takes the absolute value of its weighted sum.
        live absolute_nodes: f64 = 0.0, in 0.0..=1000.0;
    }
}

/// The genome. Nodes are numbered: inputs first, then outputs, then hidden nodes by age.
///
/// Invariants: inputs are in layer 0, outputs in the highest layer, hidden nodes between; no layer
/// is empty; an edge leads from a lower to a higher layer, and no two edges connect the same nodes;
/// all numbers are finite; either all hidden nodes have a kind or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    inputs: u32,
    outputs: u32,
    /// The layer of each node.
    layers: Vec<u16>,
    /// The bias of each node except the inputs.
    biases: Vec<f32>,
    edges: Vec<Edge>,
    /// The kind of each hidden node; empty if all are plain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<NodeKind>,
}

/// A connection gene: source node, target node, weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Edge(u32, u32, f32);

/// A random weight or bias, uniform in −1..1.
fn random_weight(rng: &mut Stream) -> f32 {
    rng.random_range(-1.0..1.0)
}

impl Graph {
    /// The layer of the outputs.
    fn top_layer(&self) -> u16 {
        self.layers[self.inputs as usize]
    }

    /// The first hidden node.
    fn first_hidden(&self) -> u32 {
        self.inputs + self.outputs
    }

    /// The kind of a node; inputs and outputs are plain.
    fn kind(&self, node: usize) -> NodeKind {
        let hidden = node.checked_sub(self.first_hidden() as usize);
        let kind = hidden.and_then(|hidden| self.kinds.get(hidden));
        kind.copied().unwrap_or_default()
    }

    /// Gives a hidden node a kind.
    fn set_kind(&mut self, node: usize, kind: NodeKind) {
        let first = self.first_hidden() as usize;
        if self.kinds.is_empty() && kind != NodeKind::Plain {
            self.kinds = vec![NodeKind::Plain; self.layers.len() - first];
        }
        if let Some(known) = self.kinds.get_mut(node - first) {
            *known = kind;
        }
    }

    fn has_kinds_for_all(&self) -> bool {
        self.kinds.is_empty()
            || self.kinds.len() == self.layers.len() - self.first_hidden() as usize
    }

    fn has_finite_numbers(&self) -> bool {
        let weights = self.edges.iter().map(|edge| edge.2);
        weights
            .chain(self.biases.iter().copied())
            .all(f32::is_finite)
    }

    fn has_valid_layers(&self) -> bool {
        let (inputs, hidden) = (self.inputs as usize, self.first_hidden() as usize);
        if self.layers.len() < hidden
            || self.outputs == 0
            || self.biases.len() != self.layers.len() - inputs
        {
            return false;
        }
        let top_layer = self.top_layer();
        let ends = self.layers[..inputs].iter().all(|&layer| layer == 0)
            && self.layers[inputs..hidden]
                .iter()
                .all(|&layer| layer == top_layer);
        let mut filled = vec![false; top_layer as usize + 1];
        filled[0] = true;
        filled[top_layer as usize] = true;
        let between = self.layers[hidden..].iter().all(|&layer| {
            let inside = 0 < layer && layer < top_layer;
            if inside {
                filled[layer as usize] = true;
            }
            inside
        });
        top_layer > 0 && ends && between && filled.iter().all(|&layer| layer)
    }

    fn has_valid_edges(&self) -> bool {
        let layer = |node: u32| self.layers.get(node as usize);
        let is_upward = |edge: &Edge| {
            layer(edge.0)
                .zip(layer(edge.1))
                .is_some_and(|(from, to)| from < to)
        };
        let mut pairs: Vec<(u32, u32)> = self.edges.iter().map(|edge| (edge.0, edge.1)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len() == self.edges.len() && self.edges.iter().all(is_upward)
    }
}

impl Genome for Graph {
    type Config = GraphConfig;

    /// Connects every input to every output, with random weights and biases.
    fn random(_config: &GraphConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let (inputs, outputs) = (io_spec.inputs.count as u32, io_spec.outputs as u32);
        let pairs = (0..inputs).flat_map(|from| (0..outputs).map(move |to| (from, inputs + to)));
        Self {
            inputs,
            outputs,
            layers: (0..inputs + outputs)
                .map(|node| u16::from(node >= inputs))
                .collect(),
            biases: (0..outputs).map(|_| random_weight(rng)).collect(),
            edges: pairs
                .map(|(from, to)| Edge(from, to, random_weight(rng)))
                .collect(),
            kinds: Vec::new(),
        }
    }

    /// The offspring has the nodes and edges of `self`.
    fn crossover(&self, other: &Self, _config: &GraphConfig, rng: &mut Stream) -> Self {
        variation::crossover(self, other, rng)
    }

    fn mutate(&mut self, config: &GraphConfig, rng: &mut Stream) {
        let limits = [config.min_mutations, config.max_mutations];
        for _ in 0..weighted::count(limits, rng) {
            variation::mutate_once(self, config, rng);
        }
    }

    fn grow(&self, config: &GraphConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        with_projection(network::compiled(self, config.activation).0, io_spec)
    }

    fn topology(&self) -> Topology {
        let mut layers = vec![0; self.top_layer() as usize + 1];
        for &layer in &self.layers {
            layers[layer as usize] += 1;
        }
        Topology {
            layers,
            edges: self.edges.len(),
        }
    }

    fn network_graph(&self, _config: &Self::Config) -> NetworkGraph {
        let node = |index: usize| {
            let above = index.checked_sub(self.inputs as usize);
            let bias = above.map_or(0.0, |above| self.biases[above]);
            (self.layers[index].into(), bias, self.kind(index).word())
        };
        let edge = |edge: &Edge| NetworkEdge {
            from: edge.0 as usize,
            to: edge.1 as usize,
            weight: edge.2,
        };
        NetworkGraph {
            nodes: NetworkNode::placed((0..self.layers.len()).map(node)),
            edges: self.edges.iter().map(edge).collect(),
        }
    }

    fn capabilities(config: &GraphConfig) -> Capabilities<'_> {
        Capabilities {
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
        let checks = [
            (self.has_valid_layers(), "its layers are inconsistent"),
            (
                self.has_valid_layers() && self.has_valid_edges(),
                "an edge has an unknown node, does not lead to a higher layer, or is a duplicate",
            ),
            (
                self.has_valid_layers() && self.has_kinds_for_all(),
                "it has not as many kinds as hidden nodes",
            ),
            (
                self.has_finite_numbers(),
                "a weight or bias is not a finite number",
            ),
        ];
        checks
            .iter()
            .find(|(is_valid, _)| !is_valid)
            .map(|(_, what)| (*what).to_owned())
    }

    fn problems(config: &GraphConfig) -> Vec<ParamError> {
        let limits = [config.min_mutations, config.max_mutations];
        weighted::count_problem(limits).into_iter().collect()
    }
}

impl GenomeParams for GraphConfig {
    type Genome = Graph;
}

/// By how many edges only one of them has, and the mean difference of the weights and biases of
/// both. Nodes are the same if they have the same number, which is only a guess for networks that
/// are not related.
impl Distance<Graph> for GraphConfig {
    fn distance(&self, one: &Graph, other: &Graph) -> f64 {
        variation::distance([one, other])
    }
}

impl Operations<Graph> for GraphConfig {
    fn ops(&self, genome: &Graph, io_spec: &IoSpec) -> Option<OpGraph> {
        Some(network::compiled(genome, self.activation).0.ops(io_spec))
    }
}

impl Activations<Graph> for GraphConfig {
    fn activations(&self, genome: &Graph, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let inputs = io_spec.inputs.project(raw_inputs.to_vec());
        network::values(genome, self.activation, &inputs)
    }
}
