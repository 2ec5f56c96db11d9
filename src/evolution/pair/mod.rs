//! Who meets whom in a generation.

use rand::seq::index;

use crate::contest::{Pairing, Seat};
use crate::params::Problem;
use crate::registry::registry;
use crate::rng::Stream;

use self::antigens::Antigens;
use self::circular::Circular;
use self::drawn::Drawn;
use self::hall::Hall;
use self::neighbors::Neighbors;
use self::reference::Versus;
use self::round_robin::RoundRobin;

pub mod antigens;
pub mod circular;
pub mod drawn;
pub mod hall;
pub mod neighbors;
pub mod reference;
pub mod round_robin;

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

    /// The names of the reference players that members meet, by their places in [`Seat::Reference`].
    fn references(&self) -> &[String] {
        &[]
    }

    /// Faults of the settings in a population of this size.
    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

/// So many different others than a member, drawn at random.
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
    ($)
    /// A pairing scheme and its settings.
    pub enum PairingConfig, with_pairing {
        /// Everyone meets the members at a few random distances around a circle.
        "circular" => Circular(Circular),
        /// Everyone meets the whole hall of fame.
        "hall" => Hall(Hall),
        /// Everyone meets each of its neighbors twice, once from each side.
        "neighbors" => Neighbors(Neighbors),
        /// Everyone meets a reference player.
        "reference" => Reference(Versus),
        /// Everyone meets everyone, once from each side.
        "round_robin" => RoundRobin(RoundRobin),
        /// Everyone moves first in a few games against others drawn at random.
        "drawn" => Drawn(Drawn),
        /// Some members are antigens, each met by antibodies drawn for it.
        "antigens" => Antigens(Antigens),
    }
}
