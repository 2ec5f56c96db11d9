//! Genomes and the brains grown from them. A genome is inherited and mutated; its brain (the
//! phenotype) maps input numbers to output numbers. Neither depends on a game.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::input_spec::InputSpec;
use crate::io_module::IoModule;
use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

use self::any_genome::{SavedGenome, genomes};
use self::capabilities::Capabilities;
use self::learning::Lessons;
use self::network_graph::NetworkGraph;

pub use self::any_genome::{AnyGenome, GenomeKind, GenomeParams};
pub use self::input_batch::InputBatch;
pub use self::scratch::Scratch;
pub use self::shared_list::sharing_parts;
pub(crate) use self::shared_list::without_sharing;
pub use self::topology::{FirstLayerKind, FirstLayerNode, Topology, TupleFacts};

pub mod activation;
mod any_genome;
pub mod bits;
pub mod capabilities;
pub mod crossover;
mod distance;
mod flags;
pub mod graph;
pub mod innovations;
mod input_batch;
pub mod learning;
pub mod mlp;
pub mod modules;
pub mod n_tuples;
pub mod neat;
pub mod network_changes;
pub mod network_graph;
pub mod network_layout;
pub mod op_graph;
mod projected;
mod recent;
pub mod replay;
mod scratch;
pub mod sensitivity;
mod shared_list;
pub mod sigma_pi;
pub mod sparse;
pub mod table;
pub mod temporal_differences;
mod topology;
pub mod training_set;
pub mod unit_tables;
mod weighted;

/// Why a genome cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenomeError {
    /// It is of another kind than the preset's.
    #[error("the genome is not of the kind that the preset uses")]
    Kind,
    /// It is damaged, or has other inputs and outputs.
    #[error("{0}")]
    Invalid(String),
}

/// The inputs and outputs of a brain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IoSpec {
    /// The game that the network plays, with its parameters, and the meaning of its outputs. An
    /// arena of another game or meaning refuses its player. Empty if the arena does not matter.
    pub game: Arc<str>,
    /// The inputs of the network.
    pub inputs: InputSpec,
    /// The number of outputs.
    pub outputs: usize,
    /// The number of choices in each position, if the input is the number of a position and the
    /// output the index of a choice. Empty otherwise.
    pub choice_counts: Arc<[u16]>,
    /// The parts of the board that are all alike, with their raw inputs and outputs. Empty if there
    /// are none.
    pub modules: Arc<[IoModule]>,
    /// What every network learns before it plays; `None` if it plays with the genes that it is born
    /// with.
    pub lessons: Option<Arc<Lessons>>,
}

impl IoSpec {
    /// A spec of so many inputs and outputs of which nothing more is known.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Self::of(InputSpec::new(inputs), outputs)
    }

    /// A spec of these inputs, and of so many outputs.
    pub fn of(inputs: InputSpec, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            ..Self::default()
        }
    }

    /// Why a network with these numbers of inputs and outputs does not fit; `None` if it does.
    fn size_error(&self, [inputs, outputs]: [u32; 2]) -> Option<String> {
        let needed = [self.inputs.count, self.outputs];
        ([inputs, outputs].map(|count| count as usize) != needed).then(|| {
            format!(
                "the network has {inputs} inputs and {outputs} outputs, {} and {} are needed",
                needed[0], needed[1]
            )
        })
    }
}

/// A phenotype: a network or table that maps inputs to outputs.
pub trait Brain: Send + Sync {
    /// Fills `out` with the outputs of each row of the batch, row after row.
    fn forward(&self, batch: InputBatch<'_>, scratch: &mut Scratch, out: &mut Vec<f32>);

    /// The same brain for rows of signs, if it evaluates them faster. The outputs have the same
    /// bits.
    fn sign_evaluator(&self) -> Option<&dyn SignEvaluator> {
        None
    }
}

/// Raw inputs that are all 1, −1 or 0, at most 64, as sets of bits: the inputs that are 1 and those
/// that are −1.
pub type Signs = [u64; 2];

/// A brain for rows of signs.
pub trait SignEvaluator {
    /// Fills `out` with the outputs of each row, row after row. The rows differ a little from the
    /// base row, and base rows a little from one call to the next.
    fn forward_signs(&self, base: Signs, rows: &[Signs], scratch: &mut Scratch, out: &mut Vec<f32>);
}

/// How fit the first of two parents is beside the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// Fitter than the second.
    Fitter,
    /// Less fit than the second.
    LessFit,
    /// As fit as the second, or it is unknown which is fitter.
    Equal,
}

impl Relative {
    /// For these two fitness values.
    pub fn of([first, second]: [f64; 2]) -> Self {
        if first > second {
            Self::Fitter
        } else if first < second {
            Self::LessFit
        } else {
            Self::Equal
        }
    }
}

