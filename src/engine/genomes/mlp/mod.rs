//! A multilayer perceptron: a dense feed-forward network with layers of fixed size, in which each
//! node is connected to all nodes of the layer below. Evolution changes only weights and biases
//! (Porter & LeGrand, "Evaluating Approaches to Evolving Neural Reversi Players", "Vanilla
//! Configuration" and "Variations on Vanilla"; the defaults are their vanilla configuration).

use serde::{Deserialize, Serialize};

use crate::params::{ParamError, choices, params};
use crate::projection::InputProjection;
use crate::rng::Stream;

use super::activation::Activation;
use super::capabilities::{
    Activations, Capabilities, Distance, FirstLayerWeights, Gradients, Numbers, Operations,
    Training,
};
use super::distance;
use super::network_graph::NetworkGraph;
use super::op_graph::OpGraph;
use super::replay::ReplayBuffer;
use super::sensitivity::GradientSum;
use super::training_set::TrainingSet;
use super::{Brain, FirstLayerNode, Genome, GenomeParams, IoSpec, Topology};

use self::noise::{Noise, Sampler};
use self::variation::clamp_gene;

pub(super) use self::base_row::BaseRows;
pub(super) use self::graph_view::{first_layer_nodes, network_graph};
pub(super) use self::ops::ops;
pub(super) use self::sensitivity::{NetworkUse, shared_sensitivities};
pub(super) use self::signs::RecentSigns;

mod backprop;
mod base_row;
mod dense;
mod first_layer;
mod graph_view;
pub mod noise;
mod ops;
mod row_by_row;
mod sensitivity;
mod signs;
mod symmetric;
mod transpose;
mod variation;
mod wide_layer;

choices! {
    /// How the genes of two parents are combined.
    pub enum MlpCrossover {
        /// Each gene comes from either parent with equal probability.
        Uniform = "uniform",
        /// One node is drawn; its weights and bias are swapped where they are dominant in the
        /// fitter parent.
        DominantNode = "dominant_node",
        /// One section of the genes is swapped; both of its ends are drawn (Porter & LeGrand,
        /// "Future Work": sections of genes rather than individual genes).
        Section = "section",
    }
}

params! {
    /// Shape, initialization and variation of dense networks.
    pub struct MlpConfig {
        /// Nodes in each hidden layer, from the inputs up; [] connects the inputs directly to the
        /// outputs.
        fixed hidden: Vec<u16> = vec![8], in 1.0..=1024.0, "nodes";
        /// Activation function of hidden nodes.
        fixed activation: Activation = Activation::Softplus;
        /// Activation function of outputs.
        fixed outputs: Activation = Activation::Linear;
        /// Whether each output also receives the sum of all inputs, with weight 1: the piece
        /// difference of Chellapilla & Fogel (1999).
        fixed bypass: bool = false;
        /// Whether each node has a bias, as in the publication: its single neuron with 64 inputs
        /// has 65 weights.
        fixed biases: bool = true;
        /// Whether each node of the first layer looks at the board from all sides with the same
        /// weights, so that symmetric positions have the same value.
        fixed symmetric: bool = false;
        /// Distribution of initial weights and biases.
        fixed init: Noise = Noise::Normal;
        /// Standard deviation of initial weights and biases, or scale of the Cauchy distribution.
        fixed init_sigma: f64 = 1.0, in 0.0..=1000.0;
        /// Initial weight of each input for every node of the first layer, to which random numbers
        /// are added; [] for none. Initial weights of higher layers are then positive, so that
        /// outputs increase with the weighted sum of the inputs. Make `init_sigma` small compared
        /// to these weights.
        fixed first_weights: Vec<f64> = Vec::new(), in -1000000.0..=1000000.0;
        /// How the genes of two parents are combined.
        live crossover: MlpCrossover = MlpCrossover::Uniform;
        /// For dominant-node crossover, the absolute value above which a weight or bias of the
        /// fitter parent is dominant.
        live dominance: f64 = 0.75, in 0.0..=1000.0;
        /// Distribution of the random numbers that mutation adds to weights and biases.
        live noise: Noise = Noise::Normal;
        /// Step size of mutation: the standard deviation, or the scale of the Cauchy distribution.
        /// Lower it to fine-tune a good champion.
        live sigma: f64 = 1.0, in 0.0..=1000.0;
        /// Whether each weight and bias has its own sigma, which is inherited and mutated with it:
        /// multiplied by e to the power of a normal number with standard deviation 1 / √(2√K), for
        /// K genes (Schwefel 1995; Chellapilla & Fogel 1999). `sigma` is then the initial value.
        fixed self_adaptive: bool = false;
        /// Whether the value of special pieces, such as kings, is a gene. It starts at the game's
        /// default, and mutation changes it by −0.1, 0 or +0.1, within 1 to 3 (Chellapilla & Fogel
        /// 1999).
        fixed piece_value_gene: bool = false;
        /// Share of an offspring's weights and biases that mutation changes.
        live mutation_rate: f64 = 1.0, in 0.0..=1.0, "share";
        /// Bound on the absolute value of weights and biases that mutation changes; `None` for no
        /// bound.
        live clamp: Option<f64> = None, in 0.0..=1000000.0;
        /// Share of an offspring's weights and biases that are replaced by random ones, uniform
        /// within ±√3. Raise it to escape a local optimum.
        live reset_rate: f64 = 0.0, in 0.0..=1.0, "share";
        /// Probability that two random weights or biases of an offspring trade places (Porter &
        /// LeGrand, "Future Work").
        live swap_rate: f64 = 0.0, in 0.0..=1.0, "chance";
    }
}

