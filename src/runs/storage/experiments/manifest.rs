//! The definition of an experiment: its complete presets and its seeds. All processes that run
//! parts of it must agree on it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use finches_engine::params::to_ron;
use finches_engine::preset::Preset;

use super::fork::{BRANCHES, ForkDefinition};
use super::islands::{IslandChange, IslandsDefinition};
use super::matrix::MatrixDefinition;
use super::settings;
use super::sweep::SweepDefinition;
use crate::storage::metrics;

/// Presets × seeds: the content of `experiment.ron`. The presets contain the number of generations
/// and the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program version; another version may give other results.
    version: String,
    /// The presets, whose names differ.
    pub presets: Vec<Preset>,
    /// The seed of the first run of each preset.
    pub first_seed: u64,
    /// Number of runs of each preset, with consecutive seeds.
    pub runs: u64,
    /// Whether the players of finished runs are kept, so that they can be played and shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_players: bool,
    /// The rows of each run that are written: that of every so many generations, and that of the
    /// last one.
    #[serde(
        default = "metrics::every_row",
        skip_serializing_if = "metrics::is_every_row"
    )]
    pub rows_every: u64,
    /// The place of each preset in a table of games and schemes; `None` if there is no such table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<MatrixDefinition>,
    /// The combination of each preset in a sweep; `None` if the experiment is no sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepDefinition>,
    /// The run whose branches the presets are; `None` if the experiment is no fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<ForkDefinition>,
    /// How the runs exchange members; `None` if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub islands: Option<IslandsDefinition>,
    /// A checksum of each preset and the program version when the experiment began, by which its
    /// runs are known. Presets that have got parameters since, with values that change nothing,
    /// keep it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    recipes: Vec<String>,
}

/// A checksum of a program version and a preset.
fn recipe(version: &str, preset: &Preset) -> String {
    let text = format!("{version} {}", to_ron(preset));
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// Most runs of each preset.
pub const MAX_RUNS: u64 = 1_000_000;

/// Why presets and seeds can't be an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ManifestError {
    /// Two presets have this name.
    #[error("two presets are called {0}; rename one of them")]
    SameName(String),
    /// No runs, or too many.
    #[error("{0} runs of each preset; choose from 1 to {MAX_RUNS}")]
    Runs(u64),
    /// The last seed would not be a 64-bit number.
    #[error("{runs} runs from seed {first_seed} exceed the largest seed; choose a smaller --seed")]
    TooManySeeds {
        /// The seed of the first run.
        first_seed: u64,
        /// The number of runs of each preset.
        runs: u64,
    },
    /// It divides the generations.
    #[error("every 0th row; choose 1 for all rows")]
    NoRows,
    /// Each preset has one.
    #[error("the file has {recipes} recipes for {presets} presets")]
    Recipes {
        /// How many there are.
        recipes: usize,
        /// How many there should be.
        presets: usize,
    },
    /// Each preset has one.
    #[error("the file has {cells} places in a table for {presets} presets")]
    Cells {
        /// How many there are.
        cells: usize,
        /// How many there should be.
        presets: usize,
    },
    /// Each preset has a combination, with a value for each parameter.
    #[error("the file has other numbers of combinations or values than of presets and parameters")]
    Combinations,
    /// There are two, which go on after the fork.
    #[error("the file has a fork in generation {0}, but not two presets with more generations")]
    Branches(u64),
    /// Their runs can't exchange members.
    #[error("{0}")]
    Islands(String),
}

/// One run of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId {
    /// The index of its preset.
    pub preset: usize,
    /// The seed of the run.
    pub seed: u64,
}

