//! Islands: runs of one preset that send each other members. `migrants/` has a file for each member
//! that is sent, `PRESET-SEED.GENERATION.ron` by the generation in which it arrives, and
//! `PRESET-SEED.last.ron` once a run is done; those after the first have a number behind these
//! names, from 2.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::storage::files::{self, Durability};
use crate::storage::{StorageError, read_sealed, write_sealed};
use finches_engine::evolution::archive::Champion;
use finches_engine::preset::{MAX_GENERATIONS, Preset, PresetError};
use finches_engine::session::MigrantChoice;

use super::ExperimentFolder;
use super::manifest::{Manifest, RunId};

/// Most islands: as many as a scheduler has jobs in an array.
pub const MAX_ISLANDS: u64 = 1000;

/// The folder of the members that are sent.
pub(super) const MIGRANTS: &str = "migrants";

/// Which islands send each other members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IslandTopology {
    /// Each receives from the one before it; the first one from the last.
    #[default]
    Ring,
    /// They lie in rows of equal length, as square as their number allows, and each receives from
    /// its neighbors to the left, to the right, above and below, across the edges too.
    Torus,
    /// Each receives from all others.
    All,
}

impl IslandTopology {
    /// The name of the topology.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Torus => "torus",
            Self::All => "all",
        }
    }

    /// The places from which an island receives members, in ascending order.
    fn sources(self, place: u64, islands: u64) -> Vec<u64> {
        let mut sources = match self {
            Self::Ring => vec![(place + islands - 1) % islands],
            Self::Torus => {
                let width = islands / rows_of_torus(islands);
                let (row, column) = (place / width, place % width);
                let in_row = [column + 1, column + width - 1].map(|to| row * width + to % width);
                let in_column = [place + width, place + islands - width].map(|to| to % islands);
                [in_row, in_column].concat()
            }
            Self::All => (0..islands).collect(),
        };
        sources.sort_unstable();
        sources.dedup();
        sources.retain(|&source| source != place);
        sources
    }
}

/// The number of rows of a torus of islands: the largest divisor up to the root of their number.
fn rows_of_torus(islands: u64) -> u64 {
    let divisors = (1..=islands.isqrt()).rev();
    let mut divisors = divisors.filter(|&rows| islands.is_multiple_of(rows));
    divisors.next().unwrap_or(1)
}

/// What makes the runs of an experiment islands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IslandsDefinition {
    /// The number of generations between two exchanges.
    pub every: u64,
    /// Which islands send each other members.
    #[serde(default)]
    pub topology: IslandTopology,
    /// The number of members that an island sends to each that receives from it.
    #[serde(default = "one_migrant")]
    pub migrants: u64,
    /// Which members these are.
    #[serde(default)]
    pub choice: MigrantChoice,
    /// Whether all islands end at the next exchange once one has met its target.
    #[serde(default)]
    pub ends_together: bool,
    /// Parameters that islands have for themselves.
    #[serde(default)]
    pub changes: Vec<IslandChange>,
}

impl Default for IslandsDefinition {
    fn default() -> Self {
        Self {
            every: 20,
            topology: IslandTopology::default(),
            migrants: one_migrant(),
            choice: MigrantChoice::default(),
            ends_together: false,
            changes: Vec::new(),
        }
    }
}

fn one_migrant() -> u64 {
    1
}

