//! The unit of a run's progress, the x-axis of charts: generations, games played, or time worked.

use serde::{Deserialize, Serialize};

/// The unit of a run's progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgressUnit {
    /// Generations done; compares runs of the same game and population.
    #[default]
    Generations,
    /// Games played for fitness since the start; compares runs with different numbers of games per
    /// generation.
    Games,
    /// Seconds of work since the start; compares runs on the same machine.
    Seconds,
}

impl ProgressUnit {
    /// The next unit, in a cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Generations => Self::Games,
            Self::Games => Self::Seconds,
            Self::Seconds => Self::Generations,
        }
    }
}
