//! A dense feed-forward network in layers of fixed size, a multilayer perceptron: each unit is joined to all units of the
//! layer below, and evolution changes nothing but weights and biases (Porter & LeGrand, "Evaluating Approaches to Evolving
//! Neural Reversi Players", "Vanilla Configuration" and "Variations on Vanilla"; the defaults are their vanilla ones).

use serde::{Deserialize, Serialize};

use crate::features::Features;
use crate::params::{Problem, choices, params};
use crate::rng::Stream;

use super::activation::Activation;
use super::experience::Experience;
use super::lessons::Lessons;
use super::sketch::Sketch;
use super::{Brain, Genome, Ports, Topology, Unit};

use self::noise::{Noise, Sampler};

mod activity;
mod dense;
mod drawing;
mod first;
mod learn;
pub mod noise;
mod safe;
mod vary;

choices! {
    /// How the genes of two parents become a child's.
    pub enum Crossing {
        /// Each gene comes from either parent with the same chance.
        Uniform = "uniform",
        /// One unit is drawn, and those of its weights and its bias are exchanged that are strong in the fitter parent.
        DominantNode = "dominant_node",
    }
}

params! {
    /// The shape of dense networks, how they begin, and how they vary.
    pub struct MlpConfig {
        /// Units in each hidden layer, from the inputs up; [] for outputs that sum the inputs directly.
        fixed hidden: Vec<u16> = vec![8], in 1.0..=1024.0, "units";
        /// What hidden units do to the sum of their inputs.
        fixed activation: Activation = Activation::Softplus;
        /// What outputs do to the sum of their inputs.
        fixed outputs: Activation = Activation::Linear;
        /// Whether outputs also add up all inputs as they are, as if each had a weight of 1 to them: the piece difference of Chellapilla & Fogel (1999).
        fixed bypass: bool = false;
        /// Whether each unit has a bias, as in the publication: its single neuron with 64 inputs has 65 weights.
        fixed biases: bool = true;
        /// The shape of the random numbers that a new network's weights and biases are.
        fixed init: Noise = Noise::Normal;
        /// How far the first weights and biases spread: their standard deviation, or the scale of Cauchy numbers.
        fixed init_sigma: f64 = 1.0, in 0.0..=1000.0;
        /// A weight for each input that every unit of the first layer starts from, random numbers being added; [] for none. The weights above it are made positive then, so that the outputs rise with the sum of the inputs so weighted; make `init_sigma` small against these weights.
        fixed first_weights: Vec<f64> = Vec::new(), in -1000000.0..=1000000.0;
        /// How the genes of two parents become a child's.
        live crossover: Crossing = Crossing::Uniform;
        /// Where one unit is exchanged, how large a weight or bias of the fitter parent must be to be strong.
        live dominance: f64 = 0.75, in 0.0..=1000.0;
        /// The shape of the random numbers that variation adds to weights and biases.
        live noise: Noise = Noise::Normal;
        /// How far variation moves a weight or bias: the standard deviation, or the scale of Cauchy numbers. Lower it to polish a champion that is nearly right.
        live sigma: f64 = 1.0, in 0.0..=1000.0;
        /// Whether each weight and bias has a sigma of its own that is varied and inherited with it, by a factor that is e to the power of normal numbers spread by 1 / √(2√K) for K of them (Schwefel 1995; Chellapilla & Fogel 1999). `sigma` is then what they all begin with.
        fixed self_adaptive: bool = false;
        /// Whether what special pieces such as kings count is a gene of its own: it begins as the game has it, and variation moves it by 0.1 up, down or not at all, within 1 and 3 (Chellapilla & Fogel 1999).
        fixed heavy_gene: bool = false;
        /// Variations tried for each child, of which that one is kept with which its outputs differ least from its parent's in a game that one has played: safe mutation (Lehman et al. 2018; Thien 2018, "Coefficient Mutation"). 1 takes the first.
        live tries: u32 = 1, in 1.0..=1000.0, "variations";
        /// Share of the weights and biases of a child that variation moves.
        live mutation_rate: f64 = 1.0, in 0.0..=1.0, "share";
        /// Share of the weights and biases of a child that are drawn anew, uniformly within ±√3, instead of moved. Raise it against a local minimum.
        live replacement: f64 = 0.0, in 0.0..=1.0, "share";
    }
}

