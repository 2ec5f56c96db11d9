//! Begins a shard of an experiment. If another process has the same shard, it waits: a scheduler
//! that has lost sight of a process starts the shard again, perhaps on another machine, and neither
//! of the two may fail because of it.

use std::path::Path;
use std::thread;
use std::time::Duration;

use finches_lab::experiment::Shard;
use finches_runs::storage::StorageError;
use finches_runs::storage::experiments::ExperimentFolder;
use finches_runs::storage::experiments::manifest::Manifest;

use super::{CliError, output};

/// The time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Begins a shard, when no other process has it. A whole experiment is refused instead, since a
/// person has started it twice.
pub(super) fn begin_shard(
    root: &Path,
    manifest: &Manifest,
    shard: Shard,
) -> Result<ExperimentFolder, CliError> {
    let begin = || ExperimentFolder::begin(root.to_owned(), manifest.clone(), &shard.file_suffix());
    let mut begun = begin();
    if let Err(error @ StorageError::Locked { .. }) = &begun
        && shard != Shard::WHOLE
    {
        output::eprint_line(&format!("finches: shard {shard} waits: {error}"));
        while matches!(begun, Err(StorageError::Locked { .. })) {
            thread::sleep(RETRY_INTERVAL);
            begun = begin();
        }
    }
    Ok(begun?)
}
