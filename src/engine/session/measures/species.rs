//! Species: how many there are, and how alike their members must be.

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
