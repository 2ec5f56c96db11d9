//! Files: everything that is read from or written to disk goes through this module. Each file is
//! replaced completely or not at all, and carries its kind, format and a checksum. A file that does
//! not match is rejected by name.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

use finches_engine::genomes::sharing_parts;
use finches_engine::params::{from_ron, to_ron_lines};

use files::Durability;

mod block_sums;
pub mod bundle;
pub mod bundled_champions;
pub mod experiments;
pub mod export;
pub mod exported_files;
mod files;
pub mod follow;
pub mod game_judge;
pub mod game_rules;
pub mod games;
pub mod meaning;
pub mod members;
mod metrics;
#[cfg(feature = "formats")]
pub mod onnx;
pub mod organize;
pub mod paths;
pub mod phylogeny;
pub mod players;
pub mod practice;
pub mod presets;
pub mod run_facts;
pub mod run_filter;
mod run_folders;
mod run_list;
pub mod run_log;
pub mod run_writer;
pub mod saves;
pub mod shipped;
pub mod speeds;
pub mod states;
#[cfg(feature = "formats")]
pub mod tensorboard;
pub mod views;

/// The format version of the files this program writes. No other version can be read.
const FORMAT: u32 = 1;

/// A file or folder that can't be used.
#[derive(Debug, Error)]
pub enum StorageError {
    /// An error of the operating system.
    #[error("{}: {error}{}", path.display(), advice(error))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system reports.
        error: io::Error,
    },
    /// A file that is damaged, locked, or of another program or version.
    #[error("{}: {what}; {advice}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, as a clause about the file.
        what: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// A folder in which another process works, on this machine or, if the folder is shared, on
    /// another.
    #[error(
        "{}: is open in another finches process{owner}; wait until that process has ended",
        path.display(),
    )]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The number of the process in parentheses, after a space, if it is known.
        owner: String,
    },
    /// There is nothing of the given name.
    #[error("{0}")]
    Unknown(String),
}

/// What to do about an error of the operating system.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space: a run then continues by itself, an experiment by the same command"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; choose another folder with --saves, or --out for an experiment"
        }
        _ => "",
    }
}

impl StorageError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |error| Self::Io { path, error }
    }

    fn unusable(path: &Path, what: impl Into<String>, advice: &'static str) -> Self {
        Self::Unusable {
            path: path.to_owned(),
            what: what.into(),
            advice,
        }
    }
}

/// Writes a value with its kind, format and checksum.
fn write_sealed(
    path: &Path,
    kind: &str,
    value: &dyn erased_serde::Serialize,
    durability: Durability,
) -> Result<(), StorageError> {
    let body = sharing_parts(|| to_ron_lines(value));
    let version = env!("CARGO_PKG_VERSION");
    let text =
        format!("// finches {kind}, format {FORMAT}, written by finches {version}\n{body}\n");
    let sum = crc32fast::hash(text.as_bytes());
    files::replace(
        path,
        format!("{text}// checksum {sum:08x}\n").as_bytes(),
        durability,
    )
}

/// Reads what [`write_sealed`] wrote, or returns why it can't be used.
fn read_sealed<T: DeserializeOwned>(path: &Path, kind: &str) -> Result<T, StorageError> {
    parse_sealed(path, &sealed_body(path, kind)?)
}

/// The value in the text of a sealed file.
fn parse_sealed<T: DeserializeOwned>(path: &Path, body: &str) -> Result<T, StorageError> {
    sharing_parts(|| from_ron(body)).map_err(|error| {
        StorageError::unusable(
            path,
            // The checksum matches, so the file is as it was written.
            format!(
                "was written by a program with other parts: {}: {}",
                error.span.start, error.code
            ),
            "open it with that program; the file was not changed",
        )
    })
}

/// The largest file of a kind, in bytes.
fn most_bytes(kind: &str) -> u64 {
    match kind {
        "checkpoint" | "members" | "players" | "population" | "state" => files::MAX_BYTES,
        "champion" => 256 << 20,
        _ => 16 << 20,
    }
}

/// The text of the value that [`write_sealed`] wrote.
fn sealed_body(path: &Path, kind: &str) -> Result<String, StorageError> {
    unseal(path, files::read(path, most_bytes(kind))?, kind)
}

/// The text of the value in the content of a file.
fn unseal(path: &Path, bytes: Vec<u8>, kind: &str) -> Result<String, StorageError> {
    const RESTORE: &str = "restore it from a copy, or start a new run; the file was not changed";
    let refuse = |what: &str, advice| Err(StorageError::unusable(path, what, advice));
    let Ok(mut text) = String::from_utf8(bytes) else {
        return refuse("is not a text file", RESTORE);
    };
    let head = text.lines().next().unwrap_or("");
    let Some(format) = head.strip_prefix(&format!("// finches {kind}, format ")) else {
        return refuse(&format!("is not a finches {kind} file"), RESTORE);
    };
    let format: String = format.chars().take_while(char::is_ascii_digit).collect();
    match format.parse::<u32>() {
        Ok(FORMAT) => {}
        Ok(format) if format > FORMAT => {
            let what =
                format!("has format {format}, but this version of finches reads format {FORMAT}");
            return refuse(&what, "update finches to open it; the file was not changed");
        }
        _ => return refuse("has an unknown format", RESTORE),
    }
    let sealed = text.trim_end().rsplit_once("// checksum ");
    let Some((body, sum)) = sealed else {
        return refuse("is truncated", RESTORE);
    };
    if u32::from_str_radix(sum, 16) != Ok(crc32fast::hash(body.as_bytes())) {
        return refuse("is damaged: its checksum does not match", RESTORE);
    }
    let length = body.len();
    text.truncate(length);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn check_refused(change: impl Fn(&str) -> String, expected: &str) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("numbers.ron");
        write_sealed(&path, "numbers", &vec![1, 2, 3], Durability::Lazy)
            .expect("the folder is writable");
        let text = fs::read_to_string(&path).expect("it was written");
        fs::write(&path, change(&text)).expect("the folder is writable");
        let error = read_sealed::<Vec<i32>>(&path, "numbers")
            .expect_err("it was changed")
            .to_string();
        assert!(
            error.contains("numbers.ron: ") && error.contains(expected),
            "{error}"
        );
    }

    #[test]
    fn only_unchanged_files_can_be_read_back() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("numbers.ron");
        write_sealed(&path, "numbers", &vec![1, 2, 3], Durability::Lazy)
            .expect("the folder is writable");
        assert_eq!(
            read_sealed::<Vec<i32>>(&path, "numbers").expect("it was written"),
            [1, 2, 3]
        );
        check_refused(|text| text.replace('2', "5"), "is damaged");
        let with_other_parts = |text: &str| {
            let (body, _) = text.rsplit_once("// checksum").expect("it is sealed");
            let body = body.replace('2', "nym()");
            let sum = crc32fast::hash(body.as_bytes());
            format!("{body}// checksum {sum:08x}\n")
        };
        check_refused(with_other_parts, "by a program with other parts: ");
        check_refused(|text| text[..text.len() / 2].to_owned(), "truncated");
        check_refused(|_| String::new(), "is not a finches numbers file");
        check_refused(
            |_| "\u{0}\u{1}hello".to_owned(),
            "is not a finches numbers file",
        );
        check_refused(
            |text| text.replace("format 1", "format 2"),
            "update finches",
        );
        check_refused(
            |text| text.replace("numbers,", "run,"),
            "is not a finches numbers file",
        );
    }
}
