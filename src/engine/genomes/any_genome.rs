//! Genomes without their type. Everything outside of this module handles genomes of all kinds,
//! those of other crates included, as [`AnyGenome`] with a [`GenomeConfig`].

use std::any::Any;
use std::fmt;

use ron::value::RawValue;
use serde::{Deserialize, Serialize};

use crate::params::{ParamError, Params, from_ron, try_to_ron};
use crate::registry::{CustomConfig, CustomParts};
use crate::rng::{Purpose, Stream, stream};

use super::capabilities::Capabilities;
use super::network_graph::NetworkGraph;
use super::op_graph::OpGraph;
use super::{Brain, Genome, GenomeConfig, GenomeError, IoSpec, Relative, Topology};

/// The parameters of a kind of genome.
pub trait GenomeParams: Params + Default + Send + Sync + 'static {
    /// The genome with these parameters.
    type Genome: Genome<Config = Self>;
}

/// A genome of any kind; a population is of one kind.
///
/// An operator or a measure that knows a kind looks at the genome itself:
///
/// ```
/// use finches_engine::genomes::AnyGenome;
/// use finches_engine::genomes::mlp::Mlp;
///
/// fn is_dense(genome: &AnyGenome) -> bool {
///     genome.downcast::<Mlp>().is_some()
/// }
/// ```
pub struct AnyGenome(Box<dyn ErasedGenome>);

impl AnyGenome {
    /// A genome without its type.
    pub fn new(genome: impl Genome) -> Self {
        Self(Box::new(genome))
    }

    /// The genome if it is of this type.
    pub fn downcast<G: Genome>(&self) -> Option<&G> {
        let genome: &dyn Any = &*self.0;
        genome.downcast_ref()
    }

    /// The genome, to be changed, if it is of this type. What it becomes must be valid, see
    /// [`GenomeConfig::validate`].
    pub fn downcast_mut<G: Genome>(&mut self) -> Option<&mut G> {
        let genome: &mut dyn Any = &mut *self.0;
        genome.downcast_mut()
    }

    /// The size of the network.
    pub fn topology(&self) -> Topology {
        self.0.topology()
    }

    /// The genome of the kind that its parameters have.
    pub(super) fn own<G: Genome>(&self) -> &G {
        self.downcast().expect(ONE_KIND)
    }

    /// The same, to be changed.
    pub(super) fn own_mut<G: Genome>(&mut self) -> &mut G {
        self.downcast_mut().expect(ONE_KIND)
    }
}

const ONE_KIND: &str =
    "a genome has the kind of its parameters; GenomeConfig::validate tells where it does not";

impl Clone for AnyGenome {
    fn clone(&self) -> Self {
        self.0.to_any()
    }
}

impl PartialEq for AnyGenome {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other)
    }
}

impl fmt::Debug for AnyGenome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What every genome can do without its parameters.
trait ErasedGenome: Any + fmt::Debug + Send + Sync {
    fn to_any(&self) -> AnyGenome;
    fn is_same(&self, other: &AnyGenome) -> bool;
    fn topology(&self) -> Topology;
    fn ron(&self) -> Result<String, ron::Error>;
}

impl<G: Genome> ErasedGenome for G {
    fn to_any(&self) -> AnyGenome {
        AnyGenome::new(self.clone())
    }

    fn is_same(&self, other: &AnyGenome) -> bool {
        other.downcast() == Some(self)
    }

    fn topology(&self) -> Topology {
        Genome::topology(self)
    }

    fn ron(&self) -> Result<String, ron::Error> {
        try_to_ron(self)
    }
}

/// What can be done with the genomes of a kind, without their type. It comes with [`GenomeParams`].
///
/// # Panics
///
/// Methods panic if a genome is of another kind, see [`GenomeKind::is_own`].
pub trait GenomeKind: Sync {
    /// As [`Genome::random`].
    fn random(&self, io_spec: &IoSpec, rng: &mut Stream) -> AnyGenome;

    /// As [`Genome::crossover_ranked`]. `rank` is that of the first parent.
    fn crossover_ranked(
        &self,
        parents: [&AnyGenome; 2],
        rank: Relative,
        rng: &mut Stream,
    ) -> AnyGenome;

