//! The format of `metrics.csv`: a line of column names, then a row per generation. A missing value is an empty field.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::Path;

use crate::metrics::csv_text::{csv_field, csv_text};
use crate::metrics::{Columns, Row};

use super::StorageError;

/// Reads a metrics file: column names and rows. An incomplete last line is ignored.
pub(super) fn read(path: &Path) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let text = fs::read_to_string(path).map_err(StorageError::io(path))?;
    parse(path, &text)
}

/// Parses the text of a metrics file. The path is for error messages.
pub(super) fn parse(path: &Path, text: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut rows = Vec::new();
    let columns = read_rows(path, whole.as_bytes(), |_, row| rows.push(row))?;
    Ok((columns, rows))
}

/// Calls `each` with the column names and each row of a metrics file, and returns the column names. An incomplete last line is
/// ignored.
pub(super) fn for_each_row(
    path: &Path,
    mut each: impl FnMut(&[String], &Row),
) -> Result<Vec<String>, StorageError> {
    let lines = complete_lines(path).map_err(StorageError::io(path))?;
    read_rows(path, lines, |columns, row| each(columns, &row))
}

/// The file up to the end of its last complete line.
fn complete_lines(path: &Path) -> io::Result<Take<File>> {
    let mut file = File::open(path)?;
    let mut length = file.seek(SeekFrom::End(0))?;
    let mut last = [0];
    while length > 0 {
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last == *b"\n" {
            break;
        }
        length -= 1;
    }
    file.rewind()?;
    Ok(file.take(length))
}

fn read_rows(
    path: &Path,
    text: impl Read,
    mut each: impl FnMut(&[String], Row),
) -> Result<Vec<String>, StorageError> {
    let refuse = |what: String| {
        StorageError::unusable(
            path,
            what,
            "restore it from a copy; the file was not changed",
        )
    };
    let mut reader = csv::Reader::from_reader(text);
    let headers = reader.headers();
    let headers = headers.map_err(|error| refuse(error.to_string()))?;
    let columns: Vec<String> = headers.iter().map(ToOwned::to_owned).collect();
    if columns.first().is_none_or(|first| first != "generation") {
        return Err(refuse("is not a finches metrics file".to_owned()));
    }
    for (number, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|error| refuse(error.to_string()))?;
        let values = record.iter().map(|field| match field {
            "" => Ok(None),
            field => field.parse().map(Some),
        });
        let values: Result<Vec<Option<f64>>, _> = values.collect();
        let values = values.map_err(|error| refuse(format!("line {number}: {error}")))?;
        each(&columns, Row::from_values(values));
    }
    Ok(columns)
}

/// The line of column names.
pub(super) fn header(columns: &Columns) -> String {
    csv_text([columns.names()])
}

/// The line of a row.
pub(super) fn csv_line(values: &[Option<f64>]) -> String {
    csv_text([values.iter().copied().map(csv_field)])
}
