//! Match results between champions of different generations, pair by pair. No drawing.

use std::sync::Arc;

use finches_engine::evolution::archive::Champion;
use finches_engine::play::health::cross_table::CrossTable;

/// Champions ordered by generation, oldest first, and their results so far.
pub(super) struct MatchMatrix {
    pub(super) champions: Vec<Arc<Champion>>,
    pub(super) table: CrossTable,
}

/// Pairs by whether the newer champion wins, draws level or loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AgeComparison {
    pub(super) newer_wins: usize,
    pub(super) even: usize,
    pub(super) older_wins: usize,
}

impl MatchMatrix {
    pub(super) fn new(champions: Vec<Arc<Champion>>) -> Self {
        Self {
            table: CrossTable::new(champions.len(), &[]),
            champions,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.champions.len()
    }

    pub(super) fn age_comparison(&self) -> AgeComparison {
        let mut progress = AgeComparison::default();
        for newer in 0..self.len() {
            for older in (0..newer).filter(|&older| self.table.results(newer, older).games() > 0) {
                match self.table.lead(newer, older) {
                    lead if lead > 0.0 => progress.newer_wins += 1,
                    lead if lead < 0.0 => progress.older_wins += 1,
                    _ => progress.even += 1,
                }
            }
        }
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::contest::Tally;
    use finches_engine::genomes::{GenomeConfig, IoSpec};
    use finches_engine::play::round_robin::PairTally;
    use finches_engine::rng::{Purpose, stream};

    /// A matrix in which each pair has played four games, given the wins of the first.
    fn matrix(count: usize, wins: &[([usize; 2], u64)]) -> MatchMatrix {
        let io_spec = IoSpec::new(1, 1);
        let genome =
            GenomeConfig::all()[0].random(&io_spec, &mut stream(0, Purpose::Initialization, 0, 0));
        let champion = |generation| {
            Arc::new(Champion {
                generation,
                fitness: 0.0,
                genome: genome.clone(),
            })
        };
        let mut matrix = MatchMatrix::new((0..count as u64).map(champion).collect());
        for &(players, wins) in wins {
            let tally = Tally {
                wins,
                draws: 0,
                losses: 4 - wins,
            };
            matrix.table.add(&PairTally { players, tally });
        }
        matrix
    }

    #[test]
    fn pairs_that_have_not_played_count_for_neither_age() {
        let matrix = matrix(3, &[([0, 1], 3), ([0, 1], 4), ([1, 2], 2)]);
        let progress = AgeComparison {
            newer_wins: 0,
            even: 1,
            older_wins: 1,
        };
        assert_eq!(matrix.age_comparison(), progress);
    }
}
