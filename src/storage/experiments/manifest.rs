//! What an experiment is: its presets in full and its seeds, so that it is the same experiment whoever runs which part of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::params::notation;
use crate::preset::Preset;

/// Presets × seeds: the content of `experiment.ron`. Generations and target are those of the presets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program that runs it; another version may give other figures.
    version: String,
    pub presets: Vec<Preset>,
    pub first_seed: u64,
    /// Runs of each preset, with seeds one after another.
    pub runs: u64,
}

/// One run of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The place of its preset.
    pub preset: usize,
    pub seed: u64,
}

impl Manifest {
    /// An experiment of this version of the program. Fails where two presets have one name, which names the files.
    pub fn new(presets: Vec<Preset>, first_seed: u64, runs: u64) -> Result<Self, String> {
        for (place, preset) in presets.iter().enumerate() {
            if presets[..place].iter().any(|one| one.name == preset.name) {
                let name = &preset.name;
                return Err(format!(
                    "two presets are called {name}; their runs need names of their own"
                ));
            }
        }
        if first_seed.checked_add(runs).is_none() {
            return Err(format!("there are no {runs} seeds from {first_seed} on"));
        }
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            presets,
            first_seed,
            runs,
        })
    }

    /// All runs, preset by preset.
    pub fn cells(&self) -> Vec<Cell> {
        let seeds = self.first_seed..self.first_seed + self.runs;
        (0..self.presets.len())
            .flat_map(|preset| seeds.clone().map(move |seed| Cell { preset, seed }))
            .collect()
    }

    /// The name of a run's files.
    pub fn stem(&self, cell: Cell) -> String {
        format!("{}-{}", self.presets[cell.preset].name, cell.seed)
    }

    /// Tells runs of one preset and version from those of any other.
    pub(super) fn recipe(&self, cell: Cell) -> String {
        let text = notation()
            .to_string(&self.presets[cell.preset])
            .expect("presets can be written as RON");
        let text = format!("{} {text}", self.version);
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }

    /// What another experiment has that this one has not, a line each.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let (own, others) = (self.facts(), other.facts());
        let keys: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
        let told = |fact: Option<&String>| fact.cloned().unwrap_or_else(|| "nothing".to_owned());
        keys.into_iter()
            .filter(|key| own.get(*key) != others.get(*key))
            .map(|key| {
                let (own, other) = (told(own.get(key)), told(others.get(key)));
                format!("{key} is {own} there, {other} here")
            })
            .collect()
    }

    /// Everything by its name.
    fn facts(&self) -> BTreeMap<String, String> {
        let names: Vec<&str> = self.presets.iter().map(|one| one.name.as_str()).collect();
        let mut facts = BTreeMap::from([
            ("finches".to_owned(), self.version.clone()),
            ("presets".to_owned(), names.join(" ")),
            ("--seed".to_owned(), self.first_seed.to_string()),
            ("--runs".to_owned(), self.runs.to_string()),
        ]);
        for preset in &self.presets {
            let settings = preset.params().into_iter().map(|param| {
                let value = if param.value.is_empty() {
                    "nothing".to_owned()
                } else {
                    param.value
                };
                (format!("{}: {}", preset.name, param.key), value)
            });
            facts.extend(settings);
            let parts = [
                ("game", preset.game.name()),
                ("genome", preset.genome.name()),
                ("agent", preset.agent.name()),
            ];
            facts.extend(
                parts.map(|(part, name)| (format!("{}: {part}", preset.name), name.to_owned())),
            );
        }
        facts
    }
}
