//! Runs without their population: a few files that can be given away. Their champions can be played and graded, and it can be
//! read how the run went; it can't go on.

use std::fs;
use std::path::Path;

use super::saves::Saves;
use super::{Durability, StorageError, write_sealed, write_whole};

impl Saves {
    /// Copies a run but for its population to a folder that must not be there yet: what it was, its metrics, its latest champion
    /// with its sample games, and earlier ones each about half as old as the one after.
    pub fn keepsake(&self, name: &str, folder: &Path) -> Result<(), StorageError> {
        if folder.exists() {
            return Err(StorageError::Unknown(format!(
                "{}: is there already; name a new folder",
                folder.display()
            )));
        }
        let kept = milestones(&self.champions(name)?);
        if kept.is_empty() {
            return Err(StorageError::Unknown(format!(
                "{name}: has no champion yet; let it run for a while"
            )));
        }
        let (run, metrics) = (self.run_file(name)?, self.metrics_text(name)?);
        let (champions, games) = (folder.join("champions"), folder.join("games"));
        for part in [&champions, &games] {
            fs::create_dir_all(part).map_err(StorageError::io(part))?;
        }
        let own_games = self.folder(name)?.join("games");
        for generation in kept {
            let path = champions.join(format!("{generation}.ron"));
            let champion = self.champion(name, generation)?;
            write_sealed(&path, "champion", &champion, Durability::Lazy)?;
            let file = format!("{generation}.txt");
            // Games are kept of few champions.
            if let Ok(text) = fs::read(own_games.join(&file)) {
                write_whole(&games.join(&file), &text, Durability::Lazy)?;
            }
        }
        write_whole(
            &folder.join("metrics.csv"),
            metrics.as_bytes(),
            Durability::Lazy,
        )?;
        write_sealed(&folder.join("run.ron"), "run", &run, Durability::Lazy)
    }
}

/// The last of some generations, and before each the latest that is at most half as old, down to the first.
fn milestones(generations: &[u64]) -> Vec<u64> {
    let mut kept: Vec<u64> = generations.last().copied().into_iter().collect();
    while let Some(&earliest) = kept.last() {
        let older = generations.iter().rev();
        let Some(&next) = older
            .into_iter()
            .find(|&&generation| generation <= earliest / 2 && generation < earliest)
        else {
            break;
        };
        kept.push(next);
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milestones_lie_the_closer_the_earlier_they_are() {
        let all: Vec<u64> = (0..100).collect();
        assert_eq!(milestones(&all), [0, 1, 3, 6, 12, 24, 49, 99]);
        assert_eq!(milestones(&[7, 40, 90]), [7, 40, 90]);
        assert_eq!(milestones(&[5]), [5]);
        assert!(milestones(&[]).is_empty());
    }
}
