//! Match results between champions of different generations, pair by pair, and the cycles among them. No drawing.

use std::sync::Arc;

use crate::contest::Tally;
use crate::evolution::archive::Champion;
use crate::play::round_robin::PairTally;

/// Champions ordered by generation, oldest first, and their results so far.
pub(super) struct MatchMatrix {
    pub(super) champions: Vec<Arc<Champion>>,
    /// Row-major: the results of the row's champion against the column's.
    results: Vec<Tally>,
}

/// Intransitive triples: no member beats both others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cycles {
    /// Triples in which every pair has a winner.
    pub(super) triples: usize,
    /// The cyclic ones among them.
    pub(super) cyclic: usize,
    /// The clearest cycle, as indices: each beats the next, the last beats the first.
    pub(super) clearest: Option<[usize; 3]>,
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
            results: vec![Tally::default(); champions.len().pow(2)],
            champions,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.champions.len()
    }

    /// The results of `one` against `other`.
    pub(super) fn results(&self, one: usize, other: usize) -> Tally {
        self.results[one * self.len() + other]
    }

    /// Adds the results of a pair.
    pub(super) fn add(&mut self, pair: PairTally) {
        let ([one, other], count) = (pair.players, self.len());
        self.results[one * count + other] += pair.tally;
        self.results[other * count + one] += pair.tally.reversed();
    }

    /// All results of a champion.
    pub(super) fn total(&self, one: usize) -> Tally {
        (0..self.len()).map(|other| self.results(one, other)).sum()
    }

    /// The lead of one champion over another, from -1 to 1.
    fn lead(&self, one: usize, other: usize) -> f64 {
        let share = self.results(one, other).share();
        share.map_or(0.0, |share| 2.0 * share - 1.0)
    }

    pub(super) fn age_comparison(&self) -> AgeComparison {
        let mut progress = AgeComparison::default();
        for newer in 0..self.len() {
            for older in (0..newer).filter(|&older| self.results(newer, older).games() > 0) {
                match self.lead(newer, older) {
                    lead if lead > 0.0 => progress.newer_wins += 1,
                    lead if lead < 0.0 => progress.older_wins += 1,
                    _ => progress.even += 1,
                }
            }
        }
        progress
    }

    pub(super) fn cycles(&self) -> Cycles {
        let mut found = Cycles::default();
        let mut most = 0.0;
        for one in 0..self.len() {
            for two in one + 1..self.len() {
                for three in two + 1..self.len() {
                    let leads = [(one, two), (two, three), (three, one)];
                    let leads = leads.map(|(a, b)| self.lead(a, b));
                    if leads.contains(&0.0) {
                        continue;
                    }
                    found.triples += 1;
                    let forth = leads.iter().all(|&lead| lead > 0.0);
                    let back = leads.iter().all(|&lead| lead < 0.0);
                    if !forth && !back {
                        continue;
                    }
                    found.cyclic += 1;
                    let least = leads.map(f64::abs).into_iter().fold(1.0, f64::min);
                    if least > most {
                        most = least;
                        let back = [one, three, two];
                        found.clearest = Some(if forth { [one, two, three] } else { back });
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genomes::{GenomeConfig, IoSpec};
    use crate::rng::{Purpose, stream};

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
            matrix.add(PairTally { players, tally });
        }
        matrix
    }

    #[test]
    fn a_cycle_is_found_whichever_way_it_goes() {
        let forth = matrix(3, &[([0, 1], 3), ([1, 2], 4), ([0, 2], 0)]);
        let expected = Cycles {
            triples: 1,
            cyclic: 1,
            clearest: Some([0, 1, 2]),
        };
        assert_eq!(forth.cycles(), expected);
        let back = matrix(3, &[([0, 1], 1), ([1, 2], 0), ([0, 2], 4)]);
        assert_eq!(back.cycles().clearest, Some([0, 2, 1]));
        let order = matrix(3, &[([0, 1], 0), ([1, 2], 0), ([0, 2], 0)]);
        assert_eq!((order.cycles().triples, order.cycles().cyclic), (1, 0));
        let even = matrix(3, &[([0, 1], 2), ([1, 2], 4), ([0, 2], 0)]);
        assert_eq!(even.cycles(), Cycles::default());
        assert_eq!(matrix(2, &[]).cycles(), Cycles::default());
    }

    #[test]
    fn of_several_cycles_the_clearest_is_told() {
        let pairs = [
            ([0, 1], 3),
            ([1, 2], 3),
            ([0, 2], 1),
            ([1, 3], 4),
            ([0, 3], 0),
            ([2, 3], 2),
        ];
        let found = matrix(4, &pairs).cycles();
        assert_eq!((found.triples, found.cyclic), (2, 2));
        assert_eq!(found.clearest, Some([0, 1, 2]), "the first of equals");
    }

    #[test]
    fn results_are_seen_from_both_sides() {
        let matrix = matrix(3, &[([0, 1], 3), ([0, 1], 4), ([1, 2], 2)]);
        let share = |one, other| matrix.results(one, other).share();
        assert_eq!((share(0, 1), share(1, 0)), (Some(0.875), Some(0.125)));
        assert_eq!((share(0, 2), matrix.total(1).games()), (None, 12));
        let progress = AgeComparison {
            newer_wins: 0,
            even: 1,
            older_wins: 1,
        };
        assert_eq!(matrix.age_comparison(), progress);
    }
}
