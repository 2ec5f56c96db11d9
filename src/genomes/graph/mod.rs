//! A feed-forward network in layers whose nodes and edges evolve (Kissling 2025, §3.1.2): edges join any lower with any
//! higher layer, every node but the inputs has a bias, and the first networks have no hidden node.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::activation::Activation;
use super::sketch::{Link, Node, Sketch};
use super::sum::summing;
use super::{Brain, Genome, Ports, Topology};

mod net;
mod vary;

params! {
    /// How growing networks begin and mutate. The weights of the mutations are relative to one another.
    pub struct GraphConfig {
        /// What hidden nodes do to the sum of their inputs; outputs are linear.
        fixed activation: Activation = Activation::Elu;
        /// Fewest mutations a child gets.
        live min_mutations: u32 = 0, in 0.0..=100.0, "per child";
        /// Most mutations a child gets; each number between is equally likely.
        live max_mutations: u32 = 1, in 0.0..=100.0, "per child";
        /// Bound on what a shift can make of a weight or bias, or None for no bound.
        live clamp: Option<f64> = Some(1.0), in 0.0..=1000000.0;
        /// How often a mutation gives an edge a fresh random weight. Raise it when evolution is stuck in a local minimum.
        live change_weight: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation gives a node a fresh random bias.
        live change_bias: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation moves a weight a little. Raise it to polish a champion that is nearly right.
        live shift_weight: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation moves a bias a little.
        live shift_bias: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation joins two nodes of different layers. Raise it when the objective and the size are both flat; lower it when networks grow and the objective does not.
        live add_edge: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation splits an edge with a new node. Raise it when the objective and the size are both flat; lower it when networks grow and the objective does not.
        live add_node: f64 = 1.0, in 0.0..=1000.0, "weight";
        /// How often a mutation removes an edge that no output depends on alone. The thesis names it and leaves it out; it keeps networks small.
        live remove_edge: f64 = 0.0, in 0.0..=1000.0, "weight";
        /// How often a mutation removes a hidden node that no output depends on alone.
        live remove_node: f64 = 0.0, in 0.0..=1000.0, "weight";
    }
}

/// The genome. Nodes are numbered inputs first, then outputs, then hidden ones by age.
///
/// Invariants: inputs are in layer 0, outputs in the highest layer, hidden nodes between, no layer is empty; an edge leads
/// from a lower to a higher layer, and no two edges join the same nodes; all numbers are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    inputs: u32,
    outputs: u32,
    /// The layer of each node.
    layers: Vec<u16>,
    /// The bias of each node but the inputs.
    biases: Vec<f32>,
    edges: Vec<Edge>,
}

/// A weighted connection: from node, to node, weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Edge(u32, u32, f32);

/// A fresh weight or bias, uniform in −1..1.
fn fresh(rng: &mut Stream) -> f32 {
    rng.random_range(-1.0..1.0)
}

impl Graph {
    /// The layer of the outputs.
    fn top(&self) -> u16 {
        self.layers[self.inputs as usize]
    }

    /// The first node that is neither input nor output.
    fn first_hidden(&self) -> u32 {
        self.inputs + self.outputs
    }

    fn sound_numbers(&self) -> bool {
        let weights = self.edges.iter().map(|edge| edge.2);
        weights
            .chain(self.biases.iter().copied())
            .all(f32::is_finite)
    }

    fn sound_layers(&self) -> bool {
        let (inputs, hidden) = (self.inputs as usize, self.first_hidden() as usize);
        if self.layers.len() < hidden
            || self.outputs == 0
            || self.biases.len() != self.layers.len() - inputs
        {
            return false;
        }
        let top = self.top();
        let ends = self.layers[..inputs].iter().all(|&layer| layer == 0)
            && self.layers[inputs..hidden]
                .iter()
                .all(|&layer| layer == top);
        let mut filled = vec![false; top as usize + 1];
        filled[0] = true;
        filled[top as usize] = true;
        let between = self.layers[hidden..].iter().all(|&layer| {
            let inside = 0 < layer && layer < top;
            if inside {
                filled[layer as usize] = true;
            }
            inside
        });
        top > 0 && ends && between && filled.iter().all(|&layer| layer)
    }

