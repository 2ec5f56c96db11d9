//! Generational replacement: elites survive, all others are offspring of selected parents (Holland
//! 1975; De Jong 1975 for elites).

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::selection::ranking;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement, ReplacementTraits, below_population};

params! {
    /// Elites survive; the others are replaced by offspring of the whole population.
    pub struct Generational {
        /// Number of the fittest members that survive unchanged; they are evaluated again in the
        /// next generation, unless there is a depreciation.
        live elites: u32 = 20, in 0.0..=10000.0, "members";
        /// The share of its fitness that a surviving member keeps in the next generation. Its new
        /// games then do not count for it: its fitness is the one of its first generation,
        /// depreciated in each generation that it survives (Hynek, "Genetic Algorithm
        /// Implementation"). `None` evaluates it again.
        live depreciation: Option<f64> = None, in 0.0..=1.0, "share";
    }
}

impl Replacement for Generational {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let mut elites = ranking(breeding.pool.fitness);
        elites.truncate(self.elites as usize);
        Box::new(GenerationalPlan {
            elites,
            parents: breeding.everyone(),
            breeding,
        })
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            survivors: self.elites as usize,
            ..ReplacementTraits::default()
        }
    }

    /// A fitness below 0 falls by the same share, so that no member gains by its age.
    fn kept_fitness(&self, fitness: f64) -> Option<f64> {
        let lost = (1.0 - self.depreciation?) * fitness.abs();
        Some(fitness - lost)
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let problem = below_population("elites", self.elites, population);
        problem.into_iter().collect()
    }
}

struct GenerationalPlan<'a> {
    /// Indices of the surviving members, the fittest first.
    elites: Vec<usize>,
    parents: Candidates,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for GenerationalPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        match self.elites.get(place) {
            Some(&elite) => Offspring::copy(self.breeding.pool, elite),
            None => self.breeding.offspring(place, &self.parents, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survivor_keeps_a_share_of_its_fitness_and_never_gains_by_age() {
        let kept = |depreciation: Option<f64>, fitness: f64| {
            let generational = Generational {
                depreciation,
                ..Generational::default()
            };
            generational.kept_fitness(fitness)
        };
        assert_eq!(kept(None, 8.0), None);
        assert_eq!(kept(Some(0.75), 8.0), Some(6.0));
        assert_eq!(kept(Some(1.0), 8.0), Some(8.0));
        assert_eq!(kept(Some(0.0), 8.0), Some(0.0));
        assert_eq!(kept(Some(0.75), -8.0), Some(-10.0));
    }
}
