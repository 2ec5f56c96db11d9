//! Islands: runs of one preset that exchange champions, in one folder. `islands.ron` is the
//! definition; each island is a saved run, `PRESET-SEED`, whose `migrants/` holds the champions
//! that it has sent, by the generation in which they arrive, and `last.ron` once it is done.
//! `islands.csv` holds the rows of all islands, without times, so it is the same on every machine.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use finches_engine::evolution::archive::Champion;
use finches_engine::metrics::csv_text::{csv_field, csv_text};
use finches_engine::metrics::{Columns, Row};
use finches_engine::preset::{MAX_GENERATIONS, Preset};
use finches_engine::session::Session;
use finches_engine::session::measures::progress;

use super::files::{self, Durability};
use super::run_writer::RunWriter;
use super::saves::{LoadedRun, Saves, name_of};
use super::{StorageError, metrics, read_sealed, write_sealed};

/// Most islands.
pub const MAX_ISLANDS: u32 = 64;

/// The file that makes a folder one of islands.
const DEFINITION: &str = "islands.ron";

/// Islands of a preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IslandsDefinition {
    /// What evolves on each.
    pub preset: Preset,
    /// The seed of the first island; the others have those after it.
    pub seed: u64,
    /// The number of islands.
    pub islands: u32,
    /// The number of generations between two exchanges.
    pub every: u64,
}

impl IslandsDefinition {
    /// The seed of an island, counted from 0.
    pub fn seed_of(&self, island: u32) -> u64 {
        self.seed.wrapping_add(island.into())
    }

    /// The name of an island's run.
    pub fn run_name(&self, island: u32) -> String {
        format!("{}-{}", self.preset.name, self.seed_of(island))
    }

    /// The island whose champions an island receives: the one before it in the ring.
    pub fn source(&self, island: u32) -> u32 {
        (island + self.islands - 1) % self.islands
    }

    /// Whether champions are exchanged before this generation plays.
    pub fn is_exchange(&self, generation: u64) -> bool {
        self.islands > 1 && generation > 0 && generation.is_multiple_of(self.every)
    }

    /// What no definition can be, if anything.
    fn problem(&self) -> Option<String> {
        let islands = !(1..=MAX_ISLANDS).contains(&self.islands);
        let every = !(1..=MAX_GENERATIONS).contains(&self.every);
        if islands {
            Some(format!(
                "islands must be 1 to {MAX_ISLANDS}, are {}",
                self.islands
            ))
        } else if every {
            Some(format!(
                "every must be 1 to {MAX_GENERATIONS}, is {}",
                self.every
            ))
        } else {
            None
        }
    }

    /// The first difference from other islands, if there is one.
    fn difference(&self, wanted: &Self) -> Option<String> {
        let of = |one: &Self| {
            let own = [
                ("the preset".to_owned(), one.preset.name.clone()),
                ("--seed".to_owned(), one.seed.to_string()),
                ("--islands".to_owned(), one.islands.to_string()),
                ("--every".to_owned(), one.every.to_string()),
            ];
            let params = one.preset.params().into_iter();
            let params = params.map(|param| (param.key, param.value));
            own.into_iter().chain(params).collect::<Vec<_>>()
        };
        let (known, wanted) = (of(self), of(wanted));
        let mut differing = known.iter().filter(|one| !wanted.contains(one));
        let (key, value) = differing
            .next()
            .or_else(|| wanted.iter().find(|one| !known.contains(one)))?;
        let other = wanted.iter().find(|(other, _)| other == key);
        let other = other.map_or("nothing", |(_, other)| other);
        Some(format!("{key} is {value} in the folder, but {other} here"))
    }
}

/// A folder of islands.
#[derive(Debug)]
pub struct IslandsFolder {
    root: PathBuf,
    definition: IslandsDefinition,
}

