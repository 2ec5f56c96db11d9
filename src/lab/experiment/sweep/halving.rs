//! Successive halving (Jamieson & Talwalkar 2016): all combinations get a few runs, or a few
//! generations of all their runs, the best of them more, until the last have all. What earlier
//! rounds have done is used again. Hyperband (Li et al. 2018) divides the combinations into
//! brackets, some of which begin with longer rounds, in case the best begin slowly.

use rand::RngExt;

use finches_engine::preset::Preset;
use finches_engine::rng::{Purpose, stream};
use finches_runs::storage::experiments::manifest::Manifest;
use finches_runs::storage::experiments::part::RunPart;
use finches_runs::storage::experiments::sweep::{HalvingResource, SweepDefinition};

/// A round of successive halving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalvingRound {
    /// How many combinations are left.
    pub combinations: usize,
    /// The runs or generations that each has by the end of the round: one in so many of all.
    pub one_in: u64,
}

/// Combinations that compete by successive halving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// Their indices, in ascending order.
    pub combinations: Vec<usize>,
    /// From the first to the last.
    pub rounds: Vec<HalvingRound>,
}

/// The brackets of a sweep; empty without successive halving. Without Hyperband there is one.
pub fn brackets(manifest: &Manifest) -> Vec<Bracket> {
    let Some(&SweepDefinition {
        halving: Some(rate),
        resource,
        hyperband,
        ..
    }) = manifest.sweep.as_ref()
    else {
        return Vec::new();
    };
    let rate = rate.max(2);
    let generations = manifest.presets.iter().map(|one: &Preset| one.generations);
    let resource = match resource {
        HalvingResource::Runs => manifest.runs,
        HalvingResource::Generations => generations.min().unwrap_or(1),
    };
    let count = manifest.presets.len();
    if !hyperband {
        return vec![Bracket {
            combinations: (0..count).collect(),
            rounds: rounds(count, most_steps(count, resource, rate), rate),
        }];
    }
    let mut order: Vec<usize> = (0..count).collect();
    let mut rng = stream(manifest.first_seed, Purpose::Sweep, 1, 0);
    for index in (1..count).rev() {
        order.swap(index, rng.random_range(0..=index));
    }
    let mut brackets = Vec::new();
    for (size, steps) in bracket_sizes(count, resource, rate) {
        let mut combinations: Vec<usize> = order.drain(..size).collect();
        combinations.sort_unstable();
        brackets.push(Bracket {
            combinations,
            rounds: rounds(size, steps, rate),
        });
    }
    brackets
}

/// The parts that a sweep has of its runs, from the shortest to the whole.
pub fn parts(manifest: &Manifest) -> Vec<RunPart> {
    let sweep = manifest.sweep.as_ref();
    if !sweep.is_some_and(SweepDefinition::halves_generations) {
        return vec![RunPart::WHOLE];
    }
    let brackets = brackets(manifest).into_iter();
    let rounds = brackets.flat_map(|bracket| bracket.rounds);
    let mut counts: Vec<u64> = rounds.map(|round| round.one_in).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts.dedup();
    counts.into_iter().map(RunPart::one_in).collect()
}

/// The most times that combinations can be reduced so that the first round has a run or generation
/// and the last a combination.
fn most_steps(combinations: usize, resource: u64, rate: u64) -> u32 {
    let (mut most, mut least, mut steps) = (combinations as u64, resource, 0);
    while most >= rate && least >= rate {
        (most, least, steps) = (most / rate, least / rate, steps + 1);
    }
    steps
}

/// The rounds of a bracket. From one to the next, one in `rate` combinations stays, with `rate`
/// times as much.
fn rounds(combinations: usize, steps: u32, rate: u64) -> Vec<HalvingRound> {
    let round = |step: u32| HalvingRound {
        combinations: (combinations as u64).div_ceil(rate.saturating_pow(step)) as usize,
        one_in: rate.saturating_pow(steps - step),
    };
    (0..=steps).map(round).collect()
}

