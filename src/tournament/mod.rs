//! Matches between any players of one game: player names, match setup, and the results of a round robin. The command line and the
//! dashboard are its callers.

use thiserror::Error;

use crate::storage::StorageError;

pub mod match_setup;
pub mod player_name;
pub mod results;
pub mod search_spec;

/// The reason why a player can't take part.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The request is invalid.
    #[error("{0}")]
    Usage(String),
    /// The request is valid but failed.
    #[error("{0}")]
    Failure(String),
}

impl From<StorageError> for PlayerError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unknown(what) => Self::Usage(what),
            other => Self::Failure(other.to_string()),
        }
    }
}

impl PlayerError {
    /// The same error with the player's name in front.
    #[must_use]
    fn with_name(self, name: &str) -> Self {
        match self {
            Self::Usage(error) => Self::Usage(format!("{name}: {error}")),
            Self::Failure(error) => Self::Failure(format!("{name}: {error}")),
        }
    }
}