/// Most hidden layers.
const MOST_HIDDEN: usize = 8;

/// Bound on weights and biases, which Cauchy numbers and long runs would leave behind otherwise.
const LIMIT: f64 = 1e6;

/// Bounds on what heavy features count where that is a gene.
const HEAVY: [f32; 2] = [1.0, 3.0];

/// Bounds on the sigma of a single gene.
const SIGMAS: [f32; 2] = [1e-6, 1e3];

/// The genome.
///
/// Invariants: there are two layers or more and none is empty; there are as many genes as the layers have weights and
/// biases; all are within the bound on genes. Where genes have sigmas, each has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mlp {
    /// Units in each layer, inputs first, outputs last.
    layers: Vec<u32>,
    biases: bool,
    /// Layer after layer from the first above the inputs, unit after unit: its bias, if there are biases, and a weight for
    /// each unit of the layer below.
    genes: Vec<f32>,
    /// How far variation moves each gene; empty where all are moved alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sigmas: Vec<f32>,
    /// What heavy features count; none where the game has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heavy: Option<f32>,
}

/// What the units of a network make of their sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    pub(super) hidden: Activation,
    pub(super) outputs: Activation,
    /// Whether all inputs are added to the outputs' sums.
    pub(super) bypass: bool,
}

/// The brain of a network that is shown features, or its inputs.
pub(super) fn brain(genome: &Mlp, functions: Functions, ports: &Ports) -> Box<dyn Brain> {
    Box::new(dense::Dense::new(
        genome,
        functions,
        ports.features.as_deref(),
    ))
}

/// What is wrong with the layers of a network for these ports, if anything.
pub(super) fn misshapen(layers: &[u32], ports: &Ports) -> Option<String> {
    if layers.len() < 2 || layers.contains(&0) {
        return Some("it needs two layers or more, none of them empty".to_owned());
    }
    let inputs = layers[0] as usize;
    let outputs = layers[layers.len() - 1] as usize;
    ((inputs, outputs) != (ports.inputs, ports.outputs)).then(|| {
        format!(
            "the network has {inputs} inputs and {outputs} outputs, {} and {} are needed",
            ports.inputs, ports.outputs
        )
    })
}

/// What is wrong with a list of hidden layers, if anything.
pub(super) fn too_deep(hidden: &[u16]) -> Option<Problem> {
    let layers = hidden.len();
    let message = format!("must list at most {MOST_HIDDEN} layers, lists {layers}");
    (layers > MOST_HIDDEN).then(|| Problem::new("hidden", message))
}

impl MlpConfig {
    fn functions(&self) -> Functions {
        Functions {
            hidden: self.activation,
            outputs: self.outputs,
            bypass: self.bypass,
        }
    }
}

impl Mlp {
    /// A network of these layers; its genes are in their order.
    pub(super) fn with_biases(layers: Vec<u32>, genes: Vec<f32>) -> Self {
        Self {
            layers,
            biases: true,
            genes,
            sigmas: Vec::new(),
            heavy: None,
        }
    }

    /// Genes of a unit of a layer.
    fn stride(&self, layer: usize) -> usize {
        self.layers[layer - 1] as usize + usize::from(self.biases)
    }

    /// Where the genes of a layer begin; those of the layer above the last is where all end.
    fn start(&self, layer: usize) -> usize {
        let genes = |layer: usize| self.stride(layer) * self.layers[layer] as usize;
        (1..layer).map(genes).sum()
    }

