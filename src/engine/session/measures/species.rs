//! Species: how many there are, how long they have lived, and how alike their members are.

use crate::evolution::replacement::species::table::SpeciesTable;

use super::{Measure, MeasuredGeneration};

/// The number of species.
pub const SPECIES: Measure = Measure {
    name: "species",
    unit: "species",
    help: "Number of species: groups of members whose genomes are alike.",
    applies: |preset, _| preset.evolution.replacement.traits().has_species,
    figure: |run| table(run).map(|table| table.species.len() as f64),
    ..Measure::PLAIN
};

/// The age of the species.
pub const AGE: Measure = Measure {
    name: "species_age",
    unit: "generations",
    help: "Median age of the species that live.",
    applies: |preset, _| preset.evolution.replacement.traits().has_species,
    figure: |run| {
        let born = table(run)?.species.iter().map(|species| species.born);
        let mut ages: Vec<u64> = born.map(|born| run.session.generation() - born).collect();
        ages.sort_unstable();
        ages.get(ages.len() / 2).map(|&age| age as f64)
    },
    ..Measure::PLAIN
};

/// The distance within a species.
pub const THRESHOLD: Measure = Measure {
    name: "species_threshold",
    unit: "distance",
    help: "Distance up to which a genome belongs to a species.",
    applies: |preset, _| preset.evolution.replacement.traits().has_species,
    figure: |run| table(run).map(|table| table.threshold),
    ..Measure::PLAIN
};

fn table<'a>(run: &'a MeasuredGeneration<'_>) -> Option<&'a SpeciesTable> {
    run.finished.memory.get()
}
