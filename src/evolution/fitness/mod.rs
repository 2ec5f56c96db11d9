//! What the results of a generation make each member worth.

use crate::contest::{Pairing, Played};
use crate::registry::registry;

use self::wins::Wins;

pub mod wins;

/// A way to make fitness from results.
pub trait Fitness {
    /// The fitness of each member, 0 or more; `played` is in the order of `pairings`.
    fn fitness(&self, pairings: &[Pairing], played: &[Played], members: usize) -> Vec<f64>;
}

registry! {
    ($)
    /// A fitness scheme and its settings.
    pub enum FitnessConfig, with_fitness {
        /// The number of games won.
        "wins" => Wins(Wins),
    }
}
