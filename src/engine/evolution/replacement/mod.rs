//! Replacement: which members survive, and what takes the places of the others.

use crate::genomes::{GenomeConfig, IoSpec};
use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

use super::breeding::{Breeding, Offspring};
use super::champion_index;
use super::memory::Memory;

pub mod cma_es;
pub mod comma;
mod distribution;
pub mod each;
pub mod generational;
pub mod map_elites;
pub mod natural_es;
pub mod neighborhood;
pub mod openai_es;
pub mod parent_child;
pub mod plus;
pub mod podium;
pub mod shares;
pub mod species;

/// How the parents of offspring are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParentChoice {
    /// All parents are selected.
    #[default]
    Selected,
    /// The first parent is the member in the offspring's place; only mates are selected.
    OwnPlace,
    /// The replacement names all parents itself.
    Named,
}

/// What a replacement is, as far as other parts must fit to it. By default it selects all parents
/// and keeps no member.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent property"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplacementTraits {
    /// How many of the fittest members survive unchanged.
    pub survivors: usize,
    /// How parents are found.
    pub parent_choice: ParentChoice,
    /// Whether members are grouped into species; then it remembers a
    /// [`SpeciesTable`](species::table::SpeciesTable).
    pub has_species: bool,
    /// Whether the origins of members are measured.
    pub has_lineages: bool,
    /// Whether it needs neighborhoods.
    pub needs_space: bool,
    /// Whether the champion of another island can't take the place of a member.
    pub refuses_migrants: bool,
    /// Whether all generations must have the same number of members.
    pub has_fixed_size: bool,
    /// How many numbers a genome may have at most, if offspring are computed from the numbers of
    /// genomes; `None` if they are not.
    pub most_numbers: Option<usize>,
    /// The parameter by which some of the numbers of genomes begin to vary later or never, if one
    /// does.
    pub refined_by: Option<&'static str>,
}

/// A rule that makes the next generation.
pub trait Replacement {
    /// Prepares a generation: work done once, such as ranking.
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a>;

    /// What it is.
    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits::default()
    }

    /// The features of players that it tells members apart by, each with the key of the parameter
    /// that names it.
    fn features(&self) -> Vec<(&'static str, &str)> {
        Vec::new()
    }

    /// What it remembers after a generation, from what it remembered before and the members with
    /// their fitness, in the pool. The plan of the next generation is made with it.
    fn remember(&self, _breeding: &Breeding<'_>) -> Memory {
        Memory::default()
    }

    /// The members of the generation that make up its archive, by what it remembers after it: the
    /// hall of fame admits a random sample of them. `None` if there is no archive; then it admits
    /// the fittest.
    fn archive(&self, _memory: &Memory) -> Option<Vec<usize>> {
        None
    }

    /// Why a memory read from a file, which is not empty, can't be used for a population of this
    /// size; `None` if it can.
    fn memory_error(
        &self,
        _memory: &Memory,
        _population: usize,
        _genome: &GenomeConfig,
        _io_spec: &IoSpec,
    ) -> Option<String> {
        Some("the replacement remembers nothing, but the file says what".to_owned())
    }

    /// The index of the champion of a generation, by what was remembered before it: the fittest
    /// member, unless the replacement knows better.
    fn champion(&self, breeding: &Breeding<'_>) -> usize {
        champion_index(breeding.pool.fitness)
    }

    /// The fitness of a survivor in the next generation, from its fitness in this one; `None` if
    /// it is evaluated again.
    fn kept_fitness(&self, _fitness: f64) -> Option<f64> {
        None
    }

    /// The smallest number of candidates among which parents are selected.
    fn candidates(&self, population: usize, _neighbors: usize) -> usize {
        population
    }

    /// Errors of the parameters for a population of this size.
    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// The plan of the next generation. Each offspring depends only on its index and its stream, so
/// they can be made in parallel.
pub trait OffspringPlan: Sync {
    /// The member at index `place` of the next generation.
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring;
}

/// An error if a number of members is not below the population.
fn below_population(name: &str, members: u32, population: usize) -> Option<ParamError> {
    let message = format!("must be below the population ({population}), is {members}");
    (members as usize >= population).then(|| ParamError::new(name, message))
}

registry! {
    /// How the next generation replaces the last.
    pub enum ReplacementConfig: Replacement {
        /// Elites survive, beside shares of offspring, of offspring of earlier champions, and of
        /// random immigrants.
        "shares" => Shares(shares::Shares),
        /// Elites survive; the others are replaced by offspring of the whole population.
        "generational" => Generational(generational::Generational),
        /// The fittest survive and are the only parents.
        "plus" => Plus(plus::Plus),
        /// The fittest are the only parents; none survives.
        "comma" => Comma(comma::Comma),
        /// Each member is replaced by an offspring of its neighborhood.
        "neighborhood" => Neighborhood(neighborhood::Neighborhood),
        /// The five fittest survive and have ten offspring by a fixed plan.
        "podium" => Podium(podium::Podium),
        /// Each member is replaced by its own offspring.
        "each" => Each(each::Each),
        /// Offspring are drawn from a normal distribution, whose shape is learned from the fittest
        /// (CMA-ES).
        "cma_es" => CmaEs(cma_es::CmaEs),
        /// Offspring are drawn from independent normal distributions, which follow the natural
        /// gradient of their ranks (SNES).
        "natural_es" => NaturalEs(natural_es::NaturalEs),
        /// Offspring are drawn in mirrored pairs around a mean, which follows the gradient of their
        /// ranks (OpenAI-ES).
        "openai_es" => OpenAiEs(openai_es::OpenAiEs),
        /// Members of a species share their fitness, and each species has offspring by its share.
        "species" => Species(species::SpeciesReplacement),
        /// A parent moves a small part of the way toward an offspring that does well against it.
        "parent_child" => ParentChild(parent_child::ParentChild),
        /// A map keeps the fittest player of each style; all offspring descend from them
        /// (MAP-Elites).
        "map_elites" => MapElites(map_elites::MapElites),
    }
}
