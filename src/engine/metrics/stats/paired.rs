//! The mean of paired differences with its confidence interval.

/// The mean of a sample and its 95 % confidence interval by Student's t (Student 1908), which assumes that the values are
/// independent and roughly normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// The number of pairs.
    pub pairs: usize,
    /// The mean difference.
    pub mean: f64,
    /// The 95 % confidence interval of the mean; `None` for a single pair.
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
            let half = t_quantile(pairs - 1) * standard_error;
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

/// The 97.5 % quantile of the t distribution. Degrees of freedom from 5 on are computed by the expansion around the normal
/// quantile (Abramowitz & Stegun 1964, 26.7.5), with an error below 0.002.
fn t_quantile(degrees_of_freedom: usize) -> f64 {
    const FEW: [f64; 4] = [12.706, 4.303, 3.182, 2.776];
    const Z: f64 = 1.959_964;
    if let Some(&quantile) = FEW.get(degrees_of_freedom - 1) {
        return quantile;
    }
    let n = degrees_of_freedom as f64;
    let terms = [
        (Z.powi(3) + Z) / 4.0,
        (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0,
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0,
        (79.0 * Z.powi(9) + 776.0 * Z.powi(7) + 1482.0 * Z.powi(5)
            - 1920.0 * Z.powi(3)
            - 945.0 * Z)
            / 92_160.0,
    ];
    let series = terms.iter().zip(1..);
    Z + series
        .map(|(term, power)| term / n.powi(power))
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table = [
            (1, 12.706),
            (4, 2.776),
            (5, 2.571),
            (9, 2.262),
            (30, 2.042),
            (120, 1.980),
        ];
        for (degrees_of_freedom, quantile) in table {
            let found = t_quantile(degrees_of_freedom);
            assert!(
                (found - quantile).abs() < 0.002,
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
            (low - 1.037).abs() < 1e-3 && (high - 4.963).abs() < 1e-3,
            "{low} {high}"
        );
        assert!(five.is_clear());
        let one = MeanDifference::of(&[1.0]).expect("there is a pair");
        assert_eq!((one.mean, one.interval, one.is_clear()), (1.0, None, false));
        assert_eq!(MeanDifference::of(&[]), None);
    }
}
