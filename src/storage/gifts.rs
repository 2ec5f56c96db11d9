//! The champions that come with the program, which are also inside of it, for whoever runs it far from its sources.

use std::io;
use std::path::Path;

use include_dir::{Dir, include_dir};

/// A run's folder by its name.
type Gift = (&'static str, Dir<'static>);

/// Each as `Saves::keepsake` wrote it.
static GIFTS: [Gift; 5] = [
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

/// Makes a folder of saved runs with the champions in it, unless it is there already; as a whole or not at all.
pub(super) fn bring(saves: &Path) -> io::Result<()> {
    let Some(beside) = saves.parent().filter(|_| !saves.exists()) else {
        return Ok(());
    };
    std::fs::create_dir_all(beside)?;
    let fresh = tempfile::tempdir_in(beside)?;
    for (name, files) in &GIFTS {
        let folder = fresh.path().join(name);
        std::fs::create_dir(&folder)?;
        files.extract(&folder)?;
    }
    // Where another process was faster, there is nothing left to do.
    match std::fs::rename(fresh.path(), saves) {
        Err(_) if saves.exists() => Ok(()),
        brought => brought,
    }
}
