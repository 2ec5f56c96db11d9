//! The results of a round robin as a square table, and what can be read from it player by player.

use crate::contest::Tally;
use crate::metrics::stats::alpha_rank::{SelectionStrength, alpha_rank};
use crate::metrics::stats::nash_averaging::{NashAverage, nash_average};
use crate::play::round_robin::PairTally;

/// The probability that the worse strategy takes over in α-rank: the default of `OpenSpiel`.
const EPSILON: f64 = 0.01;

/// The results of players, oldest first, against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// Row-major: the results of the row's player against the column's.
    cells: Vec<Tally>,
}

impl CrossTable {
    /// The results of a round robin of `players` players so far. A pair may be listed more than
    /// once.
    pub fn new(players: usize, pairs: &[PairTally]) -> Self {
        let mut table = Self {
            players,
            cells: vec![Tally::default(); players * players],
        };
        for pair in pairs {
            table.add(pair);
        }
        table
    }

    /// Adds results of a pair.
    pub fn add(&mut self, pair: &PairTally) {
        let ([one, other], count) = (pair.players, self.players);
        self.cells[one * count + other] += pair.tally;
        self.cells[other * count + one] += pair.tally.reversed();
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.players
    }

    /// Whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.players == 0
    }

    /// The results of `one` against `other`.
    pub fn results(&self, one: usize, other: usize) -> Tally {
        self.cells[one * self.players + other]
    }

    /// All results of a player.
    pub fn total(&self, player: usize) -> Tally {
        let cells = (0..self.players).map(|other| self.results(player, other));
        cells.sum()
    }

    /// Whether each pair has played.
    pub fn is_complete(&self) -> bool {
        self.pairs()
            .all(|[one, other]| self.results(one, other).games() > 0)
    }

    /// All pairs, each once, the older player first.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let count = self.players;
        (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]))
    }

    /// The lead of one player over another: the difference of their shares of the points, from −1
    /// to 1; 0 before the first game.
    pub fn lead(&self, one: usize, other: usize) -> f64 {
        let tally = self.results(one, other);
        (tally.wins as f64 - tally.losses as f64) / tally.games().max(1) as f64
    }

    /// The share of the points of one player against another, from 0 to 1; ½ before the first game.
    pub fn share(&self, one: usize, other: usize) -> f64 {
        0.5 + self.lead(one, other) / 2.0
    }

    fn leads(&self) -> Vec<Vec<f64>> {
        let row = |one| {
            (0..self.players)
                .map(|other| self.lead(one, other))
                .collect()
        };
        (0..self.players).map(row).collect()
    }

    /// The α-rank of each player, in the limit of strong selection, from leads as they were
    /// measured.
    pub fn alpha_ranks(&self) -> Vec<f64> {
        alpha_rank(
            &self.leads(),
            SelectionStrength::Infinite { epsilon: EPSILON },
        )
    }

    /// Nash averaging of the leads as they were measured.
    pub fn nash_average(&self) -> NashAverage {
        nash_average(&self.leads())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_seen_from_both_sides() {
        let pair = |players, wins, losses| PairTally {
            players,
            tally: Tally {
                wins,
                losses,
                draws: 0,
            },
        };
        let pairs = [pair([0, 1], 3, 1), pair([0, 1], 4, 0), pair([2, 1], 2, 2)];
        let table = CrossTable::new(3, &pairs);
        assert_eq!(
            (table.lead(0, 1), table.lead(1, 0), table.lead(1, 2)),
            (0.75, -0.75, 0.0)
        );
        assert_eq!((table.total(1).games(), table.is_complete()), (12, false));
        assert_eq!(table.pairs().collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
        assert!(table.alpha_ranks()[0] > table.alpha_ranks()[1]);
        assert!(table.nash_average().skill[1] <= 0.0);
    }
}
