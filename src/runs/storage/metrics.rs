//! The format of `metrics.csv`: a line of column names, then a row per generation. A missing value
//! is an empty field.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use finches_engine::metrics::csv_text::{csv_field, csv_text};
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::MAX_GENERATIONS;
use finches_engine::session::measures::progress;
use finches_engine::text::one_line;

use super::{StorageError, files};

/// The ends of a metrics file in which the latest value of each column is looked for, in bytes: the
/// first is enough unless a column is measured rarely.
const SHORT_TAIL: u64 = 4 << 10;
const TAIL: u64 = 256 << 10;

/// The longest line that is looked for, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// Reads a metrics file: column names and rows. An incomplete last line is ignored, and so are
/// zeros, which a power cut leaves where rows had not reached the disk.
pub(super) fn read(path: &Path) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    parse(path, &files::read_text(path)?)
}

/// Parses the text of a metrics file. The path is for error messages.
pub(super) fn parse(path: &Path, text: &str) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let text = text.split('\0').next().unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut rows = Vec::new();
    let columns = read_rows(path, whole.as_bytes(), |_, row| rows.push(row))?;
    Ok((columns, rows))
}

/// Calls `each` with the column names and each row of a metrics file, and returns the column names.
/// An incomplete last line is ignored.
pub(super) fn for_each_row(
    path: &Path,
    mut each: impl FnMut(&[String], &Row),
) -> Result<Vec<String>, StorageError> {
    let lines = complete_lines(files::open(path)?).map_err(StorageError::io(path))?;
    read_rows(path, lines, |columns, row| each(columns, &row))
}

/// The file up to the end of its last complete line.
fn complete_lines(mut file: File) -> io::Result<Take<File>> {
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

/// The number of bytes up to the end of the last complete line within the first `bytes` of a file.
/// That line is a valid row, or the column names.
pub(super) fn end_of_last_line(path: &Path, bytes: u64) -> Result<u64, StorageError> {
    let text = files::read(path, files::MAX_BYTES)?;
    let text = &text[..text.len().min(bytes as usize)];
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let end = text.iter().rposition(|&byte| byte == b'\n');
    Ok(end.map_or(0, |end| end as u64 + 1))
}

/// Reads the column names and the last rows of a metrics file, at least one if there is any.
pub(super) fn read_end(path: &Path) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let (columns, rows) = read_tail(path, SHORT_TAIL)?;
    let has_value = |index: usize| rows.iter().any(|row| row.values()[index].is_some());
    if (0..columns.len()).all(has_value) {
        return Ok((columns, rows));
    }
    read_tail(path, TAIL)
}

/// Reads the column names, and the rows within the last `tail` bytes.
fn read_tail(path: &Path, tail: u64) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let read = |mut file: File| {
        let mut reader = BufReader::new(&mut file);
        let header = read_line(&mut reader)?;
        let length = file.seek(SeekFrom::End(0))?;
        let begin = length.saturating_sub(tail).max(header.len() as u64);
        file.seek(SeekFrom::Start(begin))?;
        let mut end = Vec::new();
        file.take(tail).read_to_end(&mut end)?;
        Ok((header, begin, String::from_utf8_lossy(&end).into_owned()))
    };
    let (header, begin, end) = read(files::open(path)?).map_err(StorageError::io(path))?;
    if end.contains('\0') {
        // How far the zeros go is not known, so all rows before them are read.
        return self::read(path);
    }
    let is_whole = begin == header.len() as u64;
    let skipped = end.find('\n').map_or(end.len(), |line| line + 1);
    let rows = &end[if is_whole { 0 } else { skipped }..];
    parse(path, &format!("{header}{rows}"))
}

/// Reads the column names and about `count` rows at equal distances, the last one among them.
pub(super) fn sample(path: &Path, count: u64) -> Result<(Vec<String>, Vec<Row>), StorageError> {
    let read = |mut file: File| {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        if length <= TAIL {
            return Ok(None);
        }
        let mut text = read_line(&mut BufReader::new(&mut file))?;
        for number in 0..count {
            let place = text.len() as u64 + (length - text.len() as u64) / count * number;
            file.seek(SeekFrom::Start(place))?;
            let mut reader = BufReader::with_capacity(1 << 10, &mut file);
            read_line(&mut reader)?;
            let line = read_line(&mut reader)?;
            if line.ends_with('\n') && !line.contains('\0') {
                text.push_str(&line);
            }
        }
        Ok(Some(text))
    };
    let sampled = read(files::open(path)?).map_err(StorageError::io(path))?;
    let Some(mut text) = sampled else {
        return self::read(path);
    };
    let (_, end) = read_end(path)?;
    if let Some(last) = end.last() {
        text.push_str(&csv_line(last.values()));
    }
    let (columns, mut rows) = parse(path, &text)?;
    rows.dedup_by_key(|row| row.generation());
    Ok((columns, rows))
}

