//! What is inherited and what grows from it: a genome is varied and handed down, the brain grown from it turns numbers
//! into numbers. Neither knows a game.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::features::Features;
use crate::params::{Params, Problem};
use crate::registry::registry;
use crate::rng::Stream;

use self::experience::Experience;
use self::lessons::Lessons;
use self::sketch::Sketch;

pub mod activation;
pub mod bits;
pub mod crossover;
pub mod experience;
pub mod graph;
pub mod lessons;
pub mod mlp;
pub mod sketch;
mod sum;
pub mod table;

/// How many numbers go into a brain and come out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ports {
    pub inputs: usize,
    pub outputs: usize,
    /// How the numbers that a brain is shown add up to its inputs; none where they are the same.
    pub features: Option<Arc<Features>>,
    /// Where the input is the number of a position and the output that of a choice there: how many choices each has.
    pub choices: Arc<[u16]>,
}

impl Ports {
    /// Ports for numbers of any meaning.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            ..Self::default()
        }
    }

    /// Numbers that a brain is shown.
    pub fn numbers(&self) -> usize {
        let features = self.features.as_ref();
        features.map_or(self.inputs, |features| features.count())
    }

    /// The inputs that these numbers add up to, heavy features counting as they do by themselves.
    pub fn added_up(&self, numbers: Vec<f32>) -> Vec<f32> {
        let Some(features) = &self.features else {
            return numbers;
        };
        let mut inputs = vec![0.0; self.inputs];
        features.add_up(&numbers, None, &mut inputs);
        inputs
    }
}

/// A batch of what a brain is shown: one row in full, and for each row of the batch the few inputs in which it differs.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// All numbers of the row the others are told by.
    pub base: &'a [f32],
    /// Place and new value, row after row; a row names no place twice. Behind the end of the last row may be anything.
    pub changes: &'a [(u32, f32)],
    /// Where each row's changes end; its length is the number of rows.
    pub ends: &'a [u32],
}

impl<'a> Sight<'a> {
    /// A batch of one row.
    pub fn one(base: &'a [f32]) -> Self {
        Self {
            base,
            changes: &[],
            ends: &[0],
        }
    }

    /// The changes of one row.
    pub fn row(&self, row: usize) -> &'a [(u32, f32)] {
        let from = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.changes[from as usize..self.ends[row] as usize]
    }
}

/// Memory a brain may use while thinking, kept by the caller so that nothing is allocated per move.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    values: Vec<f32>,
    inputs: Vec<f64>,
    sums: Vec<f64>,
    owners: Vec<u32>,
    places: Vec<u32>,
    summed: sum::Sums,
}

/// A grown network, table or whatever turns a position into outputs.
pub trait Brain: Send + Sync {
    /// Fills `out` with the outputs of each row of the batch, row after row.
    fn think(&self, sight: Sight<'_>, scratch: &mut Scratch, out: &mut Vec<f32>);
}

/// The size of a genome's network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Nodes in each layer, inputs first, outputs last.
    pub layers: Vec<usize>,
    pub edges: usize,
}

impl Topology {
    /// Layers of which each unit is joined to all units of the layer below.
    fn dense(layers: &[u32]) -> Self {
        let edges = layers.windows(2).map(|pair| pair[0] * pair[1]);
        Self {
            layers: layers.iter().map(|&units| units as usize).collect(),
            edges: edges.sum::<u32>() as usize,
        }
    }

    /// Layers between inputs and outputs.
    pub fn hidden_layers(&self) -> usize {
        self.layers.len().saturating_sub(2)
    }

    /// Nodes that are neither inputs nor outputs.
    pub fn hidden_nodes(&self) -> usize {
        self.layers.iter().skip(1).take(self.hidden_layers()).sum()
    }

    /// All nodes.
    pub fn nodes(&self) -> usize {
        self.layers.iter().sum()
    }
}

/// A unit of the first layer above the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// A weight for each input.
    pub weights: Vec<f32>,
    /// The weight by which the unit counts for the output; `None` where it is an output, there are several, or layers lie
    /// between.
    pub outgoing: Option<f32>,
}

/// What can be inherited.
pub trait Genome: Clone + Send + Sync + Serialize + DeserializeOwned {
    type Config: Params + Default;

    /// A brand-new genome.
    fn random(config: &Self::Config, ports: &Ports, rng: &mut Stream) -> Self;

    /// The child of two parents before it is varied: each gene that both have comes from either with the same chance. A
    /// child of twins is their twin.
    #[must_use]
    fn cross(&self, other: &Self, config: &Self::Config, rng: &mut Stream) -> Self;

