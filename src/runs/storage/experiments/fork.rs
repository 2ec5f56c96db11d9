//! What the presets of an experiment stand for if it is a fork: the branches of a run, without and
//! with a change of its parameters. Both begin in the state of the run, which is in `state.ron`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::storage::files::Durability;
use crate::storage::{StorageError, read_sealed, write_sealed};
use finches_engine::preset::{Intervention, Preset};
use finches_engine::session::SessionState;

use super::ExperimentFolder;

/// The names of the branches, which their presets have.
pub const BRANCHES: [&str; 2] = ["without", "with"];

/// A fork: a run, and the change at one of its generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForkDefinition {
    /// The name of the run.
    pub run: String,
    /// The preset at its start, with what its schedule changes after the fork.
    pub preset: Preset,
    /// The changes of its parameters before, which both branches have.
    pub earlier: Vec<Intervention>,
    /// The first generation in which the branches differ.
    pub generation: u64,
    /// The change, which the second branch has.
    pub changes: Vec<Intervention>,
}

impl ForkDefinition {
    /// The changes of parameters of a branch.
    pub fn interventions(&self, branch: usize) -> Vec<Intervention> {
        let own = if branch == 0 { &[][..] } else { &self.changes };
        self.earlier.iter().chain(own).cloned().collect()
    }

    /// The same fork without descriptions.
    pub(super) fn without_descriptions(&self) -> Self {
        Self {
            preset: self.preset.without_descriptions(),
            ..self.clone()
        }
    }
}

/// Keeps the state in which the branches of a fork begin, in their folder.
pub fn keep_state(folder: &ExperimentFolder, state: &SessionState) -> Result<(), StorageError> {
    write_sealed(&path(folder), "state", state, Durability::Synced)
}

/// The state in which the branches of a fork begin; `None` if it is not in their folder yet.
pub fn state(folder: &ExperimentFolder) -> Result<Option<SessionState>, StorageError> {
    const ADVICE: &str = "remove it; the command that made the fork makes it again";
    let path = path(folder);
    if !path.exists() {
        return Ok(None);
    }
    let state: SessionState = read_sealed(&path, "state")?;
    if state.generation == folder.manifest().first_generation() {
        return Ok(Some(state));
    }
    let what = format!("is of generation {}", state.generation);
    Err(StorageError::unusable(&path, what, ADVICE))
}

fn path(folder: &ExperimentFolder) -> PathBuf {
    folder.root().join("state.ron")
}
