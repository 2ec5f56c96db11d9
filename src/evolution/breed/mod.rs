//! Who has children, and what the next generation is made of.

use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::genomes::experience::Experience;
use crate::genomes::lessons::Lessons;
use crate::genomes::{AnyGenome, GenomeConfig, Ports};
use crate::params::Problem;
use crate::registry::registry;
use crate::rng::Stream;

use super::archive::Archive;

use self::generational::Generational;
use self::neighborhood::Neighborhood;
use self::plus::Plus;
use self::podium::Podium;
use self::shares::Shares;
use self::taught::Taught;

pub mod generational;
pub mod neighborhood;
pub mod plus;
pub mod podium;
pub mod shares;
pub mod taught;

/// All that the next generation can come from.
#[derive(Clone, Copy)]
pub struct Stock<'a> {
    pub members: &'a [AnyGenome],
    /// Fitness of each member; what is below 0 counts as nothing where chances are shared out.
    pub fitness: &'a [f64],
    pub archive: &'a Archive,
    /// The neighbors of each member; empty where members live nowhere.
    pub neighborhoods: &'a [Vec<u32>],
    /// What members are taught from; empty where nobody is.
    pub lessons: &'a [Lessons],
    /// What a member has met in its games; none where that does not matter to how genomes are varied.
    pub recall: Option<&'a Recall<'a>>,
    pub genome: &'a GenomeConfig,
    pub ports: &'a Ports,
}

/// Tells what a member has met in its games.
pub type Recall<'a> = dyn Fn(usize) -> Arc<Experience> + Sync + 'a;

impl Stock<'_> {
    /// Varies a copy of a member, or of a cross of it, on its way to the next generation.
    pub fn vary(&self, genome: &mut AnyGenome, parent: usize, rng: &mut Stream) {
        let experience = self.recall.map(|recall| recall(parent));
        let met = experience.as_deref().map(|met| (self.ports, met));
        self.genome.mutate(genome, met, rng);
    }
}

/// Where a member comes from; the metrics have the numbers of these in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Brand new.
    #[default]
    Newcomer,
    /// A member of the generation before as it was, or an earlier champion.
    Elite,
    /// A cross of two members.
    Cross,
    /// A member varied.
    Mutant,
}

/// A newborn.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    pub genome: AnyGenome,
    pub origin: Origin,
    /// The member it is an unchanged copy of, if any: what that one does need not be worked out again.
    pub copy_of: Option<usize>,
}

impl Child {
    /// A genome that came from nobody's, or from several.
    pub fn new(genome: AnyGenome) -> Self {
        Self {
            genome,
            origin: Origin::Newcomer,
            copy_of: None,
        }
    }

    /// A member as it is.
    pub fn copy(stock: &Stock<'_>, parent: usize) -> Self {
        Self {
            genome: stock.members[parent].clone(),
            origin: Origin::Elite,
            copy_of: Some(parent),
        }
    }

    /// A cross of two members on which mutation has had its chance.
    pub fn crossed(stock: &Stock<'_>, parents: [usize; 2], rng: &mut Stream) -> Self {
        let [mother, father] = parents.map(|parent| &stock.members[parent]);
        let mut genome = stock.genome.cross(mother, father, rng);
        stock.vary(&mut genome, parents[0], rng);
        let is_copy = |&parent: &usize| stock.members[parent] == genome;
        Self {
            copy_of: parents.into_iter().find(is_copy),
            genome,
            origin: Origin::Cross,
        }
    }

    /// A copy of a member on which mutation has had its chance.
    pub fn varied(stock: &Stock<'_>, parent: usize, rng: &mut Stream) -> Self {
        let original = &stock.members[parent];
        let mut genome = original.clone();
        stock.vary(&mut genome, parent, rng);
        Self {
            copy_of: (genome == *original).then_some(parent),
            genome,
            origin: Origin::Mutant,
        }
    }
}

/// A genome that may take the place of a member before the next generation is bred.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenger {
    /// The member it is measured against.
    pub member: usize,
    pub genome: AnyGenome,
}

/// The places of the members, the fittest first, of equals the first first.
pub fn ranking(fitness: &[f64]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..fitness.len()).collect();
    ranked.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
    ranked
}

/// A wheel of fortune: places are drawn by chance in proportion to their weights.
struct Wheel {
    /// Running sums of the weights; the last is the total.
    sums: Vec<f64>,
}

impl Wheel {
    /// There must be weights, and one above 0 among them.
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
        let dart = rng.random_range(0.0..self.sums[last]);
        self.sums.partition_point(|&sum| sum <= dart).min(last)
    }
}

/// A way to breed.
pub trait Breed {
    /// Does what is done once per generation, such as ranking.
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        seed: u64,
        generation: u64,
    ) -> Box<dyn Litter + 'a>;

    /// Genomes that are to be measured as members are, each taking the place of its member if it is at least as fit.
    fn challengers(&self, _stock: &Stock<'_>, _seed: u64, _generation: u64) -> Vec<Challenger> {
        Vec::new()
    }

    /// Whether it matters which members come from where.
    fn has_lineages(&self) -> bool {
        false
    }

    /// How members are taught, if they are.
    fn teaching(&self) -> Option<&Taught> {
        None
    }

    /// Whether it works on neighborhoods alone.
    fn needs_space(&self) -> bool {
        false
    }

    /// Faults of the settings in a population of this size.
    fn problems(&self, population: usize) -> Vec<Problem>;
}

/// The children of one generation; each is a function of its place and its stream, so that they can be made in parallel.
pub trait Litter: Sync {
    fn child(&self, place: usize, rng: &mut Stream) -> Child;
}

registry! {
    ($)
    /// A breeding scheme and its settings.
    pub enum BreedingConfig, with_breeding {
        /// The new population is made of shares: children of fit members, of any members, of earlier champions, and newcomers.
        "shares" => Shares(Shares),
        /// Elites stay, the others are children of selected parents.
        "generational" => Generational(Generational),
        /// Every place is taken by a child of its neighborhood.
        "neighborhood" => Neighborhood(Neighborhood),
        /// The five fittest stay and have ten children by a fixed plan.
        "podium" => Podium(Podium),
        /// The fittest stay, and every one of them has as many mutants.
        "plus" => Plus(Plus),
        /// Every member stays and is taught by back-propagation.
        "taught" => Taught(Taught),
    }
}
