//! The fitness of the champion and of the population.

use super::{Measure, always};

pub(super) const BEST: Measure = Measure {
    name: "best_fitness",
    unit: "",
    help: "Fitness of the champion, relative to the others of its generation.",
    applies: always,
    figure: |run| Some(run.finished.champion.fitness),
};

pub(super) const MEAN: Measure = Measure {
    name: "mean_fitness",
    unit: "",
    help: "Mean fitness of the population.",
    applies: always,
    figure: |run| {
        let fitness = &run.finished.fitness;
        Some(fitness.iter().sum::<f64>() / fitness.len() as f64)
    },
};
