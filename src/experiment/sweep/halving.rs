//! Successive halving (Jamieson & Talwalkar 2016) with runs as the resource: all combinations get a few runs, the best of them
//! more, until the last have all. Runs of earlier rounds are used again.

/// A round: how many combinations are left, and how many runs each has by the end of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalvingRound {
    /// The number of combinations.
    pub combinations: usize,
    /// The number of runs of each.
    pub runs: u64,
}

/// The rounds of a sweep. From one to the next, one in `rate` combinations stays, with `rate` times as many runs. A rate below 2
/// counts as 2.
pub fn rounds(combinations: usize, runs: u64, rate: u64) -> Vec<HalvingRound> {
    let rate = rate.max(2);
    let mut rounds = vec![HalvingRound { combinations, runs }];
    // As many rounds as leave a run in the first and a combination in the last.
    let (mut most, mut least) = (combinations as u64, runs);
    while most >= rate && least >= rate {
        (most, least) = (most / rate, least / rate);
        rounds.push(HalvingRound { combinations, runs });
    }
    let last = rounds.len() - 1;
    for (index, round) in rounds.iter_mut().enumerate() {
        let power = |steps: usize| rate.saturating_pow(steps as u32);
        round.combinations = (combinations as u64).div_ceil(power(index)) as usize;
        round.runs = runs / power(last - index);
    }
    rounds
}

/// A combination after a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundValue {
    /// Its index.
    pub index: usize,
    /// The mean of its runs.
    pub value: f64,
    /// The mean over the course of its runs, which decides between equal values; 0 if it was not needed.
    pub course: f64,
}

/// The best of some combinations in ascending order of their indices. Of wholly equal ones the first go on.
pub fn survivors(mut values: Vec<RoundValue>, count: usize, is_lowest_best: bool) -> Vec<usize> {
    let sign = if is_lowest_best { 1.0 } else { -1.0 };
    let order = |a: f64, b: f64| (sign * a).total_cmp(&(sign * b));
    values.sort_by(|a, b| {
        let tied = order(a.value, b.value).then_with(|| order(a.course, b.course));
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
        let found = rounds(combinations, runs, rate).into_iter();
        let found: Vec<_> = found
            .map(|round| (round.combinations, round.runs))
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
        check((4, 2, 0), &[(4, 1), (2, 2)]);
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
        assert_eq!(survivors(later, 2, true), [0, 7]);
    }
}
