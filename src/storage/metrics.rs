//! The form of `metrics.csv`: a line of column names, then a row per generation; a figure not taken is empty.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::metrics::{Columns, Row};

use super::StorageError;

/// Reads a metrics file. A last line that is still being written is left out.
pub(super) fn read(path: &Path) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let text = fs::read_to_string(path).map_err(StorageError::io(path))?;
    parse(path, &text)
}

/// The column names and rows of a metrics file's text; the path is for what is wrong with it.
pub(super) fn parse(path: &Path, text: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let refuse = |what: String| {
        StorageError::unusable(
            path,
            what,
            "restore it from a copy; it has been left as it is",
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

/// Hands the rows of a metrics file to `each`, one at a time, with the column names, which are returned. A last line that is
/// still being written is left out.
pub(super) fn each(
    path: &Path,
    mut each: impl FnMut(&[String], &Row),
) -> Result<Vec<String>, StorageError> {
    let refuse = |what: String| {
        StorageError::unusable(
            path,
            what,
            "restore it from a copy; it has been left as it is",
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
        let values = figures(whole).map_err(|error| refuse(format!("line {number}: {error}")))?;
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

/// The figures of a line.
fn figures(line: &str) -> Result<Vec<Option<f64>>, std::num::ParseFloatError> {
    let fields = line.split(',');
    let figure = |field: &str| match field {
        "" => Ok(None),
        field => field.parse().map(Some),
    };
    fields.map(figure).collect()
}

/// The first line of a metrics file.
pub(super) fn header(columns: &Columns) -> String {
    let names: Vec<&str> = columns.names().collect();
    names.join(",") + "\n"
}

/// A line of a metrics file.
pub(super) fn line(values: &[Option<f64>]) -> String {
    let field = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let fields: Vec<String> = values.iter().map(field).collect();
    fields.join(",") + "\n"
}
