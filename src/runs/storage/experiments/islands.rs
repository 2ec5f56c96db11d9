//! Islands: runs of one preset that send their champions round a ring. `migrants/` has a file for
//! each champion that is sent, `PRESET-SEED.GENERATION.ron` by the generation in which it arrives,
//! and `PRESET-SEED.last.ron` once a run is done.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::storage::files::{self, Durability};
use crate::storage::{StorageError, read_sealed, write_sealed};
use finches_engine::evolution::archive::Champion;

use super::ExperimentFolder;
use super::manifest::{Manifest, RunId};

/// Most islands.
pub const MAX_ISLANDS: u64 = 64;

/// The folder of the champions that are sent.
pub(super) const MIGRANTS: &str = "migrants";

/// What makes the runs of an experiment islands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IslandsDefinition {
    /// The number of generations between two exchanges.
    pub every: u64,
}

impl Manifest {
    /// The place of a run in the ring, from 0.
    pub fn place_in_ring(&self, id: RunId) -> u64 {
        id.seed - self.first_seed
    }

    /// The run whose champions a run receives: the one before it in the ring.
    pub fn source(&self, id: RunId) -> RunId {
        let place = (self.place_in_ring(id) + self.runs - 1) % self.runs;
        RunId {
            seed: self.first_seed + place,
            ..id
        }
    }

    /// Whether runs exchange champions before a generation plays.
    pub fn is_exchange(&self, generation: u64) -> bool {
        self.islands.is_some_and(|islands| {
            self.runs > 1 && generation > 0 && generation.is_multiple_of(islands.every)
        })
    }
}

impl ExperimentFolder {
    fn migrant_path(&self, id: RunId, name: &str) -> PathBuf {
        let name = format!("{}.{name}.ron", self.manifest.run_name(id));
        self.root.join(MIGRANTS).join(name)
    }

    /// Sends a champion to the next island, where it arrives before `generation` plays. A run that
    /// repeats generations sends the same again, which is not written twice.
    pub fn send(
        &self,
        id: RunId,
        generation: u64,
        champion: &Champion,
    ) -> Result<(), StorageError> {
        let path = self.migrant_path(id, &generation.to_string());
        write_migrant(&path, champion, Durability::Lazy)
    }

    /// Waits until a champion that has been sent is on the disk. A checkpoint of a later generation
    /// relies on it.
    pub fn sync_sent(&self, id: RunId, generation: u64) -> Result<(), StorageError> {
        let path = self.migrant_path(id, &generation.to_string());
        let synced = files::open(&path)?.sync_all();
        synced.map_err(StorageError::io(&path))
    }

    /// Sends the last champion of a run that is done. It arrives in all later generations.
    pub fn send_last(&self, id: RunId, champion: &Champion) -> Result<(), StorageError> {
        let path = self.migrant_path(id, "last");
        write_migrant(&path, champion, Durability::Synced)
    }

    /// The champion that a run receives before `generation` plays; `None` if it has not been sent
    /// yet.
    pub fn migrant(&self, id: RunId, generation: u64) -> Result<Option<Champion>, StorageError> {
        let source = self.manifest.source(id);
        let path = self.migrant_path(source, &generation.to_string());
        if path.exists() {
            let champion: Champion = read_sealed(&path, "champion")?;
            if champion.generation + 1 != generation {
                let what = format!("holds the champion of generation {}", champion.generation);
                return Err(StorageError::unusable(
                    &path,
                    what,
                    "delete it, and the files of that run in runs, which is then done again and \
                    sends the right one",
                ));
            }
            return Ok(Some(champion));
        }
        let path = self.migrant_path(source, "last");
        if !path.exists() {
            return Ok(None);
        }
        let last: Champion = read_sealed(&path, "champion")?;
        Ok(Some(last).filter(|last| last.generation + 1 < generation))
    }
}

fn write_migrant(
    path: &Path,
    champion: &Champion,
    durability: Durability,
) -> Result<(), StorageError> {
    if read_sealed::<Champion>(path, "champion").is_ok_and(|known| known == *champion) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        files::create_own_folder(folder)?;
    }
    write_sealed(path, "champion", champion, durability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presets;

    fn ring(islands: u64) -> Manifest {
        let preset = presets::load("nim-2x2").expect("it is built in");
        let manifest = Manifest::new(vec![preset], 7, islands).expect("there is one name");
        manifest.with_islands(IslandsDefinition { every: 5 })
    }

    #[test]
    fn champions_go_round_in_a_ring_at_fixed_generations() {
        let runs = ring(3).run_ids();
        let sources: Vec<RunId> = runs.iter().map(|id| ring(3).source(*id)).collect();
        assert_eq!(sources, [runs[2], runs[0], runs[1]]);
        let exchanges = (0..16).filter(|&generation| ring(3).is_exchange(generation));
        assert_eq!(exchanges.collect::<Vec<_>>(), [5, 10, 15]);
        assert!((0..16).all(|generation| !ring(1).is_exchange(generation)));
    }

    #[test]
    fn a_folder_keeps_its_islands_and_refuses_others() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let begin = |manifest| ExperimentFolder::begin(root.path().to_owned(), manifest, "");
        begin(ring(3)).expect("the folder is new");
        begin(ring(3)).expect("these are its islands");
        let refused = |manifest| begin(manifest).expect_err("they are others").to_string();
        assert!(refused(ring(4)).contains("--islands is 3 in the folder, but 4 here"));
        let rarer = ring(3).with_islands(IslandsDefinition { every: 6 });
        assert!(refused(rarer).contains("--every is 5 in the folder, but 6 here"));
        let mut plain = ring(3);
        plain.islands = None;
        assert!(refused(plain).contains("--every is 5 in the folder, but nothing here"));
        for islands in [0, 65] {
            let mut wrong = ring(3);
            wrong.runs = islands;
            assert!(wrong.check().is_err(), "{islands} islands");
        }
        let never = ring(3).with_islands(IslandsDefinition { every: 0 });
        let problem = never.check().expect_err("it divides the generations");
        assert!(problem.to_string().contains("every 0 generations"));
    }
}
