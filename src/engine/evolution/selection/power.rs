//! Selection in proportion to a power of fitness: power law scaling (Gillies 1985; Kissling 2025,
//! §3.1.4).

use crate::params::params;

use super::{RouletteWheel, Selection, Selector};

params! {
    /// Probability proportional to a power of fitness; equal for all if no candidate has positive
    /// fitness.
    pub struct Power {
        /// The probability of being selected as a parent is proportional to fitness to this power.
        /// Raise it to increase selection pressure; if too high, the population becomes copies of
        /// one member.
        live exponent: f64 = 1.0, in 0.0..=100.0;
    }
}

impl Selection for Power {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let best = fitness.iter().copied().fold(0.0, f64::max);
        let weight = |&fitness: &f64| {
            if best > 0.0 {
                (fitness.max(0.0) / best).powf(self.exponent)
            } else {
                1.0
            }
        };
        Box::new(RouletteWheel::new(fitness.iter().map(weight)))
    }
}
