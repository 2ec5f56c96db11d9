//! The candidates become parents in turn, the fittest first, so that each has the same number of
//! offspring (Chellapilla & Fogel 1999, where each of 15 parents has one).

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector, ranking};

params! {
    /// The candidates in turn. If the numbers are uneven, the fittest have one offspring more.
    pub struct InTurn {}
}

impl Selection for InTurn {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        Box::new(TurnSelector(ranking(fitness)))
    }
}

/// Indices of the candidates, the fittest first.
struct TurnSelector(Vec<usize>);

impl Selector for TurnSelector {
    fn select(&self, turn: usize, _rng: &mut Stream) -> usize {
        self.0[turn % self.0.len()]
    }
}
