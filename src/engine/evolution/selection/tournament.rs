//! Tournament selection: the fittest of a few random candidates becomes a parent (Goldberg & Deb
//! 1991).

use rand::RngExt;

use crate::params::params;
use crate::rng::Stream;

use super::{Selection, Selector, ranking};

params! {
    /// The fittest of a few random candidates.
    pub struct Tournament {
        /// Number of candidates in a tournament, of which the fittest becomes a parent. Raise it to
        /// increase selection pressure.
        live tournament_size: u32 = 2, in 1.0..=1000.0, "members";
    }
}

impl Selection for Tournament {
    fn selector(&self, fitness: &[f64]) -> Box<dyn Selector> {
        Box::new(TournamentSelector {
            size: self.tournament_size,
            ranked: ranking(fitness),
        })
    }
}

struct TournamentSelector {
    size: u32,
    /// Indices of the candidates, the fittest first.
    ranked: Vec<usize>,
}

impl Selector for TournamentSelector {
    fn select(&self, _turn: usize, rng: &mut Stream) -> usize {
        let drawn = (0..self.size).map(|_| rng.random_range(0..self.ranked.len()));
        // The fittest comes first in the ranking.
        self.ranked[drawn.min().unwrap_or(0)]
    }
}
