//! A dense network whose weights are encoded in a bit string, on which crossover and mutation work
//! (Weaver & Bossomaier 1996, "Encoding of the Network"; Holland 1975).

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::activation::Activation;
use super::capabilities::{Activations, Capabilities, Distance, FirstLayerWeights, Operations};
use super::crossover::GeneCrossover;
use super::mlp::{self, Mlp};
use super::network_graph::NetworkGraph;
use super::op_graph::OpGraph;
use super::{Brain, FirstLayerNode, Genome, GenomeParams, IoSpec, Topology};

params! {
    /// The network that a bit string encodes, and its crossover and mutation.
    pub struct BitsConfig {
        /// Nodes in each hidden layer, from the inputs up; [] connects the inputs directly to the
        /// outputs.
        fixed hidden: Vec<u16> = vec![9], in 1.0..=1024.0, "nodes";
        /// Activation function of hidden nodes.
        fixed activation: Activation = Activation::Sigmoid;
        /// Activation function of outputs. Sums that it maps to the same value are ties.
        fixed outputs: Activation = Activation::Sigmoid;
        /// Bits per weight, a binary number: 0 is the lowest weight, all bits set is the highest.
        fixed weight_bits: u32 = 10, in 1.0..=24.0, "bits";
        /// The lowest weight.
        fixed low: f64 = -64.0, in -1000000.0..=1000000.0;
        /// The highest weight. All weights are evenly spaced between the lowest and the highest.
        fixed high: f64 = 64.0, in -1000000.0..=1000000.0;
        /// Initial weights of every member, rounded to the nearest weight that the bits can encode:
        /// layer by layer, for each node its weights and then its threshold. [] for random bits.
        fixed known_weights: Vec<f64> = Vec::new(), in -1000000.0..=1000000.0;
        /// How the bit strings of two parents are combined.
        live crossover: GeneCrossover = GeneCrossover::OnePoint;
        /// Probability that a bit of an offspring is flipped. Raise it to escape a local optimum,
        /// lower it to preserve good solutions.
        live mutation_rate: f64 = 0.00072, in 0.0..=1.0, "chance";
    }
}

const WORD: usize = 64;

/// The genome: weight after weight, the most significant bit first.
///
/// Invariants: there are at least two layers and none is empty; there are exactly as many bits as
/// the weights and thresholds need, and unused bits of the last word are 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitString {
    /// Nodes in each layer, inputs first, outputs last.
    layers: Vec<u32>,
    /// Bits per weight.
    per_weight: u32,
    /// The lowest and the highest weight.
    range: [f32; 2],
    words: Vec<u64>,
}

/// The number of weights and thresholds of a network; `None` on overflow.
fn count_weights(layers: &[u32]) -> Option<usize> {
    layers.windows(2).try_fold(0_usize, |sum, pair| {
        sum.checked_add((pair[0] as usize + 1).checked_mul(pair[1] as usize)?)
    })
}

impl BitString {
    /// All bits 0.
    fn zeroed(config: &BitsConfig, io_spec: &IoSpec) -> Self {
        let hidden = config.hidden.iter().map(|&nodes| u32::from(nodes));
        let ends = [io_spec.inputs.count as u32, io_spec.outputs as u32];
        let layers = [ends[0]].into_iter().chain(hidden).chain([ends[1]]);
        let mut genome = Self {
            layers: layers.collect(),
            per_weight: config.weight_bits,
            range: [config.low as f32, config.high as f32],
            words: Vec::new(),
        };
        genome.words = vec![0; genome.bit_count().div_ceil(WORD)];
        genome
    }

    /// The number of bits.
    fn bit_count(&self) -> usize {
        count_weights(&self.layers).map_or(0, |weights| weights * self.per_weight as usize)
    }

    /// A mask of the used bits of the last word.
    fn last_mask(&self) -> u64 {
        u64::MAX >> ((WORD - self.bit_count() % WORD) % WORD)
    }

    /// The bits of a weight as a number.
    fn level(&self, weight: usize) -> u32 {
        let bits = self.per_weight as usize;
        let read = |bit: usize| (self.words[bit / WORD] >> (bit % WORD) & 1) as u32;
        (weight * bits..(weight + 1) * bits).fold(0, |level, bit| level << 1 | read(bit))
    }

    fn set_level(&mut self, weight: usize, level: u32) {
        let bits = self.per_weight as usize;
        for index in 0..bits {
            let bit = weight * bits + index;
            let value = u64::from(level >> (bits - 1 - index) & 1);
            let word = &mut self.words[bit / WORD];
            *word = *word & !(1 << (bit % WORD)) | value << (bit % WORD);
        }
    }

