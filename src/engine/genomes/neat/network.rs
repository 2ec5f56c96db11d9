//! The brain grown from a genome, and its nodes and edges for drawing.

use crate::genomes::network_graph::{NetworkEdge, NetworkGraph, NetworkNode};
use crate::genomes::sparse::SparseNetwork;
use crate::genomes::sparse::node_rule::{Aggregation, NodeFunction, NodeRule};

use super::shape::NetworkShape;
use super::{Neat, NeatConfig, NodeGene};

/// Where the nodes of a genome are in its compiled network: inputs, hidden nodes in the order of
/// evaluation, outputs.
struct NodeSlots<'a> {
    genome: &'a Neat,
    /// The slot of each hidden gene.
    hidden: Vec<u32>,
}

impl<'a> NodeSlots<'a> {
    fn new(genome: &'a Neat, shape: &NetworkShape) -> Self {
        let mut hidden = vec![0; genome.hidden.len()];
        for (slot, &(_, place)) in (genome.inputs..).zip(&shape.hidden) {
            hidden[place] = slot;
        }
        Self { genome, hidden }
    }

    /// The slot of a node; `None` for the bias.
    fn slot(&self, node: u32) -> Option<u32> {
        if let Some(place) = self.genome.place_of_hidden(node) {
            return Some(self.hidden[place]);
        }
        if node < self.genome.inputs {
            return Some(node);
        }
        let output = node.checked_sub(self.genome.first_output())?;
        Some(self.genome.inputs + self.hidden.len() as u32 + output)
    }

    /// The bias of each node except the inputs.
    fn biases(&self) -> Vec<f32> {
        let genome = self.genome;
        let mut biases = vec![0.0; self.hidden.len() + genome.outputs as usize];
        let enabled = genome.edges.iter().filter(|edge| edge.is_enabled);
        for edge in enabled.filter(|edge| edge.from == genome.bias()) {
            if let Some(slot) = self.slot(edge.to) {
                biases[(slot - genome.inputs) as usize] = edge.weight;
            }
        }
        biases
    }

    /// The enabled edges between two slots.
    fn edges(&self) -> Vec<(u32, u32, f32)> {
        let enabled = self.genome.edges.iter().filter(|edge| edge.is_enabled);
        let edges = enabled
            .filter_map(|edge| Some((self.slot(edge.from)?, self.slot(edge.to)?, edge.weight)));
        edges.collect()
    }
}

/// The compiled network, and its shape.
pub(super) fn compiled(genome: &Neat, config: &NeatConfig) -> (SparseNetwork, NetworkShape) {
    let shape = NetworkShape::of(genome).expect("a genome has no cycle");
    let slots = NodeSlots::new(genome, &shape);
    let hidden = shape.hidden.iter().map(|&(_, place)| {
        let NodeGene(_, _, aggregation, function) = genome.hidden[place];
        NodeRule {
            aggregation,
            function,
        }
    });
    let outputs = (0..genome.outputs).map(|_| NodeRule::sum(config.output));
    let nodes = slots.biases().into_iter().zip(hidden.chain(outputs));
    let nodes: Vec<(f32, NodeRule)> = nodes.collect();
    let ends = [genome.inputs as usize, genome.outputs as usize];
    let edges = slots.edges();
    let network = SparseNetwork::new(ends, &nodes, edges.iter().copied());
    (network, shape)
}

/// The nodes in the order of their slots, and the enabled edges.
pub(super) fn network_graph(genome: &Neat, config: &NeatConfig) -> NetworkGraph {
    let shape = NetworkShape::of(genome).expect("a genome has no cycle");
    let slots = NodeSlots::new(genome, &shape);
    let usual = config.functions.first().copied();
    let inputs = (0..genome.inputs).map(|_| (0, None));
    let hidden = shape.hidden.iter();
    let hidden = hidden.map(|&(layer, place)| (layer, word(genome.hidden[place], usual)));
    let outputs = (0..genome.outputs).map(|_| (shape.top_layer, None));
    let biases = (0..genome.inputs).map(|_| 0.0).chain(slots.biases());
    let nodes = inputs.chain(hidden).chain(outputs).zip(biases);
    let nodes = nodes.map(|((layer, kind), bias)| (layer, bias, kind));
    let edge = |(from, to, weight): (u32, u32, f32)| NetworkEdge {
        from: from as usize,
        to: to as usize,
        weight,
    };
    // Slots move when a layer gets a node; the numbers of the genes do not.
    let hidden = shape
        .hidden
        .iter()
        .map(|&(_, place)| genome.hidden[place].0);
    let outputs = genome.first_output()..genome.first_output() + genome.outputs;
    let numbers = (0..genome.inputs).chain(hidden).chain(outputs);
    let mut nodes = NetworkNode::placed(nodes);
    for (node, number) in nodes.iter_mut().zip(numbers) {
        node.number = number as usize;
    }
    NetworkGraph {
        nodes,
        edges: slots.edges().into_iter().map(edge).collect(),
    }
}

/// The word before the number of a node that is not a sum with the usual function.
fn word(
    NodeGene(_, _, aggregation, function): NodeGene,
    usual: Option<NodeFunction>,
) -> Option<&'static str> {
    match aggregation {
        Aggregation::Product => Some("prod"),
        Aggregation::Maximum => Some("max"),
        Aggregation::Minimum => Some("min"),
        Aggregation::Mean => Some("mean"),
        Aggregation::Sum if Some(function) == usual => None,
        Aggregation::Sum => Some(match function {
            NodeFunction::Elu => "elu",
            NodeFunction::Relu => "relu",
            NodeFunction::Tanh => "tanh",
            NodeFunction::Sigmoid | NodeFunction::SteepSigmoid => "sig",
            NodeFunction::Softplus | NodeFunction::PlainSoftplus => "plus",
            NodeFunction::Softsign => "sign",
            NodeFunction::Threshold => "step",
            NodeFunction::Linear => "lin",
            NodeFunction::Sine => "sin",
            NodeFunction::Cosine => "cos",
            NodeFunction::Absolute => "abs",
        }),
    }
}
