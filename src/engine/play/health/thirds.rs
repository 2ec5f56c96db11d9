//! The champions of a run in three thirds by age, compared with each other: does each third beat
//! the one before, and does the last third lose what the middle third could do? Each champion is
//! one observation, because games of one champion are not independent. The very first champion is
//! no opponent here: nearly all others beat the best of a random population, which says nothing of
//! the rest. Against players outside of the run it counts as any other. Where it is always the
//! lowest and the others differ by chance alone, twelve champions rise clearly in one of 35 runs.

use std::ops::Range;

use crate::metrics::stats::paired::MeanDifference;
use crate::metrics::stats::ranks::{RankTest, mann_whitney};

use super::cross_table::CrossTable;

/// The fewest champions of which thirds are compared. With four champions in each third, a rank
/// test can reach a p-value of 0.03.
pub const MIN_CHAMPIONS: usize = 12;

/// P-values below this are clear.
const LEVEL: f64 = 0.05;

/// The indices of the oldest, of the middle and of the newest third.
fn thirds(champions: usize) -> [Range<usize>; 3] {
    let (first, second) = (champions / 3, champions * 2 / 3);
    [0..first, first..second, second..champions]
}

/// How much one third beats the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// The mean share of the points, from 0 to 1.
    pub share: f64,
    /// Its 95% confidence interval (Student's t over champions).
    pub interval: (f64, f64),
}

impl Advance {
    fn of(shares: &[f64]) -> Self {
        let above: Vec<f64> = shares.iter().map(|share| share - 0.5).collect();
        let mean = MeanDifference::of(&above).expect("a third has champions");
        let (low, high) = mean.interval.expect("a third has several champions");
        Self {
            share: mean.mean + 0.5,
            interval: (low + 0.5, high + 0.5),
        }
    }

    /// Whether the newer third clearly wins.
    pub fn is_gain(&self) -> bool {
        self.interval.0 > 0.5
    }

    /// Whether the newer third clearly loses.
    pub fn is_loss(&self) -> bool {
        self.interval.1 < 0.5
    }
}

/// The shares of an older and of the newest third against the same opponents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The mean share of the older third, from 0 to 1.
    pub older: f64,
    /// The mean share of the newest third.
    pub newest: f64,
    /// The rank test of the newest third against the older one.
    pub test: RankTest,
}

impl Change {
    fn of(older: &[f64], newest: &[f64]) -> Self {
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
        Self {
            older: mean(older),
            newest: mean(newest),
            test: mann_whitney(newest, older).expect("both thirds have champions"),
        }
    }

    /// Whether the newest third is clearly worse than the older one.
    pub fn is_decline(&self) -> bool {
        self.test.p < LEVEL && self.test.effect < 0.5
    }

    /// Whether the newest third is clearly better than the older one.
    pub fn is_rise(&self) -> bool {
        self.test.p < LEVEL && self.test.effect > 0.5
    }
}

/// The comparisons of the three thirds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thirds {
    /// The middle third against the oldest, without its first.
    pub middle_over_oldest: Advance,
    /// The newest third against the middle one.
    pub newest_over_middle: Advance,
    /// The middle and the newest third against the oldest, without its first.
    pub ancestors: Change,
    /// The oldest, then the middle, and the newest third against players outside of the run, if
    /// they played.
    pub held_out: Option<[Change; 2]>,
}

impl Thirds {
    /// Of a round robin of champions, oldest first, in which each pair has played. `held_out` is
    /// each champion's share against players outside of the run, or empty. `None` with fewer than
    /// [`MIN_CHAMPIONS`].
    pub fn of(table: &CrossTable, held_out: &[f64]) -> Option<Self> {
        if table.len() < MIN_CHAMPIONS || !table.is_complete() {
            return None;
        }
        let [oldest, middle, newest] = thirds(table.len());
        let against = |own: &Range<usize>, panel: &Range<usize>| -> Vec<f64> {
            own.clone()
                .map(|one| mean_share(table, one, panel))
                .collect()
        };
        let ancestors = 1..oldest.end;
        let middle_shares = against(&middle, &ancestors);
        Some(Self {
            middle_over_oldest: Advance::of(&middle_shares),
            newest_over_middle: Advance::of(&against(&newest, &middle)),
            ancestors: Change::of(&middle_shares, &against(&newest, &ancestors)),
            held_out: (held_out.len() == table.len()).then(|| {
                [oldest, middle]
                    .map(|older| Change::of(&held_out[older], &held_out[newest.clone()]))
            }),
        })
    }
}

/// The mean share of a champion against each of a panel.
fn mean_share(table: &CrossTable, one: usize, panel: &Range<usize>) -> f64 {
    let shares = panel.clone().map(|other| table.share(one, other));
    shares.sum::<f64>() / panel.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_cover_all_champions_once() {
        assert_eq!(thirds(12), [0..4, 4..8, 8..12]);
        assert_eq!(thirds(16), [0..5, 5..10, 10..16]);
    }

    #[test]
    fn an_advance_is_a_gain_only_if_its_interval_is_above_one_half() {
        assert!(Advance::of(&[0.7, 0.8, 0.75, 0.7]).is_gain());
        let mixed = Advance::of(&[0.9, 0.3, 0.8, 0.4]);
        assert!(!mixed.is_gain() && !mixed.is_loss());
        assert!(Advance::of(&[0.2, 0.1, 0.3, 0.2]).is_loss());
    }

    #[test]
    fn a_decline_needs_a_third_that_is_clearly_below_the_other() {
        assert!(Change::of(&[0.7, 0.8, 0.9, 0.75], &[0.5, 0.4, 0.6, 0.3]).is_decline());
        let rise = Change::of(&[0.5, 0.4, 0.6, 0.3], &[0.7, 0.8, 0.9, 0.75]);
        assert!(rise.is_rise() && !rise.is_decline());
        let mixed = Change::of(&[0.7, 0.8, 0.9, 0.4], &[0.5, 0.6, 0.8, 0.3]);
        assert!(!mixed.is_rise() && !mixed.is_decline());
    }
}
