//! Recorded games of saved runs, and games as files of their own. What is damaged is refused by name and place, and left as it
//! is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arena::Arena;
use crate::arena::record::Record;

use super::saves::{Saves, numbered};
use super::{Durability, StorageError, write_whole};

impl Saves {
    /// The generations of which a run has kept games, in ascending order.
    pub fn games(&self, name: &str) -> Result<Vec<u64>, StorageError> {
        Ok(numbered(&self.folder(name)?.join("games")))
    }

    /// The games kept of one generation, as the arena of the run reads them.
    pub fn games_of(
        &self,
        name: &str,
        generation: u64,
        arena: &dyn Arena,
    ) -> Result<Vec<Record>, StorageError> {
        const LEFT: &str = "it has been left as it is";
        let path = self
            .folder(name)?
            .join("games")
            .join(format!("{generation}.txt"));
        let text = read_text(&path)?;
        let games = arena.read_games(&text);
        games.map_err(|fault| StorageError::unusable(&path, fault.to_string(), LEFT))
    }

    /// Where what is taken out of a run goes.
    pub fn exports(&self, name: &str) -> Result<PathBuf, StorageError> {
        Ok(self.folder(name)?.join("exports"))
    }
}

/// The games of a file that someone else may have written.
pub fn read_transcript(path: &Path, arena: &dyn Arena) -> Result<Vec<Record>, StorageError> {
    let text = read_text(path)?;
    let games = arena.read_transcript(&text);
    games.map_err(|fault| StorageError::unusable(path, fault, "mend it and open it again"))
}

fn read_text(path: &Path) -> Result<String, StorageError> {
    let bytes = fs::read(path).map_err(StorageError::io(path))?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| {
        StorageError::unusable(path, "is not a text file", "it has been left as it is")
    })
}

/// Writes a text to a new file of a folder and returns its place. A file of the same name and other content is left alone: the
/// new one gets a number.
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
    write_whole(&path, text.as_bytes(), Durability::Lazy)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_never_replaces_another() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let place = folder.path().join("exports");
        let name = |text: &str| {
            let path = export(&place, "game", "txt", text).expect("the folder is writable");
            let name = path.file_name().expect("it is a file");
            name.to_string_lossy().into_owned()
        };
        assert_eq!(name("a"), "game.txt");
        assert_eq!(name("b"), "game-2.txt");
        assert_eq!(name("a"), "game.txt", "the same again is there already");
        assert_eq!(name("c"), "game-3.txt");
    }
}
