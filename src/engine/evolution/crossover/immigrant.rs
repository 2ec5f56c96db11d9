//! Crossover with a random genome: a mutation as large as a crossover (Jones 1995, "Crossover,
//! Macromutation, and Population-based Search").

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Crossover, Mate};

params! {
    /// The second parent is a random genome.
    pub struct ImmigrantCrossover {
        /// Probability that a parent is crossed with a random genome. Raise it to escape a local
        /// optimum.
        live rate: f64 = 0.25, in 0.0..=1.0, "chance";
    }
}

impl Crossover for ImmigrantCrossover {
    fn mate(&self, rng: &mut Stream) -> Mate {
        if rng.random_bool(self.rate) {
            Mate::Immigrant
        } else {
            Mate::None
        }
    }

    fn takes_members(&self) -> bool {
        false
    }
}
