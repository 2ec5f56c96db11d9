//! The metrics of a run that another process writes: what has come since the last look, or all of it again where the past has
//! changed, as it does when a run is resumed from its checkpoint.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::metrics::Row;

use super::{StorageError, metrics};

/// A metrics file, and how far it has been read.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// The line of column names.
    header: String,
    /// Bytes that have been read.
    read: u64,
    /// The generation of the next row.
    next: u64,
}

/// What a look at the file comes to.
#[derive(Debug, PartialEq)]
pub enum Fresh {
    /// Rows that follow those of the last look; often none.
    More(Vec<Row>),
    /// Every row there is now.
    All {
        columns: Vec<String>,
        rows: Vec<Row>,
    },
}

impl Tail {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            header: String::new(),
            read: 0,
            next: 0,
        }
    }

    /// Looks at the file. A last line that is still being written is left for the next time.
    pub fn look(&mut self) -> Result<Fresh, StorageError> {
        if self.header.is_empty() {
            return self.all();
        }
        let length = fs::metadata(&self.path)
            .map_err(StorageError::io(&self.path))?
            .len();
        if length < self.read {
            return self.all();
        }
        let added = self.added()?;
        // What has been cut back and has grown again does not go on from here.
        match metrics::parse(&self.path, &format!("{}{added}", self.header)) {
            Ok((_, rows)) if self.follow(&rows) => {
                self.take(added.len(), &rows);
                Ok(Fresh::More(rows))
            }
            _ => self.all(),
        }
    }

    /// The whole lines that have not been read.
    fn added(&self) -> Result<String, StorageError> {
        let read = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.read))?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            Ok(text)
        };
        let mut text: String = read().map_err(StorageError::io(&self.path))?;
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        Ok(text)
    }

    /// Whether rows go on where the last look ended.
    fn follow(&self, rows: &[Row]) -> bool {
        let mut numbered = (self.next..).zip(rows);
        numbered.all(|(generation, row)| row.generation() == generation)
    }

    fn take(&mut self, bytes: usize, rows: &[Row]) {
        self.read += bytes as u64;
        self.next = rows.last().map_or(self.next, |row| row.generation() + 1);
    }

    fn all(&mut self) -> Result<Fresh, StorageError> {
        *self = Self::new(std::mem::take(&mut self.path));
        let text = self.added()?;
        let (columns, rows) = metrics::parse(&self.path, &text)?;
        self.header = text.lines().next().unwrap_or_default().to_owned() + "\n";
        self.take(text.len(), &rows);
        Ok(Fresh::All { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Metrics {
        path: PathBuf,
        tail: Tail,
        _folder: tempfile::TempDir,
    }

    impl Metrics {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("there is a folder for temporary files");
            let path = folder.path().join("metrics.csv");
            Self {
                tail: Tail::new(path.clone()),
                path,
                _folder: folder,
            }
        }

        /// What a look finds when this is the file: whether it begins anew, and the figures beside the generations.
        fn check(&mut self, text: &str, anew: bool, figures: &[f64]) {
            fs::write(&self.path, text).expect("the folder is writable");
            let (is_anew, rows) = match self.tail.look().expect("it is sound") {
                Fresh::More(rows) => (false, rows),
                Fresh::All { rows, columns } => {
                    assert_eq!(columns, ["generation", "games"]);
                    (true, rows)
                }
            };
            let found = rows.iter().filter_map(|row| row.values()[1]);
            assert_eq!(
                (is_anew, found.collect::<Vec<_>>()),
                (anew, figures.to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn rows_come_once_and_only_when_they_are_whole() {
        let mut file = Metrics::new();
        file.check("generation,games\n0,7\n1,", true, &[7.0]);
        file.check("generation,games\n0,7\n1,8", false, &[]);
        file.check("generation,games\n0,7\n1,85\n", false, &[85.0]);
        file.check(
            "generation,games\n0,7\n1,85\n2,9\n3,1\n4",
            false,
            &[9.0, 1.0],
        );
        file.check("generation,games\n0,7\n1,85\n2,9\n3,1\n4", false, &[]);
    }

    #[test]
    fn a_file_that_is_cut_back_is_read_anew_though_it_has_grown_again() {
        let mut file = Metrics::new();
        file.check("generation,games\n0,7\n1,8\n2,9\n", true, &[7.0, 8.0, 9.0]);
        file.check("generation,games\n0,7\n", true, &[7.0]);
        file.check(
            "generation,games\n0,7\n1,80000\n2,9\n3,4\n",
            false,
            &[80000.0, 9.0, 4.0],
        );
        file.check(
            "generation,games\n0,7\n1,5\n2,6\n3,7\n4,8\n5,9\n",
            true,
            &[7.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_told_and_read_once_it_is() {
        let mut file = Metrics::new();
        let error = file.tail.look().expect_err("it is not there").to_string();
        assert!(error.contains("metrics.csv"), "{error}");
        file.check("generation,games\n0,7\n", true, &[7.0]);
        fs::remove_file(&file.path).expect("it was there");
        file.tail.look().expect_err("it is gone");
    }
}
