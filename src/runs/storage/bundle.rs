//! Bundles: runs without their population, small enough to share. Their champions can be played and
//! graded and their metrics read, but they can't be resumed.

use std::path::Path;

use super::files::{self, Durability};
use super::saves::Saves;
use super::{StorageError, write_sealed};

/// Copies a run without its population to a folder that must not exist yet: `run.ron`, the metrics,
/// the latest champion with its sample games, and earlier champions, each of a generation at most
/// half that of the next.
pub fn export(saves: &Saves, name: &str, folder: &Path) -> Result<(), StorageError> {
    if !folder.exists() && files::create_folder(folder, |whole| fill(saves, name, whole))? {
        return Ok(());
    }
    Err(StorageError::Unknown(format!(
        "{}: already exists; name a new folder",
        folder.display()
    )))
}

/// Writes the files of a bundle.
fn fill(saves: &Saves, name: &str, folder: &Path) -> Result<(), StorageError> {
    let chosen = milestones(&saves.champions(name)?);
    if chosen.is_empty() {
        return Err(StorageError::Unknown(format!(
            "{name}: has no champion yet; let the run continue for a while"
        )));
    }
    let (run, metrics) = (saves.run_file(name)?, saves.metrics_text(name)?);
    let (champions, games) = (folder.join("champions"), folder.join("games"));
    for part in [&champions, &games] {
        files::ensure_folder(part)?;
    }
    let own_games = saves.folder(name)?.join("games");
    for generation in chosen {
        let path = champions.join(format!("{generation}.ron"));
        let champion = saves.champion(name, generation)?;
        write_sealed(&path, "champion", &champion, Durability::Lazy)?;
        let file = format!("{generation}.txt");
        // Only some champions have saved games.
        if let Ok(text) = files::read(&own_games.join(&file), files::MAX_BYTES) {
            files::replace(&games.join(&file), &text, Durability::Lazy)?;
        }
    }
    files::replace(
        &folder.join("metrics.csv"),
        metrics.as_bytes(),
        Durability::Lazy,
    )?;
    write_sealed(&folder.join("run.ron"), "run", &run, Durability::Lazy)
}

/// The last generation, and before each chosen one the latest that is at most half of it, in
/// ascending order.
fn milestones(generations: &[u64]) -> Vec<u64> {
    let mut chosen: Vec<u64> = generations.last().copied().into_iter().collect();
    while let Some(&earliest) = chosen.last() {
        let older = generations.iter().rev();
        let Some(&next) = older
            .into_iter()
            .find(|&&generation| generation <= earliest / 2 && generation < earliest)
        else {
            break;
        };
        chosen.push(next);
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_milestones_are_closer_together() {
        let all: Vec<u64> = (0..100).collect();
        assert_eq!(milestones(&all), [0, 1, 3, 6, 12, 24, 49, 99]);
        assert_eq!(milestones(&[7, 40, 90]), [7, 40, 90]);
        assert_eq!(milestones(&[5]), [5]);
        assert!(milestones(&[]).is_empty());
    }
}
