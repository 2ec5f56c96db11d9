//! What the members of the first generation have learned before evolution begins.

use crate::genomes::temporal_differences::TemporalDifferences;
use crate::params::params;
use crate::registry::registry;

params! {
    /// Members of the first generation are random.
    pub struct NoPretraining {}
}

registry! {
    /// What the members of the first generation have learned before evolution begins.
    pub enum PretrainingConfig {
        /// Each is random, without any.
        "none" => None(NoPretraining),
        /// All are copies of a network that has learned from games against itself.
        "td" => TemporalDifferences(TemporalDifferences),
    }
}

impl PretrainingConfig {
    /// How the first members learn, if they do.
    pub fn learning(&self) -> Option<&TemporalDifferences> {
        match self {
            Self::None(_) => None,
            Self::TemporalDifferences(learning) => Some(learning),
        }
    }
}
