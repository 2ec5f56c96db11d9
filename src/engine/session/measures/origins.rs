//! The origin of the champion, and the fitness of the members of each origin.

use crate::evolution::breeding::Origin;

use super::{ColumnPage, Measure, MeasuredGeneration};

/// The origin of the champion.
pub const CHAMPION: Measure = Measure {
    name: "champion_origin",
    help: "Origin of the champion: 0 new, 1 elite, 2 crossover, 3 mutant.",
    applies: |preset, _| preset.evolution.has_lineages(),
    figure: |run| {
        let origins = &run.session.state.population.origins;
        origins
            .get(run.finished.best)
            .map(|&origin| f64::from(origin as u8))
    },
    ..Measure::PLAIN
};

/// What the measures of each origin share.
const FITNESS: Measure = Measure {
    page: ColumnPage::shared(
        10,
        "fitness by origin",
        "mean fitness of survivors, offspring and mutants",
    ),
    applies: |preset, _| preset.evolution.has_lineages(),
    ..Measure::PLAIN
};

/// The fitness of survivors.
pub const ELITES: Measure = Measure {
    name: "fitness_elites",
    short: "survivors",
    help: "Mean fitness of the members that survived from the previous generation.",
    figure: |run| mean_fitness(run, Origin::Elite),
    ..FITNESS
};

/// The fitness of members from crossover.
pub const CROSSES: Measure = Measure {
    name: "fitness_crosses",
    short: "crossover",
    help: "Mean fitness of the members from crossover.",
    figure: |run| mean_fitness(run, Origin::Crossover),
    ..FITNESS
};

/// The fitness of members from mutation.
pub const MUTANTS: Measure = Measure {
    name: "fitness_mutants",
    short: "mutants",
    help: "Mean fitness of the members from mutation only.",
    figure: |run| mean_fitness(run, Origin::Mutant),
    ..FITNESS
};

/// The mean fitness of the members of an origin; `None` if there are none.
fn mean_fitness(run: &MeasuredGeneration<'_>, wanted: Origin) -> Option<f64> {
    let origins = &run.session.state.population.origins;
    let members = origins.iter().zip(&run.finished.fitness);
    let own = members.filter(|(origin, _)| **origin == wanted);
    let own: Vec<f64> = own.map(|(_, &fitness)| fitness).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}
