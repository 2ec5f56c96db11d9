//! Who meets whom in a generation.

use crate::contest::Pairing;
use crate::params::Problem;
use crate::registry::registry;
use crate::rng::Stream;

use self::circular::Circular;

pub mod circular;

/// Who can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Members of the population.
    pub members: usize,
    /// Champions in the archive.
    pub famers: usize,
}

/// A way to pair players.
pub trait Pair {
    /// The games of a generation, those of a pair one after another.
    fn pairings(&self, field: &Field, rng: &mut Stream) -> Vec<Pairing>;

    /// Faults of the settings in a population of this size.
    fn problems(&self, population: usize) -> Vec<Problem>;
}

registry! {
    ($)
    /// A pairing scheme and its settings.
    pub enum PairingConfig, with_pairing {
        /// Everyone meets the members at a few random distances around a circle.
        "circular" => Circular(Circular),
    }
}
