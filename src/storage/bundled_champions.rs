//! The champions that ship inside the program, so that they are available without its sources.

use std::io;
use std::path::Path;

use include_dir::{Dir, include_dir};

/// Name and folder of a run.
type BundledRun = (&'static str, Dir<'static>);

/// Each was written by `Saves::export_bundle`.
static BUNDLED_RUNS: [BundledRun; 5] = [
    (
        "champion-bounded-nim",
        include_dir!("$CARGO_MANIFEST_DIR/saves/champion-bounded-nim"),
    ),
    (
        "champion-dots-and-boxes",
        include_dir!("$CARGO_MANIFEST_DIR/saves/champion-dots-and-boxes"),
    ),
    (
        "champion-draughts",
        include_dir!("$CARGO_MANIFEST_DIR/saves/champion-draughts"),
    ),
    (
        "champion-nim",
        include_dir!("$CARGO_MANIFEST_DIR/saves/champion-nim"),
    ),
    (
        "champion-reversi",
        include_dir!("$CARGO_MANIFEST_DIR/saves/champion-reversi"),
    ),
];

/// Creates the folder of saved runs with the bundled champions in it, unless it exists. The folder is created completely or not
/// at all.
pub(super) fn install(saves: &Path) -> io::Result<()> {
    let Some(parent) = saves.parent().filter(|_| !saves.exists()) else {
        return Ok(());
    };
    std::fs::create_dir_all(parent)?;
    let temporary = tempfile::tempdir_in(parent)?;
    for (name, files) in &BUNDLED_RUNS {
        let folder = temporary.path().join(name);
        std::fs::create_dir(&folder)?;
        files.extract(&folder)?;
    }
    // The folder may have been created by another process in the meantime.
    match std::fs::rename(temporary.path(), saves) {
        Err(_) if saves.exists() => Ok(()),
        result => result,
    }
}
