//! Where saved runs live, and the user's keys.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{StorageError, gifts};

/// The folder of saved runs: the one asked for, else `FINCHES_SAVES`, else `./saves` if it is there, else one in the user's
/// data folder, where the champions that come along are to begin with.
pub fn saves_folder(asked: Option<&Path>) -> PathBuf {
    if let Some(folder) = asked {
        return folder.to_owned();
    }
    if let Some(folder) = std::env::var_os("FINCHES_SAVES").filter(|folder| !folder.is_empty()) {
        return folder.into();
    }
    let here = PathBuf::from("saves");
    if here.is_dir() {
        return here;
    }
    match etcetera::choose_base_strategy() {
        Ok(strategy) => {
            let folder = strategy.data_dir().join("finches").join("saves");
            if let Err(error) = gifts::bring(&folder) {
                tracing::warn!(folder = %folder.display(), %error, "champions were not brought");
            }
            folder
        }
        Err(_) => here,
    }
}

/// The keys of the dashboard, as far as they are in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// There is no file.
    Default,
    /// The file's name and text.
    Own { name: String, text: String },
}

/// The user's keys: of the file asked for, else of `FINCHES_KEYS`, else of `finches/keys.ron` in the user's configuration
/// where that is there.
pub fn keys_file(asked: Option<&Path>) -> Result<Keys, StorageError> {
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
        return Ok(Keys::Default);
    };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Keys::Own {
            name: path.display().to_string(),
            text,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => Ok(Keys::Default),
        Err(error) => Err(StorageError::Io { path, error }),
    }
}