/// A parameter that one island has for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IslandChange {
    /// The number of the island, from 1.
    pub island: u64,
    /// The full key of the parameter: one that can be changed during a run, so that the genomes of
    /// all islands are alike.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl IslandsDefinition {
    /// What islands do, in words that follow "islands".
    pub fn words(&self) -> String {
        let who = match (self.choice, self.migrants) {
            (MigrantChoice::Fittest, 1) => "their champions".to_owned(),
            (MigrantChoice::Fittest, count) => format!("their {count} fittest members"),
            (MigrantChoice::Random, 1) => "a random member".to_owned(),
            (MigrantChoice::Random, count) => format!("{count} random members"),
        };
        let to = match self.topology {
            IslandTopology::Ring => "round a ring",
            IslandTopology::Torus => "to their neighbors on a torus",
            IslandTopology::All => "to all others",
        };
        format!("send {who} {to} every {} generations", self.every)
    }

    /// The parameters that the island at a place from 0 has for itself.
    fn changes_of(&self, place: u64) -> impl Iterator<Item = &IslandChange> {
        let changes = self.changes.iter();
        changes.filter(move |change| change.island == place + 1)
    }

    /// The preset of the island at a place from 0. Fails if it can't have its parameters.
    fn preset(&self, preset: &Preset, place: u64) -> Result<Preset, PresetError> {
        let mut changed = preset.clone();
        let own = self.changes_of(place);
        let problems = own.filter_map(|one| changed.change_live(&one.key, &one.value).err());
        let problems: Vec<_> = problems.collect();
        changed.into_result(&format!("island {}", place + 1), problems)
    }

    /// Why so many islands of these presets are impossible, if they are.
    pub(super) fn problem(&self, presets: &[Preset], islands: u64) -> Option<String> {
        let (every, migrants) = (self.every, self.migrants);
        let [preset] = presets else {
            return Some(format!("islands of {} presets; choose one", presets.len()));
        };
        if !(1..=MAX_ISLANDS).contains(&islands) {
            return Some(format!("{islands} islands; choose from 1 to {MAX_ISLANDS}"));
        }
        if !(1..=MAX_GENERATIONS).contains(&every) {
            return Some(format!(
                "an exchange every {every} generations; choose from 1 to {MAX_GENERATIONS}"
            ));
        }
        if self.topology == IslandTopology::Torus && rows_of_torus(islands) < 2 {
            return Some(format!(
                "{islands} islands can't lie in rows of equal length; choose another number, such \
                as {}, or a ring",
                islands + islands % 2
            ));
        }
        let sources = self.topology.sources(0, islands).len() as u64;
        let members = u64::from(preset.evolution.population);
        if migrants == 0 || migrants.saturating_mul(sources) >= members {
            return Some(format!(
                "{migrants} migrants from each of {sources} islands into a population of \
                {members}; choose at least 1, and fewer in all than the population has"
            ));
        }
        let unknown = |change: &&IslandChange| !(1..=islands).contains(&change.island);
        if let Some(IslandChange { island, .. }) = self.changes.iter().find(unknown) {
            return Some(format!(
                "there is no island {island}; choose from 1 to {islands}"
            ));
        }
        let places = self.changes.iter().map(|change| change.island - 1);
        let mut presets = places.map(|place| self.preset(preset, place));
        presets.find_map(|preset| preset.err().map(|error| error.to_string()))
    }
}

impl Manifest {
    /// The place of an island among all, from 0.
    pub fn place_of_island(&self, id: RunId) -> u64 {
        id.seed - self.first_seed
    }

    /// The parameters that a run has for itself.
    pub fn own_changes(&self, id: RunId) -> impl Iterator<Item = &IslandChange> {
        let islands = self.islands.iter();
        islands.flat_map(move |islands| islands.changes_of(self.place_of_island(id)))
    }

    /// The preset of a run, with the parameters that an island has for itself.
    pub fn preset_of(&self, id: RunId) -> Preset {
        let preset = &self.presets[id.preset];
        let islands = self.islands.as_ref();
        let own = islands.map(|islands| islands.preset(preset, self.place_of_island(id)));
        let own = own.map(|preset| preset.expect("it was checked when the experiment was made"));
        own.unwrap_or_else(|| preset.clone())
    }

    /// The runs whose members a run receives.
    pub fn sources(&self, id: RunId) -> Vec<RunId> {
        let topology = self.islands.as_ref().map(|islands| islands.topology);
        let topology = topology.unwrap_or_default();
        let places = topology.sources(self.place_of_island(id), self.runs);
        let run = |place| RunId {
            seed: self.first_seed + place,
            ..id
        };
        places.into_iter().map(run).collect()
    }

    /// Whether runs exchange members before a generation plays.
    pub fn is_exchange(&self, generation: u64) -> bool {
        self.islands.as_ref().is_some_and(|islands| {
            self.runs > 1 && generation > 0 && generation.is_multiple_of(islands.every)
        })
    }
}

impl ExperimentFolder {
    fn migrant_path(&self, id: RunId, when: &str, index: usize) -> PathBuf {
        let number = match index {
            0 => String::new(),
            index => format!(".{}", index + 1),
        };
        let name = format!("{}.{when}{number}.ron", self.manifest.run_name(id));
        self.root.join(MIGRANTS).join(name)
    }

    /// Whether a run has sent its members of an exchange.
    pub fn has_sent(&self, id: RunId, generation: u64) -> bool {
        self.migrant_path(id, &generation.to_string(), 0).exists()
    }