    fn sound_edges(&self) -> bool {
        let layer = |node: u32| self.layers.get(node as usize);
        let upward = |edge: &Edge| {
            layer(edge.0)
                .zip(layer(edge.1))
                .is_some_and(|(from, to)| from < to)
        };
        let mut pairs: Vec<(u32, u32)> = self.edges.iter().map(|edge| (edge.0, edge.1)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len() == self.edges.len() && self.edges.iter().all(upward)
    }
}

impl Genome for Graph {
    type Config = GraphConfig;

    /// Every input joined to every output, with random weights and biases.
    fn random(_config: &GraphConfig, ports: &Ports, rng: &mut Stream) -> Self {
        let (inputs, outputs) = (ports.inputs as u32, ports.outputs as u32);
        let pairs = (0..inputs).flat_map(|from| (0..outputs).map(move |to| (from, inputs + to)));
        Self {
            inputs,
            outputs,
            layers: (0..inputs + outputs)
                .map(|node| u16::from(node >= inputs))
                .collect(),
            biases: (0..outputs).map(|_| fresh(rng)).collect(),
            edges: pairs.map(|(from, to)| Edge(from, to, fresh(rng))).collect(),
        }
    }

    /// The child has its first parent's nodes and edges.
    fn cross(&self, other: &Self, _config: &GraphConfig, rng: &mut Stream) -> Self {
        vary::crossed(self, other, rng)
    }

    fn mutate(&mut self, config: &GraphConfig, rng: &mut Stream) {
        let most = config.max_mutations.max(config.min_mutations);
        for _ in 0..rng.random_range(config.min_mutations..=most) {
            vary::mutate_once(self, config, rng);
        }
    }

    fn grow(&self, config: &GraphConfig, ports: &Ports) -> Box<dyn Brain> {
        summing(net::Net::new(self, config.activation), ports)
    }

    fn activity(&self, config: &GraphConfig, ports: &Ports, numbers: &[f32]) -> Vec<f32> {
        let mut inputs = numbers.to_vec();
        if let Some(features) = &ports.features {
            inputs = vec![0.0; ports.inputs];
            features.add_up(numbers, None, &mut inputs);
        }
        net::values(self, config.activation, inputs)
    }

    fn topology(&self) -> Topology {
        let mut layers = vec![0; self.top() as usize + 1];
        for &layer in &self.layers {
            layers[layer as usize] += 1;
        }
        Topology {
            layers,
            edges: self.edges.len(),
        }
    }

    fn sketch(&self, _config: &Self::Config) -> Sketch {
        let mut filled = vec![0; self.top() as usize + 1];
        let mut node = |index: usize| {
            let layer = self.layers[index] as usize;
            filled[layer] += 1;
            Node {
                layer,
                place: filled[layer] - 1,
                bias: index
                    .checked_sub(self.inputs as usize)
                    .map_or(0.0, |index| self.biases[index]),
            }
        };
        let link = |edge: &Edge| Link {
            from: edge.0 as usize,
            to: edge.1 as usize,
            weight: edge.2,
        };
        Sketch {
            nodes: (0..self.layers.len()).map(&mut node).collect(),
            links: self.edges.iter().map(link).collect(),
        }
    }

    fn fault(&self, ports: &Ports) -> Option<String> {
        let (inputs, outputs) = (self.inputs as usize, self.outputs as usize);
        if (inputs, outputs) != (ports.inputs, ports.outputs) {
            return Some(format!(
                "the network has {inputs} inputs and {outputs} outputs, {} and {} are needed",
                ports.inputs, ports.outputs
            ));
        }
        let checks = [
            (self.sound_layers(), "its layers do not fit together"),
            (
                self.sound_layers() && self.sound_edges(),
                "an edge leads nowhere, downward, or doubles another",
            ),
            (
                self.sound_numbers(),
                "a weight or bias is not a finite number",
            ),
        ];
        checks
            .iter()
            .find(|(sound, _)| !sound)
            .map(|(_, what)| (*what).to_owned())
    }

    fn problems(config: &GraphConfig) -> Vec<Problem> {
        let (min, max) = (config.min_mutations, config.max_mutations);
        let message = format!("must not be above max_mutations ({max}), is {min}");
        if min > max {
            vec![Problem::new("min_mutations", message)]
        } else {
            Vec::new()
        }
    }
}
