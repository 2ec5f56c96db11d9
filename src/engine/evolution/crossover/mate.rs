//! Crossover of two members (Holland 1975).

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Crossover, Mate};

params! {
    /// The second parent is a member too.
    pub struct MateCrossover {
        /// Probability that an offspring has two parents instead of one.
        live rate: f64 = 0.75, in 0.0..=1.0, "chance";
        /// Whether crossover offspring are mutated too.
        live mutate_crossovers: bool = true;
    }
}

impl Crossover for MateCrossover {
    fn mate(&self, rng: &mut Stream) -> Mate {
        if rng.random_bool(self.rate) {
            Mate::Member
        } else {
            Mate::None
        }
    }

    fn is_mutated(&self) -> bool {
        self.mutate_crossovers
    }
}
