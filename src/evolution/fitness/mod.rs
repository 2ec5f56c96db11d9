//! What the results of a generation make each member worth.

use crate::contest::{Pairing, Played};
use crate::params::Problem;
use crate::registry::registry;

use self::colley::Colley;
use self::points::Points;
use self::wins::Wins;

pub mod colley;
pub mod points;
pub mod wins;

/// A way to make fitness from results.
pub trait Fitness {
    /// The fitness of each member, 0 or more; `played` is in the order of `pairings`.
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64>;

    /// Whether what all games make members worth is the sum of what parts of them do, which can then be counted side by side.
    fn is_sum(&self) -> bool {
        true
    }

    /// Faults of the settings in a population of this size.
    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}

registry! {
    ($)
    /// A fitness scheme and its settings.
    pub enum FitnessConfig, with_fitness {
        /// The number of games won.
        "wins" => Wins(Wins),
        /// Points for wins, draws and losses and for what the game counts, such as discs.
        "points" => Points(Points),
        /// A rating that takes the strength of opponents into account.
        "colley" => Colley(Colley),
    }
}
