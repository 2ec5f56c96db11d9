//! The error of a command, which determines its message and exit code.

use std::fmt::Display;

use finches_engine::play::match_setup::PlayerError;
use finches_engine::play::pool::PoolError;
use finches_engine::preset::PresetError;
use finches_runs::launch::LaunchError;
use finches_runs::storage::StorageError;

/// Why a command failed.
#[derive(Debug)]
pub(super) enum CliError {
    /// The command line is invalid.
    Usage(String),
    /// The command could not be carried out.
    Failure(String),
    /// Exit with this code; all messages have been printed.
    ExitCode(u8),
}

impl CliError {
    /// An error of the command line.
    pub(super) fn usage(error: impl Display) -> Self {
        Self::Usage(error.to_string())
    }

    /// An error of the command.
    pub(super) fn failure(error: impl Display) -> Self {
        Self::Failure(error.to_string())
    }
}

impl From<PresetError> for CliError {
    fn from(error: PresetError) -> Self {
        Self::usage(error)
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Unknown(what) => Self::Usage(what),
            other => Self::failure(other),
        }
    }
}

impl From<LaunchError> for CliError {
    fn from(error: LaunchError) -> Self {
        match error {
            LaunchError::Storage(error) => error.into(),
            LaunchError::Threads(_) | LaunchError::Worker(_) => Self::failure(error),
            LaunchError::Preset(_) | LaunchError::Resume(_) | LaunchError::Breakpoint(_) => {
                Self::usage(error)
            }
        }
    }
}

impl From<PoolError> for CliError {
    fn from(error: PoolError) -> Self {
        Self::failure(error)
    }
}

impl From<PlayerError> for CliError {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Usage(what) => Self::Usage(what),
            PlayerError::Failure(what) => Self::Failure(what),
        }
    }
}

impl From<std::io::Error> for CliError {
    /// A closed pipe is not a failure: the reader has all it wants.
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ExitCode(0),
            _ => Self::failure(error),
        }
    }
}
