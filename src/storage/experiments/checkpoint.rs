//! What a run of an experiment needs to continue after the program was stopped: its checkpoint, `runs/PRESET-SEED.checkpoint.ron`, which is
//! replaced as long as the run lasts and removed at its end.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::session::SessionState;
use crate::storage::files::Durability;
use crate::storage::{StorageError, metrics, read_sealed, write_sealed};

use super::manifest::RunId;
use super::part::RunPart;
use super::players::KeptPlayers;
use super::{ExperimentFolder, RowsResult};

/// A run after some of its generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCheckpoint {
    /// Working time so far, in seconds.
    pub seconds: f64,
    /// Its rows.
    pub written: WrittenRows,
    /// The players that are kept so far, if any are.
    pub players: Option<KeptPlayers>,
    /// The session after its last complete generation.
    pub state: SessionState,
}

/// The file of a checkpoint.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CheckpointFile {
    /// The run that it belongs to, and what is kept of it.
    owner: String,
    run: RunCheckpoint,
}

/// What has been written of the rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRows {
    /// The CSV text, with the line of column names.
    pub(super) text: String,
    /// The latest value of each column that has one.
    pub(super) latest: BTreeMap<String, f64>,
    /// The line of the latest row if that row is not written.
    pub(super) unwritten: Option<String>,
}

impl ExperimentFolder {
    /// Replaces the checkpoint of a run that is being done up to the end of a part.
    pub fn keep_checkpoint(
        &self,
        (id, part): (RunId, RunPart),
        run: RunCheckpoint,
    ) -> Result<(), StorageError> {
        let path = self.checkpoint_path(id, part);
        let owner = self.checkpoint_owner(id, part);
        let file = CheckpointFile { owner, run };
        write_sealed(&path, "checkpoint", &file, Durability::Synced)
    }

    /// The checkpoint of a run that is being done up to the end of a part. `None` if there is none, or none that can be used, which is
    /// logged: then the run can still be done from its start.
    pub fn checkpoint(&self, id: RunId, part: RunPart) -> Option<RunCheckpoint> {
        let path = self.checkpoint_path(id, part);
        if !path.exists() {
            return None;
        }
        let checked = read_sealed(&path, "checkpoint").and_then(|file: CheckpointFile| {
            if file.owner == self.checkpoint_owner(id, part) {
                return Ok(file.run);
            }
            let what =
                "belongs to another run, to other parameters or to another version of finches";
            Err(StorageError::unusable(&path, what, "it is not used"))
        });
        let tell = |error: &StorageError| tracing::warn!(target: "finches::experiment", "{error}");
        checked.inspect_err(tell).ok()
    }

    /// Removes the checkpoint of a run, if there is one.
    pub fn remove_checkpoint(&self, id: RunId, part: RunPart) {
        // A file that can't be removed only takes up space.
        let _ = fs::remove_file(self.checkpoint_path(id, part));
    }

    /// What a checkpoint of a run must say: the run, its part, the checksum of the whole preset and the program version, and which
    /// rows and players are kept.
    fn checkpoint_owner(&self, id: RunId, part: RunPart) -> String {
        let manifest = &self.manifest;
        let (name, recipe) = (manifest.run_name(id), manifest.recipe(id));
        let (rows, players) = (manifest.rows_every, manifest.keeps_players);
        let part = part.suffix();
        format!("{name}{part} {recipe}, rows every {rows}, players {players}")
    }

    fn checkpoint_path(&self, id: RunId, part: RunPart) -> PathBuf {
        self.file(id, part, "checkpoint.ron")
    }
}

impl RunCheckpoint {
    /// The names of the columns and the rows. Error messages name a file of the run.
    pub fn rows(&self, folder: &ExperimentFolder, id: RunId) -> RowsResult {
        let path = folder.file(id, RunPart::WHOLE, "csv");
        metrics::parse(&path, &self.written.text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::play::pool::Pool;
    use crate::session::Session;
    use crate::storage::experiments::manifest::Manifest;
    use crate::storage::presets;

    #[test]
    fn a_checkpoint_that_is_damaged_or_of_another_run_is_not_used() {
        let presets =
            ["nim-2x2", "nim-2x4"].map(|name| presets::load(name).expect("it is included"));
        let manifest = Manifest::new(presets.to_vec(), 1, 2).expect("the names differ");
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let folder = ExperimentFolder::begin(root.path().to_owned(), manifest, "");
        let folder = folder.expect("the folder is new");
        let id = RunId { preset: 0, seed: 1 };
        let others = [(0, 2), (1, 1)].map(|(preset, seed)| RunId { preset, seed });
        let pool = Pool::new(1).expect("there is a thread");
        let mut session =
            Session::new(presets[0].clone(), 1, Vec::new(), pool).expect("the preset is valid");
        session
            .advance(&AtomicBool::new(false))
            .expect("it is not halted");
        let checkpoint = RunCheckpoint {
            seconds: 0.5,
            written: WrittenRows::default(),
            players: Some(KeptPlayers::default()),
            state: session.state().clone(),
        };
        let read = |id| folder.checkpoint(id, RunPart::WHOLE);
        assert_eq!(read(id), None, "there is none yet");
        let kept = folder.keep_checkpoint((id, RunPart::WHOLE), checkpoint.clone());
        kept.expect("the folder is writable");
        assert_eq!(read(id), Some(checkpoint));
        let path = folder.checkpoint_path(id, RunPart::WHOLE);
        for other in others {
            let copy = folder.checkpoint_path(other, RunPart::WHOLE);
            fs::copy(&path, &copy).expect("it can be copied");
            assert_eq!(read(other), None, "it is of another seed or preset");
            folder.remove_checkpoint(other, RunPart::WHOLE);
            assert!(!copy.exists());
        }
        let text = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, text.replacen("0.5", "0.6", 1)).expect("the folder is writable");
        assert_eq!(read(id), None, "it is damaged");
    }
}
