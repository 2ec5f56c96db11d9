//! Players of one game who meet one another: who they are by what was written, how they sit down, and what their games come to.
//! It plays and draws nothing by itself; the command line and the dashboard do that with what it gives them.

use thiserror::Error;

use crate::storage::StorageError;

pub mod name;
pub mod results;
pub mod search;
pub mod seats;

/// Why someone can't take part.
#[derive(Debug, Error)]
pub enum Refusal {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Senseless(String),
    /// It could not be done.
    #[error("{0}")]
    Impossible(String),
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unknown(what) => Self::Senseless(what),
            other => Self::Impossible(other.to_string()),
        }
    }
}

impl Refusal {
    /// The same with whom it is about before it.
    #[must_use]
    fn of(self, name: &str) -> Self {
        match self {
            Self::Senseless(fault) => Self::Senseless(format!("{name}: {fault}")),
            Self::Impossible(fault) => Self::Impossible(format!("{name}: {fault}")),
        }
    }
}
