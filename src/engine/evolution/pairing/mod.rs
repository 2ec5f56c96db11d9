//! Pairing schemes: which players meet in a generation.

use rand::seq::index;

use crate::contest::{GameResult, Pairing, Seat};
use crate::params::ParamError;
use crate::registry::registry;
use crate::rng::Stream;

pub mod antigens;
pub mod circular;
pub mod hall_of_fame;
pub mod knockout;
pub mod neighbors;
pub mod parent_child;
pub mod random_opponents;
pub mod reference;
pub mod round_robin;
pub mod sampled_hall;
pub mod swiss;

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

/// The rounds of a generation that are over.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayedRounds<'a> {
    /// How many there were.
    pub rounds: u64,
    /// Their games, round after round.
    pub pairings: &'a [Pairing],
    /// The results of the games, in the same order.
    pub results: &'a [GameResult],
}

impl PlayedRounds<'_> {
    /// The opening of the first game that is not paired yet, so that no two matches share one.
    pub fn next_opening(&self) -> u32 {
        self.pairings.last().map_or(0, |game| game.opening + 1)
    }

    /// The wins minus the losses of each member.
    pub fn scores(&self, members: usize) -> Vec<i32> {
        let mut scores = vec![0; members];
        for (game, played) in self.pairings.iter().zip(self.results) {
            let results = [played.result, played.result_for_second()];
            for (seat, result) in [game.first(), game.second()].into_iter().zip(results) {
                if let Seat::Member(member) = seat {
                    scores[member as usize] += i32::from(result);
                }
            }
        }
        scores
    }
}

/// A pairing scheme.
pub trait PairingScheme {
    /// The games of a generation, or of its first round; the games of a match are consecutive.
    fn pairings(&self, field: &PairingContext<'_>, rng: &mut Stream) -> Vec<Pairing>;

    /// The games of the next round, which may depend on the results of the rounds before it;
    /// `None` after the last. A scheme without rounds pairs all games at once.
    fn next(
        &self,
        _field: &PairingContext<'_>,
        _played: &PlayedRounds<'_>,
        _rng: &mut Stream,
    ) -> Option<Vec<Pairing>> {
        None
    }

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
        /// Rounds in which members with equal scores meet.
        "swiss" => Swiss(swiss::Swiss),
        /// Rounds in which the winners of the last meet, until one is left.
        "knockout" => Knockout(knockout::Knockout),
    }
}
