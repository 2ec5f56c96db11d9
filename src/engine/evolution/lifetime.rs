//! What happens to members between birth and their first game.

use crate::genomes::learning::LifetimeLearning;
use crate::genomes::temporal_differences::TemporalDifferences;
use crate::params::params;
use crate::registry::registry;

params! {
    /// No learning.
    pub struct NoLearning {}
}

registry! {
    /// Whether members learn before they play.
    pub enum LifetimeConfig {
        /// Members play with the genes that they are born with.
        "none" => None(NoLearning),
        /// Before its first game, every member learns from the moves of a reference player.
        "backpropagation" => Backpropagation(LifetimeLearning),
        /// Before its first game, every offspring learns from games against itself, and its own
        /// offspring inherit that. Evolution with such a step is called memetic (Moscato 1989).
        "td" => TemporalDifferences(TemporalDifferences),
    }
}

impl LifetimeConfig {
    /// What members learn from a reference player, if they do.
    pub fn learning(&self) -> Option<&LifetimeLearning> {
        match self {
            Self::Backpropagation(learning) => Some(learning),
            Self::None(_) | Self::TemporalDifferences(_) => None,
        }
    }

    /// How offspring learn from games against themselves, if they do.
    pub fn self_play(&self) -> Option<&TemporalDifferences> {
        match self {
            Self::TemporalDifferences(learning) => Some(learning),
            Self::None(_) | Self::Backpropagation(_) => None,
        }
    }
}
