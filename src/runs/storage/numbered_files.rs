//! Writes groups of text files with a common, numbered name.

use std::fs;
use std::path::{Path, PathBuf};

use super::StorageError;
use super::files::{self, Durability};

/// Writes each text to `STEM-N` plus its ending, where N is the first number from 1 for which none
/// of the files exists.
pub fn write_numbered(
    folder: &Path,
    stem: &str,
    parts: &[(&str, &str)],
) -> Result<Vec<PathBuf>, StorageError> {
    fs::create_dir_all(folder).map_err(StorageError::io(folder))?;
    let path = |number: u32, ending: &str| folder.join(format!("{stem}-{number}{ending}"));
    let is_free = |number: &u32| {
        parts
            .iter()
            .all(|(ending, _)| !path(*number, ending).exists())
    };
    let number = (1..u32::MAX)
        .find(is_free)
        .expect("a folder holds fewer than 2^32 files");
    let write = |(ending, text): &(&str, &str)| {
        let path = path(number, ending);
        files::replace(&path, text.as_bytes(), Durability::Lazy)?;
        Ok(path)
    };
    parts.iter().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_never_overwritten() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = folder.path().join("new");
        let names = |written: Result<Vec<PathBuf>, StorageError>| -> Vec<String> {
            let paths = written.expect("it can be written");
            let name = |path: &PathBuf| path.file_name().expect("a file").to_string_lossy().into();
            paths.iter().map(name).collect()
        };
        let parts = [(".json", "{}"), (".csv", "a,b")];
        assert_eq!(
            names(write_numbered(&folder, "x", &parts)),
            ["x-1.json", "x-1.csv"]
        );
        assert_eq!(
            names(write_numbered(&folder, "x", &parts[1..])),
            ["x-2.csv"]
        );
        assert_eq!(
            names(write_numbered(&folder, "x", &parts)),
            ["x-3.json", "x-3.csv"]
        );
        let text = fs::read_to_string(folder.join("x-1.csv")).expect("it was written");
        assert_eq!(text, "a,b");
    }
}
