//! Ranks within blocks, and the Friedman test of whether treatments differ in them.

use std::cmp::Ordering;

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The result of a Friedman test.
#[derive(Clone, Debug, PartialEq)]
pub struct FriedmanTest {
    /// The mean rank of each treatment.
    pub mean_ranks: Vec<f64>,
    /// The test statistic, with a correction for ties.
    pub statistic: f64,
    /// The p-value by the chi-squared distribution, which needs many blocks or treatments to be
    /// close.
    pub p: f64,
}

/// The ranks of values, 1 for the highest. Equal values share the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
    let mut ranks = vec![0.0; values.len()];
    let mut above = 0;
    let is_tied = |&one: &usize, &other: &usize| {
        values[one].partial_cmp(&values[other]) == Some(Ordering::Equal)
    };
    for tied in order.chunk_by(is_tied) {
        for &place in tied {
            ranks[place] = above as f64 + (tied.len() + 1) as f64 / 2.0;
        }
        above += tied.len();
    }
    ranks
}

/// The Friedman test (Friedman 1937; with ties Hollander, Wolfe & Chicken 2014, section 7.1). Each
/// block has a value for each treatment. `None` with fewer than two blocks or treatments, or if all
/// values of each block are equal.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<FriedmanTest> {
    let (n, k) = (blocks.len() as f64, blocks.first()?.len());
    if blocks.len() < 2 || k < 2 {
        return None;
    }
    let ranked: Vec<Vec<f64>> = blocks.iter().map(|block| ranks(block)).collect();
    let sum = |treatment: usize| ranked.iter().map(|block| block[treatment]).sum::<f64>();
    let mean_ranks: Vec<f64> = (0..k).map(|treatment| sum(treatment) / n).collect();
    let middle = (k + 1) as f64 / 2.0;
    let between: f64 = mean_ranks.iter().map(|rank| (rank - middle).powi(2)).sum();
    let all = ranked.iter().flatten();
    let within: f64 = all.map(|rank| (rank - middle).powi(2)).sum();
    if within <= 0.0 {
        return None;
    }
    let statistic = n * n * (k - 1) as f64 * between / within;
    Some(FriedmanTest {
        p: chi_squared_above(statistic, k - 1),
        mean_ranks,
        statistic,
    })
}

/// The probability that a chi-squared variable with these degrees of freedom is above a value.
fn chi_squared_above(value: f64, degrees: usize) -> f64 {
    let distribution = ChiSquared::new(degrees as f64);
    let distribution = distribution.expect("there is a degree of freedom");
    distribution.sf(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.1]), [2.5, 1.0, 2.5, 4.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn the_chi_squared_distribution_has_its_tabulated_quantiles() {
        for (value, degrees, expected) in [
            (3.841, 1, 0.05),
            (5.991, 2, 0.05),
            (7.815, 3, 0.05),
            (9.488, 4, 0.05),
            (11.070, 5, 0.05),
            (23.209, 10, 0.01),
            (0.0, 7, 1.0),
        ] {
            let p = chi_squared_above(value, degrees);
            assert!((p - expected).abs() < 1e-4, "{value} {degrees}: {p}");
        }
    }

    #[test]
    fn the_statistic_is_that_of_its_formula() {
        // Ranks 1 2 3, 1 2 3, 1 3 2, 1 2 3: sums 4, 9, 11, so 12 / (4 · 3 · 4) · (16 + 81 + 121) −
        // 3 · 4 · 4 = 6.5.
        let blocks = [
            vec![0.9, 0.5, 0.1],
            vec![0.8, 0.7, 0.6],
            vec![0.9, 0.2, 0.3],
            vec![0.4, 0.3, 0.2],
        ];
        let test = friedman(&blocks).expect("there are four blocks");
        assert!((test.statistic - 6.5).abs() < 1e-12, "{test:?}");
        assert_eq!(test.mean_ranks, [1.0, 2.25, 2.75]);
        assert!((test.p - libm::exp(-3.25)).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn there_is_no_test_where_nothing_can_differ() {
        assert_eq!(friedman(&[]), None);
        assert_eq!(friedman(&[vec![0.1, 0.2]]), None);
        assert_eq!(friedman(&[vec![0.5, 0.5], vec![0.5, 0.5]]), None);
    }
}