/// A line with its end, or what there is of it.
fn read_line(reader: impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
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
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let headers = reader.headers();
    let headers = headers.map_err(|error| refuse(error.to_string()))?;
    let columns: Vec<String> = headers.iter().map(ToOwned::to_owned).collect();
    if columns
        .first()
        .is_none_or(|first| progress::GENERATION != **first)
    {
        return Err(refuse("is not a finches metrics file".to_owned()));
    }
    for (number, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|error| refuse(error.to_string()))?;
        if record.iter().any(|field| field.contains('\0')) {
            break;
        }
        if record.len() != columns.len() {
            let (found, wanted) = (record.len(), columns.len());
            return Err(refuse(format!(
                "line {number} has {found} fields, not {wanted}"
            )));
        }
        let values = record.iter().map(|field| match field {
            "" => Ok(None),
            field => field.parse().map(Some),
        });
        let values: Result<Vec<Option<f64>>, _> = values.collect();
        let values = values.map_err(|error| refuse(format!("line {number}: {error}")))?;
        if !values.first().copied().flatten().is_some_and(is_generation) {
            return Err(refuse(format!(
                "line {number}: generation: must be a whole number up to {MAX_GENERATIONS}, is \
                `{}`",
                one_line(&record[0])
            )));
        }
        each(&columns, Row::from_values(values));
    }
    Ok(columns)
}

fn is_generation(number: f64) -> bool {
    (0.0..=MAX_GENERATIONS as f64).contains(&number) && number.fract() == 0.0
}

/// The line of column names.
pub(super) fn header(columns: &Columns) -> String {
    csv_text([columns.names()])
}

/// The line of a row.
pub(super) fn csv_line(values: &[Option<f64>]) -> String {
    csv_text([values.iter().copied().map(csv_field)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("metrics.csv");
        std::fs::write(&path, text).expect("the folder is writable");
        (folder, path)
    }

    fn generations(rows: &[Row]) -> Vec<u64> {
        rows.iter().map(Row::generation).collect()
    }

    #[test]
    fn rows_that_a_power_cut_has_turned_to_zeros_are_left_out() {
        let text = format!("generation,games\n0,5\n1,5\n{}", "\0".repeat(90));
        for tail in ["", "\n", "7,5\n8,5\n"] {
            let (_folder, path) = file(&format!("{text}{tail}"));
            let (_, rows) = read(&path).expect("it is a metrics file");
            assert_eq!(generations(&rows), [0, 1], "{tail:?}");
            let (_, rows) = read_end(&path).expect("it is a metrics file");
            assert_eq!(generations(&rows), [0, 1], "{tail:?}");
            let mut streamed = Vec::new();
            for_each_row(&path, |_, row| streamed.push(row.generation()))
                .expect("it is a metrics file");
            assert_eq!(streamed, [0, 1], "{tail:?}");
        }
        let (_folder, path) = file("generation,games\n0,5\n1\n2,5\n");
        let error = read(&path).expect_err("a field is missing").to_string();
        assert!(error.contains("line 3 has 1 fields, not 2"), "{error}");
        for generation in ["", "-1", "1.5", "1e300", "NaN", "inf"] {
            let (_folder, path) = file(&format!("generation,games\n0,5\n{generation},5\n"));
            let error = read(&path).expect_err("there is none such").to_string();
            assert!(error.contains("line 3: generation: must be"), "{error}");
        }
    }

    #[test]
    fn the_end_is_as_long_as_a_column_that_is_measured_rarely_needs() {
        let measured = |number| if number == 95_000 { "1" } else { "" };
        let lines = (0..100_000u32).map(|number| format!("{number},{}\n", measured(number)));
        let text = format!("generation,rare\n{}", lines.collect::<String>());
        let (_folder, path) = file(&text);
        let (_, rows) = read_end(&path).expect("it is a metrics file");
        let mut latest = rows.iter().rev().filter(|row| row.values()[1].is_some());
        assert_eq!(latest.next().map(Row::generation), Some(95_000));
    }

    #[test]
    fn the_end_and_a_sample_of_a_long_file_are_read_without_the_rest() {
        let lines = (0..100_000u32).map(|number| format!("{number},{}\n", number % 7));
        let text = format!("generation,games\n{}", lines.collect::<String>());
        let (_folder, path) = file(&text);
        let (columns, rows) = read_end(&path).expect("it is a metrics file");
        assert_eq!(columns, ["generation", "games"]);
        assert!((400..1000).contains(&rows.len()), "{}", rows.len());
        assert_eq!(rows.last().map(Row::generation), Some(99_999));
        let (_, rows) = sample(&path, 50).expect("it is a metrics file");
        let found = generations(&rows);
        assert!((40..=51).contains(&found.len()), "{found:?}");
        assert!(found.is_sorted() && found[0] < 5, "{found:?}");
        assert_eq!(found.last(), Some(&99_999));
        for row in rows {
            assert_eq!(row.values()[1], Some((row.generation() % 7) as f64));
        }
    }
}
