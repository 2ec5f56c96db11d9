//! Generational replacement: elites survive, all others are offspring of selected parents (Holland 1975; De Jong 1975 for elites).

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::evolution::selection::ranking;
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement, below_population};

params! {
    /// Elites survive; the others are replaced by offspring of the whole population.
    pub struct Generational {
        /// Number of the fittest members that survive unchanged; they are evaluated again in the next generation.
        live elites: u32 = 20, in 0.0..=10000.0, "members";
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

    fn survivors(&self) -> usize {
        self.elites as usize
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
