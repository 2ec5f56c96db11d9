//! The origin of the champion, and the fitness of the members of each origin.

use crate::evolution::breeding::Origin;

use super::{Measure, MeasuredGeneration};

pub(super) const CHAMPION: Measure = Measure {
    name: "champion_origin",
    unit: "",
    help: "Origin of the champion: 0 new, 1 elite, 2 crossover, 3 mutant.",
    applies: |preset, _| preset.evolution.has_lineages(),
    figure: |run| {
        let origins = &run.session.state.population.origins;
        origins
            .get(run.finished.best)
            .map(|&origin| f64::from(origin as u8))
    },
};

pub(super) const ELITES: Measure = Measure {
    name: "fitness_elites",
    unit: "",
    help: "Mean fitness of the members that survived from the previous generation.",
    applies: |preset, _| preset.evolution.has_lineages(),
    figure: |run| mean_fitness(run, Origin::Elite),
};

pub(super) const CROSSES: Measure = Measure {
    name: "fitness_crosses",
    unit: "",
    help: "Mean fitness of the members from crossover.",
    applies: |preset, _| preset.evolution.has_lineages(),
    figure: |run| mean_fitness(run, Origin::Crossover),
};

pub(super) const MUTANTS: Measure = Measure {
    name: "fitness_mutants",
    unit: "",
    help: "Mean fitness of the members from mutation only.",
    applies: |preset, _| preset.evolution.has_lineages(),
    figure: |run| mean_fitness(run, Origin::Mutant),
};

/// The mean fitness of the members of an origin; `None` if there are none.
fn mean_fitness(run: &MeasuredGeneration<'_>, wanted: Origin) -> Option<f64> {
    let origins = &run.session.state.population.origins;
    let members = origins.iter().zip(&run.finished.fitness);
    let own = members.filter(|(origin, _)| **origin == wanted);
    let own: Vec<f64> = own.map(|(_, &fitness)| fitness).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}