/// The numbers of combinations of Hyperband's brackets, and how often each of them is reduced, the
/// most often first. All brackets spend about as much.
fn bracket_sizes(combinations: usize, resource: u64, rate: u64) -> Vec<(usize, u32)> {
    let most = most_steps(combinations, resource, rate);
    let sizes = |most: u32| -> Vec<(usize, u32)> {
        let weight = |steps: u32| {
            let brackets = f64::from(most + 1) / f64::from(steps + 1);
            brackets * (rate as f64).powi(steps.cast_signed())
        };
        let total: f64 = (0..=most).map(weight).sum();
        let (mut sum, mut dealt) = (0.0, 0);
        let size = |steps: u32| {
            sum += weight(steps);
            let end = (combinations as f64 * sum / total).round() as usize;
            let size = end - dealt;
            dealt = end;
            (size, steps)
        };
        (0..=most).rev().map(size).collect()
    };
    let is_whole = |sizes: &Vec<(usize, u32)>| {
        let mut all = sizes.iter();
        all.all(|&(size, steps)| size as u64 >= rate.saturating_pow(steps))
    };
    let found = (0..=most).rev().map(sizes).find(is_whole);
    found.unwrap_or_else(|| vec![(combinations, 0)])
}

/// A combination after a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundValue {
    /// Its index.
    pub index: usize,
    /// The mean of its runs.
    pub value: f64,
    /// What decides between equal values, high ones being good: the mean over the course of its
    /// runs; 0 if it was not needed.
    pub course: f64,
}

/// The best of some combinations in ascending order of their indices. Of wholly equal ones the
/// first go on.
pub fn survivors(mut values: Vec<RoundValue>, count: usize, is_lowest_best: bool) -> Vec<usize> {
    let sign = if is_lowest_best { 1.0 } else { -1.0 };
    let order = |a: f64, b: f64| (sign * a).total_cmp(&(sign * b));
    values.sort_by(|a, b| {
        let tied = order(a.value, b.value).then_with(|| b.course.total_cmp(&a.course));
        tied.then(a.index.cmp(&b.index))
    });
    let kept = values.into_iter().take(count);
    let mut kept: Vec<usize> = kept.map(|one| one.index).collect();
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: (usize, u64, u64), expected: &[(usize, u64)]) {
        let (combinations, runs, rate) = given;
        let steps = most_steps(combinations, runs, rate);
        let found = rounds(combinations, steps, rate).into_iter();
        let found: Vec<_> = found
            .map(|round| (round.combinations, runs / round.one_in))
            .collect();
        assert_eq!(found, expected, "{given:?}");
    }

    #[test]
    fn each_round_has_fewer_combinations_with_more_runs() {
        check((27, 10, 2), &[(27, 1), (14, 2), (7, 5), (4, 10)]);
        check((27, 10, 3), &[(27, 1), (9, 3), (3, 10)]);
        check((4, 100, 2), &[(4, 25), (2, 50), (1, 100)]);
        check((1, 10, 2), &[(1, 10)]);
        check((9, 1, 2), &[(9, 1)]);
        check((4, 2, 2), &[(4, 1), (2, 2)]);
    }

    #[test]
    fn brackets_share_out_all_combinations_and_the_longer_first_rounds_have_fewer() {
        assert_eq!(bracket_sizes(27, 300, 3), [(15, 2), (7, 1), (5, 0)]);
        assert_eq!(bracket_sizes(100, 10, 3), [(55, 2), (27, 1), (18, 0)]);
        assert_eq!(bracket_sizes(2, 10, 3), [(2, 0)]);
        for count in 1..200 {
            let sizes = bracket_sizes(count, 81, 3);
            assert_eq!(sizes.iter().map(|(size, _)| size).sum::<usize>(), count);
        }
    }

    #[test]
    fn the_best_survive_and_of_equals_those_with_the_better_course() {
        let after = |courses: [f64; 4]| {
            let values = [(0, 0.5), (2, 0.9), (3, 0.5), (7, 0.1)].into_iter();
            let values = values.zip(courses);
            let value = |((index, value), course)| RoundValue {
                index,
                value,
                course,
            };
            values.map(value).collect::<Vec<_>>()
        };
        assert_eq!(survivors(after([0.0; 4]), 2, false), [0, 2]);
        assert_eq!(survivors(after([0.0; 4]), 2, true), [0, 7]);
        let later = after([0.3, 0.1, 0.4, 0.0]);
        assert_eq!(survivors(later.clone(), 2, false), [2, 3]);
        assert_eq!(survivors(later, 2, true), [3, 7]);
    }
}
