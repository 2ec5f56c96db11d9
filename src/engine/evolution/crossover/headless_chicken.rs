//! Headless chicken crossover as a hill climber: each survivor is crossed with a random genome
//! before reproduction, and replaced if the offspring is at least as fit (Hynek, "Macromutation
//! Operator", after Lang 1995 and Jones 1995).

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Crossover, Mate};

params! {
    /// The second parent is a member, and survivors are challenged by their crossover with a random
    /// genome.
    pub struct HeadlessChicken {
        /// Probability that an offspring has two parents instead of one. Survivors are challenged
        /// in any case.
        live rate: f64 = 0.75, in 0.0..=1.0, "chance";
    }
}

impl Crossover for HeadlessChicken {
    fn mate(&self, rng: &mut Stream) -> Mate {
        if rng.random_bool(self.rate) {
            Mate::Member
        } else {
            Mate::None
        }
    }

    fn challenges_survivors(&self) -> bool {
        true
    }
}
