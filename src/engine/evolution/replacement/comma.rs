//! The comma strategy (μ, λ) of evolution strategies: the fittest are the only parents, and all
//! members are replaced by their offspring, so that no member outlives its generation (Schwefel
//! 1995).

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement, below_population};

params! {
    /// The fittest are the only parents; none survives.
    pub struct Comma {
        /// Number of the fittest members that become parents. Schwefel advises a seventh of the
        /// population.
        live parents: u32 = 10, in 1.0..=100000.0, "members";
    }
}

impl Replacement for Comma {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let parents = breeding.fittest(self.parents as usize);
        Box::new(CommaPlan { parents, breeding })
    }

    fn candidates(&self, _population: usize, _neighbors: usize) -> usize {
        self.parents as usize
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let problem = below_population("parents", self.parents, population);
        problem.into_iter().collect()
    }
}

struct CommaPlan<'a> {
    parents: Candidates,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for CommaPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        self.breeding.offspring(place, &self.parents, rng)
    }
}