    /// Sends members to other islands, where they arrive before `generation` plays. A run that
    /// repeats generations sends the same again, which is not written twice.
    pub fn send(
        &self,
        id: RunId,
        generation: u64,
        migrants: &[Champion],
    ) -> Result<(), StorageError> {
        self.write_migrants(id, &generation.to_string(), migrants, Durability::Lazy)
    }

    fn write_migrants(
        &self,
        id: RunId,
        when: &str,
        migrants: &[Champion],
        durability: Durability,
    ) -> Result<(), StorageError> {
        // The first file, which is written last, says that the others are there.
        let mut migrants = migrants.iter().enumerate().rev();
        migrants.try_for_each(|(index, migrant)| {
            let path = self.migrant_path(id, when, index);
            write_migrant(&path, migrant, durability)
        })
    }

    /// Waits until the members that have been sent are on the disk. A checkpoint of a later
    /// generation relies on it.
    pub fn sync_sent(
        &self,
        id: RunId,
        generation: u64,
        migrants: usize,
    ) -> Result<(), StorageError> {
        let when = generation.to_string();
        (0..migrants).try_for_each(|index| {
            let path = self.migrant_path(id, &when, index);
            let synced = files::open(&path)?.sync_all();
            synced.map_err(StorageError::io(&path))
        })
    }

    /// Sends the last members of a run that is done. They arrive in all later generations.
    pub fn send_last(&self, id: RunId, migrants: &[Champion]) -> Result<(), StorageError> {
        self.write_migrants(id, "last", migrants, Durability::Synced)
    }

    /// The generation after the last one of a run that is done; `None` while it is not.
    pub fn end_of(&self, id: RunId) -> Result<Option<u64>, StorageError> {
        let last = self.last_migrant(id, 0)?;
        Ok(last.map(|last| last.generation + 1))
    }

    fn last_migrant(&self, id: RunId, index: usize) -> Result<Option<Champion>, StorageError> {
        let path = self.migrant_path(id, "last", index);
        path.exists().then(|| read_migrant(&path)).transpose()
    }

    /// Whether the members that a run sends are there that arrive before `generation` plays. Those
    /// that a power cut has damaged are sent again by a run that is not done.
    pub fn has_arrived(&self, source: RunId, generation: u64) -> Result<bool, StorageError> {
        let end = self.end_of(source)?;
        let when = generation.to_string();
        let sent = (0..).map(|index| self.migrant_path(source, &when, index));
        let mut sent = sent.take_while(|path| path.exists());
        let is_sent = self.has_sent(source, generation)
            && (end.is_some() || sent.all(|path| read_migrant(&path).is_ok()));
        Ok(is_sent || end.is_some_and(|end| end <= generation))
    }

    /// The members that arrive from a run before `generation` plays: at most `most`, and fewer if
    /// it had fewer. None if they have not arrived.
    pub fn arrivals(
        &self,
        source: RunId,
        generation: u64,
        most: usize,
    ) -> Result<Vec<Champion>, StorageError> {
        let migrants = (0..most).map(|index| self.migrant(source, generation, index).transpose());
        migrants.map_while(|migrant| migrant).collect()
    }

    /// A member that arrives from a run before `generation` plays, by its index; `None` if it has
    /// not been sent.
    fn migrant(
        &self,
        source: RunId,
        generation: u64,
        index: usize,
    ) -> Result<Option<Champion>, StorageError> {
        let path = self.migrant_path(source, &generation.to_string(), index);
        if !path.exists() {
            let last = self.last_migrant(source, index)?;
            return Ok(last.filter(|last| last.generation < generation));
        }
        let champion = read_migrant(&path)?;
        if champion.generation + 1 != generation {
            let what = format!("holds the champion of generation {}", champion.generation);
            return Err(StorageError::unusable(&path, what, SEND_AGAIN));
        }
        Ok(Some(champion))
    }
}

const SEND_AGAIN: &str = "delete it, and the files of that run in runs, which is then done again \
    and sends the right one";

