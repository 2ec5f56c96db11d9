//! Pairing schemes: which players meet in a generation.

use rand::seq::index;

use crate::contest::{Pairing, Seat};
use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

pub mod antigens;
pub mod circular;
pub mod hall_of_fame;
pub mod neighbors;
pub mod parent_child;
pub mod random_opponents;
pub mod reference;
pub mod round_robin;
pub mod sampled_hall;

/// The players that can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingContext<'a> {
    /// Number of members in the population.
    pub members: usize,
    /// Number of players in the hall of fame.
    pub hall_of_fame: usize,
    /// The neighbors of each member; empty if the population is panmictic.
    pub neighborhoods: &'a [Vec<u32>],
}

/// A pairing scheme.
pub trait PairingScheme {
    /// The games of a generation; the games of a match are consecutive.
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing>;

    /// The number of games of a generation, known before they are drawn; `None` if it is not.
    fn games(&self, _field: &PairingContext<'_>) -> Option<u64> {
        None
    }

    /// Whether it needs neighborhoods.
    fn needs_space(&self) -> bool {
        false
    }

    /// Whether it needs a hall of fame.
    fn needs_hall_of_fame(&self) -> bool {
        false
    }

    /// Whether there are opponents that all members meet; each member counts as having met itself.
    fn has_common_opponents(&self) -> bool {
        false
    }

    /// The names of the reference players that members meet, indexed by [`Seat::Reference`].
    fn references(&self) -> &[String] {
        &[]
    }

    /// Errors of the parameters for a population of this size.
    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}

/// `count` distinct members other than `member`, drawn at random.
fn others(
    member: usize,
    members: usize,
    count: usize,
    rng: &mut Stream,
) -> impl Iterator<Item = usize> {
    let drawn = index::sample(rng, members - 1, count).into_iter();
    drawn.map(move |other| if other < member { other } else { other + 1 })
}

/// A match of two games from the same position, one from each side.
fn both_sides(one: Seat, other: Seat, opening: u32) -> [Pairing; 2] {
    [
        Pairing::new(one, other, opening),
        Pairing::new(other, one, opening),
    ]
}

registry! {
    /// A pairing scheme and its parameters.
    pub enum PairingConfig: PairingScheme {
        /// Each member meets the members at a few random distances around a circle.
        "circular" => Circular(circular::Circular),
        /// Each member meets every player in the hall of fame.
        "hall_of_fame" => Hall(hall_of_fame::VersusHallOfFame),
        /// Each member meets each of its neighbors twice, once from each side.
        "neighbors" => Neighbors(neighbors::Neighbors),
        /// Each member meets a reference player.
        "reference" => Reference(reference::VersusReference),
        /// Each member meets every other member, once from each side.
        "round_robin" => RoundRobin(round_robin::RoundRobin),
        /// Each member moves first in a few games against random opponents.
        "random_opponents" => RandomOpponents(random_opponents::RandomOpponents),
        /// Some members are antigens; each meets a random sample of antibodies.
        "antigens" => Antigens(antigens::Antigens),
        /// Each member meets members around a circle, and a sample of the hall of fame.
        "sampled_hall" => SampledHall(sampled_hall::SampledHall),
        /// Each offspring meets its parent.
        "parent_child" => ParentChild(parent_child::VersusParent),
    }
}
