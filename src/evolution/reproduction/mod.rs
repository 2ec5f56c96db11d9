//! Reproduction schemes: how the next generation is made.

use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::genomes::replay::ReplayBuffer;
use crate::genomes::training_set::TrainingSet;
use crate::genomes::{AnyGenome, GenomeConfig, IoSpec};
use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

use super::archive::Archive;

use self::generational::Generational;
use self::neighborhood::Neighborhood;
use self::plus::Plus;
use self::podium::Podium;
use self::shares::Shares;
use self::supervised::Supervised;

pub mod generational;
pub mod neighborhood;
pub mod plus;
pub mod podium;
pub mod shares;
pub mod supervised;

/// The members and other sources from which the next generation is made.
#[derive(Clone, Copy)]
pub struct ParentPool<'a> {
    pub members: &'a [AnyGenome],
    /// Fitness of each member; proportional selection treats negative fitness as 0.
    pub fitness: &'a [f64],
    pub archive: &'a Archive,
    /// The neighbors of each member; empty if the population is panmictic.
    pub neighborhoods: &'a [Vec<u32>],
    /// The training sets; empty unless reproduction is supervised.
    pub training_sets: &'a [TrainingSet],
    /// The positions of a member's games; `None` if mutation does not use them.
    pub replay: Option<&'a ReplayLookup<'a>>,
    pub genome: &'a GenomeConfig,
    pub ports: &'a IoSpec,
}

/// Returns the replay buffer of a member.
pub type ReplayLookup<'a> = dyn Fn(usize) -> Arc<ReplayBuffer> + Sync + 'a;

impl ParentPool<'_> {
    /// Mutates a copy or a crossover offspring of a member.
    pub fn mutate(&self, genome: &mut AnyGenome, parent: usize, rng: &mut Stream) {
        let experience = self.replay.map(|recall| recall(parent));
        let met = experience.as_deref().map(|met| (self.ports, met));
        self.genome.mutate(genome, met, rng);
    }
}

/// The origin of a member; the metrics number the variants in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// No single parent, such as a random genome.
    #[default]
    New,
    /// An unchanged member of the previous generation.
    Elite,
    /// A crossover of two members.
    Crossover,
    /// A mutated member.
    Mutant,
}

/// A member of the next generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Offspring {
    pub genome: AnyGenome,
    pub origin: Origin,
    /// The member of which it is an unchanged copy, if any; its cached evaluation can be reused.
    pub copy_of: Option<usize>,
}

impl Offspring {
    /// A genome without a recorded parent.
    pub fn new(genome: AnyGenome) -> Self {
        Self {
            genome,
            origin: Origin::New,
            copy_of: None,
        }
    }

    /// An unchanged copy of a member.
    pub fn copy(pool: &ParentPool<'_>, parent: usize) -> Self {
        Self {
            genome: pool.members[parent].clone(),
            origin: Origin::Elite,
            copy_of: Some(parent),
        }
    }

    /// A crossover of two members, then mutated.
    pub fn by_crossover(pool: &ParentPool<'_>, parents: [usize; 2], rng: &mut Stream) -> Self {
        let [mother, father] = parents.map(|parent| &pool.members[parent]);
        let mut genome = pool.genome.crossover(mother, father, rng);
        pool.mutate(&mut genome, parents[0], rng);
        let is_copy = |&parent: &usize| pool.members[parent] == genome;
        Self {
            copy_of: parents.into_iter().find(is_copy),
            genome,
            origin: Origin::Crossover,
        }
    }

    /// A mutated copy of a member; mutation may leave it unchanged.
    pub fn by_mutation(pool: &ParentPool<'_>, parent: usize, rng: &mut Stream) -> Self {
        let original = &pool.members[parent];
        let mut genome = original.clone();
        pool.mutate(&mut genome, parent, rng);
        Self {
            copy_of: (genome == *original).then_some(parent),
            genome,
            origin: Origin::Mutant,
        }
    }
}

/// A genome that may replace a member before reproduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenger {
    /// The index of the member that it may replace.
    pub member: usize,
    pub genome: AnyGenome,
}

/// The indices of the members, the fittest first; equals keep their order.
pub fn ranking(fitness: &[f64]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..fitness.len()).collect();
    ranked.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
    ranked
}

/// Roulette-wheel selection: draws indices with probability proportional to their weights.
struct RouletteWheel {
    /// Cumulative sums of the weights.
    sums: Vec<f64>,
}

impl RouletteWheel {
    /// At least one weight must be positive.
    fn new(weights: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        let add = |weight| {
            total += weight;
            total
        };
        Self {
            sums: weights.map(add).collect(),
        }
    }

    fn draw(&self, rng: &mut Stream) -> usize {
        let last = self.sums.len() - 1;
        let point = rng.random_range(0.0..self.sums[last]);
        self.sums.partition_point(|&sum| sum <= point).min(last)
    }
}

/// A reproduction scheme.
pub trait Reproduction {
    /// Prepares a generation: work done once, such as ranking.
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        seed: u64,
        generation: u64,
    ) -> Box<dyn OffspringPlan + 'a>;

    /// Genomes to evaluate like members; each replaces its member if it is at least as fit.
    fn challengers(
        &self,
        _stock: &ParentPool<'_>,
        _seed: u64,
        _generation: u64,
    ) -> Vec<Challenger> {
        Vec::new()
    }

    /// Whether the origins of members are recorded.
    fn has_lineages(&self) -> bool {
        false
    }

    /// The supervised training, if the scheme is supervised.
    fn supervision(&self) -> Option<&Supervised> {
        None
    }

    /// Whether it needs neighborhoods.
    fn needs_space(&self) -> bool {
        false
    }

    /// Errors of the parameters for a population of this size.
    fn problems(&self, population: usize) -> Vec<ParamError>;
}

/// The plan of the next generation. Each offspring depends only on its index and its stream, so they can be made in parallel.
pub trait OffspringPlan: Sync {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring;
}

registry! {
    ($)
    /// A reproduction scheme and its parameters.
    pub enum ReproductionConfig, with_reproduction {
        /// Shares of the population are offspring of fit members, of random members and of earlier champions, and random immigrants.
        "shares" => Shares(Shares),
        /// Elites survive; the others are offspring of selected parents.
        "generational" => Generational(Generational),
        /// Each member is replaced by an offspring of its neighborhood.
        "neighborhood" => Neighborhood(Neighborhood),
        /// The five fittest survive and have ten offspring by a fixed plan.
        "podium" => Podium(Podium),
        /// The fittest survive, and each has the same number of mutants.
        "plus" => Plus(Plus),
        /// No selection: every member learns by back-propagation.
        "supervised" => Supervised(Supervised),
    }
}
