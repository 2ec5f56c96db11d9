//! A dense network as operations, layer by layer.

use std::borrow::Cow;

use crate::genomes::IoSpec;
use crate::genomes::op_graph::{Binary, Op, OpGraph, ValueColumn, ValueId};

use super::dense::{DenseNetwork, SUM_LIMIT};
use super::{LayerFunctions, Mlp, MlpConfig};

/// The operations from raw inputs to outputs.
pub(in crate::genomes) fn ops(
    genome: &Mlp,
    layer_functions: LayerFunctions,
    io_spec: &IoSpec,
) -> OpGraph {
    let network = DenseNetwork::new(genome, layer_functions, io_spec);
    let mut graph = OpGraph::new(io_spec.inputs.raw_count());
    let input = graph.input();
    graph.output = network.add_ops(&mut graph, input);
    graph
}

impl Mlp {
    /// The network that is grown: with weights shared over symmetries, one with a copy for each of
    /// them.
    pub(super) fn seen(&self, config: &MlpConfig, io_spec: &IoSpec) -> Cow<'_, Self> {
        if config.symmetric {
            Cow::Owned(self.unfolded(io_spec))
        } else {
            Cow::Borrowed(self)
        }
    }

    /// Adds the operations from these raw inputs to the outputs.
    pub(in crate::genomes) fn add_ops(
        &self,
        config: &MlpConfig,
        io_spec: &IoSpec,
        graph: &mut OpGraph,
        inputs: ValueId,
    ) -> ValueId {
        let network = self.seen(config, io_spec);
        DenseNetwork::new(&network, config.layer_functions(), io_spec).add_ops(graph, inputs)
    }
}

impl DenseNetwork {
    /// Adds the operations from these raw inputs to the outputs.
    fn add_ops(&self, graph: &mut OpGraph, inputs: ValueId) -> ValueId {
        let LayerFunctions {
            hidden, outputs, ..
        } = self.layer_functions;
        let mut value = self.first_sums(graph, inputs);
        for (number, layer) in self.later.iter().enumerate() {
            if number > 0 {
                value = graph.clamp(value, -SUM_LIMIT, SUM_LIMIT);
            }
            value = graph.activation(hidden, value);
            let nodes = 0..layer.biases.len();
            let weights = |below: usize| {
                let weights = nodes
                    .clone()
                    .map(|node| layer.weights[node * layer.below + below]);
                (ValueColumn(value, below as u32), weights.collect())
            };
            let terms = (0..layer.below).map(weights).collect();
            value = graph.ordered_sums(layer.biases.clone(), terms);
        }
        if !self.bypass.is_empty() {
            let sum = graph.push(Op::ExactSums {
                of: inputs,
                starts: vec![0.0],
                weights: self.bypass.clone(),
            });
            value = graph.pair(Binary::Add, value, sum);
        }
        graph.activation(outputs, value)
    }

    /// The sums of the first layer.
    fn first_sums(&self, graph: &mut OpGraph, inputs: ValueId) -> ValueId {
        let first = &self.first_layer;
        let above = self.later.first();
        let nodes = 0..above.map_or(self.outputs, |layer| layer.below);
        let of_input = |input| nodes.clone().map(move |node| first.weight(input, node));
        graph.push(Op::ExactSums {
            of: inputs,
            starts: nodes.clone().map(|node| first.bias(node)).collect(),
            weights: (0..first.raw_inputs).flat_map(of_input).collect(),
        })
    }
}
