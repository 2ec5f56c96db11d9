//! Parts of runs, of which all rows are written and no players are kept. A run may stop after a
//! part of its generations and continue later: its state is kept in between.

use std::fs;

use crate::storage::files::{self, Durability};
use crate::storage::{StorageError, read_sealed, write_sealed};
use finches_engine::preset::MAX_GENERATIONS;
use finches_engine::session::SessionState;

use super::checkpoint::{ResumableRun, RunCheckpoint, WrittenRows};
use super::manifest::RunId;
use super::times::time;
use super::{ExperimentFolder, RunStatus};

/// The part of a run from its start to one in so many of its generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPart {
    one_in: u64,
}

impl RunPart {
    /// The whole run.
    pub const WHOLE: Self = Self { one_in: 1 };

    /// One in so many generations; at most all, and not so few that the number would be too large
    /// for a file name.
    pub fn one_in(count: u64) -> Self {
        Self {
            one_in: count.clamp(1, MAX_GENERATIONS),
        }
    }

    /// How many of so many generations it has, 1 at least.
    pub fn generations(self, all: u64) -> u64 {
        (all / self.one_in).max(1)
    }

    /// Whether it has more of the run than another.
    pub fn is_longer_than(self, other: Self) -> bool {
        self.one_in < other.one_in
    }

    /// What stands behind the name of the run in the names of its files.
    pub(super) fn suffix(self) -> String {
        if self == Self::WHOLE {
            String::new()
        } else {
            format!(".1-of-{}", self.one_in)
        }
    }
}

impl ExperimentFolder {
    /// Writes the state with which a run can continue after a part of it.
    pub fn keep_state(
        &self,
        id: RunId,
        part: RunPart,
        state: &SessionState,
    ) -> Result<(), StorageError> {
        let path = self.file(id, part, "ron");
        write_sealed(&path, "state", state, Durability::Synced)
    }

    /// Reads a part of a run to continue from it. `None` if the part or its state is missing or
    /// damaged: then the run can still be done from its start.
    pub fn partial_run(&self, id: RunId, part: RunPart) -> Option<ResumableRun> {
        let RunStatus::Finished(outcome) = self.status(id, part) else {
            return None;
        };
        let state: SessionState = read_sealed(&self.file(id, part, "ron"), "state").ok()?;
        let path = self.file(id, part, "csv");
        let text = files::read_text(&path).ok()?;
        if state.generation != outcome.generations {
            return None;
        }
        let checkpoint = RunCheckpoint {
            seconds: time(self, id).map_or(0.0, |known| known.seconds),
            written: WrittenRows::all(text, outcome.latest),
            players: None,
            state,
        };
        checkpoint.resumable(&path).ok()
    }

    /// Removes the state after a part of a run, if there is one.
    pub fn remove_state(&self, id: RunId, part: RunPart) {
        // A file that can't be removed only takes up space.
        let _ = fs::remove_file(self.file(id, part, "ron"));
    }
}
