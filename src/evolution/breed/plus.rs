//! The plus selection of evolution strategies: the fittest stay as parents, and every parent has as many mutants as the others
//! (Rechenberg 1973; Schwefel 1995; with 15 parents and 15 children Chellapilla & Fogel 1999).

use crate::params::{Problem, params};
use crate::rng::Stream;

use super::{Breed, Child, Litter, Stock, ranking};

params! {
    /// The fittest stay, and have mutants in turn.
    pub struct Plus {
        /// How many members stay and have children, the fittest first having one more where numbers do not come out even.
        live elites: u32 = 10, in 1.0..=100000.0, "members";
    }
}

impl Breed for Plus {
    fn litter<'a>(
        &'a self,
        stock: &'a Stock<'a>,
        _seed: u64,
        _generation: u64,
    ) -> Box<dyn Litter + 'a> {
        let mut parents = ranking(stock.fitness);
        parents.truncate(self.elites as usize);
        Box::new(Children { parents, stock })
    }

    fn has_lineages(&self) -> bool {
        true
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let elites = self.elites;
        let message = format!("must be below the population ({population}), is {elites}");
        (elites as usize >= population)
            .then(|| Problem::new("elites", message))
            .into_iter()
            .collect()
    }
}

struct Children<'a> {
    /// Places of those who stay, the fittest first.
    parents: Vec<usize>,
    stock: &'a Stock<'a>,
}

impl Litter for Children<'_> {
    fn child(&self, place: usize, rng: &mut Stream) -> Child {
        let parent = self.parents[place % self.parents.len()];
        if place < self.parents.len() {
            Child::copy(self.stock, parent)
        } else {
            Child::varied(self.stock, parent, rng)
        }
    }
}
