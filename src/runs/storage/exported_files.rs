//! Files that the user exports, whose names get a number instead of replacing others.

use std::fs;
use std::path::{Path, PathBuf};

use super::StorageError;
use super::files::{self, Durability};

/// Writes files of one stem with different endings, such as `.csv` or `-pairs.csv`, to a folder,
/// which is created if it is missing. Nothing is overwritten: all names get a number behind the
/// stem, unless the same content is there. Returns their paths.
pub fn export<Text: AsRef<str>>(
    folder: &Path,
    stem: &str,
    parts: &[(&str, Text)],
) -> Result<Vec<PathBuf>, StorageError> {
    files::ensure_folder(folder)?;
    let path = |number: u32, ending: &str| match number {
        1 => folder.join(format!("{stem}{ending}")),
        number => folder.join(format!("{stem}-{number}{ending}")),
    };
    let is_taken = |number: &u32| {
        parts.iter().any(|(ending, text)| {
            let path = path(*number, ending);
            let is_same = |known: Vec<u8>| known == text.as_ref().as_bytes();
            path.exists() && !fs::read(path).is_ok_and(is_same)
        })
    };
    let number = (1..=u32::MAX).find(|number| !is_taken(number)).unwrap_or(1);
    let write = |(ending, text): &(&str, Text)| {
        let path = path(number, ending);
        files::replace(&path, text.as_ref().as_bytes(), Durability::Lazy)?;
        Ok(path)
    };
    parts.iter().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_never_replaces_another() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = folder.path().join("new");
        let names = |parts: &[(&str, &str)]| -> Vec<String> {
            let paths = export(&folder, "x", parts).expect("it can be written");
            let name = |path: &PathBuf| path.file_name().expect("a file").to_string_lossy().into();
            paths.iter().map(name).collect()
        };
        let parts = [(".json", "{}"), ("-pairs.csv", "a,b")];
        assert_eq!(names(&parts), ["x.json", "x-pairs.csv"]);
        assert_eq!(names(&[(".json", "[]")]), ["x-2.json"]);
        assert_eq!(names(&parts), ["x.json", "x-pairs.csv"], "it is there");
        let changed = [(".json", "[]"), ("-pairs.csv", "c,d")];
        assert_eq!(names(&changed), ["x-2.json", "x-2-pairs.csv"]);
        let changed = [(".json", "{}"), ("-pairs.csv", "c,d")];
        assert_eq!(names(&changed), ["x-3.json", "x-3-pairs.csv"]);
        let text = fs::read_to_string(folder.join("x-pairs.csv")).expect("it was written");
        assert_eq!(text, "a,b");
    }
}