impl Manifest {
    /// An experiment of this program version. Fails if two presets have the same name, because the
    /// name is part of file names.
    pub fn new(presets: Vec<Preset>, first_seed: u64, runs: u64) -> Result<Self, ManifestError> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let recipes = presets.iter().map(|one| recipe(&version, one)).collect();
        let manifest = Self {
            version,
            presets,
            first_seed,
            runs,
            keeps_players: false,
            rows_every: metrics::every_row(),
            matrix: None,
            sweep: None,
            fork: None,
            islands: None,
            recipes,
        };
        manifest.check()?;
        Ok(manifest)
    }

    /// The names of the presets, in order.
    pub fn preset_names(&self) -> Vec<&str> {
        let presets = self.presets.iter();
        presets.map(|preset| preset.name.as_str()).collect()
    }

    /// The same experiment, with the players of finished runs kept or not.
    #[must_use]
    pub fn with_players(mut self, keeps_players: bool) -> Self {
        self.keeps_players = keeps_players;
        self
    }

    /// What kind of experiment it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self { fork: Some(_), .. } => "fork",
            Self {
                islands: Some(_), ..
            } => "islands",
            Self { sweep: Some(_), .. } => "sweep",
            Self {
                matrix: Some(_), ..
            } => "matrix",
            _ => "experiment",
        }
    }

    /// The same experiment, with the rows of so many generations written, and that of the last one.
    /// `rows_every` is at least 1.
    #[must_use]
    pub fn with_rows(self, rows_every: u64) -> Self {
        Self { rows_every, ..self }
    }

    /// The same experiment as a table, which has a place for each preset.
    #[must_use]
    pub fn with_matrix(mut self, matrix: MatrixDefinition) -> Self {
        self.matrix = Some(matrix);
        self
    }

    /// The same experiment as a sweep, which has a combination for each preset.
    #[must_use]
    pub fn with_sweep(mut self, sweep: SweepDefinition) -> Self {
        self.sweep = Some(sweep);
        self
    }

    /// The same experiment as a fork, of which the presets are the branches.
    #[must_use]
    pub fn with_fork(mut self, fork: ForkDefinition) -> Self {
        self.fork = Some(fork);
        self
    }

    /// The same experiment, with runs that exchange members.
    #[must_use]
    pub fn with_islands(mut self, islands: IslandsDefinition) -> Self {
        self.islands = Some(islands);
        self
    }

    /// The generation in which runs begin: of a fork, its own.
    pub fn first_generation(&self) -> u64 {
        self.fork.as_ref().map_or(0, |fork| fork.generation)
    }

    /// The same experiment, with runs known by the recipes of the one in a folder.
    #[must_use]
    pub(super) fn with_recipes_of(mut self, known: Self) -> Self {
        self.recipes = known.recipes;
        self
    }

    /// Whether both make the same runs. The presets may describe themselves in other words.
    pub(super) fn makes_the_runs_of(&self, other: &Self) -> bool {
        let bare = |manifest: &Self| Self {
            presets: manifest
                .presets
                .iter()
                .map(Preset::without_descriptions)
                .collect(),
            sweep: manifest
                .sweep
                .as_ref()
                .map(SweepDefinition::without_descriptions),
            fork: manifest
                .fork
                .as_ref()
                .map(ForkDefinition::without_descriptions),
            recipes: Vec::new(),
            ..manifest.clone()
        };
        bare(self) == bare(other)
    }

    /// Fails if names or seeds are impossible, as they may be in a file.
    pub fn check(&self) -> Result<(), ManifestError> {
        let names = self.presets.iter().map(|preset| preset.name.as_str());
        let mut known = BTreeSet::new();
        for name in names {
            if !known.insert(name) {
                return Err(ManifestError::SameName(name.to_owned()));
            }
        }
        let (first_seed, runs) = (self.first_seed, self.runs);
        if !(1..=MAX_RUNS).contains(&runs) {
            return Err(ManifestError::Runs(runs));
        }
        if first_seed.checked_add(runs).is_none() {
            return Err(ManifestError::TooManySeeds { first_seed, runs });
        }
        if self.rows_every == 0 {
            return Err(ManifestError::NoRows);
        }
        let (recipes, presets) = (self.recipes.len(), self.presets.len());
        if recipes != 0 && recipes != presets {
            return Err(ManifestError::Recipes { recipes, presets });
        }
        if let Some(matrix) = &self.matrix
            && matrix.cells.len() != presets
        {
            let cells = matrix.cells.len();
            return Err(ManifestError::Cells { cells, presets });
        }
        if let Some(sweep) = &self.sweep {
            let is_whole = |values: &Vec<String>| values.len() == sweep.keys.len();
            let combinations = &sweep.combinations;
            if combinations.len() != presets || !combinations.iter().all(is_whole) {
                return Err(ManifestError::Combinations);
            }
        }
        if let Some(ForkDefinition { generation, .. }) = self.fork {
            let goes_on = |preset: &Preset| preset.generations > generation;
            if presets != BRANCHES.len() || !self.presets.iter().all(goes_on) {
                return Err(ManifestError::Branches(generation));
            }
        }
        let islands = self.islands.as_ref();
        match islands.and_then(|islands| islands.problem(&self.presets, runs)) {
            Some(problem) => Err(ManifestError::Islands(problem)),
            None => Ok(()),
        }
    }

    /// All runs, ordered by preset and seed.
    pub fn run_ids(&self) -> Vec<RunId> {
        let seeds = self.first_seed..self.first_seed + self.runs;
        (0..self.presets.len())
            .flat_map(|preset| seeds.clone().map(move |seed| RunId { preset, seed }))
            .collect()
    }

    /// The name of a run, which its files have too.
    pub fn run_name(&self, id: RunId) -> String {
        format!("{}-{}", self.presets[id.preset].name, id.seed)
    }

    /// The checksum by which a run is known as one of this experiment.
    pub(super) fn recipe(&self, id: RunId) -> String {
        let known = self.recipes.get(id.preset).cloned();
        known.unwrap_or_else(|| recipe(&self.version, &self.presets[id.preset]))
    }

    /// The differences from another experiment, one line each.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let (own, others) = (self.properties(), other.properties());
        let keys: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
        let text = |value: Option<&String>| value.cloned().unwrap_or_else(|| "nothing".to_owned());
        keys.into_iter()
            .filter(|key| own.get(*key) != others.get(*key))
            .map(|key| {
                let (own, other) = (text(own.get(key)), text(others.get(key)));
                format!("{key} is {own} in the folder, but {other} here")
            })
            .collect()
    }

    /// All properties by name.
    fn properties(&self) -> BTreeMap<String, String> {
        let text = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
        let mut properties = BTreeMap::new();
        let mut set = |key: &str, value: String| properties.insert(key.to_owned(), value);
        set("finches", self.version.clone());
        set("presets", self.preset_names().join(" "));
        set("--seed", self.first_seed.to_string());
        set("--keep-players", self.keeps_players.to_string());
        set("--rows-every", self.rows_every.to_string());
        set("--matrix", self.matrix.is_some().to_string());
        if let Some(sweep) = &self.sweep {
            set("what is varied", sweep.keys.join(" "));
            set("the design", format!("{:?}", sweep.design));
            set("--column", text(sweep.column.clone()));
            set("--lowest", sweep.lowest.to_string());
            set(
                "--halving",
                text(sweep.halving.map(|rate| rate.to_string())),
            );
            set("--resource", format!("{:?}", sweep.resource));
            set("--hyperband", sweep.hyperband.to_string());
            set("--confirm", sweep.confirm.to_string());
        }
        if let Some(fork) = &self.fork {
            let changes = fork.changes.iter();
            let changes = changes.map(|change| format!("{}={}", change.key, change.to));
            let changes: Vec<String> = changes.collect();
            set("the run", fork.run.clone());
            set("--at", fork.generation.to_string());
            set("the change", changes.join(" "));
        }
        let runs = self.islands.as_ref().map_or("--runs", |_| "--islands");
        set(runs, self.runs.to_string());
        if let Some(islands) = &self.islands {
            set("--every", islands.every.to_string());
            set("--topology", islands.topology.name().to_owned());
            set("--migrants", islands.migrants.to_string());
            set("--choice", islands.choice.name().to_owned());
            set("--end-together", islands.ends_together.to_string());
            for IslandChange { island, key, value } in &islands.changes {
                set(&format!("--island-set {island}:{key}"), value.clone());
            }
        }
        if let Some(matrix) = &self.matrix {
            set("--budget-games", matrix.budget.to_string());
        }
        for preset in &self.presets {
            for (key, value) in settings(preset) {
                let value = Some(value).filter(|value| !value.is_empty());
                set(&format!("{}: {key}", preset.name), text(value));
            }
        }
        properties
    }
}
