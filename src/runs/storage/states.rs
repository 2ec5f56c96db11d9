//! The states of a run at the changes of its parameters, in `states/`: the latest, as many as fit.
//! A fork begins with one of them instead of repeating the run. A run is complete without them.

use std::fs;
use std::path::Path;

use finches_engine::session::SessionState;

use super::files::{self, Durability};
use super::saves::{Saves, numbered_generations, numbered_path};
use super::{StorageError, read_sealed, write_sealed};

/// The most states that are kept, and their largest size together, in bytes.
const MAX_STATES: usize = 8;
const MAX_BYTES: u64 = 256 << 20;

/// Writes the state of a run between two generations, and removes the oldest if there are too many.
pub(super) fn write(folder: &Path, state: &SessionState) -> Result<(), StorageError> {
    let folder = folder.join("states");
    files::create_own_folder(&folder)?;
    let path = numbered_path(&folder, state.generation);
    write_sealed(&path, "state", state, Durability::Lazy)?;
    remove_oldest(&folder);
    Ok(())
}

/// Removes the states of generations that a run, resumed from an earlier one, plays again.
pub(super) fn remove_after(folder: &Path, generation: u64) {
    let folder = folder.join("states");
    let later = numbered_generations(&folder).into_iter();
    for later in later.filter(|&later| later > generation) {
        remove(&numbered_path(&folder, later));
    }
}

/// Removes states, the oldest first, until the others are few and small enough.
fn remove_oldest(folder: &Path) {
    let mut bytes = 0;
    for (index, generation) in numbered_generations(folder).into_iter().rev().enumerate() {
        let path = numbered_path(folder, generation);
        bytes += fs::metadata(&path).map_or(0, |found| found.len());
        if index >= MAX_STATES || bytes > MAX_BYTES {
            remove(&path);
        }
    }
}

fn remove(path: &Path) {
    // A file that can't be removed only takes up space.
    let _ = fs::remove_file(path);
}

/// The latest saved state of a run that is not later than a generation, its checkpoint included.
/// `None` if there is none that can be read.
pub fn before(saves: &Saves, name: &str, generation: u64) -> Option<SessionState> {
    let folder = saves.find(name)?.join("states");
    let is_early = |state: &SessionState| state.generation <= generation;
    let checkpoint = saves.load(name).ok().map(|loaded| loaded.state);
    let checkpoint = checkpoint.filter(is_early);
    let oldest = checkpoint.as_ref().map_or(0, |state| state.generation + 1);
    let generations = numbered_generations(&folder).into_iter().rev();
    let mut states = generations
        .filter(|saved| (oldest..=generation).contains(saved))
        .filter_map(|saved| read_sealed(&numbered_path(&folder, saved), "state").ok());
    states.find(is_early).or(checkpoint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::play::pool::Pool;
    use finches_engine::preset::Preset;
    use finches_engine::session::Session;

    #[test]
    fn the_latest_states_are_kept_and_those_to_be_played_again_are_removed() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let preset = Preset::default().with(&[
            ("population".to_owned(), "6".to_owned()),
            ("opponents".to_owned(), "2".to_owned()),
        ]);
        let pool = Pool::new(1).expect("there are threads");
        let session = Session::new(preset.expect("it is sound"), 1, Vec::new(), pool);
        let mut state = session.expect("it is sound").state().clone();
        let kept = || numbered_generations(&folder.path().join("states"));
        for generation in 1..=11 {
            state.generation = generation;
            write(folder.path(), &state).expect("the folder is writable");
        }
        assert_eq!(kept(), [4, 5, 6, 7, 8, 9, 10, 11]);
        remove_after(folder.path(), 8);
        assert_eq!(kept(), [4, 5, 6, 7, 8]);
    }
}
