//! Recorded games of saved runs, and game files. A damaged file is rejected with its name and the
//! position of the damage, and left unchanged.

use std::fs;
use std::path::{Path, PathBuf};

use finches_engine::play::Arena;
use finches_engine::play::record::GameRecord;

use super::StorageError;
use super::files::{self, Durability};
use super::saves::{Saves, numbered_generations};

impl Saves {
    /// The generations with saved games, in ascending order.
    pub fn games(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        Ok(numbered_generations(&self.folder(name)?.join("games")))
    }

    /// The saved games of a generation, read by the run's arena.
    pub fn games_of_generation(
        &self,
        name: &str,
        generation: u64,
        arena: &dyn Arena,
    ) -> Result<Vec<GameRecord>, StorageError> {
        const LEFT: &str = "the file was not changed";
        let path = self
            .folder(name)?
            .join("games")
            .join(format!("{generation}.txt"));
        let text = read_text(&path)?;
        let games = arena.read_records(&text);
        games.map_err(|error| StorageError::unusable(&path, error.to_string(), LEFT))
    }

    /// The folder for exports of a run.
    pub fn exports_folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        Ok(self.folder(name)?.join("exports"))
    }
}

/// Reads a game file, which another program may have written.
pub fn read_transcript(path: &Path, arena: &dyn Arena) -> Result<Vec<GameRecord>, StorageError> {
    let text = read_text(path)?;
    let games = arena.read_transcript(&text);
    games.map_err(|error| {
        StorageError::unusable(path, error.to_string(), "correct it and open it again")
    })
}

fn read_text(path: &Path) -> Result<String, StorageError> {
    files::read_text(path)
}

/// Writes a text to a file in a folder and returns its path. A file of the same name but other
/// content is not replaced; the new file gets a number instead.
pub fn export(
    folder: &Path,
    stem: &str,
    ending: &str,
    text: &str,
) -> Result<PathBuf, StorageError> {
    fs::create_dir_all(folder).map_err(StorageError::io(folder))?;
    let mut path = folder.join(format!("{stem}.{ending}"));
    let mut count = 1;
    while path.exists() {
        if fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Ok(path);
        }
        count += 1;
        path = folder.join(format!("{stem}-{count}.{ending}"));
    }
    files::replace(&path, text.as_bytes(), Durability::Lazy)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_never_replaces_another() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let exports = folder.path().join("exports");
        let name = |text: &str| {
            let path = export(&exports, "game", "txt", text).expect("the folder is writable");
            let name = path.file_name().expect("it is a file");
            name.to_string_lossy().into_owned()
        };
        assert_eq!(name("a"), "game.txt");
        assert_eq!(name("b"), "game-2.txt");
        assert_eq!(name("a"), "game.txt", "the same content is written once");
        assert_eq!(name("c"), "game-3.txt");
    }
}
