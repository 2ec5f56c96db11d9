//! A dense network whose weights are written down in a string of bits, on which crossover and mutation work bit by bit (Weaver &
//! Bossomaier 1996, "Encoding of the Network"; Holland 1975).

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::activation::Activation;
use super::crossover::Crossover;
use super::mlp::{self, Mlp};
use super::sketch::Sketch;
use super::{Brain, Genome, Ports, Topology, Unit};

params! {
    /// The network that a string of bits describes, and how strings vary.
    pub struct BitsConfig {
        /// Units in each hidden layer, from the inputs up; [] for outputs that sum the inputs directly.
        fixed hidden: Vec<u16> = vec![9], in 1.0..=1024.0, "units";
        /// What hidden units do to the sum of their inputs.
        fixed activation: Activation = Activation::Sigmoid;
        /// What outputs do to the sum of their inputs. Sums too large to be told apart after it are equals.
        fixed outputs: Activation = Activation::Sigmoid;
        /// Bits of a weight: a binary number, 0 standing for the lowest weight and all bits set for the highest.
        fixed weight_bits: u32 = 10, in 1.0..=24.0, "bits";
        /// The lowest weight.
        fixed low: f64 = -64.0, in -1000000.0..=1000000.0;
        /// The highest weight; those between are evenly spaced.
        fixed high: f64 = 64.0, in -1000000.0..=1000000.0;
        /// The weights that every member of the first generation has, rounded to what the bits can say: layer after layer, for each unit its weights and then its threshold. [] for random bits.
        fixed known_weights: Vec<f64> = Vec::new(), in -1000000.0..=1000000.0;
        /// How the strings of two parents become a child's.
        live crossover: Crossover = Crossover::OnePoint;
        /// Chance of each bit of a child to be turned over. Raise it against a local minimum, lower it to keep what has been found.
        live mutation_rate: f64 = 0.00072, in 0.0..=1.0, "chance";
    }
}

const WORD: usize = 64;

/// The genome: weight after weight, the highest bit first.
///
/// Invariants: there are two layers or more and none is empty; there are as many bits as the weights and thresholds need, and
/// those of the last word beyond them are 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bits {
    /// Units in each layer, inputs first, outputs last.
    layers: Vec<u32>,
    /// Bits of a weight.
    per_weight: u32,
    /// The lowest and the highest weight.
    range: [f32; 2],
    words: Vec<u64>,
}

/// Weights and thresholds of a network; `None` where no computer could hold so many.
fn count_weights(layers: &[u32]) -> Option<usize> {
    layers.windows(2).try_fold(0_usize, |sum, pair| {
        sum.checked_add((pair[0] as usize + 1).checked_mul(pair[1] as usize)?)
    })
}

impl Bits {
    /// All bits 0.
    fn blank(config: &BitsConfig, ports: &Ports) -> Self {
        let hidden = config.hidden.iter().map(|&units| u32::from(units));
        let ends = [ports.inputs as u32, ports.outputs as u32];
        let layers = [ends[0]].into_iter().chain(hidden).chain([ends[1]]);
        let mut genome = Self {
            layers: layers.collect(),
            per_weight: config.weight_bits,
            range: [config.low as f32, config.high as f32],
            words: Vec::new(),
        };
        genome.words = vec![0; genome.length().div_ceil(WORD)];
        genome
    }

    /// How many bits there are.
    fn length(&self) -> usize {
        count_weights(&self.layers).map_or(0, |weights| weights * self.per_weight as usize)
    }

    /// The bits of the last word that are in use.
    fn last_mask(&self) -> u64 {
        u64::MAX >> ((WORD - self.length() % WORD) % WORD)
    }

    /// The number that a weight's bits make.
    fn level(&self, weight: usize) -> u32 {
        let bits = self.per_weight as usize;
        let read = |bit: usize| (self.words[bit / WORD] >> (bit % WORD) & 1) as u32;
        (weight * bits..(weight + 1) * bits).fold(0, |level, bit| level << 1 | read(bit))
    }

    fn set_level(&mut self, weight: usize, level: u32) {
        let bits = self.per_weight as usize;
        for place in 0..bits {
            let bit = weight * bits + place;
            let value = u64::from(level >> (bits - 1 - place) & 1);
            let word = &mut self.words[bit / WORD];
            *word = *word & !(1 << (bit % WORD)) | value << (bit % WORD);
        }
    }

    fn weight(&self, weight: usize) -> f32 {
        let [low, high] = self.range.map(f64::from);
        let steps = f64::from((1_u32 << self.per_weight) - 1);
        (low + (high - low) * f64::from(self.level(weight)) / steps) as f32
    }

