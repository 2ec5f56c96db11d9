//! Who meets whom in a generation.

use crate::contest::Pairing;
use crate::params::Problem;
use crate::registry::registry;
use crate::rng::Stream;

use self::circular::Circular;
use self::hall::Hall;
use self::neighbors::Neighbors;

pub mod circular;
pub mod hall;
pub mod neighbors;

/// Who can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Members of the population.
    pub members: usize,
    /// Players in the hall of fame.
    pub famers: usize,
    /// The neighbors of each member; empty where members live nowhere.
    pub neighborhoods: &'a [Vec<u32>],
}

/// A way to pair players.
pub trait Pair {
    /// The games of a generation, those of a pair one after another.
    fn pairings(&self, field: &Field<'_>, rng: &mut Stream) -> Vec<Pairing>;

    /// Whether it works on neighborhoods alone.
    fn needs_space(&self) -> bool {
        false
    }

    /// Whether it works on a hall of fame.
    fn needs_fame(&self) -> bool {
        false
    }

    /// Faults of the settings in a population of this size.
    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

registry! {
    ($)
    /// A pairing scheme and its settings.
    pub enum PairingConfig, with_pairing {
        /// Everyone meets the members at a few random distances around a circle.
        "circular" => Circular(Circular),
        /// Everyone meets the whole hall of fame.
        "hall" => Hall(Hall),
        /// Everyone meets each of its neighbors twice, once from each side.
        "neighbors" => Neighbors(Neighbors),
    }
}
