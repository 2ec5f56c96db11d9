//! Statistics: pure functions of numbers.

pub mod alpha_rank;
pub mod anova;
pub mod friedman;
mod linear;
pub mod nash_averaging;
pub mod paired;
pub mod ranks;
pub mod ratings;
pub mod spread;
pub mod survival;

/// The 95% confidence interval of a share observed in `games` trials (Wilson 1927); 0..=1 without
/// trials.
pub fn wilson(share: f64, games: u32) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = f64::from(games);
    let denominator = 1.0 + Z * Z / n;
    let center = (share + Z * Z / (2.0 * n)) / denominator;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / denominator;
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// The two-sided p-value of a difference between two shares, each as successes and trials: the sum
/// of the probabilities of all tables with the same margins that are no likelier (Fisher 1935, *The
/// Design of Experiments*, section 21).
pub fn fisher_exact([first, second]: [(usize, usize); 2]) -> f64 {
    // Tables that are equally likely differ by rounding.
    const ROUNDING: f64 = 1e-7;
    let log_ways = |of: usize, count: usize| {
        let [all, chosen, rest] = [of, count, of - count].map(|one| libm::lgamma(one as f64 + 1.0));
        all - chosen - rest
    };
    let successes = first.0 + second.0;
    let chance = |own: usize| {
        let ways = log_ways(first.1, own) + log_ways(second.1, successes - own);
        libm::exp(ways - log_ways(first.1 + second.1, successes))
    };
    let most = chance(first.0) * (1.0 + ROUNDING);
    let all = successes.saturating_sub(second.1)..=successes.min(first.1);
    let extreme = all.map(chance).filter(|&one| one <= most);
    extreme.sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_gives_the_textbook_values() {
        for (shares, expected) in [
            // R: fisher.test, the lady tasting tea, and job satisfaction of two groups.
            ([(3, 4), (1, 4)], 0.485_714_3),
            ([(1, 12), (9, 12)], 0.002_759_456),
            ([(0, 5), (5, 5)], 0.007_936_508),
            ([(2, 5), (2, 5)], 1.0),
            ([(0, 0), (3, 3)], 1.0),
        ] {
            let found = fisher_exact(shares);
            assert!((found - expected).abs() < 1e-6, "{shares:?}: {found}");
        }
    }

    #[test]
    fn the_interval_is_the_textbook_one() {
        let (low, high) = wilson(0.5, 100);
        assert!(
            (low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4,
            "{low} {high}"
        );
        let (low, high) = wilson(1.0, 10);
        assert!((low - 0.7225).abs() < 1e-4 && high > 0.999, "{low} {high}");
        assert_eq!(wilson(0.3, 0), (0.0, 1.0));
    }
}
