//! Crossover: how often an offspring has a second parent, and which. How two genomes are combined
//! is up to the genome.

use crate::genomes::AnyGenome;
use crate::registry::registry;
use crate::rng::Stream;

use super::breeding::ParentPool;
use super::divergence::ReplayedGames;

pub mod headless_chicken;
pub mod immigrant;
pub mod mate;
pub mod none;
pub mod safe_mate;

/// The second parent of an offspring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mate {
    /// There is none: the offspring has one parent.
    None,
    /// A member of the population, chosen by selection or replacement.
    Member,
    /// A random genome.
    Immigrant,
}

/// A rule that gives offspring a second parent.
pub trait Crossover: Sync {
    /// The second parent of the next offspring.
    fn mate(&self, rng: &mut Stream) -> Mate;

    /// The offspring of two members, given by their indices, before mutation.
    fn cross(&self, pool: &ParentPool<'_>, parents: [usize; 2], rng: &mut Stream) -> AnyGenome {
        pool.cross(parents, rng)
    }

    /// Both offspring of two members, the fitter first, before mutation.
    fn cross_both(
        &self,
        pool: &ParentPool<'_>,
        parents: [usize; 2],
        rng: &mut Stream,
    ) -> [AnyGenome; 2] {
        let genomes = parents.map(|parent| &pool.members[parent]);
        pool.genome.crossover_both(genomes, rng)
    }

    /// Which games of the parents it needs in replay buffers; `None` if it needs no buffers.
    fn replayed_games(&self) -> Option<ReplayedGames> {
        None
    }

    /// Whether [`Crossover::mate`] may answer [`Mate::Member`].
    fn takes_members(&self) -> bool {
        true
    }

    /// Whether offspring of two parents are mutated too.
    fn is_mutated(&self) -> bool {
        true
    }

    /// Whether each survivor is crossed with a random genome and replaced if the offspring is at
    /// least as fit.
    fn challenges_survivors(&self) -> bool {
        false
    }
}

registry! {
    /// How often an offspring has a second parent, and which.
    pub enum CrossoverConfig: Crossover {
        /// No crossover: every offspring has one parent.
        "none" => None(none::NoCrossover),
        /// The second parent is a member too.
        "mate" => Mate(mate::MateCrossover),
        /// As with `mate`, and of several crosses the one is kept that plays most like the fitter
        /// parent.
        "safe_mate" => SafeMate(safe_mate::SafeMate),
        /// The second parent is a random genome: the headless chicken test of Jones (1995).
        "immigrant" => Immigrant(immigrant::ImmigrantCrossover),
        /// As with `mate`, and survivors are challenged by their crossover with a random genome.
        "headless_chicken" => HeadlessChicken(headless_chicken::HeadlessChicken),
    }
}