    /// The bias and the weights of each unit of a layer above the inputs.
    fn units(&self, layer: usize) -> impl Iterator<Item = (f32, &[f32])> {
        let genes = &self.genes[self.start(layer)..self.start(layer + 1)];
        genes.chunks_exact(self.stride(layer)).map(|unit| {
            let (bias, weights) = unit.split_at(usize::from(self.biases));
            (bias.first().copied().unwrap_or(0.0), weights)
        })
    }

    fn is_alike(&self, other: &Self) -> bool {
        let shape = |network: &Self| {
            (
                network.biases,
                network.sigmas.len(),
                network.heavy.is_some(),
            )
        };
        self.layers == other.layers && shape(self) == shape(other)
    }

    /// Lets the first layer start from known weights, and makes the weights above positive.
    fn start_from(&mut self, known: &[f64]) {
        let biases = usize::from(self.biases);
        for layer in 1..self.layers.len() {
            let (start, stride) = (self.start(layer), self.stride(layer));
            let end = self.start(layer + 1);
            for unit in self.genes[start..end].chunks_exact_mut(stride) {
                let weights = &mut unit[biases..];
                if layer == 1 {
                    for (weight, known) in weights.iter_mut().zip(known) {
                        *weight = held(f64::from(*weight) + known);
                    }
                } else {
                    for weight in weights {
                        *weight = weight.abs();
                    }
                }
            }
        }
    }

    /// Counts the genes without trusting the sizes of the layers.
    fn sound_length(&self) -> bool {
        let genes = self.layers.windows(2).try_fold(0_usize, |sum, pair| {
            let stride = pair[0] as usize + usize::from(self.biases);
            sum.checked_add(stride.checked_mul(pair[1] as usize)?)
        });
        genes == Some(self.genes.len())
    }
}

/// A gene within its bounds.
fn held(gene: f64) -> f32 {
    gene.clamp(-LIMIT, LIMIT) as f32
}

impl Genome for Mlp {
    type Config = MlpConfig;

    fn random(config: &MlpConfig, ports: &Ports, rng: &mut Stream) -> Self {
        let hidden = config.hidden.iter().map(|&units| u32::from(units));
        let ends = [ports.inputs as u32, ports.outputs as u32];
        let mut genome = Self {
            layers: [ends[0]]
                .into_iter()
                .chain(hidden)
                .chain([ends[1]])
                .collect(),
            biases: config.biases,
            genes: Vec::new(),
            sigmas: Vec::new(),
            heavy: None,
        };
        let mut sampler = Sampler::new(config.init, config.init_sigma);
        let count = genome.start(genome.layers.len());
        genome.genes = (0..count).map(|_| held(sampler.draw(rng))).collect();
        if !config.first_weights.is_empty() {
            genome.start_from(&config.first_weights);
        }
        if config.self_adaptive {
            genome.sigmas = vec![config.sigma as f32; count];
        }
        if config.heavy_gene {
            let features = ports.features.as_deref();
            genome.heavy = features.and_then(Features::weight);
        }
        genome
    }

    /// Where the shapes differ, which only networks of different runs do, the child is its first parent's.
    fn cross(&self, other: &Self, config: &MlpConfig, rng: &mut Stream) -> Self {
        if !self.is_alike(other) {
            return self.clone();
        }
        if config.crossover == Crossing::DominantNode {
            let [child, _] = self.exchange(other, config.dominance as f32, rng);
            return child;
        }
        self.mix(other, rng)
    }

    fn cross_both(&self, other: &Self, config: &MlpConfig, rng: &mut Stream) -> [Self; 2] {
        if config.crossover == Crossing::DominantNode && self.is_alike(other) {
            return self.exchange(other, config.dominance as f32, rng);
        }
        let one = self.cross(other, config, rng);
        [one, other.cross(self, config, rng)]
    }

    fn mutate(&mut self, config: &MlpConfig, rng: &mut Stream) {
        self.vary(config, rng);
    }

    fn is_careful(config: &MlpConfig) -> bool {
        config.tries > 1
    }

    fn mutate_with_care(
        &mut self,
        config: &MlpConfig,
        ports: &Ports,
        experience: &Experience,
        rng: &mut Stream,
    ) {
        *self = safe::mutant(self, config, ports, experience, rng);
    }

