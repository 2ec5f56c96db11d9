//! What the members of the first generation are.

use crate::genomes::temporal_differences::TemporalDifferences;
use crate::params::params;
use crate::registry::registry;

params! {
    /// Members are random.
    pub struct RandomStart {}
}

registry! {
    /// What the members of the first generation are.
    pub enum StartConfig {
        /// Each is random.
        "random" => Random(RandomStart),
        /// All are copies of a network that has learned from games against itself.
        "td" => TemporalDifferences(TemporalDifferences),
    }
}

impl StartConfig {
    /// How the first members learn, if they do.
    pub fn learning(&self) -> Option<&TemporalDifferences> {
        match self {
            Self::Random(_) => None,
            Self::TemporalDifferences(learning) => Some(learning),
        }
    }
}
