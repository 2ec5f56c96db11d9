//! The members of the last generation that a run has played, with their fitness and lineage:
//! `members.ron`, written with each checkpoint. They are only shown: a run resumes without them,
//! from the next generation, which the checkpoint holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use finches_engine::session::GenerationSnapshot;

use super::files::Durability;
use super::saves::{Checkpoint, RunFile, Saves};
use super::{StorageError, read_sealed, write_sealed};

const FILE: &str = "members.ron";

/// Writes the members of a generation to the folder of a run.
pub(super) fn write(folder: &Path, members: &GenerationSnapshot) -> Result<(), StorageError> {
    write_sealed(&folder.join(FILE), "members", members, Durability::Synced)
}

/// Reads the members of the last generation that was played from the folder of a run.
pub(super) fn read(folder: &Path) -> Result<GenerationSnapshot, StorageError> {
    let path = folder.join(FILE);
    let members: GenerationSnapshot = read_sealed(&path, "members")?;
    match members.problem() {
        Some(problem) => Err(StorageError::unusable(
            &path,
            problem,
            "the file was not changed",
        )),
        None => Ok(members),
    }
}

/// Follows the members of a run that another process writes.
#[derive(Debug)]
pub struct MembersFollower {
    folder: PathBuf,
    /// The file that was read last, and when it had been written.
    known: Option<(PathBuf, SystemTime)>,
}

impl MembersFollower {
    /// Follows the members of a run as another process writes them.
    pub fn new(saves: &Saves, name: &str) -> Result<Self, StorageError> {
        Ok(Self {
            folder: saves.folder(name)?,
            known: None,
        })
    }

    /// The latest members on disk, unless they were read before. Without those of a generation that
    /// was played, the ones that play next. A file that can't be read now is tried again at the
    /// next poll.
    pub fn poll(&mut self) -> Option<GenerationSnapshot> {
        let files = [FILE, "checkpoint.ron"].map(|name| self.folder.join(name));
        let written = |path: PathBuf| {
            let time = fs::metadata(&path).and_then(|file| file.modified());
            time.ok().map(|time| (path, time))
        };
        let latest = files.into_iter().find_map(written)?;
        if self.known.as_ref() == Some(&latest) {
            return None;
        }
        let members = if latest.0.ends_with(FILE) {
            read(&self.folder).ok()?
        } else {
            let checkpoint: Checkpoint = read_sealed(&latest.0, "checkpoint").ok()?;
            GenerationSnapshot::unplayed(&checkpoint.state)
        };
        if members.problem().is_some() {
            return None;
        }
        let run: RunFile = read_sealed(&self.folder.join("run.ron"), "run").ok()?;
        run.check_genomes(&latest.0, &members.members).ok()?;
        self.known = Some(latest);
        Some(members)
    }
}
