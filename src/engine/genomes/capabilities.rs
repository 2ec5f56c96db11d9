//! What only some genomes can do. Each capability is a trait of the parameters: a genome names
//! those that it has in [`Genome::capabilities`](super::Genome::capabilities), and a caller asks
//! for the one that it needs.
//!
//! `G` is the type of the genome. A genome's author implements a capability for his own type; with
//! it comes the same capability for [`AnyGenome`], by which callers reach it without knowing the
//! type.

use crate::rng::Stream;

use super::innovations::GenerationInnovations;
use super::op_graph::OpGraph;
use super::replay::ReplayBuffer;
use super::sensitivity::GradientSum;
use super::training_set::TrainingSet;
use super::unit_tables::TableUnit;
use super::{AnyGenome, FirstLayerNode, GenomeParams, IoSpec};

/// The capabilities of a kind of genome with certain parameters.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// Whether no variation changes the size of the network.
    pub keeps_size: bool,
    /// Genes have historical markings.
    pub markings: Option<&'a dyn Markings<AnyGenome>>,
    /// Genomes have a distance.
    pub distance: Option<&'a dyn Distance<AnyGenome>>,
    /// Genomes are lists of numbers.
    pub numbers: Option<&'a dyn Numbers<AnyGenome>>,
    /// The outputs have gradients with respect to the genes.
    pub gradients: Option<&'a dyn Gradients<AnyGenome>>,
    /// Networks learn from examples.
    pub training: Option<&'a dyn Training<AnyGenome>>,
    /// What the network computes can be written to a file.
    pub operations: Option<&'a dyn Operations<AnyGenome>>,
    /// The nodes of the drawn network have values.
    pub activations: Option<&'a dyn Activations<AnyGenome>>,
    /// Something looks at all inputs at once and can be drawn on the board.
    pub first_layer: Option<&'a dyn FirstLayerWeights<AnyGenome>>,
    /// The network consists of units with tables.
    pub unit_tables: Option<&'a dyn UnitTables<AnyGenome>>,
}

/// Historical markings of genes (Stanley & Miikkulainen 2002).
pub trait Markings<G>: Sync {
    /// Gives the genes that mutations have added their markings. It is called for all offspring of
    /// a generation, one after the other, before they play.
    fn number_new_genes(&self, genome: &mut G, innovations: &mut GenerationInnovations<'_>);
}

/// How different genomes are; by it, members are grouped into species.
pub trait Distance<G>: Sync {
    /// From 0 for genomes that are alike.
    fn distance(&self, one: &G, other: &G) -> f64;
}

/// Genomes that are as many numbers as all of their kind: weights, for example. They can be drawn
/// from a distribution.
pub trait Numbers<G>: Sync {
    /// The numbers.
    fn numbers(&self, genome: &G) -> Vec<f32>;

    /// Replaces them by as many others; those outside of their bounds are moved to them.
    fn set_numbers(&self, genome: &mut G, numbers: &[f32]);

    /// In which step of a gradual refinement each number begins to vary, from 0 for those that
    /// always do. Empty if all do.
    fn refinement(&self, _genome: &G) -> Vec<u32> {
        Vec::new()
    }
}

/// Outputs with gradients with respect to the genes.
pub trait Gradients<G>: Sync {
    /// How much the outputs change with each gene, by their gradients in the positions of the
    /// replay buffer.
    fn sensitivities(
        &self,
        genome: &G,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Vec<f32>;

    /// Mutates the genome with steps multiplied by these factors, one for each of the
    /// sensitivities.
    fn mutate_scaled(&self, genome: &mut G, factors: &[f32], rng: &mut Stream);
}

/// Networks that learn from examples.
pub trait Training<G>: Sync {
    /// Trains one epoch: each example moves the weights against the error gradient times `rate`.
    fn train(
        &self,
        genome: &mut G,
        io_spec: &IoSpec,
        examples: &TrainingSet,
        rate: f64,
        rng: &mut Stream,
    );

