//! The format of `metrics.csv`: a line of column names, then a row per generation. A missing value is an empty field.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

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
    let refuse = |what: String| {
        StorageError::unusable(
            path,
            what,
            "restore it from a copy; the file was not changed",
        )
    };
    let mut reader = csv::Reader::from_reader(whole.as_bytes());
    let headers = reader
        .headers()
        .map_err(|error| refuse(error.to_string()))?;
    let columns: Vec<String> = headers.iter().map(ToOwned::to_owned).collect();
    if columns.first().is_none_or(|first| first != "generation") {
        return Err(refuse("is not a finches metrics file".to_owned()));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| refuse(error.to_string()))?;
        let figure = |field: &str| {
            if field.is_empty() {
                Ok(None)
            } else {
                field.parse().map(Some)
            }
        };
        let values: Result<Vec<Option<f64>>, _> = record.iter().map(figure).collect();
        let line = rows.len() + 2;
        rows.push(Row::from_values(
            values.map_err(|error| refuse(format!("line {line}: {error}")))?,
        ));
    }
    Ok((columns, rows))
}

/// Calls `each` with the column names and each row of a metrics file, and returns the column names. An incomplete last line is
/// ignored.
pub(super) fn for_each_row(
    path: &Path,
    mut each: impl FnMut(&[String], &Row),
) -> Result<Vec<String>, StorageError> {
    let refuse = |what: String| {
        StorageError::unusable(
            path,
            what,
            "restore it from a copy; the file was not changed",
        )
    };
    let mut file = BufReader::new(File::open(path).map_err(StorageError::io(path))?);
    let mut columns: Vec<String> = Vec::new();
    let mut text = String::new();
    for number in 1_u64.. {
        text.clear();
        file.read_line(&mut text).map_err(StorageError::io(path))?;
        let Some(whole) = text.strip_suffix('\n') else {
            break;
        };
        if number == 1 {
            columns = whole.split(',').map(ToOwned::to_owned).collect();
            continue;
        }
        let values =
            parse_values(whole).map_err(|error| refuse(format!("line {number}: {error}")))?;
        if values.len() != columns.len() {
            let (found, wanted) = (values.len(), columns.len());
            let what = format!("line {number}: has {found} fields instead of {wanted}");
            return Err(refuse(what));
        }
        each(&columns, &Row::from_values(values));
    }
    if columns.first().is_none_or(|first| first != "generation") {
        return Err(refuse("is not a finches metrics file".to_owned()));
    }
    Ok(columns)
}

/// The values of a line.
fn parse_values(line: &str) -> Result<Vec<Option<f64>>, std::num::ParseFloatError> {
    let fields = line.split(',');
    let figure = |field: &str| match field {
        "" => Ok(None),
        field => field.parse().map(Some),
    };
    fields.map(figure).collect()
}

/// The line of column names.
pub(super) fn header(columns: &Columns) -> String {
    let names: Vec<&str> = columns.names().collect();
    names.join(",") + "\n"
}

/// The line of a row.
pub(super) fn csv_line(values: &[Option<f64>]) -> String {
    let field = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let fields: Vec<String> = values.iter().map(field).collect();
    fields.join(",") + "\n"
}
