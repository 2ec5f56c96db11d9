//! Uniform parent selection, as in evolution strategies, where only survival depends on fitness
//! (Schwefel 1995).

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector};

params! {
    /// Every candidate with equal probability.
    pub struct UniformSelection {}
}

impl Selection for UniformSelection {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        Box::new(UniformSelector(fitness.len()))
    }
}

/// Selects among this number of candidates.
pub(super) struct UniformSelector(pub(super) usize);

impl Selector for UniformSelector {
    fn select(&self, _turn: usize, rng: &mut Stream) -> usize {
        rng.random_range(0..self.0)
    }
}