    /// What the target of an output is compared with: the output itself by default.
    fn trained_value(&self, output: f32) -> f32 {
        output
    }
}

/// Networks that can be written to a file of operations.
pub trait Operations<G>: Sync {
    /// What the network computes. `None` if it cannot be described for these inputs.
    fn ops(&self, genome: &G, io_spec: &IoSpec) -> Option<OpGraph>;
}

/// Networks whose nodes have values.
pub trait Activations<G>: Sync {
    /// The value of every node of the network graph for these raw inputs.
    fn activations(&self, genome: &G, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32>;
}

/// Networks of which something looks at all inputs at once.
pub trait FirstLayerWeights<G>: Sync {
    /// The nodes of the first layer if each is connected to all inputs, or tuples. Empty if neither
    /// is there.
    fn first_layer(&self, genome: &G, io_spec: &IoSpec) -> Vec<FirstLayerNode>;
}

/// Networks of units with tables.
pub trait UnitTables<G>: Sync {
    /// The units, of which all have tables with the same levels.
    fn unit_tables(&self, genome: &G) -> Vec<TableUnit>;
}

impl<C: GenomeParams + Markings<C::Genome>> Markings<AnyGenome> for C {
    fn number_new_genes(
        &self,
        genome: &mut AnyGenome,
        innovations: &mut GenerationInnovations<'_>,
    ) {
        let genome = genome.own_mut::<C::Genome>();
        Markings::<C::Genome>::number_new_genes(self, genome, innovations);
    }
}

impl<C: GenomeParams + Distance<C::Genome>> Distance<AnyGenome> for C {
    fn distance(&self, one: &AnyGenome, other: &AnyGenome) -> f64 {
        Distance::<C::Genome>::distance(self, one.own(), other.own())
    }
}

impl<C: GenomeParams + Numbers<C::Genome>> Numbers<AnyGenome> for C {
    fn numbers(&self, genome: &AnyGenome) -> Vec<f32> {
        Numbers::<C::Genome>::numbers(self, genome.own())
    }

    fn set_numbers(&self, genome: &mut AnyGenome, numbers: &[f32]) {
        Numbers::<C::Genome>::set_numbers(self, genome.own_mut(), numbers);
    }

    fn refinement(&self, genome: &AnyGenome) -> Vec<u32> {
        Numbers::<C::Genome>::refinement(self, genome.own())
    }
}

impl<C: GenomeParams + Gradients<C::Genome>> Gradients<AnyGenome> for C {
    fn sensitivities(
        &self,
        genome: &AnyGenome,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Vec<f32> {
        let genome = genome.own::<C::Genome>();
        Gradients::<C::Genome>::sensitivities(self, genome, io_spec, replay, gradients)
    }

    fn mutate_scaled(&self, genome: &mut AnyGenome, factors: &[f32], rng: &mut Stream) {
        Gradients::<C::Genome>::mutate_scaled(self, genome.own_mut(), factors, rng);
    }
}

impl<C: GenomeParams + Training<C::Genome>> Training<AnyGenome> for C {
    fn train(
        &self,
        genome: &mut AnyGenome,
        io_spec: &IoSpec,
        examples: &TrainingSet,
        rate: f64,
        rng: &mut Stream,
    ) {
        Training::<C::Genome>::train(self, genome.own_mut(), io_spec, examples, rate, rng);
    }

    fn trained_value(&self, output: f32) -> f32 {
        Training::<C::Genome>::trained_value(self, output)
    }
}

impl<C: GenomeParams + Operations<C::Genome>> Operations<AnyGenome> for C {
    fn ops(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Option<OpGraph> {
        Operations::<C::Genome>::ops(self, genome.own(), io_spec)
    }
}

impl<C: GenomeParams + Activations<C::Genome>> Activations<AnyGenome> for C {
    fn activations(&self, genome: &AnyGenome, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        Activations::<C::Genome>::activations(self, genome.own(), io_spec, raw_inputs)
    }
}

impl<C: GenomeParams + FirstLayerWeights<C::Genome>> FirstLayerWeights<AnyGenome> for C {
    fn first_layer(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Vec<FirstLayerNode> {
        FirstLayerWeights::<C::Genome>::first_layer(self, genome.own(), io_spec)
    }
}

impl<C: GenomeParams + UnitTables<C::Genome>> UnitTables<AnyGenome> for C {
    fn unit_tables(&self, genome: &AnyGenome) -> Vec<TableUnit> {
        UnitTables::<C::Genome>::unit_tables(self, genome.own())
    }
}
