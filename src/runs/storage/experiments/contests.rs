//! Results of games between the players of finished runs, in `contests.ron`: a page plays them
//! once. They stay known when the players' files, by far the largest of an experiment, are deleted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::storage::files::Durability;
use crate::storage::{StorageError, read_sealed, write_sealed};
use finches_engine::contest::Tally;

use super::ExperimentFolder;

/// All contests that are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contests(BTreeMap<String, Contest>);

/// Games between the players of one run, or of two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contest {
    /// The checksums of the players' files. Other players have other results.
    players: Vec<String>,
    results: Vec<ContestResult>,
}

/// The games of one player, or one population, against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestResult {
    /// The generations that they are from.
    pub generations: [u64; 2],
    wins: u64,
    draws: u64,
    losses: u64,
}

impl ContestResult {
    /// The games of the first, from these generations.
    pub fn new(generations: [u64; 2], tally: Tally) -> Self {
        Self {
            generations,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
        }
    }

    /// The games of the first.
    pub fn tally(self) -> Tally {
        Tally {
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
        }
    }
}

impl Contests {
    fn path(folder: &ExperimentFolder) -> PathBuf {
        folder.root.join("contests.ron")
    }

    /// The results of all contests, by their names, with the checksums of the players' files.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &[String], &[ContestResult])> {
        let contests = self.0.iter();
        contests.map(|(name, contest)| (&name[..], &contest.players[..], &contest.results[..]))
    }

    /// The contests that were played in a folder.
    pub fn read(folder: &ExperimentFolder) -> Result<Self, StorageError> {
        let path = Self::path(folder);
        if !path.exists() {
            return Ok(Self::default());
        }
        read_sealed(&path, "contests").map_err(|error| match error {
            StorageError::Unusable { path, what, .. } => {
                StorageError::unusable(&path, what, "delete it, and the games are played again")
            }
            other => other,
        })
    }

    /// Writes the contests to a folder.
    pub fn write(&self, folder: &ExperimentFolder) -> Result<(), StorageError> {
        write_sealed(&Self::path(folder), "contests", self, Durability::Synced)
    }

    /// The results of a contest between players with these checksums.
    pub fn results(&self, name: &str, players: &[String]) -> Option<&[ContestResult]> {
        let contest = self.0.get(name).filter(|known| known.players == players);
        contest.map(|contest| &contest.results[..])
    }

    /// Keeps the results of a contest, in place of those of other players.
    pub fn keep(&mut self, name: String, players: Vec<String>, results: Vec<ContestResult>) {
        self.0.insert(name, Contest { players, results });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contests_of_other_players_are_not_known() {
        let tally = Tally {
            wins: 3,
            draws: 2,
            losses: 1,
        };
        let result = ContestResult::new([20, 10], tally);
        assert_eq!(result.tally(), tally);
        let [own, other] = ["01234567", "89abcdef"].map(|sum| vec![sum.to_owned()]);
        let mut contests = Contests::default();
        contests.keep("a-1".to_owned(), own.clone(), vec![result]);
        assert_eq!(contests.results("a-1", &own), Some(&[result][..]));
        assert_eq!(contests.results("a-1", &other), None);
        assert_eq!(contests.results("a-2", &own), None);
        contests.keep("a-1".to_owned(), other.clone(), Vec::new());
        assert_eq!(contests.results("a-1", &own), None);
        assert_eq!(contests.results("a-1", &other), Some(&[][..]));
    }
}