    fn weight(&self, weight: usize) -> f32 {
        let [low, high] = self.range.map(f64::from);
        let steps = f64::from((1_u32 << self.per_weight) - 1);
        (low + (high - low) * f64::from(self.level(weight)) / steps) as f32
    }

    /// Sets a weight to the nearest value that the bits can encode.
    fn set_weight(&mut self, weight: usize, value: f64) {
        let [low, high] = self.range.map(f64::from);
        let steps = f64::from((1_u32 << self.per_weight) - 1);
        let level = ((value - low) / (high - low) * steps).round();
        self.set_level(weight, level.clamp(0.0, steps) as u32);
    }

    /// The decoded network; the bias of each node is minus its threshold.
    fn network(&self) -> Mlp {
        let mut genes = Vec::with_capacity(self.bit_count() / self.per_weight.max(1) as usize);
        let mut next = 0;
        for pair in self.layers.windows(2) {
            let below = pair[0] as usize;
            for _ in 0..pair[1] {
                genes.push(-self.weight(next + below));
                genes.extend((next..next + below).map(|weight| self.weight(weight)));
                next += below + 1;
            }
        }
        Mlp::with_biases(self.layers.clone(), genes)
    }
}

/// 64 bits, each set with a probability given as a 64-bit fraction. Each bit compares a random
/// binary fraction with the probability, most significant digit first, until all comparisons are
/// decided.
fn random_mask(chance: u64, rng: &mut Stream) -> u64 {
    let (mut below, mut open) = (0, u64::MAX);
    for index in (0..64).rev() {
        if open == 0 {
            break;
        }
        let drawn = rng.next_u64();
        if chance >> index & 1 == 1 {
            below |= open & !drawn;
            open &= drawn;
        } else {
            open &= !drawn;
        }
    }
    below
}

fn layer_functions(config: &BitsConfig) -> mlp::LayerFunctions {
    mlp::LayerFunctions {
        hidden: config.activation,
        outputs: config.outputs,
        bypass: false,
    }
}

impl Genome for BitString {
    type Config = BitsConfig;

    fn random(config: &BitsConfig, io_spec: &IoSpec, rng: &mut Stream) -> Self {
        let mut genome = Self::zeroed(config, io_spec);
        if config.known_weights.is_empty() {
            genome.words.fill_with(|| rng.next_u64());
            let mask = genome.last_mask();
            if let Some(last) = genome.words.last_mut() {
                *last &= mask;
            }
        }
        for (weight, &value) in config.known_weights.iter().enumerate() {
            genome.set_weight(weight, value);
        }
        genome
    }

    /// If the networks differ in shape, which happens only between runs, the offspring is a copy of
    /// `self`.
    fn crossover(&self, other: &Self, config: &BitsConfig, rng: &mut Stream) -> Self {
        let mut offspring = self.clone();
        if (&self.layers, self.per_weight) != (&other.layers, other.per_weight) {
            return offspring;
        }
        let cut = config.crossover.cut(self.bit_count(), rng);
        let words = offspring.words.iter_mut().zip(&other.words).enumerate();
        for (index, (word, &other)) in words {
            let mask = match &cut {
                Some(cut) => mask_from(cut.start, index) & !mask_from(cut.end, index),
                None => rng.next_u64(),
            };
            *word = *word & !mask | other & mask;
        }
        offspring
    }

    fn mutate(&mut self, config: &BitsConfig, rng: &mut Stream) {
        let chance = (config.mutation_rate * 2.0_f64.powi(64)) as u64;
        for word in &mut self.words {
            *word ^= random_mask(chance, rng);
        }
        let mask = self.last_mask();
        if let Some(last) = self.words.last_mut() {
            *last &= mask;
        }
    }

    fn grow(&self, config: &BitsConfig, io_spec: &IoSpec) -> Box<dyn Brain> {
        mlp::build_brain(&self.network(), layer_functions(config), io_spec)
    }

    fn topology(&self) -> Topology {
        Topology::dense(&self.layers)
    }

    fn network_graph(&self, _config: &BitsConfig) -> NetworkGraph {
        mlp::network_graph(&self.network())
    }

