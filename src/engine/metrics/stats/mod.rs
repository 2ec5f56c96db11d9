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

#[cfg(test)]
mod tests {
    use super::*;

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