fn read_migrant(path: &Path) -> Result<Champion, StorageError> {
    read_sealed(path, "champion").map_err(|error| match error {
        StorageError::Unusable { path, what, .. } => {
            StorageError::unusable(&path, what, SEND_AGAIN)
        }
        error => error,
    })
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
    use finches_engine::rng::{Purpose, stream};

    fn every(every: u64) -> IslandsDefinition {
        IslandsDefinition {
            every,
            ..IslandsDefinition::default()
        }
    }

    fn ring(islands: u64) -> Manifest {
        let preset = presets::load("nim-2x2").expect("it is built in");
        let manifest = Manifest::new(vec![preset], 7, islands).expect("there is one name");
        manifest.with_islands(every(5))
    }

    #[test]
    fn champions_go_round_in_a_ring_at_fixed_generations() {
        let runs = ring(3).run_ids();
        let sources: Vec<RunId> = runs.iter().flat_map(|id| ring(3).sources(*id)).collect();
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
        let rarer = ring(3).with_islands(every(6));
        assert!(refused(rarer).contains("--every is 5 in the folder, but 6 here"));
        let mut plain = ring(3);
        plain.islands = None;
        assert!(refused(plain).contains("--every is 5 in the folder, but nothing here"));
        for islands in [0, MAX_ISLANDS + 1] {
            let mut wrong = ring(3);
            wrong.runs = islands;
            assert!(wrong.check().is_err(), "{islands} islands");
        }
    }

    #[test]
    fn each_island_of_a_torus_has_four_neighbors_and_all_means_all_others() {
        let sources = |topology: IslandTopology, islands| {
            let places = 0..islands;
            let sources = places.map(|place| topology.sources(place, islands));
            sources.collect::<Vec<_>>()
        };
        // Three rows of four.
        let torus = sources(IslandTopology::Torus, 12);
        assert_eq!(torus[0], [1, 3, 4, 8]);
        assert_eq!(torus[6], [2, 5, 7, 10]);
        for islands in [4, 6, 9, 12, 100] {
            let torus = sources(IslandTopology::Torus, islands);
            for (place, from) in torus.iter().enumerate() {
                let to = torus.iter().filter(|to| to.contains(&(place as u64)));
                assert_eq!(to.count(), from.len(), "as many as it receives from");
                assert!(!from.contains(&(place as u64)));
            }
        }
        assert_eq!(sources(IslandTopology::All, 3), [[1, 2], [0, 2], [0, 1]]);
        assert!(sources(IslandTopology::Ring, 1)[0].is_empty());
    }

    #[test]
    fn impossible_islands_say_what_to_do() {
        let problem = |islands, change: &dyn Fn(&mut IslandsDefinition)| {
            let mut definition = IslandsDefinition::default();
            change(&mut definition);
            let problem = ring(islands).with_islands(definition).check();
            problem.map_or_else(|problem| problem.to_string(), |()| "none".to_owned())
        };
        assert_eq!(problem(4, &|_| ()), "none");
        let torus = problem(7, &|one| one.topology = IslandTopology::Torus);
        assert!(torus.contains("such as 8, or a ring"), "{torus}");
        let never = problem(3, &|one| one.every = 0);
        assert!(never.contains("every 0 generations"), "{never}");
        let many = problem(3, &|one| one.migrants = 1_000_000);
        assert!(many.contains("from each of 1 islands"), "{many}");
        let change = |island, key: &str, value: &str| IslandChange {
            island,
            key: key.to_owned(),
            value: value.to_owned(),
        };
        let own = |one: IslandChange| problem(3, &|all| all.changes = vec![one.clone()]);
        assert_eq!(own(change(3, "add_node", "0.4")), "none");
        let fourth = own(change(4, "add_node", "0.4"));
        assert!(fourth.contains("no island 4"), "{fourth}");
        let fixed = own(change(2, "heaps", "3,3"));
        assert!(fixed.contains("island 2"), "{fixed}");
        assert!(fixed.contains("can't be changed during a run"), "{fixed}");
    }

    #[test]
    fn an_island_that_ends_right_before_an_exchange_has_sent_its_champion() {
        let root = tempfile::tempdir().expect("temporary folders can be made");
        let folder = ExperimentFolder::begin(root.path().to_owned(), ring(2), "");
        let folder = folder.expect("the folder is new");
        let [first, _] = ring(2).run_ids()[..] else {
            panic!("there are two");
        };
        let preset = ring(2).preset_of(first);
        let mut rng = stream(1, Purpose::Initialization, 0, 0);
        let io_spec = preset.arena().expect("it is sound").io_spec().clone();
        let genome = preset.genome.random(&io_spec, &mut rng);
        let champion = Champion {
            generation: 4,
            fitness: 1.0,
            genome,
        };
        folder
            .send_last(first, &[champion])
            .expect("it is writable");
        assert_eq!(folder.end_of(first).expect("it is sound"), Some(5));
        let arrives = |generation| folder.migrant(first, generation, 0).expect("it is sound");
        assert!(arrives(4).is_none());
        assert!(arrives(5).is_some());
        assert!(arrives(10).is_some());
    }
}