    /// Both children of two parents, the fitter of which is this one.
    #[must_use]
    fn cross_both(&self, other: &Self, config: &Self::Config, rng: &mut Stream) -> [Self; 2] {
        let one = self.cross(other, config, rng);
        [one, other.cross(self, config, rng)]
    }

    /// Varies a copy on its way to the next generation; that it is varied at all is up to the configuration and chance.
    fn mutate(&mut self, config: &Self::Config, rng: &mut Stream);

    /// Whether varying a genome takes the experience of its parent into account.
    fn is_careful(_config: &Self::Config) -> bool {
        false
    }

    /// The same with an eye to what it does in positions its parent has met. `ports` fit it.
    fn mutate_with_care(
        &mut self,
        config: &Self::Config,
        _ports: &Ports,
        _experience: &Experience,
        rng: &mut Stream,
    ) {
        self.mutate(config, rng);
    }

    /// Whether a genome of this kind can be taught.
    fn can_learn(_config: &Self::Config) -> bool {
        false
    }

    /// Brings the outputs nearer to what the lessons say, each of which moves a weight by its slope times `rate`. Who can't be
    /// taught stays as it is.
    fn learn(&mut self, _config: &Self::Config, _lessons: &Lessons, _rate: f64, _rng: &mut Stream) {
    }

    /// The brain this genome describes, for ports that fit it.
    fn grow(&self, config: &Self::Config, ports: &Ports) -> Box<dyn Brain>;

    fn topology(&self) -> Topology;

    /// A drawing of the network.
    fn sketch(&self, config: &Self::Config) -> Sketch;

    /// What every node of the drawing gives where the brain is shown these numbers; none where nodes give nothing.
    fn activity(&self, _config: &Self::Config, _ports: &Ports, _numbers: &[f32]) -> Vec<f32> {
        Vec::new()
    }

    /// The units that every input is joined to; none where the first layer is not like that.
    fn first_layer(&self) -> Vec<Unit> {
        Vec::new()
    }

    /// What makes a genome read from a file unusable, if anything; the numbers of its ports are part of that.
    fn fault(&self, ports: &Ports) -> Option<String>;

    /// Faults of a configuration that no single setting shows.
    fn problems(config: &Self::Config) -> Vec<Problem>;

    /// Faults of a configuration for brains with these ports.
    fn misfits(_config: &Self::Config, _ports: &Ports) -> Vec<Problem> {
        Vec::new()
    }
}

