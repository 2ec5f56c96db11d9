//! Truncation selection: parents are drawn uniformly from the fittest share of the candidates
//! (Mühlenbein & Schlierkamp-Voosen 1993).

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector, ranking};

params! {
    /// A random one of the fittest candidates.
    pub struct Truncation {
        /// Share of the candidates, the fittest, that can become parents; at least one. Lower it to
        /// increase selection pressure.
        live truncation_share: f64 = 0.5, in 0.0..=1.0, "share";
    }
}

impl Selection for Truncation {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        let mut ranked = ranking(fitness);
        let count = (self.truncation_share * ranked.len() as f64).round() as usize;
        ranked.truncate(count.max(1));
        Box::new(TruncationSelector(ranked))
    }
}

/// Indices of the candidates that can become parents.
struct TruncationSelector(Vec<usize>);

impl Selector for TruncationSelector {
    fn select(&self, _turn: usize, rng: &mut Stream) -> usize {
        self.0[rng.random_range(0..self.0.len())]
    }
}