    /// As [`Genome::crossover_both`], the fitter parent first.
    fn crossover_both(&self, parents: [&AnyGenome; 2], rng: &mut Stream) -> [AnyGenome; 2];

    /// As [`Genome::mutate`].
    fn mutate(&self, genome: &mut AnyGenome, rng: &mut Stream);

    /// As [`Genome::grow`], without lessons.
    fn grow_unlearned(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Box<dyn Brain>;

    /// As [`Genome::network_graph`].
    fn network_graph(&self, genome: &AnyGenome) -> NetworkGraph;

    /// As [`Genome::validation_error`].
    fn validation_error(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Option<String>;

    /// As [`Genome::problems`].
    fn problems(&self) -> Vec<ParamError>;

    /// As [`Genome::io_problems`].
    fn io_problems(&self, io_spec: &IoSpec) -> Vec<ParamError>;

    /// As [`Genome::capabilities`].
    fn capabilities(&self) -> Capabilities<'_>;

    /// Whether the genome is of this kind.
    fn is_own(&self, genome: &AnyGenome) -> bool;

    /// Reads a genome of this kind from RON.
    fn parse(&self, text: &str) -> Result<AnyGenome, String>;
}

impl<C: GenomeParams> GenomeKind for C {
    fn random(&self, io_spec: &IoSpec, rng: &mut Stream) -> AnyGenome {
        AnyGenome::new(C::Genome::random(self, io_spec, rng))
    }

    fn crossover_ranked(
        &self,
        parents: [&AnyGenome; 2],
        rank: Relative,
        rng: &mut Stream,
    ) -> AnyGenome {
        let [one, other] = parents.map(AnyGenome::own::<C::Genome>);
        AnyGenome::new(one.crossover_ranked(other, rank, self, rng))
    }

    fn crossover_both(&self, parents: [&AnyGenome; 2], rng: &mut Stream) -> [AnyGenome; 2] {
        let [one, other] = parents.map(AnyGenome::own::<C::Genome>);
        one.crossover_both(other, self, rng).map(AnyGenome::new)
    }

    fn mutate(&self, genome: &mut AnyGenome, rng: &mut Stream) {
        genome.own_mut::<C::Genome>().mutate(self, rng);
    }

    fn grow_unlearned(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Box<dyn Brain> {
        genome.own::<C::Genome>().grow(self, io_spec)
    }

    fn network_graph(&self, genome: &AnyGenome) -> NetworkGraph {
        genome.own::<C::Genome>().network_graph(self)
    }

    fn validation_error(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Option<String> {
        genome.own::<C::Genome>().validation_error(io_spec)
    }

    fn problems(&self) -> Vec<ParamError> {
        C::Genome::problems(self)
    }

    fn io_problems(&self, io_spec: &IoSpec) -> Vec<ParamError> {
        C::Genome::io_problems(self, io_spec)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        C::Genome::capabilities(self)
    }

    fn is_own(&self, genome: &AnyGenome) -> bool {
        genome.downcast::<C::Genome>().is_some()
    }

    fn parse(&self, text: &str) -> Result<AnyGenome, String> {
        let genome = from_ron::<C::Genome>(text);
        genome
            .map(AnyGenome::new)
            .map_err(|error| error.to_string())
    }
}

impl GenomeConfig {
    /// The offspring of two parents of this kind before mutation, as if they were equally fit.
    pub fn crossover(&self, one: &AnyGenome, other: &AnyGenome, rng: &mut Stream) -> AnyGenome {
        self.crossover_ranked([one, other], Relative::Equal, rng)
    }

    /// The brain of a genome of this kind, after its lessons. `io_spec` must fit the genome.
    pub fn grow(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Box<dyn Brain> {
        self.grow_unlearned(&self.learned(genome, io_spec), io_spec)
    }

    /// What the brain computes, after its lessons; `None` if it cannot be described.
    pub fn ops(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Option<OpGraph> {
        let operations = self.capabilities().operations?;
        operations.ops(&self.learned(genome, io_spec), io_spec)
    }

    /// The value of every node of the network graph for these raw inputs, after its lessons; empty
    /// if nodes have no values.
    pub fn activations(
        &self,
        genome: &AnyGenome,
        io_spec: &IoSpec,
        raw_inputs: &[f32],
    ) -> Vec<f32> {
        let activations = self.capabilities().activations;
        activations.map_or_else(Vec::new, |known| {
            known.activations(&self.learned(genome, io_spec), io_spec, raw_inputs)
        })
    }

    /// Checks that a genome is of this kind and fits these inputs and outputs, as one read from a
    /// file may not.
    pub fn validate(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Result<(), GenomeError> {
        if !self.is_own(genome) {
            return Err(GenomeError::Kind);
        }
        let error = self.validation_error(genome, io_spec);
        error.map_or(Ok(()), |message| Err(GenomeError::Invalid(message)))
    }

    /// How many numbers a genome of this kind has; 0 if there can be no distribution of them.
    pub fn number_count(&self, io_spec: &IoSpec) -> usize {
        let numbers = self.capabilities().numbers;
        numbers.map_or(0, |known| known.numbers(&self.example(io_spec)).len())
    }

    /// Whether some numbers of a genome of this kind begin to vary later than others in a gradual
    /// refinement.
    pub fn is_refined(&self, io_spec: &IoSpec) -> bool {
        let numbers = self.capabilities().numbers;
        let steps = numbers.map(|known| known.refinement(&self.example(io_spec)));
        steps.into_iter().flatten().any(|step| step > 0)
    }

    fn example(&self, io_spec: &IoSpec) -> AnyGenome {
        let mut rng = stream(0, Purpose::Initialization, 0, 0);
        self.random(io_spec, &mut rng)
    }
}

/// The form of a genome of another crate in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGenome {
    name: String,
    genome: Box<RawValue>,
}

impl SavedGenome {
    /// An error if no genome of this type is registered.
    pub(super) fn new(genome: &AnyGenome) -> Result<Self, String> {
        let mut kinds = CustomParts::registered::<CustomConfig<dyn GenomeKind>>();
        let kind = kinds.find(|kind| kind.is_own(genome));
        let kind = kind.ok_or("the genome is of no kind that this program knows")?;
        let text = genome.0.ron().map_err(|error| error.to_string())?;
        let genome = RawValue::from_boxed_ron(text.into_boxed_str());
        Ok(Self {
            name: kind.name().to_owned(),
            genome: genome.map_err(|error| error.to_string())?,
        })
    }

    pub(super) fn genome(self) -> Result<AnyGenome, String> {
        let kind = CustomConfig::<dyn GenomeKind>::named(&self.name);
        let kind = kind.ok_or_else(|| format!("this program has no genome `{}`", self.name))?;
        kind.parse(self.genome.get_ron())
    }
}

/// Generates the registry of genome parameters and the form of genomes in files from one list.
macro_rules! genomes {
    ($( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?) => {
        registry! {
            /// A kind of genome, with its parameters.
            pub enum GenomeConfig: GenomeKind {
                $( $(#[doc = $help])* $word => $variant($config), )+
            }
        }

        impl Serialize for AnyGenome {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[derive(Serialize)]
                #[serde(rename = "AnyGenome")]
                enum Saved<'a> {
                    $( #[serde(rename = $word)] $variant(&'a <$config as GenomeParams>::Genome), )+
                    #[serde(rename = "custom")] Custom(SavedGenome),
                }

                $(
                    if let Some(genome) = self.downcast() {
                        return Saved::$variant(genome).serialize(serializer);
                    }
                )+
                let saved = SavedGenome::new(self).map_err(S::Error::custom)?;
                Saved::Custom(saved).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for AnyGenome {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(rename = "AnyGenome")]
                enum Saved {
                    $( #[serde(rename = $word)] $variant(<$config as GenomeParams>::Genome), )+
                    #[serde(rename = "custom")] Custom(SavedGenome),
                }

                Ok(match Saved::deserialize(deserializer)? {
                    $( Saved::$variant(genome) => Self::new(genome), )+
                    Saved::Custom(saved) => saved.genome().map_err(D::Error::custom)?,
                })
            }
        }
    };
}
pub(super) use genomes;
