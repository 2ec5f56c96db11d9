//! Follows the metrics file of a run that another process writes. Each poll returns the new rows,
//! or all rows if the past has changed, as it does when a run is resumed from its checkpoint.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use finches_engine::metrics::Row;

use super::{StorageError, files, metrics};

/// A metrics file and how far it has been read.
#[derive(Debug)]
pub struct MetricsFollower {
    path: PathBuf,
    /// The line of column names; empty before the first poll.
    header: String,
    bytes_read: u64,
    /// The last line that has been read. A file that has been cut and has grown again has another
    /// in its place.
    last_line: Vec<u8>,
}

/// The result of a poll.
#[derive(Debug, PartialEq)]
pub enum MetricsUpdate {
    /// Rows that follow those of the last poll; often none.
    Appended(Vec<Row>),
    /// All rows now in the file.
    Replaced {
        /// The names of the columns in the file.
        columns: Vec<String>,
        /// The rows, oldest first.
        rows: Vec<Row>,
    },
}

impl MetricsFollower {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            header: String::new(),
            bytes_read: 0,
            last_line: Vec::new(),
        }
    }

    /// Reads what is new. An incomplete last line is left for the next poll.
    pub fn poll(&mut self) -> Result<MetricsUpdate, StorageError> {
        if self.header.is_empty() {
            return self.read_all();
        }
        let lines = self.read_new_lines()?;
        let Some(added) = lines.strip_prefix(&*self.last_line) else {
            return self.read_all();
        };
        let text = [self.header.as_bytes(), added].concat();
        match metrics::parse_intact(&self.path, &text) {
            Ok(((_, rows), _)) => {
                self.advance(added);
                Ok(MetricsUpdate::Appended(rows))
            }
            Err(_) => self.read_all(),
        }
    }

    /// The last line that has been read, and the complete lines after it.
    fn read_new_lines(&self) -> Result<Vec<u8>, StorageError> {
        let file = files::open(&self.path)?;
        let read = |mut file: File| {
            let start = self.bytes_read - self.last_line.len() as u64;
            file.seek(SeekFrom::Start(start))?;
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            Ok(text)
        };
        let mut text: Vec<u8> = read(file).map_err(StorageError::io(&self.path))?;
        let end = text.iter().rposition(|&byte| byte == b'\n');
        text.truncate(end.map_or(0, |end| end + 1));
        Ok(text)
    }

    /// Takes note of the lines that follow those read before.
    fn advance(&mut self, lines: &[u8]) {
        self.bytes_read += lines.len() as u64;
        if let Some(last) = lines.split_inclusive(|&byte| byte == b'\n').next_back() {
            last.clone_into(&mut self.last_line);
        }
    }

    fn read_all(&mut self) -> Result<MetricsUpdate, StorageError> {
        *self = Self::new(std::mem::take(&mut self.path));
        let text = self.read_new_lines()?;
        let ((columns, rows), _) = metrics::parse_intact(&self.path, &text)?;
        let header = text.split_inclusive(|&byte| byte == b'\n').next();
        self.header = String::from_utf8_lossy(header.unwrap_or_default()).into_owned();
        self.advance(&text);
        Ok(MetricsUpdate::Replaced { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Metrics {
        path: PathBuf,
        tail: MetricsFollower,
        _folder: tempfile::TempDir,
    }

    impl Metrics {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("there is a folder for temporary files");
            let path = folder.path().join("metrics.csv");
            Self {
                tail: MetricsFollower::new(path.clone()),
                path,
                _folder: folder,
            }
        }

        /// Checks what a poll returns for this content: whether all rows come again, and the values
        /// beside the generations.
        fn check(&mut self, text: &str, from_start: bool, values: &[f64]) {
            fs::write(&self.path, text).expect("the folder is writable");
            let (is_reread, rows) = match self.tail.poll().expect("the file is valid") {
                MetricsUpdate::Appended(rows) => (false, rows),
                MetricsUpdate::Replaced { rows, columns } => {
                    assert_eq!(columns, ["generation", "games"]);
                    (true, rows)
                }
            };
            let found = rows.iter().filter_map(|row| row.values()[1]);
            assert_eq!(
                (is_reread, found.collect::<Vec<_>>()),
                (from_start, values.to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn rows_come_once_and_only_when_complete() {
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
    fn a_truncated_file_is_read_again_even_if_it_has_grown_since() {
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
    fn generations_without_a_row_are_no_break() {
        let mut file = Metrics::new();
        file.check("generation,games\n0,7\n10,8\n", true, &[7.0, 8.0]);
        file.check(
            "generation,games\n0,7\n10,8\n13,9\n20,1\n",
            false,
            &[9.0, 1.0],
        );
        let again = "generation,games\n0,7\n10,8\n15,2\n20,3\n30,4\n";
        file.check(again, true, &[7.0, 8.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn rows_before_a_damaged_line_are_shown_once() {
        let mut file = Metrics::new();
        let damaged = "generation,games\n0,7\n1,8\n2\n3,9\n";
        file.check(damaged, true, &[7.0, 8.0]);
        file.check(damaged, false, &[]);
        file.check("generation,games\n0,7\n1,8\n", true, &[7.0, 8.0]);
    }

    #[test]
    fn a_missing_file_is_reported_and_read_once_it_exists() {
        let mut file = Metrics::new();
        let error = file.tail.poll().expect_err("it is not there").to_string();
        assert!(error.contains("metrics.csv"), "{error}");
        file.check("generation,games\n0,7\n", true, &[7.0]);
        fs::remove_file(&file.path).expect("it was there");
        file.tail.poll().expect_err("it is gone");
    }
}