/// Most hidden layers.
const MAX_HIDDEN_LAYERS: usize = 8;

/// Bound on weights and biases, which Cauchy numbers and long runs would exceed otherwise.
const GENE_LIMIT: f64 = 1e6;

/// Range of the piece value gene.
const PIECE_VALUE_RANGE: [f32; 2] = [1.0, 3.0];

/// Range of the sigma of a gene.
const SIGMA_RANGE: [f32; 2] = [1e-6, 1e3];

/// The genome.
///
/// Invariants: there are at least two layers and none is empty; there are as many genes as the
/// layers have weights and biases; all genes are within their bound. There are either no sigmas or
/// one per gene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mlp {
    /// Nodes in each layer, inputs first, outputs last.
    layers: Vec<u32>,
    biases: bool,
    /// Layer by layer from the first above the inputs, node by node: its bias, if there are biases,
    /// then a weight for each node of the layer below.
    genes: Vec<f32>,
    /// The mutation step size of each gene; empty if all genes share one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sigmas: Vec<f32>,
    /// The value of special pieces; `None` for the game's default. Files written before the rename
    /// call it `heavy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    piece_value: Option<f32>,
}

/// The activation functions of a network, and whether it has a bypass.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerFunctions {
    pub(super) hidden: Activation,
    pub(super) outputs: Activation,
    /// Whether the sum of all inputs is added to each output before its activation function.
    pub(super) bypass: bool,
}

/// Compiles a network. The brain takes features if the spec has a projection, else inputs.
pub(super) fn build_brain(
    genome: &Mlp,
    layer_functions: LayerFunctions,
    io_spec: &IoSpec,
) -> Box<dyn Brain> {
    Box::new(dense::DenseNetwork::new(genome, layer_functions, io_spec))
}

/// Why the layers of a network are invalid or do not fit the spec; `None` if they are valid.
pub(super) fn layer_error(layers: &[u32], io_spec: &IoSpec) -> Option<String> {
    if layers.len() < 2 || layers.contains(&0) {
        return Some("the network needs at least two layers, none of them empty".to_owned());
    }
    io_spec.size_error([layers[0], layers[layers.len() - 1]])
}

/// The problem of a list of hidden layers, if there is one.
pub(super) fn hidden_layer_error(hidden: &[u16]) -> Option<ParamError> {
    let layers = hidden.len();
    let message = format!("must list at most {MAX_HIDDEN_LAYERS} layers, lists {layers}");
    (layers > MAX_HIDDEN_LAYERS).then(|| ParamError::new("hidden", message))
}

impl MlpConfig {
    fn layer_functions(&self) -> LayerFunctions {
        LayerFunctions {
            hidden: self.activation,
            outputs: self.outputs,
            bypass: self.bypass,
        }
    }
}

impl Mlp {
    /// A network with biases, from its layers and genes.
    pub(super) fn with_biases(layers: Vec<u32>, genes: Vec<f32>) -> Self {
        Self {
            layers,
            biases: true,
            genes,
            sigmas: Vec::new(),
            piece_value: None,
        }
    }

    /// The number of genes per node of a layer.
    fn stride(&self, layer: usize) -> usize {
        self.layers[layer - 1] as usize + usize::from(self.biases)
    }

    /// The index of a layer's first gene. For one layer past the last, it is the number of genes.
    fn gene_offset(&self, layer: usize) -> usize {
        let genes = |layer: usize| self.stride(layer) * self.layers[layer] as usize;
        (1..layer).map(genes).sum()
    }

