//! Where saved runs live.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// The folder of saved runs: the one asked for, else `FINCHES_SAVES`, else `./saves` if it is there, else the user's data
/// folder.
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
        Ok(strategy) => strategy.data_dir().join("finches").join("saves"),
        Err(_) => here,
    }
}
