//! The paths of the folder of saved runs and of the user's key file.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{StorageError, bundled_champions};

/// The folder of saved runs: the one asked for, else `FINCHES_SAVES`, else `./saves` if it exists,
/// else one in the user's data folder, which is created with the bundled champions.
pub fn saves_folder(asked: Option<&Path>) -> PathBuf {
    if let Some(folder) = asked {
        return folder.to_owned();
    }
    let folder = usual_folder();
    if Some(&folder) == data_folder().as_ref()
        && let Err(error) = bundled_champions::install(&folder)
    {
        tracing::warn!(
            target: "finches::storage",
            folder = %folder.display(),
            %error,
            "can't install the bundled champions"
        );
    }
    folder
}

/// As [`saves_folder`] if none is asked for; nothing is created.
pub(super) fn usual_folder() -> PathBuf {
    let named = std::env::var_os("FINCHES_SAVES").filter(|folder| !folder.is_empty());
    let here = PathBuf::from("saves");
    match named {
        Some(folder) => folder.into(),
        None if here.is_dir() => here,
        None => data_folder().unwrap_or(here),
    }
}

fn data_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.data_dir().join("finches").join("saves"))
}

/// The user's key file for the dashboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysFile {
    /// There is no file; the default keys are used.
    Default,
    /// The user has one.
    Custom {
        /// Its path, for error messages.
        name: String,
        /// Its content, in RON.
        text: String,
    },
}

/// The size of the largest key file, in bytes.
const MOST_KEY_BYTES: u64 = 1 << 20;

/// The text of a key file, which may be a pipe.
fn read_keys(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(MOST_KEY_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_KEY_BYTES {
        let what = format!("is larger than {MOST_KEY_BYTES} bytes, so it is no key file");
        return Err(io::Error::other(what));
    }
    Ok(text)
}

/// Reads the user's keys: from the file asked for, else from `FINCHES_KEYS`, else from
/// `finches/keys.ron` in the user's configuration folder if it exists.
pub fn keys_file(asked: Option<&Path>) -> Result<KeysFile, StorageError> {
    let environment = || std::env::var_os("FINCHES_KEYS").filter(|file| !file.is_empty());
    let asked = asked
        .map(Path::to_owned)
        .or_else(|| environment().map(PathBuf::from));
    let usual = || {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(strategy.config_dir().join("finches").join("keys.ron"))
    };
    let must_exist = asked.is_some();
    let Some(path) = asked.or_else(usual) else {
        return Ok(KeysFile::Default);
    };
    match read_keys(&path) {
        Ok(text) => Ok(KeysFile::Custom {
            name: path.display().to_string(),
            text,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {
            Ok(KeysFile::Default)
        }
        Err(error) => Err(StorageError::Io { path, error }),
    }
}