impl IslandsFolder {
    /// Starts islands, or continues them if the folder has these. Several processes can do so at
    /// once.
    pub fn begin(root: PathBuf, definition: IslandsDefinition) -> Result<Self, StorageError> {
        fs::create_dir_all(&root).map_err(StorageError::io(&root))?;
        let path = root.join(DEFINITION);
        if path.exists() {
            let known = Self::open(root)?;
            return match known.definition.difference(&definition) {
                None => Ok(known),
                Some(difference) => Err(StorageError::unusable(
                    &path,
                    format!("defines other islands: {difference}"),
                    "use the same options, or choose another folder with --out",
                )),
            };
        }
        write_sealed(&path, "islands", &definition, Durability::Synced)?;
        Ok(Self { root, definition })
    }

    /// Opens the folder of islands.
    pub fn open(root: PathBuf) -> Result<Self, StorageError> {
        let path = root.join(DEFINITION);
        let definition: IslandsDefinition = read_sealed(&path, "islands")?;
        match definition.problem() {
            None => Ok(Self { root, definition }),
            Some(what) => Err(StorageError::unusable(&path, what, "choose another folder")),
        }
    }

    /// Whether a folder has islands.
    pub fn is_one(root: &Path) -> bool {
        root.join(DEFINITION).is_file()
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What evolves in it.
    pub fn definition(&self) -> &IslandsDefinition {
        &self.definition
    }

    /// The names of all runs.
    pub fn run_names(&self) -> Vec<String> {
        let islands = 0..self.definition.islands;
        islands
            .map(|island| self.definition.run_name(island))
            .collect()
    }

    fn run_folder(&self, island: u32) -> PathBuf {
        self.root.join(self.definition.run_name(island))
    }

    /// The saved state of an island; `None` if it has none yet.
    pub fn saved(&self, island: u32) -> Result<Option<LoadedRun>, StorageError> {
        if !self.run_folder(island).join("checkpoint.ron").is_file() {
            return Ok(None);
        }
        let saves = Saves::at(self.root.clone());
        saves.load(&self.definition.run_name(island)).map(Some)
    }

    /// Opens the run of an island for writing: where it was saved, or from the start. Fails while
    /// another process has it open.
    pub fn open_run(
        &self,
        island: u32,
        saved: Option<&LoadedRun>,
        session: &Session,
    ) -> Result<RunWriter, StorageError> {
        let folder = self.run_folder(island);
        files::create_own_folder(&folder)?;
        let migrants = folder.join("migrants");
        files::create_own_folder(&migrants)?;
        let mut writer = RunWriter::open(folder)?;
        files::remove_unfinished(&migrants, |_| true);
        match saved {
            Some(saved) => writer.go_on(saved, session.columns())?,
            None => writer.begin(session, 0.0, &[])?,
        }
        Ok(writer)
    }

    fn migrant_path(&self, island: u32, name: &str) -> PathBuf {
        let folder = self.run_folder(island).join("migrants");
        folder.join(format!("{name}.ron"))
    }

    /// Sends a champion to the next island, where it arrives before `generation` plays. An island
    /// that repeats generations sends the same again, which is not written twice.
    pub fn send(
        &self,
        island: u32,
        generation: u64,
        champion: &Champion,
    ) -> Result<(), StorageError> {
        let path = self.migrant_path(island, &generation.to_string());
        Self::write_migrant(&path, champion, Durability::Lazy)
    }

    /// Waits until a champion that has been sent is on the disk. A checkpoint of a later generation
    /// relies on it.
    pub fn sync_sent(&self, island: u32, generation: u64) -> Result<(), StorageError> {
        let path = self.migrant_path(island, &generation.to_string());
        let synced = files::open(&path)?.sync_all();
        synced.map_err(StorageError::io(&path))
    }

    /// Notes that an island is done, with its last champion.
    pub fn finish(&self, island: u32, champion: &Champion) -> Result<(), StorageError> {
        let path = self.migrant_path(island, "last");
        Self::write_migrant(&path, champion, Durability::Synced)
    }

    fn write_migrant(
        path: &Path,
        champion: &Champion,
        durability: Durability,
    ) -> Result<(), StorageError> {
        let is_intact = read_sealed::<Champion>(path, "champion").is_ok();
        if is_intact {
            return Ok(());
        }
        write_sealed(path, "champion", champion, durability)
    }

    /// The last champion of an island that is done; `None` as long as it is not.
    pub fn last(&self, island: u32) -> Result<Option<Champion>, StorageError> {
        let path = self.migrant_path(island, "last");
        path.exists()
            .then(|| read_sealed(&path, "champion"))
            .transpose()
    }

    /// The champion that an island receives before `generation` plays; `None` if it has not been
    /// sent yet. An island that is done sends its last one for ever.
    pub fn migrant(&self, island: u32, generation: u64) -> Result<Option<Champion>, StorageError> {
        let source = self.definition.source(island);
        let path = self.migrant_path(source, &generation.to_string());
        if path.exists() {
            let champion: Champion = read_sealed(&path, "champion")?;
            if champion.generation + 1 != generation {
                let what = format!("holds the champion of generation {}", champion.generation);
                return Err(StorageError::unusable(
                    &path,
                    what,
                    "delete the folder of that island, which then evolves again and sends the same \
                    champions",
                ));
            }
            return Ok(Some(champion));
        }
        let last = self.last(source)?;
        Ok(last.filter(|last| last.generation + 1 < generation))
    }

    /// The column names and rows of an island.
    pub fn rows(&self, island: u32) -> Result<(Vec<String>, Vec<Row>), StorageError> {
        metrics::read(&self.run_folder(island).join("metrics.csv"))
    }

    /// Writes `islands.csv`, and returns its path. `columns` are those of the islands.
    pub fn write_rows(&self, columns: &Columns) -> Result<PathBuf, StorageError> {
        // It differs between machines.
        let place = columns.place(&progress::SECONDS);
        let without = |values: Vec<String>| {
            let values = values.into_iter().enumerate();
            let kept = values.filter(|&(index, _)| Some(index) != place);
            kept.map(|(_, value)| value).collect::<Vec<_>>()
        };
        let names = without(columns.names().map(ToOwned::to_owned).collect());
        let first = ["island".to_owned(), "seed".to_owned()];
        let mut records = vec![first.into_iter().chain(names).collect::<Vec<_>>()];
        for island in 0..self.definition.islands {
            let (_, rows) = self.rows(island)?;
            let own = [u64::from(island) + 1, self.definition.seed_of(island)];
            for row in &rows {
                let values = row.values().iter().copied().map(csv_field).collect();
                let own = own.iter().map(ToString::to_string);
                records.push(own.chain(without(values)).collect());
            }
        }
        let path = self.root.join("islands.csv");
        files::replace(&path, csv_text(records).as_bytes(), Durability::Synced)?;
        Ok(path)
    }
}

/// Fails if a run is an island: it can't go on without the others.
pub fn check_alone(saves: &Saves, name: &str) -> Result<(), StorageError> {
    let folder = saves.folder(name)?;
    let Some(root) = folder.parent().filter(|root| IslandsFolder::is_one(root)) else {
        return Ok(());
    };
    Err(StorageError::Unknown(format!(
        "{}: is an island, which exchanges champions with others; continue all with: finches \
        islands --out {}",
        name_of(&folder),
        root.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::presets;

    fn definition(islands: u32) -> IslandsDefinition {
        IslandsDefinition {
            preset: presets::load("nim-2x2").expect("it is built in"),
            seed: 7,
            islands,
            every: 5,
        }
    }

    #[test]
    fn champions_go_round_in_a_ring_at_fixed_generations() {
        let ring = definition(3);
        assert_eq!([0, 1, 2].map(|island| ring.source(island)), [2, 0, 1]);
        let exchanges = (0..16).filter(|&generation| ring.is_exchange(generation));
        assert_eq!(exchanges.collect::<Vec<_>>(), [5, 10, 15]);
        assert!((0..16).all(|generation| !definition(1).is_exchange(generation)));
    }

    #[test]
    fn a_folder_keeps_its_islands_and_refuses_others() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let begin = |definition| IslandsFolder::begin(root.path().to_owned(), definition);
        begin(definition(3)).expect("the folder is new");
        begin(definition(3)).expect("these are its islands");
        let refused = |definition| begin(definition).expect_err("they are others").to_string();
        assert!(refused(definition(4)).contains("--islands is 3 in the folder, but 4 here"));
        let mut other = definition(3);
        other.preset.generations += 1;
        assert!(refused(other).contains("defines other islands: generations is"));
    }
}