    /// All but units whose slope is 0 everywhere.
    fn can_learn(config: &MlpConfig) -> bool {
        ![config.activation, config.outputs].contains(&Activation::Threshold)
    }

    fn learn(&mut self, config: &MlpConfig, lessons: &Lessons, rate: f64, rng: &mut Stream) {
        self.be_taught(config, lessons, rate as f32, rng);
    }

    fn grow(&self, config: &MlpConfig, ports: &Ports) -> Box<dyn Brain> {
        brain(self, config.functions(), ports)
    }

    fn activity(&self, config: &MlpConfig, ports: &Ports, numbers: &[f32]) -> Vec<f32> {
        self.values(config.functions(), ports, numbers)
    }

    fn topology(&self) -> Topology {
        Topology::dense(&self.layers)
    }

    fn sketch(&self, config: &MlpConfig) -> Sketch {
        let mut sketch = self.drawing();
        if config.bypass {
            self.draw_bypass(&mut sketch);
        }
        sketch
    }

    fn first_layer(&self) -> Vec<Unit> {
        let above = matches!(self.layers[..], [_, _, 1]);
        let output = above.then(|| self.units(2).next()).flatten();
        let unit = |(place, (_, weights)): (usize, (f32, &[f32]))| Unit {
            weights: weights.to_vec(),
            outgoing: output.map(|(_, weights)| weights[place]),
        };
        self.units(1).enumerate().map(unit).collect()
    }

    fn fault(&self, ports: &Ports) -> Option<String> {
        if let Some(fault) = misshapen(&self.layers, ports) {
            return Some(fault);
        }
        if !self.sound_length() {
            let (genes, layers) = (self.genes.len(), &self.layers);
            return Some(format!("{genes} genes do not make layers of {layers:?}"));
        }
        let sound = |gene: &f32| f64::from(gene.abs()) <= LIMIT;
        if let Some(bad) = self.genes.iter().find(|gene| !sound(gene)) {
            return Some(format!("{bad} is not a weight or bias within ±{LIMIT}"));
        }
        let (sigmas, genes) = (self.sigmas.len(), self.genes.len());
        if sigmas != 0 && sigmas != genes {
            return Some(format!("{sigmas} sigmas do not go with {genes} genes"));
        }
        let within = |[low, high]: [f32; 2], value: f32| (low..=high).contains(&value);
        let bad = self.sigmas.iter().find(|&&sigma| !within(SIGMAS, sigma));
        let bad = bad.map(|bad| format!("{bad} is not a sigma within {SIGMAS:?}"));
        let heavy = self.heavy.filter(|&heavy| !within(HEAVY, heavy));
        bad.or_else(|| heavy.map(|bad| format!("heavy is {bad}, not within {HEAVY:?}")))
    }

    fn problems(config: &MlpConfig) -> Vec<Problem> {
        too_deep(&config.hidden).into_iter().collect()
    }

    fn misfits(config: &MlpConfig, ports: &Ports) -> Vec<Problem> {
        let (known, inputs) = (config.first_weights.len(), ports.inputs);
        let message = format!("must list a weight for each of {inputs} inputs, lists {known}");
        let unfit = known != 0 && known != inputs;
        let unfit = unfit.then(|| Problem::new("first_weights", message));
        let weight = ports.features.as_deref().and_then(Features::weight);
        let within = weight.is_some_and(|weight| (HEAVY[0]..=HEAVY[1]).contains(&weight));
        let message = match weight {
            None => "needs a game with special pieces, such as the kings of draughts".to_owned(),
            Some(weight) => format!("keeps it within {HEAVY:?}, but the game begins with {weight}"),
        };
        let homeless = config.heavy_gene && !within;
        let homeless = homeless.then(|| Problem::new("heavy_gene", message));
        unfit.into_iter().chain(homeless).collect()
    }
}

#[cfg(test)]
mod tests;