    /// The bias and the weights of each node of a layer above the inputs.
    fn nodes(&self, layer: usize) -> impl Iterator<Item = (f32, &[f32])> {
        let genes = &self.genes[self.gene_offset(layer)..self.gene_offset(layer + 1)];
        genes.chunks_exact(self.stride(layer)).map(|node| {
            let (bias, weights) = node.split_at(usize::from(self.biases));
            (bias.first().copied().unwrap_or(0.0), weights)
        })
    }

    fn has_same_shape(&self, other: &Self) -> bool {
        let shape = |network: &Self| {
            (
                network.biases,
                network.sigmas.len(),
                network.piece_value.is_some(),
            )
        };
        self.layers == other.layers && shape(self) == shape(other)
    }

    /// Whether the number of genes is right. Layer sizes from a file may overflow.
    fn has_valid_length(&self) -> bool {
        let genes = self.layers.windows(2).try_fold(0_usize, |sum, pair| {
            let stride = pair[0] as usize + usize::from(self.biases);
            sum.checked_add(stride.checked_mul(pair[1] as usize)?)
        });
        genes == Some(self.genes.len())
    }
}

impl Genome for Mlp {
    type Config = MlpConfig;

    fn random(config: &MlpConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let hidden = config.hidden.iter().map(|&nodes| u32::from(nodes));
        let ends = [io_spec.inputs.count as u32, io_spec.outputs as u32];
        let mut genome = Self {
            layers: [ends[0]]
                .into_iter()
                .chain(hidden)
                .chain([ends[1]])
                .collect(),
            biases: config.biases,
            genes: Vec::new(),
            sigmas: Vec::new(),
            piece_value: None,
        };
        let mut sampler = Sampler::new(config.init, config.init_sigma);
        let count = genome.gene_offset(genome.layers.len());
        genome.genes = (0..count).map(|_| clamp_gene(sampler.draw(rng))).collect();
        if !config.first_weights.is_empty() {
            genome.add_known_weights(&config.first_weights);
        }
        if config.self_adaptive {
            genome.sigmas = vec![config.sigma as f32; count];
        }
        if config.piece_value_gene {
            let projection = io_spec.inputs.projection.as_deref();
            genome.piece_value = projection.and_then(InputProjection::piece_value);
        }
        genome
    }

    /// If the shapes differ, which happens only between runs, the offspring is a copy of `self`.
    fn crossover(&self, other: &Self, config: &MlpConfig, rng: &mut Stream) -> Self {
        if !self.has_same_shape(other) {
            return self.clone();
        }
        match self.swap_genes(other, config, rng) {
            Some([offspring, _]) => offspring,
            None => self.uniform_crossover(other, rng),
        }
    }

    fn crossover_both(&self, other: &Self, config: &MlpConfig, rng: &mut Stream) -> [Self; 2] {
        let swapped = self
            .has_same_shape(other)
            .then(|| self.swap_genes(other, config, rng));
        swapped.flatten().unwrap_or_else(|| {
            let one = self.crossover(other, config, rng);
            [one, other.crossover(self, config, rng)]
        })
    }

    fn mutate(&mut self, config: &MlpConfig, rng: &mut Stream) {
        self.mutate_genes(config, &[], rng);
    }

    fn grow(&self, config: &MlpConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        build_brain(
            &self.seen(config, io_spec),
            config.layer_functions(),
            io_spec,
        )
    }

    fn topology(&self) -> Topology {
        Topology::dense(&self.layers)
    }

    fn network_graph(&self, config: &MlpConfig) -> NetworkGraph {
        let mut network_graph = network_graph(self);
        if config.bypass {
            graph_view::add_bypass_edges(self, &mut network_graph);
        }
        network_graph
    }

    fn capabilities(config: &MlpConfig) -> Capabilities<'_> {
        let is_smooth = config.is_smooth();
        Capabilities {
            keeps_size: true,
            distance: Some(config),
            numbers: Some(config),
            gradients: is_smooth.then_some(config),
            training: is_smooth.then_some(config),
            operations: Some(config),
            activations: Some(config),
            first_layer: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        if let Some(error) = layer_error(&self.layers, io_spec) {
            return Some(error);
        }
        if !self.has_valid_length() {
            let (genes, layers) = (self.genes.len(), &self.layers);
            return Some(format!("{genes} genes do not match layers of {layers:?}"));
        }
        let is_valid = |gene: &f32| f64::from(gene.abs()) <= GENE_LIMIT;
        if let Some(bad) = self.genes.iter().find(|gene| !is_valid(gene)) {
            return Some(format!(
                "{bad} is not a weight or bias within ±{GENE_LIMIT}"
            ));
        }
        let (sigmas, genes) = (self.sigmas.len(), self.genes.len());
        if sigmas != 0 && sigmas != genes {
            return Some(format!("{sigmas} sigmas do not match {genes} genes"));
        }
        let within = |[low, high]: [f32; 2], value: f32| (low..=high).contains(&value);
        let bad = self
            .sigmas
            .iter()
            .find(|&&sigma| !within(SIGMA_RANGE, sigma));
        let bad = bad.map(|bad| format!("{bad} is not a sigma within {SIGMA_RANGE:?}"));
        let piece_value = self
            .piece_value
            .filter(|&piece_value| !within(PIECE_VALUE_RANGE, piece_value));
        bad.or_else(|| {
            piece_value.map(|bad| format!("piece_value is {bad}, not within {PIECE_VALUE_RANGE:?}"))
        })
    }

