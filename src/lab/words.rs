//! How figures are written, on pages and in tables of text alike.

use finches_engine::text::count;

/// A number in a table: whole numbers as they are, from 1,000 on to the nearest whole one, others
/// with up to three significant digits.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        999.5.. => count(value),
        _ if value.fract() == 0.0 => value.to_string(),
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The ends of an interval.
pub(crate) fn ends_of((low, high): (f64, f64)) -> String {
    format!("{} to {}", number(low), number(high))
}

/// A figure that may be missing.
pub(crate) fn or_dash(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "–".to_owned())
}

/// A p-value.
pub(crate) fn p_value(p: f64) -> String {
    if p < 1e-4 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (13.0, "13"),
            (0.5432, "0.543"),
            (4.567, "4.57"),
            (13.34, "13.3"),
            (283.21, "283"),
            (-0.02, "-0.020"),
            (1234.0, "1,234"),
            (-53156.7, "-53,157"),
            (999.5, "1,000"),
        ] {
            assert_eq!(number(value), expected);
        }
        assert_eq!(ends_of((0.25, 1.0)), "0.250 to 1");
        assert_eq!([p_value(0.03124), p_value(1e-9)], ["0.0312", "< 0.0001"]);
    }
}
