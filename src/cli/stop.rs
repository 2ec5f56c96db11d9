//! Why a command ended without doing what was asked, which becomes its words and its exit code.

use crate::preset::BadPreset;
use crate::storage::StorageError;
use crate::tournament::Refusal;

/// Why a command ended without doing what was asked.
#[derive(Debug)]
pub(super) enum Stop {
    /// What was asked for makes no sense.
    Usage(String),
    /// It could not be done.
    Failure(String),
    /// It has ended with this exit code, and everything has been said.
    Code(u8),
}

impl From<BadPreset> for Stop {
    fn from(error: BadPreset) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StorageError> for Stop {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unknown(what) => Self::Usage(what),
            other => Self::Failure(other.to_string()),
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Senseless(what) => Self::Usage(what),
            Refusal::Impossible(what) => Self::Failure(what),
        }
    }
}

impl From<std::io::Error> for Stop {
    /// A closed pipe is no failure: whoever read has read enough.
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Code(0),
            _ => Self::Failure(error.to_string()),
        }
    }
}