/// One list of genomes gives the registry of their configurations and the enum that a population consists of.
macro_rules! genomes {
    ($( $(#[doc = $help:expr])* $word:literal => $variant:ident($genome:ty) ),+ $(,)?) => {
        registry! {
            ($)
            /// A kind of genome and its settings.
            pub enum GenomeConfig, with_genome {
                $( $(#[doc = $help])* $word => $variant(<$genome as Genome>::Config), )+
            }
        }

        /// A genome of any kind; a population is of one kind.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyGenome { $( #[serde(rename = $word)] $variant($genome), )+ }

        impl GenomeConfig {
            /// A brand-new genome.
            pub fn random(&self, ports: &Ports, rng: &mut Stream) -> AnyGenome {
                match self { $( Self::$variant(config) => AnyGenome::$variant(<$genome>::random(config, ports, rng)), )+ }
            }

            /// The child of two parents of this kind before it is varied.
            pub fn cross(&self, one: &AnyGenome, other: &AnyGenome, rng: &mut Stream) -> AnyGenome {
                match (self, one, other) {
                    $( (Self::$variant(config), AnyGenome::$variant(one), AnyGenome::$variant(other)) => {
                        AnyGenome::$variant(one.cross(other, config, rng))
                    } )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Both children of two parents of this kind, the fitter first.
            pub fn cross_both(&self, parents: [&AnyGenome; 2], rng: &mut Stream) -> [AnyGenome; 2] {
                match (self, parents) {
                    $( (Self::$variant(config), [AnyGenome::$variant(one), AnyGenome::$variant(other)]) => {
                        one.cross_both(other, config, rng).map(AnyGenome::$variant)
                    } )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Whether varying genomes of this kind takes the experience of their parents into account.
            pub fn is_careful(&self) -> bool {
                match self { $( Self::$variant(config) => <$genome>::is_careful(config), )+ }
            }

            /// Varies a genome of this kind; with an eye to what it does in positions its parent has met, where those are given
            /// with the ports that fit it.
            pub fn mutate(
                &self,
                genome: &mut AnyGenome,
                met: Option<(&Ports, &Experience)>,
                rng: &mut Stream,
            ) {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => match met {
                        Some((ports, experience)) => genome.mutate_with_care(config, ports, experience, rng),
                        None => genome.mutate(config, rng),
                    } )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Whether genomes of this kind can be taught.
            pub fn can_learn(&self) -> bool {
                match self { $( Self::$variant(config) => <$genome>::can_learn(config), )+ }
            }

            /// Teaches a genome of this kind.
            pub fn learn(&self, genome: &mut AnyGenome, lessons: &Lessons, rate: f64, rng: &mut Stream) {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.learn(config, lessons, rate, rng), )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// The brain of a genome of this kind, for ports that fit it.
            pub fn grow(&self, genome: &AnyGenome, ports: &Ports) -> Box<dyn Brain> {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.grow(config, ports), )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// A drawing of the network of a genome of this kind.
            pub fn sketch(&self, genome: &AnyGenome) -> Sketch {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.sketch(config), )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// What every node of the drawing of a genome of this kind gives where its brain is shown these numbers; none
            /// where nodes give nothing.
            pub fn activity(&self, genome: &AnyGenome, ports: &Ports, numbers: &[f32]) -> Vec<f32> {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.activity(config, ports, numbers), )+
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// What makes a genome read from a file unusable here, if anything.
            pub fn fault(&self, genome: &AnyGenome, ports: &Ports) -> Option<String> {
                match (self, genome) {
                    $( (Self::$variant(_), AnyGenome::$variant(genome)) => genome.fault(ports), )+
                    _ => Some("the genome is of another kind than the preset's".to_owned()),
                }
            }

            /// Faults that no single setting shows.
            pub fn problems(&self) -> Vec<Problem> {
                match self { $( Self::$variant(config) => <$genome>::problems(config), )+ }
            }

            /// Faults of the settings for brains with these ports.
            pub fn misfits(&self, ports: &Ports) -> Vec<Problem> {
                match self { $( Self::$variant(config) => <$genome>::misfits(config, ports), )+ }
            }
        }

        impl AnyGenome {
            pub fn topology(&self) -> Topology {
                match self { $( Self::$variant(genome) => genome.topology(), )+ }
            }

            /// The units that every input is joined to; none where the first layer is not like that.
            pub fn first_layer(&self) -> Vec<Unit> {
                match self { $( Self::$variant(genome) => genome.first_layer(), )+ }
            }
        }
    };
}

genomes! {
    /// A layered network that starts without hidden nodes and grows by mutation.
    "graph" => Graph(graph::Graph),
    /// A dense network in layers of fixed size whose weights evolve.
    "mlp" => Mlp(mlp::Mlp),
    /// A strategy written down: for each position the move to make.
    "table" => Table(table::Table),
    /// A dense network in layers of fixed size whose weights are written down in bits.
    "bits" => Bits(bits::Bits),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    /// The outputs that a brain gives and those that looking inside shows.
    fn check(config: &GenomeConfig, ports: &Ports) {
        let mut rng = stream(1, Purpose::Genesis, 0, 0);
        let mut genome = config.random(ports, &mut rng);
        for _ in 0..30 {
            config.mutate(&mut genome, None, &mut rng);
        }
        let numbers: Vec<f32> = (0..ports.numbers())
            .map(|number| (number % 3) as f32)
            .collect();
        let mut outputs = Vec::new();
        let brain = config.grow(&genome, ports);
        brain.think(Sight::one(&numbers), &mut Scratch::default(), &mut outputs);
        let values = config.activity(&genome, ports, &numbers);
        let sketch = config.sketch(&genome);
        assert_eq!(values.len(), sketch.nodes.len(), "{}", config.name());
        let top = sketch.nodes.iter().map(|node| node.layer).max();
        let shown = sketch.nodes.iter().zip(&values);
        let shown = shown.filter(|(node, _)| Some(node.layer) == top);
        for ((_, value), output) in shown.zip(&outputs) {
            let error = (value - output).abs() / output.abs().max(1.0);
            assert!(error < 1e-4, "{}: {value} for {output}", config.name());
        }
    }

    #[test]
    fn what_is_seen_inside_a_network_is_what_it_does() {
        let plain = Ports::new(5, 2);
        let feeds = vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)], vec![(1, 2.0)]];
        let features = Features::new(feeds).and_heavy(1.5);
        let summed = Ports {
            features: Some(Arc::new(features)),
            ..Ports::new(2, 1)
        };
        for config in GenomeConfig::all() {
            if !matches!(config, GenomeConfig::Table(_)) {
                check(&config, &plain);
                check(&config, &summed);
            }
        }
        let bypass = mlp::MlpConfig {
            bypass: true,
            outputs: activation::Activation::Tanh,
            ..mlp::MlpConfig::default()
        };
        check(&GenomeConfig::Mlp(bypass), &summed);
    }
}
