//! What a run of an experiment needs to continue after the program was stopped: its checkpoint,
//! `runs/PRESET-SEED.checkpoint.ron`, which is replaced as long as the run lasts and removed at its
//! end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::storage::files::Durability;
use crate::storage::{StorageError, metrics, read_sealed, write_sealed};
use finches_engine::metrics::Row;
use finches_engine::session::SessionState;

use super::manifest::RunId;
use super::part::RunPart;
use super::players::KeptPlayers;
use super::{ExperimentFolder, absurd_value};

/// How the name of the file of a checkpoint ends.
const CHECKPOINT: &str = "checkpoint.ron";

/// What happens to a file from which a run can't continue.
const NOT_USED: &str = "it is not used";

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

/// A run that can continue.
#[derive(Clone, Debug, PartialEq)]
pub struct ResumableRun {
    /// What was kept of it.
    pub checkpoint: RunCheckpoint,
    /// The names of its columns.
    pub names: Vec<String>,
    /// Its rows that are written.
    pub rows: Vec<Row>,
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

impl WrittenRows {
    /// Rows that are all written, and the latest value of each column that has one.
    pub fn all(text: impl Into<String>, latest: BTreeMap<String, f64>) -> Self {
        Self {
            text: text.into(),
            latest,
            unwritten: None,
        }
    }
}

impl ExperimentFolder {
    /// Replaces the checkpoint of a run that is being done up to the end of a part.
    pub fn write_checkpoint(
        &self,
        (id, part): (RunId, RunPart),
        run: RunCheckpoint,
    ) -> Result<(), StorageError> {
        let path = self.checkpoint_path(id, part);
        let owner = self.checkpoint_owner(id, part);
        let file = CheckpointFile { owner, run };
        write_sealed(&path, "checkpoint", &file, Durability::Synced)
    }

    /// The checkpoint of a run that is being done up to the end of a part, if there is one. The
    /// error says why it can't be used.
    pub fn checkpoint(
        &self,
        id: RunId,
        part: RunPart,
    ) -> Result<Option<ResumableRun>, StorageError> {
        let path = self.checkpoint_path(id, part);
        if !path.exists() {
            return Ok(None);
        }
        let checked = read_sealed(&path, "checkpoint").and_then(|file: CheckpointFile| {
            if file.owner == self.checkpoint_owner(id, part) {
                return file.run.resumable(&path);
            }
            let what =
                "belongs to another run, to other parameters or to another version of finches";
            Err(StorageError::unusable(&path, what, NOT_USED))
        });
        let checked = checked.map_err(|error| match error {
            StorageError::Unusable { what, .. } => self.unusable_checkpoint(id, part, what),
            error => error,
        });
        checked.map(Some)
    }

    /// When the checkpoint of a run was last replaced, if there is one.
    pub fn checkpoint_time(&self, id: RunId, part: RunPart) -> Option<SystemTime> {
        let file = fs::metadata(self.checkpoint_path(id, part)).ok()?;
        file.modified().ok()
    }

    /// The error that a checkpoint can't be used. `what` is a clause about the file.
    pub fn unusable_checkpoint(
        &self,
        id: RunId,
        part: RunPart,
        what: impl Into<String>,
    ) -> StorageError {
        StorageError::unusable(&self.checkpoint_path(id, part), what, NOT_USED)
    }

    /// Renames the checkpoint of a run to `*.damaged`.
    pub fn move_damaged_checkpoint(&self, id: RunId, part: RunPart) -> Result<(), StorageError> {
        self.move_damaged_file(id, part, CHECKPOINT)?;
        Ok(())
    }

    /// Removes the checkpoint of a run, if there is one.
    pub fn remove_checkpoint(&self, id: RunId, part: RunPart) {
        // A file that can't be removed only takes up space.
        let _ = fs::remove_file(self.checkpoint_path(id, part));
    }

    /// What a checkpoint of a run must say: the run, its part, the checksum of the whole preset and
    /// the program version, and which rows and players are kept.
    fn checkpoint_owner(&self, id: RunId, part: RunPart) -> String {
        let manifest = &self.manifest;
        let (name, recipe) = (manifest.run_name(id), manifest.recipe(id));
        let (rows, players) = (manifest.rows_every, manifest.keeps_players);
        let part = part.suffix();
        format!("{name}{part} {recipe}, rows every {rows}, players {players}")
    }

    fn checkpoint_path(&self, id: RunId, part: RunPart) -> PathBuf {
        self.file(id, part, CHECKPOINT)
    }
}

impl RunCheckpoint {
    /// A run that can continue from here. The error names the file that this was read from.
    pub(super) fn resumable(self, path: &Path) -> Result<ResumableRun, StorageError> {
        let (names, rows) = metrics::parse(path, &self.written.text)?;
        match absurd_value(&names, &rows) {
            Some(problem) => Err(StorageError::unusable(path, problem, NOT_USED)),
            None => Ok(ResumableRun {
                checkpoint: self,
                names,
                rows,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::storage::experiments::manifest::Manifest;
    use crate::storage::presets;
    use finches_engine::play::pool::Pool;
    use finches_engine::session::Session;

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
            written: WrittenRows::all("generation,fitness\n0,1\n", BTreeMap::new()),
            players: Some(KeptPlayers::default()),
            state: session.state().clone(),
        };
        let read = |id| folder.checkpoint(id, RunPart::WHOLE);
        let refused = |id, why: &str| {
            let error = read(id).expect_err(why).to_string();
            assert!(error.contains(".checkpoint.ron: "), "{error}");
            assert!(error.contains(why) && error.ends_with(NOT_USED), "{error}");
        };
        let write = |checkpoint: &RunCheckpoint| {
            let written = folder.write_checkpoint((id, RunPart::WHOLE), checkpoint.clone());
            written.expect("the folder is writable");
        };
        assert_eq!(read(id).expect("there is nothing to refuse"), None);
        write(&checkpoint);
        let found = read(id).expect("it is sound").expect("it is there");
        assert_eq!(found.checkpoint, checkpoint);
        let path = folder.checkpoint_path(id, RunPart::WHOLE);
        for other in others {
            let copy = folder.checkpoint_path(other, RunPart::WHOLE);
            fs::copy(&path, &copy).expect("it can be copied");
            refused(other, "another run");
            folder.remove_checkpoint(other, RunPart::WHOLE);
            assert!(!copy.exists());
        }
        let text = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, text.replacen("0.5", "0.6", 1)).expect("the folder is writable");
        refused(id, "checksum");
        for (text, why) in [
            ("generation,fitness\n0,often\n", "line 2 has `often`"),
            ("generation,fitness\n0,1e99\n", "values are at most"),
        ] {
            let mut checkpoint = checkpoint.clone();
            text.clone_into(&mut checkpoint.written.text);
            write(&checkpoint);
            refused(id, why);
        }
        let moved = folder.move_damaged_checkpoint(id, RunPart::WHOLE);
        moved.expect("the folder is writable");
        assert!(path.with_extension("ron.damaged").exists());
        assert_eq!(read(id).expect("it is out of the way"), None);
    }
}
