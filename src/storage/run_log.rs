//! The log of a run beside its other files. It is bounded: once it is full it becomes `run.log.1`, which the next full one
//! replaces.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The size at which a log is full.
pub const FULL: u64 = 1 << 20;

/// A log that is being written.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
    length: u64,
}

impl RunLog {
    /// Goes on with the log in a folder, or begins one.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let path = folder.join("run.log");
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let length = file.metadata()?.len();
        Ok(Self { path, file, length })
    }

    /// Writes a line.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        if self.length > 0 && self.length + line.len() as u64 >= FULL {
            fs::rename(&self.path, self.path.with_extension("log.1"))?;
            self.file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&self.path)?;
            self.length = 0;
        }
        let text = format!("{line}\n");
        self.file.write_all(text.as_bytes())?;
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
        let lines = 3 * FULL as usize / line.len();
        for part in 0..2 {
            let mut log = RunLog::open(folder.path()).expect("the folder is writable");
            for number in 0..lines {
                let written = log.line(&format!("{part} {number} {line}"));
                written.expect("the folder is writable");
            }
        }
        let size = |name: &str| {
            let path = folder.path().join(name);
            fs::metadata(path).expect("it was written").len()
        };
        assert!(size("run.log") <= FULL && size("run.log.1") <= FULL);
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2);
        let text = fs::read_to_string(folder.path().join("run.log")).expect("it is text");
        let last = format!("1 {} {line}", lines - 1);
        assert_eq!(text.lines().last(), Some(last.as_str()));
    }
}
