//! The fitness of the champion and of the population.

use super::Measure;

/// The fitness of the champion.
pub const BEST: Measure = Measure {
    name: "best_fitness",
    help: "Fitness of the champion, relative to the others of its generation.",
    page: None,
    figure: |run| Some(run.finished.champion.fitness),
    ..Measure::PLAIN
};

/// The mean fitness of the population.
pub const MEAN: Measure = Measure {
    name: "mean_fitness",
    help: "Mean fitness of the population.",
    page: None,
    figure: |run| {
        let fitness = &run.finished.fitness;
        Some(fitness.iter().sum::<f64>() / fitness.len() as f64)
    },
    ..Measure::PLAIN
};
