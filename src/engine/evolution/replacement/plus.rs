//! The plus strategy (μ + λ) of evolution strategies: the fittest of parents and offspring survive
//! and are the next parents (Rechenberg 1973; Schwefel 1995; with 15 parents and 15 offspring
//! Chellapilla & Fogel 1999).

use crate::evolution::breeding::{Breeding, Candidates, Offspring};
use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{OffspringPlan, Replacement, ReplacementTraits, below_population};

params! {
    /// The fittest survive and are the only parents.
    pub struct Plus {
        /// Number of members that survive as parents.
        live elites: u32 = 10, in 1.0..=100000.0, "members";
    }
}

impl Replacement for Plus {
    fn plan<'a>(&'a self, breeding: &'a Breeding<'a>) -> Box<dyn OffspringPlan + 'a> {
        let parents = breeding.fittest(self.elites as usize);
        Box::new(PlusPlan { parents, breeding })
    }

    fn traits(&self) -> ReplacementTraits {
        ReplacementTraits {
            survivors: self.elites as usize,
            has_lineages: true,
            ..ReplacementTraits::default()
        }
    }

    fn candidates(&self, _population: usize, _neighbors: usize) -> usize {
        self.elites as usize
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let problem = below_population("elites", self.elites, population);
        problem.into_iter().collect()
    }
}

struct PlusPlan<'a> {
    /// The surviving members, the fittest first.
    parents: Candidates,
    breeding: &'a Breeding<'a>,
}

impl OffspringPlan for PlusPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        match self.parents.members().get(place) {
            Some(&parent) => Offspring::copy(self.breeding.pool, parent),
            None => self.breeding.offspring(place, &self.parents, rng),
        }
    }
}
