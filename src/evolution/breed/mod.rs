//! Who has children, and what the next generation is made of.

use crate::genomes::{AnyGenome, GenomeConfig, Ports};
use crate::params::Problem;
use crate::registry::registry;
use crate::rng::Stream;

use super::archive::Archive;

use self::shares::Shares;

pub mod shares;

/// All that the next generation can come from.
#[derive(Clone, Copy)]
pub struct Stock<'a> {
    pub members: &'a [AnyGenome],
    /// Fitness of each member, 0 or more.
    pub fitness: &'a [f64],
    pub archive: &'a Archive,
    pub genome: &'a GenomeConfig,
    pub ports: Ports,
}

/// A way to breed.
pub trait Breed {
    /// Does what is done once per generation, such as ranking.
    fn litter<'a>(&'a self, stock: &'a Stock<'a>) -> Box<dyn Litter + 'a>;

    /// Faults of the settings in a population of this size.
    fn problems(&self, population: usize) -> Vec<Problem>;
}

/// The children of one generation; each is a function of its place and its stream, so that they can be made in parallel.
pub trait Litter: Sync {
    fn child(&self, place: usize, rng: &mut Stream) -> AnyGenome;
}

registry! {
    ($)
    /// A breeding scheme and its settings.
    pub enum BreedingConfig, with_breeding {
        /// The new population is made of shares: children of fit members, of any members, of earlier champions, and newcomers.
        "shares" => Shares(Shares),
    }
}
