//! Saved runs as the user arranges them: deleted, renamed, tagged, and opened in the file manager.
//! Nothing here changes what a run resumes from: its name is the name of its folder, and its tags
//! are in a text file of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::StorageError;
use super::files::{self, Durability};
use super::run_writer::Lock;
use super::saves::{Saves, name_of};

/// The file of a run's tags, separated by spaces.
const TAGS: &str = "tags.txt";

/// The longest file of tags that is read, in bytes.
const MAX_TAG_BYTES: u64 = 64 << 10;

/// The program that opens a folder on this system.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

impl Saves {
    /// Deletes a run of this folder with all its files. Fails while a process has it open.
    pub fn delete(&self, name: &str) -> Result<(), StorageError> {
        let folder = self.own_folder(name)?;
        drop(Lock::take(&folder)?);
        fs::remove_dir_all(&folder).map_err(StorageError::io(&folder))
    }

    /// Gives a run of this folder another name. Fails while a process has it open, and if the name
    /// is taken or can't be that of a folder.
    pub fn rename(&self, name: &str, new: &str) -> Result<(), StorageError> {
        let refuse = |what: &str| Err(StorageError::Unknown(format!("{new:?}: {what}")));
        if new.is_empty() || new.starts_with('.') || new.contains(is_unsuitable) {
            return refuse(
                "a name has no spaces and none of / \\ : * ? \" < > | @, and starts with no dot",
            );
        }
        let (folder, target) = (self.own_folder(name)?, self.root().join(new));
        if target.exists() {
            return refuse("there is one of that name");
        }
        drop(Lock::take(&folder)?);
        fs::rename(&folder, &target).map_err(StorageError::io(&folder))
    }

    /// Replaces the tags of a run.
    pub fn set_tags(&self, name: &str, tags: &[String]) -> Result<(), StorageError> {
        let path = self.folder(name)?.join(TAGS);
        if tags.is_empty() && !path.exists() {
            return Ok(());
        }
        let text = tags.join(" ") + "\n";
        files::replace(&path, text.as_bytes(), Durability::Lazy)
    }

    /// The folder of a run, which must be one of this folder.
    fn own_folder(&self, name: &str) -> Result<PathBuf, StorageError> {
        let folder = self.folder(name)?;
        if folder != self.root().join(name_of(&folder)) {
            let root = self.root().display();
            return Err(StorageError::Unknown(format!("{name}: is not in {root}")));
        }
        Ok(folder)
    }
}

/// Whether a letter can't be in the name of a run: not in that of a folder, or not on the command
/// line.
fn is_unsuitable(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || "/\\:*?\"<>|@".contains(letter)
}

/// The tags of the run in a folder.
pub(super) fn tags(folder: &Path) -> Vec<String> {
    let text = files::read(&folder.join(TAGS), MAX_TAG_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.split_whitespace().map(ToOwned::to_owned).collect()
}

/// Opens a folder in the file manager of the desktop. Returns whether there is one.
pub fn open_in_file_manager(folder: &Path) -> bool {
    let is_unix = !cfg!(any(target_os = "macos", windows));
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if is_unix && !has_desktop {
        return false;
    }
    let mut command = Command::new(OPENER);
    command.arg(folder);
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let started = command.stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else {
        return false;
    };
    // Waits for its end, so that no dead process remains.
    std::thread::spawn(move || child.wait());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of runs with one that is called `first`. Only its name matters here.
    fn saves() -> (tempfile::TempDir, Saves) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let run = folder.path().join("first");
        fs::create_dir(&run).expect("the folder is writable");
        fs::write(run.join("run.ron"), "").expect("the folder is writable");
        let saves = Saves::at(folder.path().to_owned());
        (folder, saves)
    }

    #[test]
    fn a_run_is_renamed_unless_the_name_is_taken_or_unsuitable_or_the_run_is_open() {
        let (_folder, saves) = saves();
        for name in ["", "a b", "../x", "x@3", ".hidden", "first"] {
            assert!(saves.rename("first", name).is_err(), "{name}");
        }
        let lock = Lock::take(&saves.root().join("first")).expect("no process has it open");
        assert!(saves.rename("first", "second").is_err(), "it is open");
        drop(lock);
        saves.rename("first", "second").expect("the name is free");
        assert_eq!(saves.names(), ["second"]);
    }

    #[test]
    fn tags_are_kept_in_a_file_of_their_own() {
        let (_folder, saves) = saves();
        let folder = saves.root().join("first");
        saves.set_tags("first", &[]).expect("nothing is written");
        assert!(!folder.join(TAGS).exists());
        let kept = ["best".to_owned(), "paper".to_owned()];
        saves.set_tags("first", &kept).expect("it is writable");
        assert_eq!(tags(&folder), kept);
        saves.set_tags("first", &[]).expect("it is writable");
        assert!(tags(&folder).is_empty());
    }
}
