//! How fast presets evolve on this machine: a small file in the folder of saved runs. Nothing depends on it but estimates of
//! time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::files::Durability;
use super::saves::Saves;
use super::{StorageError, read_sealed, write_sealed};

/// The name of the file.
const FILE: &str = "speeds.ron";

/// The speeds that have been measured with one number of threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetSpeeds {
    /// The threads that games were played on.
    pub threads: usize,
    /// Generations per second by the name of the preset, without any parameter changed.
    pub generations_per_second: BTreeMap<String, f64>,
}

impl Saves {
    /// The speeds measured with this number of threads; none if there is no readable file of them.
    pub fn speeds(&self, threads: usize) -> PresetSpeeds {
        let read: Result<PresetSpeeds, _> = read_sealed(&self.root().join(FILE), "speeds");
        let known = read.ok().filter(|speeds| speeds.threads == threads);
        known.unwrap_or_else(|| PresetSpeeds {
            threads,
            ..PresetSpeeds::default()
        })
    }

    /// Writes the file of speeds. Fails if the folder of saved runs does not exist or can't be written to.
    pub fn write_speeds(&self, speeds: &PresetSpeeds) -> Result<(), StorageError> {
        write_sealed(&self.root().join(FILE), "speeds", speeds, Durability::Lazy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_kept_for_one_number_of_threads() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().to_owned());
        assert_eq!(saves.speeds(2).threads, 2, "without a file");
        let mut speeds = saves.speeds(2);
        let all = &mut speeds.generations_per_second;
        all.insert("nim-2x4".to_owned(), 12.5);
        saves.write_speeds(&speeds).expect("it can be written");
        assert_eq!(saves.speeds(2), speeds);
        assert!(saves.speeds(3).generations_per_second.is_empty());
        assert!(saves.names().is_empty(), "it is no run");
        let missing = Saves::at(folder.path().join("missing"));
        assert!(missing.write_speeds(&speeds).is_err());
    }
}