/// A genome. What not all genomes can do is one of their [`capabilities`].
pub trait Genome:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// The parameters of the kind.
    type Config: GenomeParams<Genome = Self>;

    /// A random genome.
    fn random(config: &Self::Config, io_spec: &IoSpec, rng: &mut Stream) -> Self;

    /// The offspring of two parents before mutation. By default, each shared gene comes from either
    /// parent with equal probability. Identical parents have identical offspring.
    #[must_use]
    fn crossover(&self, other: &Self, config: &Self::Config, rng: &mut Stream) -> Self;

    /// [`Genome::crossover`], for genomes whose offspring depend on which parent is fitter. `rank`
    /// is that of `self`.
    #[must_use]
    fn crossover_ranked(
        &self,
        other: &Self,
        _rank: Relative,
        config: &Self::Config,
        rng: &mut Stream,
    ) -> Self {
        self.crossover(other, config, rng)
    }

    /// Both offspring of two parents. `self` is the fitter parent.
    #[must_use]
    fn crossover_both(&self, other: &Self, config: &Self::Config, rng: &mut Stream) -> [Self; 2] {
        let one = self.crossover_ranked(other, Relative::Fitter, config, rng);
        [
            one,
            other.crossover_ranked(self, Relative::LessFit, config, rng),
        ]
    }

    /// Mutates the genome. It may stay the same, depending on the parameters and chance.
    fn mutate(&mut self, config: &Self::Config, rng: &mut Stream);

    /// The brain described by this genome. `io_spec` must fit the genome.
    fn grow(&self, config: &Self::Config, io_spec: &IoSpec) -> Box<dyn Brain>;

    /// The size of the network.
    fn topology(&self) -> Topology;

    /// The nodes and edges of the network.
    fn network_graph(&self, config: &Self::Config) -> NetworkGraph;

    /// What genomes with these parameters can do that others can't: `Capabilities { distance:
    /// Some(config), ..Capabilities::default() }`, for example, where the parameters implement
    /// [`Distance`](capabilities::Distance).
    fn capabilities(_config: &Self::Config) -> Capabilities<'_> {
        Capabilities::default()
    }

    /// Why a genome read from a file is invalid or does not fit `io_spec`; `None` if it is valid.
    fn validation_error(&self, io_spec: &IoSpec) -> Option<String>;

    /// Problems of the parameters that involve more than one of them.
    fn problems(_config: &Self::Config) -> Vec<ParamError> {
        Vec::new()
    }

    /// Problems of the parameters for brains with these inputs and outputs.
    fn io_problems(_config: &Self::Config, _io_spec: &IoSpec) -> Vec<ParamError> {
        Vec::new()
    }
}

genomes! {
    /// A layered network that starts without hidden nodes and grows by mutation.
    "graph" => Graph(graph::GraphConfig),
    /// NEAT's network: it grows from a minimal one, and its genes carry historical markings.
    "neat" => Neat(neat::NeatConfig),
    /// A dense network in layers of fixed size whose weights evolve.
    "mlp" => Mlp(mlp::MlpConfig),
    /// A strategy table: the move to make in each position.
    "table" => Table(table::TableConfig),
    /// A dense network in layers of fixed size whose weights are encoded in a bit string.
    "bits" => Bits(bits::BitsConfig),
    /// One small dense network for every part of the board, such as a box; its weights play on
    /// boards of any size.
    "modules" => Modules(modules::ModulesConfig),
    /// Product units that look up a factor for each input; the outputs are weighted sums of the
    /// products.
    "sigma_pi" => SigmaPi(sigma_pi::SigmaPiConfig),
    /// Tables of the pieces on a few squares together, in all places that are symmetric; the value
    /// is the sum of their entries.
    "n_tuples" => NTuples(n_tuples::NTuplesConfig),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::InputProjection;
    use crate::rng::{Purpose, stream};

    /// Compares the outputs of a brain with its activations.
    fn check(config: &GenomeConfig, io_spec: &IoSpec) {
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let mut genome = config.random(io_spec, &mut rng);
        for _ in 0..30 {
            config.mutate(&mut genome, &mut rng);
        }
        let raw_inputs: Vec<f32> = (0..io_spec.inputs.raw_count())
            .map(|number| (number % 3) as f32)
            .collect();
        let mut outputs = Vec::new();
        let brain = config.grow(&genome, io_spec);
        brain.forward(
            InputBatch::single(&raw_inputs),
            &mut Scratch::default(),
            &mut outputs,
        );
        let values = config.activations(&genome, io_spec, &raw_inputs);
        let network_graph = config.network_graph(&genome);
        assert_eq!(values.len(), network_graph.nodes.len(), "{}", config.name());
        let top = network_graph.nodes.iter().map(|node| node.layer).max();
        let shown = network_graph.nodes.iter().zip(&values);
        let shown = shown.filter(|(node, _)| Some(node.layer) == top);
        for ((_, value), output) in shown.zip(&outputs) {
            let error = (value - output).abs() / output.abs().max(1.0);
            assert!(error < 1e-4, "{}: {value} for {output}", config.name());
        }
    }

    #[test]
    fn activations_agree_with_the_outputs() {
        let direct = IoSpec::new(5, 2);
        let feeds = vec![vec![(0, 1.0)], vec![(0, 1.0), (1, 0.5)], vec![(1, 2.0)]];
        let projection = InputProjection::new(feeds).with_piece_value(1.5);
        let projected = IoSpec::of(
            InputSpec {
                projection: Some(Arc::new(projection)),
                ..InputSpec::new(2)
            },
            1,
        );
        for config in GenomeConfig::all() {
            let has_values = config.capabilities().activations.is_some();
            if has_values && config.io_problems(&direct).is_empty() {
                check(&config, &direct);
                check(&config, &projected);
            }
        }
        let bypass = mlp::MlpConfig {
            bypass: true,
            outputs: activation::Activation::Tanh,
            ..mlp::MlpConfig::default()
        };
        check(&GenomeConfig::Mlp(bypass), &projected);
    }
}
