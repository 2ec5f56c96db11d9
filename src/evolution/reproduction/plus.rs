//! The plus selection (μ + λ) of evolution strategies: the fittest survive as parents, and each parent has the same number of
//! mutants (Rechenberg 1973; Schwefel 1995; with 15 parents and 15 offspring Chellapilla & Fogel 1999).

use crate::params::{ParamError, params};
use crate::rng::Stream;

use super::{Offspring, OffspringPlan, ParentPool, Reproduction, ranking};

params! {
    /// The fittest survive and have mutants in turn.
    pub struct Plus {
        /// Number of members that survive as parents. If the numbers are uneven, the fittest have one mutant more.
        live elites: u32 = 10, in 1.0..=100000.0, "members";
    }
}

impl Reproduction for Plus {
    fn plan<'a>(
        &'a self,
        pool: &'a ParentPool<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn OffspringPlan + 'a> {
        let mut parents = ranking(pool.fitness);
        parents.truncate(self.elites as usize);
        Box::new(PlusPlan { parents, pool })
    }

    fn has_lineages(&self) -> bool {
        true
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let elites = self.elites;
        let message = format!("must be below the population ({population}), is {elites}");
        (elites as usize >= population)
            .then(|| ParamError::new("elites", message))
            .into_iter()
            .collect()
    }
}

struct PlusPlan<'a> {
    /// Indices of the surviving members, the fittest first.
    parents: Vec<usize>,
    pool: &'a ParentPool<'a>,
}

impl OffspringPlan for PlusPlan<'_> {
    fn offspring(&self, place: usize, rng: &mut Stream) -> Offspring {
        let parent = self.parents[place % self.parents.len()];
        if place < self.parents.len() {
            Offspring::copy(self.pool, parent)
        } else {
            Offspring::by_mutation(self.pool, parent, rng)
        }
    }
}
