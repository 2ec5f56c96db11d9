//! Rank tests of two samples. They need no normal distribution, and a shared lower bound counts as
//! a tie.

use std::cmp::Ordering;

/// Maximum sample size for the exact test; ties are not allowed.
const EXACT: usize = 25;

/// The result of a rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// The Mann-Whitney U of the first sample: pairs in which its value is higher, ties counting
    /// half.
    pub u: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// The share of pairs in which the value of the first sample is higher, ties counting half: 0.5
    /// without a difference (the common-language effect size of `McGraw` & Wong 1992, with ties the
    /// A of Vargha & Delaney 2000).
    pub effect: f64,
}

/// The two-sided Mann-Whitney U test (Mann & Whitney 1947). Exact for small samples without ties,
/// else by the normal approximation with corrections for ties and continuity (Hollander, Wolfe &
/// Chicken 2014, section 4.1). `None` if a sample is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<RankTest> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let halves = |a: &f64, b: &f64| 1.0 + f64::from(a > b) - f64::from(a < b);
    let u = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| halves(a, b)))
        .sum::<f64>()
        / 2.0;
    let ties = ties(first, second);
    let largest = first.len().max(second.len());
    let p = if ties.is_empty() && largest <= EXACT {
        exact(u as usize, first.len(), second.len())
    } else {
        approximate(u, first.len() as f64, second.len() as f64, &ties)
    };
    Some(RankTest {
        u,
        p,
        effect: u / (first.len() * second.len()) as f64,
    })
}

/// The sizes of the groups of tied values.
fn ties(first: &[f64], second: &[f64]) -> Vec<f64> {
    let mut all = [first, second].concat();
    all.sort_by(f64::total_cmp);
    all.chunk_by(|a, b| a.partial_cmp(b).is_some_and(Ordering::is_eq))
        .map(<[f64]>::len)
        .filter(|&size| size > 1)
        .map(|size| size as f64)
        .collect()
}

/// The share of all orders of `m` and `n` values whose U is at least as far from its mean, by the
/// recurrence of Mann & Whitney over the highest-ranking value. The test of `statrs` lists the
/// orders instead: 10^14 of them for two samples of 25.
fn exact(u: usize, m: usize, n: usize) -> f64 {
    // orders[j][u]: orders of the values so far of the first sample and j of the second.
    let mut orders = vec![vec![0.0_f64; m * n + 1]; n + 1];
    for row in &mut orders {
        row[0] = 1.0;
    }
    for _ in 0..m {
        for j in 1..=n {
            // Another value of the first sample on top is above all j of the second.
            let without = orders[j - 1].clone();
            let row = &mut orders[j];
            for u in (0..=m * n).rev() {
                let on_top = if u >= j { row[u - j] } else { 0.0 };
                row[u] = on_top + without[u];
            }
        }
    }
    let nearer = u.min(m * n - u);
    let total: f64 = orders[n].iter().sum();
    let tail: f64 = orders[n][..=nearer].iter().sum();
    (2.0 * tail / total).min(1.0)
}

fn approximate(u: f64, m: f64, n: f64, ties: &[f64]) -> f64 {
    let all = m + n;
    let tied: f64 = ties.iter().map(|size| size * size * size - size).sum();
    let variance = m * n / 12.0 * (all + 1.0 - tied / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    libm::erfc(distance / (2.0 * variance).sqrt()).min(1.0)
}

/// The p-values of several tests, adjusted to control the family-wise error rate (Holm 1979).
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut raised = vec![0.0; chances.len()];
    let mut highest: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        let left = (chances.len() - rank) as f64;
        highest = highest.max((chances[place] * left).min(1.0));
        raised[place] = highest;
    }
    raised
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(first: &[f64], second: &[f64], u: f64, p: f64) {
        let found = mann_whitney(first, second).expect("both have numbers");
        assert!((found.u - u).abs() < 1e-12, "{found:?}, U {u}");
        assert!((found.p - p).abs() < 1e-6, "{found:?}, p {p}");
        let other = mann_whitney(second, first).expect("both have numbers");
        assert!((other.p - found.p).abs() < 1e-12, "it is two-sided");
        assert!((other.effect + found.effect - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_rank_test_gives_the_textbook_values() {
        check(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0, 0.1);
        // Permeability of the amnion at term and earlier (Hollander & Wolfe 1973, table 4.1), as R
        // gives it, times two.
        let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        check(&term, &[1.15, 0.88, 0.90, 0.74, 1.21], 35.0, 0.2544123);
        // Age at the diagnosis of diabetes, the example of scipy.stats.mannwhitneyu.
        let men = [19.0, 22.0, 16.0, 29.0, 24.0];
        check(&men, &[20.0, 11.0, 17.0, 12.0], 17.0, 0.1111111);
    }

    #[test]
    fn ties_take_the_normal_approximation() {
        // By hand: variance 9 / 12 · (7 − 24 / 30) = 4.65, z = (4.5 − 3 − 0.5) / √4.65 = 0.46374.
        check(&[1.0, 2.0, 2.0], &[2.0, 3.0, 1.5], 3.0, 0.6428348);
        check(&[1.0, 1.0], &[1.0, 1.0], 2.0, 1.0);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn without_ties_the_approximation_is_near_the_exact_value() {
        let exact = exact(17, 5, 4);
        let near = approximate(17.0, 5.0, 4.0, &[]);
        assert!((exact - 1.0 / 9.0).abs() < 1e-12, "{exact}");
        assert!((near - 0.11134688653314041).abs() < 1e-12, "{near}");
    }

    #[test]
    fn chances_of_several_tests_are_raised_in_order() {
        let close = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            let near = found
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near, "{found:?} {expected:?}");
        };
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        close(holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
        close(holm(&[0.9, 0.8]), &[1.0, 1.0]);
        close(holm(&[]), &[]);
    }
}
