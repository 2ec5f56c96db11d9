//! Linear ranking selection: probability proportional to rank (Baker 1985).

use crate::params::params;
use crate::rng::Stream;

use super::{RouletteWheel, Selection, Selector, ranking};

params! {
    /// Probability proportional to rank.
    pub struct LinearRank {}
}

impl Selection for LinearRank {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let weights = (1..=fitness.len()).rev().map(|weight| weight as f64);
        Box::new(RankedWheel {
            wheel: RouletteWheel::new(weights),
            ranked: ranking(fitness),
        })
    }
}

/// A roulette wheel over ranks.
pub(super) struct RankedWheel {
    pub(super) wheel: RouletteWheel,
    /// Indices of the candidates, the fittest first.
    pub(super) ranked: Vec<usize>,
}

impl Selector for RankedWheel {
    fn select(&self, _turn: usize, rng: &mut Stream) -> usize {
        self.ranked[self.wheel.draw(rng)]
    }
}
