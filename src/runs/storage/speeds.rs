//! How fast presets evolve on this machine: a small file in the folder of saved runs. Nothing
//! depends on it but estimates of time.

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
    /// Generations per second by the name of the preset, without any parameter changed, once
    /// everything is set up. A file without this name is of an earlier version, whose speeds
    /// included that.
    pub steady_speeds: BTreeMap<String, f64>,
}

impl PresetSpeeds {
    /// The speeds measured with this number of threads; none if there is no readable file of them.
    pub fn read(saves: &Saves, threads: usize) -> Self {
        let read: Result<Self, _> = read_sealed(&saves.root().join(FILE), "speeds");
        let known = read.ok().filter(|speeds| speeds.threads == threads);
        known.unwrap_or_else(|| Self {
            threads,
            ..Self::default()
        })
    }

    /// Writes the file of speeds. Fails if the folder of saved runs does not exist or can't be
    /// written to.
    pub fn write(&self, saves: &Saves) -> Result<(), StorageError> {
        write_sealed(&saves.root().join(FILE), "speeds", self, Durability::Lazy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speeds that were measured in another way.
    #[derive(Serialize)]
    struct Old {
        threads: usize,
        generations_per_second: BTreeMap<String, f64>,
    }

    #[test]
    fn speeds_are_kept_for_one_number_of_threads() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let saves = Saves::at(folder.path().to_owned());
        assert_eq!(PresetSpeeds::read(&saves, 2).threads, 2, "without a file");
        let mut speeds = PresetSpeeds::read(&saves, 2);
        let all = &mut speeds.steady_speeds;
        all.insert("nim-2x4".to_owned(), 12.5);
        speeds.write(&saves).expect("it can be written");
        assert_eq!(PresetSpeeds::read(&saves, 2), speeds);
        assert!(PresetSpeeds::read(&saves, 3).steady_speeds.is_empty());
        assert!(saves.names().is_empty(), "it is no run");
        let old = Old {
            threads: 2,
            generations_per_second: speeds.steady_speeds.clone(),
        };
        let path = saves.root().join(FILE);
        write_sealed(&path, "speeds", &old, Durability::Lazy).expect("it can be written");
        assert!(PresetSpeeds::read(&saves, 2).steady_speeds.is_empty());
        let missing = Saves::at(folder.path().join("missing"));
        assert!(speeds.write(&missing).is_err());
    }
}