    /// The nearest that the bits can say.
    fn set_weight(&mut self, weight: usize, value: f64) {
        let [low, high] = self.range.map(f64::from);
        let steps = f64::from((1_u32 << self.per_weight) - 1);
        let level = ((value - low) / (high - low) * steps).round();
        self.set_level(weight, level.clamp(0.0, steps) as u32);
    }

    /// The network with a bias, minus the threshold, before the weights of each unit.
    fn network(&self) -> Mlp {
        let mut genes = Vec::with_capacity(self.length() / self.per_weight.max(1) as usize);
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

/// 64 bits, each of which is set with a chance given as a 64-bit fraction: random bits are compared with those of the chance, the
/// highest first, until each has turned out to be below or above.
fn chances(chance: u64, rng: &mut Stream) -> u64 {
    let (mut below, mut open) = (0, u64::MAX);
    for place in (0..64).rev() {
        if open == 0 {
            break;
        }
        let drawn = rng.next_u64();
        if chance >> place & 1 == 1 {
            below |= open & !drawn;
            open &= drawn;
        } else {
            open &= !drawn;
        }
    }
    below
}

fn functions(config: &BitsConfig) -> mlp::Functions {
    mlp::Functions {
        hidden: config.activation,
        outputs: config.outputs,
        bypass: false,
    }
}

impl Genome for Bits {
    type Config = BitsConfig;

    fn random(config: &BitsConfig, ports: &Ports, rng: &mut Stream) -> Self {
        let mut genome = Self::blank(config, ports);
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

    /// Where the networks differ in shape, which only those of different runs do, the child is its first parent's.
    fn cross(&self, other: &Self, config: &BitsConfig, rng: &mut Stream) -> Self {
        let mut child = self.clone();
        if (&self.layers, self.per_weight) != (&other.layers, other.per_weight) {
            return child;
        }
        let cut = config.crossover.cut(self.length(), rng);
        let words = child.words.iter_mut().zip(&other.words).enumerate();
        for (index, (word, &other)) in words {
            let mask = match &cut {
                Some(cut) => within(cut.start, index) & !within(cut.end, index),
                None => rng.next_u64(),
            };
            *word = *word & !mask | other & mask;
        }
        child
    }

    fn mutate(&mut self, config: &BitsConfig, rng: &mut Stream) {
        let chance = (config.mutation_rate * 2.0_f64.powi(64)) as u64;
        for word in &mut self.words {
            *word ^= chances(chance, rng);
        }
        let mask = self.last_mask();
        if let Some(last) = self.words.last_mut() {
            *last &= mask;
        }
    }

    fn grow(&self, config: &BitsConfig, ports: &Ports) -> Box<dyn Brain> {
        mlp::brain(&self.network(), functions(config), ports)
    }

    fn activity(&self, config: &BitsConfig, ports: &Ports, numbers: &[f32]) -> Vec<f32> {
        self.network().values(functions(config), ports, numbers)
    }

    fn topology(&self) -> Topology {
        Topology::dense(&self.layers)
    }

    fn sketch(&self, _config: &BitsConfig) -> Sketch {
        self.network().drawing()
    }

    fn first_layer(&self) -> Vec<Unit> {
        self.network().first_layer()
    }

    fn fault(&self, ports: &Ports) -> Option<String> {
        if let Some(fault) = mlp::misshapen(&self.layers, ports) {
            return Some(fault);
        }
        if !(1..=24).contains(&self.per_weight) {
            return Some(format!("a weight can't have {} bits", self.per_weight));
        }
        let weights = count_weights(&self.layers);
        let bits = weights.and_then(|weights| weights.checked_mul(self.per_weight as usize));
        if bits.map(|bits| bits.div_ceil(WORD)) != Some(self.words.len()) {
            let (words, layers) = (self.words.len(), &self.layers);
            return Some(format!(
                "{words} words of 64 bits do not make layers of {layers:?}"
            ));
        }
        let [low, high] = self.range;
        let sound = low.is_finite() && high.is_finite() && low < high;
        (!sound).then(|| format!("weights can't reach from {low} to {high}"))
    }

    fn problems(config: &BitsConfig) -> Vec<Problem> {
        let (low, high) = (config.low, config.high);
        let message = format!("must be below `high` ({high}), is {low}");
        let empty = (low >= high).then(|| Problem::new("low", message));
        mlp::too_deep(&config.hidden)
            .into_iter()
            .chain(empty)
            .collect()
    }

    fn misfits(config: &BitsConfig, ports: &Ports) -> Vec<Problem> {
        let layers = Self::blank(config, ports).layers;
        let (known, wanted) = (
            config.known_weights.len(),
            count_weights(&layers).unwrap_or(0),
        );
        let message = format!(
            "must list {wanted} weights and thresholds for layers of {layers:?}, lists {known}"
        );
        let unfit = known != 0 && known != wanted;
        unfit
            .then(|| Problem::new("known_weights", message))
            .into_iter()
            .collect()
    }
}

/// The bits of a word that lie at a place of the string or behind it.
fn within(place: usize, word: usize) -> u64 {
    match place.saturating_sub(word * WORD) {
        bits @ 0..WORD => u64::MAX << bits,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{Scratch, Sight};
    use crate::rng::{Purpose, stream};

    const PORTS: (usize, usize) = (24, 24);

    fn ports() -> Ports {
        Ports::new(PORTS.0, PORTS.1)
    }

    fn random(config: &BitsConfig, index: u64) -> Bits {
        Bits::random(config, &ports(), &mut stream(1, Purpose::Genesis, 0, index))
    }

    /// The bits one by one.
    fn string(genome: &Bits) -> Vec<bool> {
        let bit = |bit: usize| genome.words[bit / WORD] >> (bit % WORD) & 1 == 1;
        (0..genome.length()).map(bit).collect()
    }

    #[test]
    fn the_published_network_has_465_weights_in_4650_bits() {
        let genome = random(&BitsConfig::default(), 0);
        assert_eq!(genome.length(), 4650);
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
    fn a_child_has_a_stretch_of_its_second_parent() {
        for (crossover, most) in [(Crossover::OnePoint, 1), (Crossover::TwoPoint, 2)] {
            let config = BitsConfig {
                crossover,
                ..BitsConfig::default()
            };
            let (mother, father) = (random(&config, 1), random(&config, 2));
            for index in 0..20 {
                let mut rng = stream(1, Purpose::Breeding, 0, index);
                let child = string(&mother.cross(&father, &config, &mut rng));
                let (mother, father) = (string(&mother), string(&father));
                let mut changes = 0;
                let mut from_mother = true;
                for ((child, mother), father) in child.into_iter().zip(mother).zip(father) {
                    let fits = if from_mother { mother } else { father };
                    if child != fits {
                        from_mother = !from_mother;
                        changes += 1;
                    }
                }
                assert!(changes <= most, "{crossover:?} {changes}");
            }
        }
    }

    #[test]
    fn as_many_bits_turn_over_as_the_rate_says() {
        for rate in [0.00072, 0.005, 0.3, 0.0, 1.0] {
            let config = BitsConfig {
                mutation_rate: rate,
                ..BitsConfig::default()
            };
            let genome = random(&config, 3);
            let mut turned = 0;
            for index in 0..200 {
                let mut child = genome.clone();
                child.mutate(&config, &mut stream(1, Purpose::Breeding, 0, index));
                let pairs = string(&genome).into_iter().zip(string(&child));
                turned += pairs.filter(|(before, after)| before != after).count();
            }
            let bits = 200.0 * 4650.0;
            let spread = 4.0 * (rate * (1.0 - rate) / bits).sqrt();
            let share = turned as f64 / bits;
            assert!((share - rate).abs() <= spread + 1e-9, "{rate}: {share}");
        }
    }

    /// The definition: sigmoid units with a threshold on a constant input of -1.
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
        let mut layer = |inputs: &[f64], units: usize| -> Vec<f64> {
            let unit = |_| {
                let weights = next..next + inputs.len();
                next += inputs.len() + 1;
                let sum: f64 = weights
                    .clone()
                    .zip(inputs)
                    .map(|(weight, input)| f64::from(genome.weight(weight)) * input)
                    .sum();
                1.0 / (1.0 + (f64::from(genome.weight(weights.end)) - sum).exp())
            };
            (0..units).map(unit).collect()
        };
        let hidden = layer(
            &inputs.iter().map(|&input| input.into()).collect::<Vec<_>>(),
            9,
        );
        let expected = layer(&hidden, 24);
        let mut out = Vec::new();
        let brain = genome.grow(&config, &ports());
        brain.think(Sight::one(&inputs), &mut Scratch::default(), &mut out);
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
        let problems = Bits::misfits(&few, &ports());
        assert!(
            problems[0].to_string().contains("must list 465"),
            "{problems:?}"
        );
    }
}