    fn capabilities(config: &BitsConfig) -> Capabilities<'_> {
        Capabilities {
            keeps_size: true,
            distance: Some(config),
            operations: Some(config),
            activations: Some(config),
            first_layer: Some(config),
            ..Capabilities::default()
        }
    }

    fn validation_error(&self, io_spec: &IoSpec) -> Option<String> {
        if let Some(error) = mlp::layer_error(&self.layers, io_spec) {
            return Some(error);
        }
        if !(1..=24).contains(&self.per_weight) {
            return Some(format!(
                "weights must have 1 to 24 bits, not {}",
                self.per_weight
            ));
        }
        let weights = count_weights(&self.layers);
        let bits = weights.and_then(|weights| weights.checked_mul(self.per_weight as usize));
        if bits.map(|bits| bits.div_ceil(WORD)) != Some(self.words.len()) {
            let (words, layers) = (self.words.len(), &self.layers);
            return Some(format!(
                "{words} words of 64 bits do not match layers of {layers:?}"
            ));
        }
        let [low, high] = self.range;
        let is_valid = low.is_finite() && high.is_finite() && low < high;
        (!is_valid).then(|| format!("the weight range {low} to {high} is invalid"))
    }

    fn problems(config: &BitsConfig) -> Vec<ParamError> {
        let (low, high) = (config.low, config.high);
        let message = format!("must be below `high` ({high}), is {low}");
        let empty = (low >= high).then(|| ParamError::new("low", message));
        mlp::hidden_layer_error(&config.hidden)
            .into_iter()
            .chain(empty)
            .collect()
    }

    fn io_problems(config: &BitsConfig, io_spec: &IoSpec) -> Vec<ParamError> {
        let layers = Self::zeroed(config, io_spec).layers;
        let (known, wanted) = (
            config.known_weights.len(),
            count_weights(&layers).unwrap_or(0),
        );
        let message = format!(
            "must list {wanted} weights and thresholds for layers of {layers:?}, lists {known}"
        );
        let length_problem = known != 0 && known != wanted;
        length_problem
            .then(|| ParamError::new("known_weights", message))
            .into_iter()
            .collect()
    }
}

impl GenomeParams for BitsConfig {
    type Genome = BitString;
}

/// The share of bits that differ.
impl Distance<BitString> for BitsConfig {
    fn distance(&self, one: &BitString, other: &BitString) -> f64 {
        let words = one.words.iter().zip(&other.words);
        let different: u32 = words.map(|(one, other)| (one ^ other).count_ones()).sum();
        f64::from(different) / one.bit_count().max(1) as f64
    }
}

impl Operations<BitString> for BitsConfig {
    fn ops(&self, genome: &BitString, io_spec: &IoSpec) -> Option<OpGraph> {
        Some(mlp::ops(&genome.network(), layer_functions(self), io_spec))
    }
}

impl Activations<BitString> for BitsConfig {
    fn activations(&self, genome: &BitString, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let network = genome.network();
        network.values(layer_functions(self), io_spec, raw_inputs)
    }
}

impl FirstLayerWeights<BitString> for BitsConfig {
    fn first_layer(&self, genome: &BitString, _io_spec: &IoSpec) -> Vec<FirstLayerNode> {
        mlp::first_layer_nodes(&genome.network())
    }
}

