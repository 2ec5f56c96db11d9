//! The champions that ship inside the program, so that they are available without its sources.

use std::fs;
use std::path::{Path, PathBuf};

use super::StorageError;
use super::files;
use super::run_list::{SavedRunEntry, shipped_entry};
use super::saves::{Saves, is_run};
use super::shipped::{files_in, runs};

/// What was measured of the levels of a bundled champion, if anything: the percentage of the points
/// of each level against the level below, and of the first against random play.
pub fn level_points(run: &str) -> Option<&'static [u8]> {
    let found = LEVEL_POINTS.iter().find(|(name, _)| *name == run);
    found.map(|&(_, points)| points)
}

/// 200 games a pair with 1% random moves, as of `finches arena RUN@level-2 RUN@level-1 --games 200
/// --noise 0.01`; 95% intervals of 5 to 7 points either way. Of Reversi's last level, 100 games.
static LEVEL_POINTS: [(&str, &[u8]); 3] = [
    (
        "champion-dots-and-boxes",
        &[88, 61, 65, 67, 69, 69, 74, 63, 62, 52],
    ),
    (
        "champion-draughts",
        &[88, 69, 64, 64, 66, 71, 64, 74, 76, 65, 76],
    ),
    (
        "champion-reversi",
        &[99, 72, 68, 77, 66, 67, 68, 77, 73, 76, 78],
    ),
];

/// Creates the folder of saved runs with the bundled champions in it, unless it exists. The folder
/// is created completely or not at all.
pub(super) fn install(saves: &Path) -> Result<(), StorageError> {
    let extract_all = |folder: &Path| {
        let mut runs = runs().into_iter();
        runs.try_for_each(|name| extract(name, &folder.join(name)))
    };
    if !saves.exists() {
        files::create_folder(saves, extract_all)?;
    }
    Ok(())
}

/// Writes the files of a bundled run to a new folder.
fn extract(name: &str, folder: &Path) -> Result<(), StorageError> {
    for (path, text) in files_in(&format!("saves/{name}")) {
        let path = folder.join(path);
        files::ensure_folder(files::folder_of(&path))?;
        fs::write(&path, text).map_err(StorageError::io(&path))?;
    }
    Ok(())
}

/// The bundled champions as a list of saved runs has them.
pub fn listed() -> Vec<SavedRunEntry> {
    runs().into_iter().map(shipped_entry).collect()
}

/// Whether a run of this name ships, such as `champion-dots-and-boxes`.
pub(super) fn ships(name: &str) -> bool {
    runs().contains(&name)
}

/// Copies the bundled champion of a game, such as `dots-and-boxes`, to these saves, and returns the
/// name of its run. `None` if there is none.
pub fn add(saves: &Saves, game: &str) -> Result<Option<String>, StorageError> {
    let name = format!("champion-{}", game.replace('_', "-"));
    if !ships(&name) {
        return Ok(None);
    }
    copy(&name, saves.root()).map(|_| Some(name))
}

/// Copies a run that ships to a folder of runs, and returns its folder, which may be there already.
pub(super) fn copy(name: &str, saves: &Path) -> Result<PathBuf, StorageError> {
    let target = saves.join(name);
    if is_run(&target)
        || files::create_folder(&target, |folder| extract(name, folder))?
        || is_run(&target)
    {
        return Ok(target);
    }
    let advice = "move it away, so that the champion that comes with the program can have its name";
    Err(StorageError::unusable(&target, "is no saved run", advice))
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
        let facts = |listed: &SavedRunEntry| {
            let summary = listed.summary.as_ref().expect("it can be opened");
            format!("{} {summary:?}", listed.name)
        };
        let mut written: Vec<String> = saves.list().iter().map(facts).collect();
        written.sort_unstable();
        assert_eq!(listed().iter().map(facts).collect::<Vec<_>>(), written);
        let unknown = add(&saves, "chess");
        assert_eq!(unknown.expect("nothing is written"), None);
    }

    #[test]
    fn a_champion_that_another_process_adds_first_is_kept() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().join("new"));
        let first = add(&saves, "draughts").expect("it is writable");
        let note = saves.root().join("champion-draughts").join("note.txt");
        fs::write(&note, "as it was").expect("it is writable");
        assert_eq!(add(&saves, "draughts").expect("it is there"), first);
        assert!(note.exists(), "the folder was replaced");
        assert_eq!(fs::read_dir(saves.root()).expect("it is one").count(), 1);
        fs::write(saves.root().join("champion-nim"), "no run").expect("it is writable");
        let refused = add(&saves, "nim").expect_err("a file has its name");
        assert!(refused.to_string().contains("is no saved run"), "{refused}");
    }

    #[test]
    fn a_champion_that_ships_is_added_when_it_is_named_where_that_is_wanted() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let plain = Saves::at(folder.path().join("new"));
        let unknown = plain
            .run_file("champion-nim")
            .expect_err("it was not added");
        assert!(unknown.to_string().contains("no such run"), "{unknown}");
        assert!(!plain.root().exists());
        let adding = plain.clone().adding_shipped();
        assert!(adding.find("champion-chess").is_none());
        adding.run_file("champion-nim").expect("it was added");
        assert_eq!(plain.names(), ["champion-nim"]);
        fs::write(plain.root().join("champion-reversi"), "no run").expect("it is writable");
        assert!(adding.find("champion-reversi").is_none());
        plain.delete("champion-nim").expect("it is a run");
        assert!(adding.clone().as_it_is().find("champion-nim").is_none());
    }
}
