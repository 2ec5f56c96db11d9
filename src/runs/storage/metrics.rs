//! The format of `metrics.csv`: a line of column names, then a row per generation. A missing value
//! is an empty field.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::ops::Range;
use std::path::Path;

use csv::ByteRecord;
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

/// The usual interval between rows that are kept, in generations.
pub(super) fn every_row() -> u64 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
pub(super) fn is_every_row(rows_every: &u64) -> bool {
    *rows_every == every_row()
}

/// Reads a metrics file: column names and rows. An incomplete last line is ignored, and so are
/// zeros, which a power cut leaves where rows had not reached the disk.
pub(super) fn read(path: &Path) -> Result<MetricsTable, StorageError> {
    parse(path, &files::read_text(path)?)
}

/// Parses the text of a metrics file. The path is for error messages.
pub(super) fn parse(path: &Path, text: &str) -> Result<MetricsTable, StorageError> {
    let text = text.split('\0').next().unwrap_or_default();
    let (table, damage) = parse_intact(path, text.as_bytes())?;
    damage.map_or(Ok(table), |damage| Err(refused(path, damage.to_string())))
}

/// The column names and the rows.
pub(super) type MetricsTable = (Vec<String>, Vec<Row>);

/// Where a metrics file is damaged. The rows before are sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MetricsDamage {
    /// The first line that is no row, counted from 1.
    line: u64,
    /// The bytes before it.
    pub(super) intact: u64,
    what: String,
}

impl fmt::Display for MetricsDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} {}", self.line, self.what)
    }
}

/// Parses a metrics file up to its first line that is no row.
pub(super) fn parse_intact(
    path: &Path,
    text: &[u8],
) -> Result<(MetricsTable, Option<MetricsDamage>), StorageError> {
    let end = text.iter().rposition(|&byte| byte == b'\n');
    let whole = end.map_or(&text[..0], |end| &text[..=end]);
    let mut rows = Vec::new();
    let (columns, damage) = read_rows(path, whole, |_, row| rows.push(row))?;
    Ok(((columns, rows), damage))
}

/// Reads the metrics file of a run. The log says where it is damaged; the rows from there on are
/// left out.
pub(super) fn read_intact(path: &Path) -> Result<MetricsTable, StorageError> {
    let text = files::read(path, files::MAX_BYTES)?;
    let (table, damage) = parse_intact(path, &text)?;
    log_damage(path, damage.as_ref());
    Ok(table)
}

/// The same; the log says nothing, since lists of runs are read again and again.
fn read_silently(path: &Path) -> Result<MetricsTable, StorageError> {
    Ok(parse_intact(path, &files::read(path, files::MAX_BYTES)?)?.0)
}

