//! Genomes of other crates behind one type.

use std::any::Any;
use std::fmt::Debug;

use ron::value::RawValue;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::params::{ParamError, Params, notation};
use crate::registry::{CustomConfig, CustomPart};
use crate::rng::Stream;

use super::innovations::GenerationInnovations;
use super::network_graph::NetworkGraph;
use super::op_graph::OpGraph;
use super::replay::ReplayBuffer;
use super::sensitivity::GradientSum;
use super::training_set::TrainingSet;
use super::{Brain, FirstLayerNode, Genome, IoSpec, Relative, Topology};

/// The parameters of a genome of another crate.
pub trait GenomeParams: Params {
    /// The genome with these parameters.
    type Genome: Genome<Config = Self> + PartialEq + Debug + 'static;
}

/// The methods of [`Genome`] without the type of the genome.
#[doc(hidden)]
pub trait CustomGenomeParams {
    fn random(&self, io_spec: &IoSpec, rng: &mut Stream) -> CustomGenome;
    fn crossover_ranked(
        &self,
        parents: [&CustomGenome; 2],
        rank: Relative,
        rng: &mut Stream,
    ) -> CustomGenome;
    fn distance(&self, one: &CustomGenome, other: &CustomGenome) -> f64;
    fn crossover_both(&self, parents: [&CustomGenome; 2], rng: &mut Stream) -> [CustomGenome; 2];
    fn mutate(&self, genome: &mut CustomGenome, rng: &mut Stream);
    fn has_sensitivities(&self) -> bool;
    fn sensitivities(
        &self,
        genome: &CustomGenome,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Option<Vec<f32>>;
    fn mutate_scaled(&self, genome: &mut CustomGenome, factors: &[f32], rng: &mut Stream);
    fn is_trainable(&self) -> bool;
    fn train(&self, genome: &mut CustomGenome, set: &TrainingSet, rate: f64, rng: &mut Stream);
    fn grow(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Box<dyn Brain>;
    /// As [`Genome::ops`].
    fn ops(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Option<OpGraph>;
    fn network_graph(&self, genome: &CustomGenome) -> NetworkGraph;
    fn activations(&self, genome: &CustomGenome, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32>;
    /// As [`Genome::refinement`].
    fn refinement(&self, genome: &CustomGenome) -> Vec<u32>;
    /// As [`Genome::first_layer`].
    fn first_layer(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Vec<FirstLayerNode>;
    fn validation_error(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Option<String>;
    fn problems(&self) -> Vec<ParamError>;
    fn io_problems(&self, io_spec: &IoSpec) -> Vec<ParamError>;
    /// Reads a genome from RON.
    fn parse(&self, text: &str) -> Result<CustomGenome, String>;
}

impl<C: CustomPart + GenomeParams> CustomGenomeParams for C {
    fn random(&self, io_spec: &IoSpec, rng: &mut Stream) -> CustomGenome {
        CustomGenome::new(C::Genome::random(self, io_spec, rng))
    }

    fn crossover_ranked(
        &self,
        parents: [&CustomGenome; 2],
        rank: Relative,
        rng: &mut Stream,
    ) -> CustomGenome {
        let [one, other] = parents.map(CustomGenome::own::<C::Genome>);
        CustomGenome::new(one.crossover_ranked(other, rank, self, rng))
    }

    fn distance(&self, one: &CustomGenome, other: &CustomGenome) -> f64 {
        let [one, other] = [one, other].map(CustomGenome::own::<C::Genome>);
        one.distance(other, self)
    }

    fn crossover_both(&self, parents: [&CustomGenome; 2], rng: &mut Stream) -> [CustomGenome; 2] {
        let [one, other] = parents.map(CustomGenome::own::<C::Genome>);
        one.crossover_both(other, self, rng).map(CustomGenome::new)
    }

    fn mutate(&self, genome: &mut CustomGenome, rng: &mut Stream) {
        genome.own_mut::<C::Genome>().mutate(self, rng);
    }

    fn has_sensitivities(&self) -> bool {
        C::Genome::has_sensitivities(self)
    }

    fn sensitivities(
        &self,
        genome: &CustomGenome,
        io_spec: &IoSpec,
        replay: &ReplayBuffer,
        gradients: GradientSum,
    ) -> Option<Vec<f32>> {
        let genome = genome.own::<C::Genome>();
        genome.sensitivities(self, io_spec, replay, gradients)
    }

    fn mutate_scaled(&self, genome: &mut CustomGenome, factors: &[f32], rng: &mut Stream) {
        let genome = genome.own_mut::<C::Genome>();
        genome.mutate_scaled(self, factors, rng);
    }

    fn is_trainable(&self) -> bool {
        C::Genome::is_trainable(self)
    }

    fn train(&self, genome: &mut CustomGenome, set: &TrainingSet, rate: f64, rng: &mut Stream) {
        let genome = genome.own_mut::<C::Genome>();
        genome.train(self, set, rate, rng);
    }

    fn grow(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Box<dyn Brain> {
        genome.own::<C::Genome>().grow(self, io_spec)
    }

    fn ops(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Option<OpGraph> {
        genome.own::<C::Genome>().ops(self, io_spec)
    }

    fn network_graph(&self, genome: &CustomGenome) -> NetworkGraph {
        genome.own::<C::Genome>().network_graph(self)
    }

    fn activations(&self, genome: &CustomGenome, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
        let genome = genome.own::<C::Genome>();
        genome.activations(self, io_spec, raw_inputs)
    }

    fn refinement(&self, genome: &CustomGenome) -> Vec<u32> {
        genome.own::<C::Genome>().refinement(self)
    }

    fn first_layer(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Vec<FirstLayerNode> {
        genome.own::<C::Genome>().first_layer(self, io_spec)
    }

    fn validation_error(&self, genome: &CustomGenome, io_spec: &IoSpec) -> Option<String> {
        match genome.downcast::<C::Genome>() {
            Some(genome) => genome.validation_error(io_spec),
            None => Some(WRONG_KIND.to_owned()),
        }
    }

    fn problems(&self) -> Vec<ParamError> {
        C::Genome::problems(self)
    }

    fn io_problems(&self, io_spec: &IoSpec) -> Vec<ParamError> {
        C::Genome::io_problems(self, io_spec)
    }

    fn parse(&self, text: &str) -> Result<CustomGenome, String> {
        let genome = notation().from_str::<C::Genome>(text);
        let genome = genome.map_err(|error| error.to_string())?;
        Ok(CustomGenome::new(genome))
    }
}

/// The error for a genome that does not belong to the parameters.
pub(super) const WRONG_KIND: &str = "the genome is not of the kind that the preset uses";

/// A genome of another crate.
#[derive(Debug)]
pub struct CustomGenome(Box<dyn ErasedGenome>);

/// A genome without its type.
trait ErasedGenome: Any + Debug + Send + Sync {
    fn name(&self) -> &'static str;
    fn boxed(&self) -> Box<dyn ErasedGenome>;
    fn is_same(&self, other: &CustomGenome) -> bool;
    fn ron(&self) -> Result<Box<RawValue>, ron::Error>;
    fn topology(&self) -> Topology;
    fn number_new_genes(&mut self, innovations: &mut GenerationInnovations<'_>);
    fn numbers(&self) -> Vec<f32>;
    fn set_numbers(&mut self, numbers: &[f32]);
}

impl<G> ErasedGenome for G
where
    G: Genome<Config: CustomPart> + PartialEq + Debug + 'static,
{
    fn name(&self) -> &'static str {
        G::Config::NAME
    }

    fn boxed(&self) -> Box<dyn ErasedGenome> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &CustomGenome) -> bool {
        other.downcast() == Some(self)
    }

    fn ron(&self) -> Result<Box<RawValue>, ron::Error> {
        let text = notation().to_string(self)?;
        Ok(RawValue::from_boxed_ron(text.into_boxed_str())?)
    }

    fn topology(&self) -> Topology {
        Genome::topology(self)
    }

    fn number_new_genes(&mut self, innovations: &mut GenerationInnovations<'_>) {
        Genome::number_new_genes(self, innovations);
    }

    fn numbers(&self) -> Vec<f32> {
        Genome::numbers(self)
    }

    fn set_numbers(&mut self, numbers: &[f32]) {
        Genome::set_numbers(self, numbers);
    }
}

impl CustomGenome {
    fn new<G>(genome: G) -> Self
    where
        G: Genome<Config: CustomPart> + PartialEq + Debug + 'static,
    {
        Self(Box::new(genome))
    }

    fn downcast<G: 'static>(&self) -> Option<&G> {
        let genome: &dyn Any = &*self.0;
        genome.downcast_ref()
    }

    fn own<G: 'static>(&self) -> &G {
        self.downcast().expect("a population is of one kind")
    }

    fn own_mut<G: 'static>(&mut self) -> &mut G {
        let genome: &mut dyn Any = &mut *self.0;
        let genome = genome.downcast_mut();
        genome.expect("a population is of one kind")
    }

    /// The size of the network, as in [`Genome::topology`].
    pub fn topology(&self) -> Topology {
        self.0.topology()
    }

    /// Numbers new genes, as in [`Genome::number_new_genes`].
    pub fn number_new_genes(&mut self, innovations: &mut GenerationInnovations<'_>) {
        self.0.number_new_genes(innovations);
    }

    /// The numbers of the genome, as in [`Genome::numbers`].
    pub fn numbers(&self) -> Vec<f32> {
        self.0.numbers()
    }

    /// Replaces them, as in [`Genome::set_numbers`].
    pub fn set_numbers(&mut self, numbers: &[f32]) {
        self.0.set_numbers(numbers);
    }
}

impl Clone for CustomGenome {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl PartialEq for CustomGenome {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other)
    }
}

/// The form of a genome in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGenome {
    name: String,
    genome: Box<RawValue>,
}

impl Serialize for CustomGenome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedGenome {
            name: self.0.name().to_owned(),
            genome: self.0.ron().map_err(S::Error::custom)?,
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CustomGenome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedGenome { name, genome } = SavedGenome::deserialize(deserializer)?;
        let kind = CustomConfig::<dyn CustomGenomeParams>::named(&name);
        let missing = || D::Error::custom(format!("this program has no genome `{name}`"));
        let kind = kind.ok_or_else(missing)?;
        kind.parse(genome.get_ron()).map_err(D::Error::custom)
    }
}