/// The bits of word number `word` at or after a position of the string.
fn mask_from(index: usize, word: usize) -> u64 {
    match index.saturating_sub(word * WORD) {
        bits @ 0..WORD => u64::MAX << bits,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{InputBatch, Scratch};
    use crate::rng::{Purpose, stream};

    const IO_SPEC: (usize, usize) = (24, 24);

    fn io_spec() -> IoSpec {
        IoSpec::new(IO_SPEC.0, IO_SPEC.1)
    }

    fn random(config: &BitsConfig, index: u64) -> BitString {
        BitString::random(
            config,
            &io_spec(),
            &mut stream(1, Purpose::Initialization, 0, index),
        )
    }

    /// The bits as booleans.
    fn string(genome: &BitString) -> Vec<bool> {
        let bit = |bit: usize| genome.words[bit / WORD] >> (bit % WORD) & 1 == 1;
        (0..genome.bit_count()).map(bit).collect()
    }

    #[test]
    fn the_published_network_has_465_weights_in_4650_bits() {
        let genome = random(&BitsConfig::default(), 0);
        assert_eq!(genome.bit_count(), 4650);
        assert_eq!(genome.network().topology().edges, 432);
    }

    #[test]
    fn weights_are_evenly_spaced_between_the_ends() {
        let mut genome = random(&BitsConfig::default(), 0);
        for (level, expected) in [
            (0, -64.0),
            (1023, 64.0),
            (512, -64.0 + 128.0 * 512.0 / 1023.0),
        ] {
            genome.set_level(17, level);
            assert_eq!(genome.level(17), level);
            assert!((f64::from(genome.weight(17)) - expected).abs() < 1e-5);
        }
        for value in [-64.0, -3.2, 0.1, 63.9] {
            genome.set_weight(464, value);
            let step = 128.0 / 1023.0;
            assert!((f64::from(genome.weight(464)) - value).abs() <= step / 2.0 + 1e-5);
        }
    }

    #[test]
    fn an_offspring_has_one_segment_of_its_second_parent() {
        for (crossover, most) in [(GeneCrossover::OnePoint, 1), (GeneCrossover::TwoPoint, 2)] {
            let config = BitsConfig {
                crossover,
                ..BitsConfig::default()
            };
            let (first, second) = (random(&config, 1), random(&config, 2));
            for index in 0..20 {
                let mut rng = stream(1, Purpose::Reproduction, 0, index);
                let offspring = string(&first.crossover(&second, &config, &mut rng));
                let (first, second) = (string(&first), string(&second));
                let mut changes = 0;
                let mut from_first = true;
                for ((offspring, first), second) in offspring.into_iter().zip(first).zip(second) {
                    let fits = if from_first { first } else { second };
                    if offspring != fits {
                        from_first = !from_first;
                        changes += 1;
                    }
                }
                assert!(changes <= most, "{crossover:?} {changes}");
            }
        }
    }

    #[test]
    fn bits_flip_at_the_mutation_rate() {
        for rate in [0.00072, 0.005, 0.3, 0.0, 1.0] {
            let config = BitsConfig {
                mutation_rate: rate,
                ..BitsConfig::default()
            };
            let genome = random(&config, 3);
            let mut turned = 0;
            for index in 0..200 {
                let mut offspring = genome.clone();
                offspring.mutate(&config, &mut stream(1, Purpose::Reproduction, 0, index));
                let pairs = string(&genome).into_iter().zip(string(&offspring));
                turned += pairs.filter(|(before, after)| before != after).count();
            }
            let bits = 200.0 * 4650.0;
            let spread = 4.0 * (rate * (1.0 - rate) / bits).sqrt();
            let share = turned as f64 / bits;
            assert!((share - rate).abs() <= spread + 1e-9, "{rate}: {share}");
        }
    }

    /// The definition: sigmoid nodes with a threshold on a constant input of -1.
    #[test]
    fn the_network_is_what_the_publication_describes() {
        let config = BitsConfig {
            low: -2.0,
            high: 2.0,
            ..BitsConfig::default()
        };
        let genome = random(&config, 4);
        let inputs: Vec<f32> = (0..24).map(|input| (input % 3 % 2) as f32).collect();
        let mut next = 0;
        let mut layer = |inputs: &[f64], nodes: usize| -> Vec<f64> {
            let node = |_| {
                let weights = next..next + inputs.len();
                next += inputs.len() + 1;
                let sum: f64 = weights
                    .clone()
                    .zip(inputs)
                    .map(|(weight, input)| f64::from(genome.weight(weight)) * input)
                    .sum();
                1.0 / (1.0 + (f64::from(genome.weight(weights.end)) - sum).exp())
            };
            (0..nodes).map(node).collect()
        };
        let hidden = layer(
            &inputs.iter().map(|&input| input.into()).collect::<Vec<_>>(),
            9,
        );
        let expected = layer(&hidden, 24);
        let mut out = Vec::new();
        let brain = genome.grow(&config, &io_spec());
        brain.forward(
            InputBatch::single(&inputs),
            &mut Scratch::default(),
            &mut out,
        );
        assert_eq!(out.len(), 24);
        for (out, expected) in out.into_iter().zip(expected) {
            assert!((f64::from(out) - expected).abs() < 1e-6, "{out} {expected}");
        }
    }

    #[test]
    fn known_weights_are_those_of_every_member() {
        let known: Vec<f64> = (0..465)
            .map(|weight| f64::from(weight % 100) - 50.0)
            .collect();
        let config = BitsConfig {
            known_weights: known.clone(),
            ..BitsConfig::default()
        };
        assert_eq!(random(&config, 1), random(&config, 2));
        let genome = random(&config, 1);
        for (weight, known) in known.iter().enumerate() {
            assert!((f64::from(genome.weight(weight)) - known).abs() < 0.063);
        }
        let few = BitsConfig {
            known_weights: known[1..].to_vec(),
            ..BitsConfig::default()
        };
        let problems = BitString::io_problems(&few, &io_spec());
        assert!(
            problems[0].to_string().contains("must list 465"),
            "{problems:?}"
        );
    }
}
