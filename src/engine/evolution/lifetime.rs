//! What happens to members between birth and their first game.

use crate::genomes::learning::LifetimeLearning;
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
    }
}

impl LifetimeConfig {
    /// What members learn, if they do.
    pub fn learning(&self) -> Option<&LifetimeLearning> {
        match self {
            Self::None(_) => None,
            Self::Backpropagation(learning) => Some(learning),
        }
    }
}
