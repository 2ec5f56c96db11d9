//! The log file of a run. Its size is bounded: a full `run.log` is renamed to `run.log.1`,
//! replacing the one before.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{StorageError, files};

/// The size at which a log file is full, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// A log file open for writing.
#[derive(Debug)]
pub struct RunLogFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl RunLogFile {
    /// Opens the log file in a folder, or creates it.
    pub fn open(folder: &Path) -> Result<Self, StorageError> {
        let path = folder.join("run.log");
        let file = files::open_own(&path, OpenOptions::new().append(true))?;
        let length = file.metadata().map_err(StorageError::io(&path))?.len();
        Ok(Self { path, file, length })
    }

    /// Appends a line, after renaming a file that has become too large.
    pub fn write_line(&mut self, line: &str) -> Result<(), StorageError> {
        if self.length > 0 && self.length + line.len() as u64 >= MAX_BYTES {
            let full = self.path.with_extension("log.1");
            fs::rename(&self.path, full).map_err(StorageError::io(&self.path))?;
            self.file = files::open_own(&self.path, OpenOptions::new().append(true))?;
            self.length = 0;
        }
        let text = format!("{line}\n");
        let written = self.file.write_all(text.as_bytes());
        written.map_err(StorageError::io(&self.path))?;
        self.length += text.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_never_takes_more_than_two_full_files() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let line = "x".repeat(1000);
        let lines = 3 * MAX_BYTES as usize / line.len();
        for part in 0..2 {
            let mut log = RunLogFile::open(folder.path()).expect("the folder is writable");
            for number in 0..lines {
                let written = log.write_line(&format!("{part} {number} {line}"));
                written.expect("the folder is writable");
            }
        }
        let size = |name: &str| {
            let path = folder.path().join(name);
            fs::metadata(path).expect("it was written").len()
        };
        assert!(size("run.log") <= MAX_BYTES && size("run.log.1") <= MAX_BYTES);
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2);
        let text = fs::read_to_string(folder.path().join("run.log")).expect("it is text");
        let last = format!("1 {} {line}", lines - 1);
        assert_eq!(text.lines().last(), Some(last.as_str()));
    }
}