/// The text of the metrics file of a run, up to where it is damaged.
pub(super) fn intact_text(path: &Path) -> Result<String, StorageError> {
    let mut text = files::read(path, files::MAX_BYTES)?;
    let (_, damage) = parse_intact(path, &text)?;
    log_damage(path, damage.as_ref());
    text.truncate(damage.map_or(text.len(), |damage| damage.intact as usize));
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Calls `each` with the column names and each row of the metrics file of a run, and returns the
/// column names. An incomplete last line is ignored. The rows end where the file is damaged, which
/// the log says.
pub(super) fn for_each_row(
    path: &Path,
    mut each: impl FnMut(&[String], &Row),
) -> Result<Vec<String>, StorageError> {
    let lines = complete_lines(files::open(path)?).map_err(StorageError::io(path))?;
    let (columns, damage) = read_rows(path, lines, |columns, row| each(columns, &row))?;
    log_damage(path, damage.as_ref());
    Ok(columns)
}

fn log_damage(path: &Path, damage: Option<&MetricsDamage>) {
    if let Some(damage) = damage {
        tracing::warn!(
            "{}: {damage}; the rows from there on are left out, and a resumed run makes no others \
            in their place; restore the file from a copy if you have one",
            path.display()
        );
    }
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

/// The number of bytes that can be kept of a file with damage somewhere between two places, and the
/// number of the first line after them: up to a line that is no row, or else the complete lines
/// before the first place. The last line is a valid row, or the column names.
pub(super) fn intact_end(path: &Path, damaged: &Range<u64>) -> Result<(u64, usize), StorageError> {
    let text = files::read(path, files::MAX_BYTES)?;
    let found = parse_intact(path, &text).ok().and_then(|(_, found)| found);
    let found = found.filter(|found| damaged.contains(&found.intact));
    let end = found.map_or(damaged.start, |found| found.intact);
    let text = &text[..text.len().min(end as usize)];
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let end = text.iter().rposition(|&byte| byte == b'\n');
    let kept = end.map_or(0, |end| end + 1);
    let lines = text[..kept].split(|&byte| byte == b'\n');
    Ok((kept as u64, lines.count()))
}

/// Reads the column names and the last rows of a metrics file, at least one if there is any.
pub(super) fn read_end(path: &Path) -> Result<MetricsTable, StorageError> {
    let (columns, rows) = read_tail(path, SHORT_TAIL)?;
    let has_value = |index: usize| rows.iter().any(|row| row.values()[index].is_some());
    if (0..columns.len()).all(has_value) {
        return Ok((columns, rows));
    }
    read_tail(path, TAIL)
}

/// Reads the column names, and the rows within the last `tail` bytes.
fn read_tail(path: &Path, tail: u64) -> Result<MetricsTable, StorageError> {
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
    let is_whole = begin == header.len() as u64;
    let skipped = end.find('\n').map_or(end.len(), |line| line + 1);
    let rows = &end[if is_whole { 0 } else { skipped }..];
    let (table, damage) = parse_intact(path, format!("{header}{rows}").as_bytes())?;
    if is_whole || damage.is_none() && !table.1.is_empty() {
        return Ok(table);
    }
    // How far the damage goes is not known, so all rows before it are read.
    read_silently(path)
}

/// Reads the column names and about `count` rows at equal distances, the last one among them.
pub(super) fn sample(path: &Path, count: u64) -> Result<MetricsTable, StorageError> {
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
        return read_silently(path);
    };
    let (_, end) = read_end(path)?;
    if let Some(last) = end.last() {
        text.push_str(&csv_line(last.values()));
    }
    let ((columns, mut rows), _) = parse_intact(path, text.as_bytes())?;
    rows.dedup_by_key(|row| row.generation());
    Ok((columns, rows))
}

/// A line with its end, or what there is of it.
fn read_line(reader: impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn refused(path: &Path, what: String) -> StorageError {
    const ADVICE: &str = "restore it from a copy; the file was not changed";
    StorageError::unusable(path, what, ADVICE)
}

/// Calls `each` with the column names and each row up to the first line that is none.
fn read_rows(
    path: &Path,
    text: impl Read,
    mut each: impl FnMut(&[String], Row),
) -> Result<(Vec<String>, Option<MetricsDamage>), StorageError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let headers = reader.headers();
    let headers = headers.map_err(|error| refused(path, error.to_string()))?;
    let columns: Vec<String> = headers.iter().map(ToOwned::to_owned).collect();
    if columns
        .first()
        .is_none_or(|first| progress::GENERATION != **first)
    {
        let what = "is not a finches metrics file".to_owned();
        return Err(refused(path, what));
    }
    let mut record = ByteRecord::new();
    loop {
        let (line, intact) = (reader.position().line(), reader.position().byte());
        let read = reader.read_byte_record(&mut record);
        if !read.map_err(|error| refused(path, error.to_string()))? {
            return Ok((columns, None));
        }
        match row_of(&record, columns.len()) {
            Ok(row) => each(&columns, row),
            Err(what) => return Ok((columns, Some(MetricsDamage { line, intact, what }))),
        }
    }
}

/// The row of a line, or why it is none.
fn row_of(record: &ByteRecord, wanted: usize) -> Result<Row, String> {
    if record.as_slice().contains(&0) {
        return Err("has zero bytes, as a power cut leaves them".to_owned());
    }
    if record.len() != wanted {
        return Err(format!(
            "does not have {wanted} fields, but {}",
            record.len()
        ));
    }
    let values: Result<Vec<Option<f64>>, String> = record.iter().map(value_of).collect();
    let values = values?;
    if values.first().copied().flatten().is_some_and(is_generation) {
        return Ok(Row::from_values(values));
    }
    Err(format!(
        "has no generation: it must be a whole number up to {MAX_GENERATIONS}, is `{}`",
        one_line(&String::from_utf8_lossy(&record[0]))
    ))
}

fn value_of(field: &[u8]) -> Result<Option<f64>, String> {
    match std::str::from_utf8(field) {
        Err(_) => Err("is not text".to_owned()),
        Ok("") => Ok(None),
        Ok(text) => {
            let number = text.parse().map(Some);
            number.map_err(|_| format!("has `{}`, which is no number", one_line(text)))
        }
    }
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
        assert!(
            error.contains("line 3 does not have 2 fields, but 1"),
            "{error}"
        );
        for generation in ["", "-1", "1.5", "1e300", "NaN", "inf"] {
            let (_folder, path) = file(&format!("generation,games\n0,5\n{generation},5\n"));
            let error = read(&path).expect_err("there is none such").to_string();
            let expected = "line 3 has no generation: it must be";
            assert!(error.contains(expected), "{error}");
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
    fn rows_before_a_damaged_line_are_read_and_its_place_is_known() {
        let check = |damaged: &[u8], what: &str| {
            let before = "generation,games\n0,5\n1,5\n";
            let mut text = before.as_bytes().to_vec();
            text.extend(damaged);
            text.extend(b"\n3,5\n4,5\n");
            let path = Path::new("metrics.csv");
            let ((_, rows), damage) = parse_intact(path, &text).expect("its first line is sound");
            assert_eq!(generations(&rows), [0, 1], "{what}");
            let damage = damage.expect("there is some");
            assert_eq!(damage.to_string(), format!("line 4 {what}"));
            assert_eq!(damage.intact, before.len() as u64);
            let (folder, path) = file("");
            std::fs::write(&path, &text).expect("the folder is writable");
            let (_, rows) = read_end(&path).expect("its first line is sound");
            assert_eq!(generations(&rows), [0, 1], "{what}");
            assert_eq!(intact_text(&path).expect("it is there"), before);
            let place = damage.intact;
            let kept = |damaged| intact_end(&path, &damaged).expect("it is there");
            assert_eq!(kept(0..place + 5), (place, 4), "in the damaged part");
            assert_eq!(kept(0..place), (0, 1), "elsewhere: a digit is another one");
            drop(folder);
        };
        // The rest of a cut line, and the line after it.
        check(b"2,53,5", "does not have 2 fields, but 3");
        check(b"2", "does not have 2 fields, but 1");
        check(b"2,\0\0\0", "has zero bytes, as a power cut leaves them");
        check(b"2,\xff5", "is not text");
        check(b"2,five", "has `five`, which is no number");
        check(b"x,5", "has `x`, which is no number");
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
