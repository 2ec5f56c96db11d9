//! Species: how many there are, how long they have lived, and how alike their members are.

use crate::evolution::replacement::species::table::SpeciesTable;
use crate::metrics::stats::spread::quantile;

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
        // The oldest comes first.
        let born = table(run)?.species.iter().rev().map(|one| one.born);
        let ages = born.map(|born| (run.session.generation() - born) as f64);
        let ages: Vec<f64> = ages.collect();
        (!ages.is_empty()).then(|| quantile(&ages, 0.5))
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
