//! The fittest candidate is every parent, as in the best-neighbor variants of Porter & LeGrand
//! ("Variations on Vanilla").

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector, ranking};

params! {
    /// Always the fittest candidate; the first if several are equally fit.
    pub struct Fittest {}
}

impl Selection for Fittest {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        Box::new(FittestSelector(ranking(fitness)[0]))
    }
}

struct FittestSelector(usize);

impl Selector for FittestSelector {
    fn select(&self, _turn: usize, _rng: &mut Stream) -> usize {
        self.0
    }
}