    fn problems(config: &MlpConfig) -> Vec<ParamError> {
        hidden_layer_error(&config.hidden).into_iter().collect()
    }

    fn io_problems(config: &MlpConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        let (known, inputs) = (config.first_weights.len(), io_spec.inputs.count);
        let message = format!("must list a weight for each of {inputs} inputs, lists {known}");
        let length_problem = known != 0 && known != inputs;
        let length_problem = length_problem.then(|| ParamError::new("first_weights", message));
        let projection = io_spec.inputs.projection.as_deref();
        let weight = projection.and_then(InputProjection::piece_value);
        let within = weight
            .is_some_and(|weight| (PIECE_VALUE_RANGE[0]..=PIECE_VALUE_RANGE[1]).contains(&weight));
        let message = match weight {
            None => "needs a game with special pieces, such as kings in draughts".to_owned(),
            Some(weight) => {
                format!("must be within {PIECE_VALUE_RANGE:?}, but the game's default is {weight}")
            }
        };
        let piece_value_problem = config.piece_value_gene && !within;
        let piece_value_problem =
            piece_value_problem.then(|| ParamError::new("piece_value_gene", message));
        length_problem
            .into_iter()
            .chain(piece_value_problem)
            .chain(symmetric::problem(config, io_spec))
            .collect()
    }
}

impl GenomeParams for MlpConfig {
    type Genome = Mlp;
}

impl MlpConfig {
    /// Whether gradients are computed. Threshold nodes have none, because their slope is 0
    /// everywhere. For weights that are shared over symmetries, they are not computed.
    pub(super) fn is_smooth(&self) -> bool {
        ![self.activation, self.outputs].contains(&Activation::Threshold) && !self.symmetric
    }
}

/// The mean difference of weights and biases.
impl Distance<Mlp> for MlpConfig {
    fn distance(&self, one: &Mlp, other: &Mlp) -> f64 {
        distance::of_lists(&one.genes, &other.genes)
    }
}

impl Numbers<Mlp> for MlpConfig {
    fn numbers(&self, genome: &Mlp) -> Vec<f32> {
        genome.all_numbers()
    }

    fn set_numbers(&self, genome: &mut Mlp, numbers: &[f32]) {
        genome.replace_numbers(numbers);
    }
}

impl Gradients<Mlp> for MlpConfig {
    fn sensitivities(
        &self,
        genome: &Mlp,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Vec<f32> {
        sensitivity::gene_sensitivities(genome, self, io_spec, replay, gradients)
    }

    fn mutate_scaled(&self, genome: &mut Mlp, factors: &[f32], rng: &mut Stream) {
        genome.mutate_genes(self, factors, rng);
    }
}

impl Training<Mlp> for MlpConfig {
    fn train(
        &self,
        genome: &mut Mlp,
        _io_spec: &IoSpec,
        examples: &TrainingSet,
        rate: f64,
        rng: &mut Stream,
    ) {
        genome.train_epoch(self, examples, rate as f32, rng);
    }
}

impl Operations<Mlp> for MlpConfig {
    fn ops(&self, genome: &Mlp, io_spec: &IoSpec) -> Option<OpGraph> {
        let network = genome.seen(self, io_spec);
        Some(ops(&network, self.layer_functions(), io_spec))
    }
}

impl Activations<Mlp> for MlpConfig {
    fn activations(&self, genome: &Mlp, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let functions = self.layer_functions();
        if self.symmetric {
            genome.symmetric_values(functions, io_spec, raw_inputs)
        } else {
            genome.values(functions, io_spec, raw_inputs)
        }
    }
}

impl FirstLayerWeights<Mlp> for MlpConfig {
    fn first_layer(&self, genome: &Mlp, _io_spec: &IoSpec) -> Vec<FirstLayerNode> {
        first_layer_nodes(genome)
    }
}

#[cfg(test)]
mod tests;
