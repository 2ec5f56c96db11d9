//! No selection: replacement and crossover name all parents themselves.

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector};

params! {
    /// No selection.
    pub struct NoSelection {}
}

impl Selection for NoSelection {
    fn selector(&self, _fitness: &[f64]) -> Box<dyn Selector> {
        Box::new(First)
    }

    fn is_none(&self) -> bool {
        true
    }
}

/// Selects the only candidate there can be.
struct First;

impl Selector for First {
    fn select(&self, _turn: usize, _rng: &mut Stream) -> usize {
        0
    }
}
