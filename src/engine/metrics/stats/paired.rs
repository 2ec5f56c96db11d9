//! The mean of paired differences with its confidence interval.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The mean of a sample and its 95% confidence interval by Student's t (Student 1908), which
/// assumes that the values are independent and roughly normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanDifference {
    /// The number of pairs.
    pub pairs: usize,
    /// The mean difference.
    pub mean: f64,
    /// The 95% confidence interval of the mean; `None` for a single pair.
    pub interval: Option<(f64, f64)>,
}

impl MeanDifference {
    /// Of these differences; `None` without any.
    pub fn of(differences: &[f64]) -> Option<Self> {
        let pairs = differences.len();
        if pairs == 0 {
            return None;
        }
        let count = pairs as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let interval = (pairs > 1).then(|| {
            let squares: f64 = differences.iter().map(|one| (one - mean).powi(2)).sum();
            let standard_error = (squares / (count - 1.0) / count).sqrt();
            let half = t_quantile(count - 1.0) * standard_error;
            (mean - half, mean + half)
        });
        Some(Self {
            pairs,
            mean,
            interval,
        })
    }

    /// Whether the interval excludes 0.
    pub fn is_clear(&self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }
}

/// The 97.5% quantile of the t distribution. The degrees of freedom are more than 0.
pub fn t_quantile(degrees_of_freedom: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, degrees_of_freedom);
    let distribution = distribution.expect("there are degrees of freedom");
    distribution.inverse_cdf(0.975)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // R: qt(0.975, df).
        for (degrees_of_freedom, quantile) in [
            (1.0, 12.706_204_74),
            (4.0, 2.776_445_11),
            (5.0, 2.570_581_84),
            (9.0, 2.262_157_16),
            (30.0, 2.042_272_46),
            (120.0, 1.979_930_41),
        ] {
            let found = t_quantile(degrees_of_freedom);
            assert!(
                (found - quantile).abs() < 1e-8,
                "{degrees_of_freedom}: {found}"
            );
        }
    }

    #[test]
    fn the_interval_is_the_textbook_one() {
        let five = MeanDifference::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("there are pairs");
        let (low, high) = five.interval.expect("there are several");
        assert_eq!((five.pairs, five.mean), (5, 3.0));
        assert!(
            (low - 1.036_757).abs() < 1e-6 && (high - 4.963_243).abs() < 1e-6,
            "{low} {high}"
        );
        assert!(five.is_clear());
        let one = MeanDifference::of(&[1.0]).expect("there is a pair");
        assert_eq!((one.mean, one.interval, one.is_clear()), (1.0, None, false));
        assert_eq!(MeanDifference::of(&[]), None);
    }
}
