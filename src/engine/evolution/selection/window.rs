//! Selection in proportion to fitness above the lowest: windowing (Grefenstette 1986; Porter &
//! LeGrand, "Vanilla Configuration").

use crate::params::params;

use super::uniform::UniformSelector;
use super::{RouletteWheel, Selection, Selector};

params! {
    /// Probability proportional to fitness above the lowest among the candidates; equal for all if
    /// all are equally fit.
    pub struct Window {}
}

impl Selection for Window {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let lowest = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        if fitness.iter().all(|&fitness| fitness <= lowest) {
            return Box::new(UniformSelector(fitness.len()));
        }
        let weights = fitness.iter().map(|fitness| fitness - lowest);
        Box::new(RouletteWheel::new(weights))
    }
}
