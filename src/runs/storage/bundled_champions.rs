//! The champions that ship inside the program, so that they are available without its sources.

use std::io;
use std::path::Path;

use super::StorageError;
use super::saves::Saves;
use super::shipped::{files_in, runs};

/// The ratings of the levels of a bundled champion, if they were measured: 400 points are odds of
/// 10 to 1, and the random player has 0. Measured by `finches arena random RUN@level-1 ...
/// RUN@level-8`.
pub fn level_ratings(run: &str) -> Option<&'static [i32; 8]> {
    let found = LEVEL_RATINGS.iter().find(|(name, _)| *name == run);
    found.map(|(_, ratings)| ratings)
}

/// 40 games a pair with 2% random moves; 95% intervals of 40 to 140 either way. As evolved they
/// have 581, 1212 and 975.
static LEVEL_RATINGS: [(&str, [i32; 8]); 3] = [
    (
        "champion-dots-and-boxes",
        [330, 466, 612, 638, 824, 906, 1070, 1091],
    ),
    (
        "champion-draughts",
        [180, 568, 798, 1056, 1295, 1396, 1543, 1671],
    ),
    (
        "champion-reversi",
        [123, 319, 540, 818, 1150, 1397, 1650, 1892],
    ),
];

/// Creates the folder of saved runs with the bundled champions in it, unless it exists. The folder
/// is created completely or not at all.
pub(super) fn install(saves: &Path) -> io::Result<()> {
    let Some(parent) = saves.parent().filter(|_| !saves.exists()) else {
        return Ok(());
    };
    std::fs::create_dir_all(parent)?;
    let temporary = tempfile::tempdir_in(parent)?;
    for name in runs() {
        extract(name, &temporary.path().join(name))?;
    }
    // The folder may have been created by another process in the meantime.
    match std::fs::rename(temporary.path(), saves) {
        Err(_) if saves.exists() => Ok(()),
        result => result,
    }
}

/// Writes the files of a bundled run to a new folder.
fn extract(name: &str, folder: &Path) -> io::Result<()> {
    for (path, text) in files_in(&format!("saves/{name}")) {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Copies the bundled champion of a game, such as `dots-and-boxes`, to these saves, and returns the
/// name of its run. `None` if there is none.
pub fn add(saves: &Saves, game: &str) -> Result<Option<String>, StorageError> {
    let wanted = format!("champion-{}", game.replace('_', "-"));
    let Some(name) = runs().into_iter().find(|name| *name == wanted) else {
        return Ok(None);
    };
    let (root, target) = (saves.root(), saves.root().join(name));
    let copy = || {
        std::fs::create_dir_all(root)?;
        let temporary = tempfile::tempdir_in(root)?;
        let whole = temporary.path().join(name);
        extract(name, &whole)?;
        std::fs::rename(&whole, &target)
    };
    copy().map_err(StorageError::io(&target))?;
    Ok(Some(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bundled_champion_can_be_added_to_any_saves() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().join("new"));
        for game in [
            "bounded_nim",
            "dots-and-boxes",
            "draughts",
            "nim",
            "reversi",
        ] {
            let name = add(&saves, game).expect("it is writable");
            let name = name.expect("the game has a champion");
            let generation = saves.champions(&name).expect("it is a run").pop();
            let champion = saves.champion(&name, generation.expect("it has champions"));
            champion.expect("it fits its run");
        }
        assert_eq!(saves.names().len(), 5);
        let unknown = add(&saves, "chess");
        assert_eq!(unknown.expect("nothing is written"), None);
    }
}
