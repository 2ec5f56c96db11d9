//! Units that look up a number for each input in a table, and which binary digits such a table
//! follows: what evolution has found, in the terms of the theory of Nim.

/// A unit of a network whose units have tables with the same levels.
#[derive(Clone, Debug, PartialEq)]
pub struct TableUnit {
    /// The weight for the first output.
    pub weight: f32,
    /// The numbers of each table by level; there is one table if all inputs share it.
    pub tables: Vec<Vec<f32>>,
}

/// The digits whose sign pattern is most like a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DigitMatch {
    /// The digits, as the sum of their powers of two: 1, 2, 4 and so on, or several.
    pub mask: u32,
    /// Pearson's correlation of the factors with the pattern, which is 1 where an even number of
    /// these digits are set in the level and −1 elsewhere.
    pub correlation: f64,
}

/// The digits that a table of factors by level follows best; the fewest of several that do equally
/// well. `None` if all factors are the same.
pub fn matching(factors: &[f32]) -> Option<DigitMatch> {
    let masks = 1..factors.len().next_power_of_two() as u32;
    let pattern = |mask: u32| {
        let levels = 0..factors.len() as u32;
        levels.map(move |level| 1.0 - 2.0 * f64::from((level & mask).count_ones() % 2))
    };
    let found = masks.filter_map(|mask| {
        let correlation = correlation(factors, &pattern(mask).collect::<Vec<f64>>())?;
        Some(DigitMatch { mask, correlation })
    });
    found.reduce(|best, next| {
        let gain = next.correlation.abs() - best.correlation.abs();
        let is_simpler = next.mask.count_ones() < best.mask.count_ones();
        let is_better = gain > 1e-9 || gain > -1e-9 && is_simpler;
        if is_better { next } else { best }
    })
}

/// Pearson's correlation; `None` if one of the lists is constant.
fn correlation(factors: &[f32], pattern: &[f64]) -> Option<f64> {
    let count = factors.len() as f64;
    let mean = factors.iter().map(|&factor| f64::from(factor)).sum::<f64>() / count;
    let pattern_mean = pattern.iter().sum::<f64>() / count;
    let [mut both, mut own, mut of_pattern] = [0.0; 3];
    for (&factor, sign) in factors.iter().zip(pattern) {
        let (factor, sign) = (f64::from(factor) - mean, sign - pattern_mean);
        both += factor * sign;
        own += factor * factor;
        of_pattern += sign * sign;
    }
    let spread = (own * of_pattern).sqrt();
    (spread > 1e-9).then(|| both / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(signs: &str, mask: u32, correlation: f64) {
        let factors: Vec<f32> = signs
            .chars()
            .map(|sign| if sign == '+' { 1.0 } else { -1.0 })
            .collect();
        let found = matching(&factors).expect("the factors differ");
        assert_eq!(found.mask, mask, "{signs}: {found:?}");
        assert!(
            (found.correlation - correlation).abs() < 1e-6,
            "{signs}: {found:?}"
        );
    }

    #[test]
    fn binary_digits_and_several_of_them_are_recognized() {
        check("+-+-+-+-+-", 1, 1.0);
        check("++--++--++", 2, 1.0);
        check("++++----++", 4, 1.0);
        check("++++++++--", 8, 1.0);
        check("+--++--+", 3, 1.0);
        check("-+-+-+-+", 1, -1.0);
        // One of eight signs is wrong.
        check("+-+-+-++", 1, 0.774_596_669);
        assert_eq!(matching(&[1.0; 8]), None);
        assert_eq!(matching(&[1.0]), None);
        assert_eq!(matching(&[]), None);
    }
}
