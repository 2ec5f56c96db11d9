//! Crossover: how often an offspring has a second parent, and which. How two genomes are combined is up to the genome.

use crate::registry::registry;
use crate::rng::Stream;

pub mod headless_chicken;
pub mod immigrant;
pub mod mate;
pub mod none;

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

    /// Whether [`Crossover::mate`] may answer [`Mate::Member`].
    fn takes_members(&self) -> bool {
        true
    }

    /// Whether offspring of two parents are mutated too.
    fn is_mutated(&self) -> bool {
        true
    }

    /// Whether each survivor is crossed with a random genome and replaced if the offspring is at least as fit.
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
        /// The second parent is a random genome: the headless chicken test of Jones (1995).
        "immigrant" => Immigrant(immigrant::ImmigrantCrossover),
        /// As with `mate`, and survivors are challenged by their crossover with a random genome.
        "headless_chicken" => HeadlessChicken(headless_chicken::HeadlessChicken),
    }
}
