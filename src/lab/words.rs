//! How figures are written: on pages and in tables of text alike, and in files for programs.

use serde::Serialize;

use finches_engine::metrics::csv_text::csv_text;
#[cfg(feature = "pages")]
use finches_engine::metrics::stats::spread::Spread;
use finches_engine::text::count;
#[cfg(feature = "pages")]
use finches_engine::text::grouped;

use crate::experiment::summary::column_of;

/// A number in a table: whole numbers as they are, from 1,000 on to the nearest whole one, others
/// with up to three significant digits.
pub(crate) fn number(value: f64) -> String {
    // One that rounds to zero has no sign.
    let value = if value.abs() < 5e-4 {
        value.abs()
    } else {
        value
    };
    match value.abs() {
        999.5.. => count(value),
        _ if value.fract() == 0.0 => value.to_string(),
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// How the figures of a measure are written: shares in percent, others as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FigureStyle {
    is_share: bool,
}

impl FigureStyle {
    /// Numbers.
    pub(crate) const NUMBER: Self = Self { is_share: false };

    /// Percent.
    pub(crate) const SHARE: Self = Self { is_share: true };

    /// The style of a column, or of a measure that begins with its name.
    pub(crate) fn of(measure: &str) -> Self {
        Self {
            is_share: column_of(measure).is_share(),
        }
    }

    /// A figure.
    pub(crate) fn text(self, value: f64) -> String {
        self.digits(value) + self.sign()
    }

    /// Two figures with words between them.
    pub(crate) fn pair(self, (first, second): (f64, f64), between: &str) -> String {
        let [first, second] = [first, second].map(|value| self.digits(value));
        format!("{first}{between}{second}{}", self.sign())
    }

    /// The ends of an interval.
    pub(crate) fn ends(self, ends: (f64, f64)) -> String {
        self.pair(ends, " to ")
    }

    /// A figure in all of its digits, without its sign.
    #[cfg(feature = "pages")]
    pub(crate) fn exact(self, value: f64) -> String {
        // As many as publications print; more are errors of rounding.
        const PARTS: f64 = 1e6;
        let value = if self.is_share { value * 100.0 } else { value };
        grouped(&((value * PARTS).round() / PARTS).to_string())
    }

    /// What stands behind a figure.
    pub(crate) fn sign(self) -> &'static str {
        if self.is_share { "%" } else { "" }
    }

    fn digits(self, value: f64) -> String {
        match value * 100.0 {
            _ if !self.is_share => number(value),
            _ if value.fract() == 0.0 => (value * 100.0).to_string(),
            percent if percent.abs() < 0.05 => format!("{:.1}", percent.abs()),
            percent => format!("{percent:.1}"),
        }
    }
}

/// The interval of a mean, or a dash for one value or none.
#[cfg(feature = "pages")]
pub(crate) fn interval_words(spread: Option<&Spread>, style: FigureStyle) -> String {
    let ends = spread.and_then(|spread| spread.interval);
    or_dash(ends.map(|ends| style.ends(ends)))
}

/// The text of a CSV file: the names of its columns, and its lines.
pub(crate) fn csv_file<'a>(
    head: impl IntoIterator<Item = &'a str>,
    lines: impl Iterator<Item = Vec<String>>,
) -> String {
    let head = head.into_iter().map(str::to_owned).collect();
    csv_text([head].into_iter().chain(lines))
}

/// A field of a CSV file, empty if there is no value.
pub(crate) fn csv_cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The text of a JSON file.
pub(crate) fn json_file(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.expect("names and numbers are JSON") + "\n"
}

/// A figure that may be missing.
pub(crate) fn or_dash(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "–".to_owned())
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
            (-0.0, "0"),
            (-0.0004, "0.000"),
            (1234.0, "1,234"),
            (-53156.7, "-53,157"),
            (999.5, "1,000"),
        ] {
            assert_eq!(number(value), expected);
        }
        assert_eq!(FigureStyle::NUMBER.ends((0.25, 1.0)), "0.250 to 1");
    }

    #[test]
    fn shares_are_written_in_percent() {
        let style = FigureStyle::of("accuracy_states at the last generation");
        let shares = [0.4167, 1.0, 0.0, -0.0312, 0.5].map(|share| style.text(share));
        assert_eq!(shares, ["41.7%", "100%", "0%", "-3.1%", "50.0%"]);
        assert_eq!(style.ends((0.25, 1.0)), "25.0 to 100%");
        #[cfg(feature = "pages")]
        assert_eq!(style.exact(0.715), "71.5");
        let others = ["generations to accuracy_states>=1", "games", "vs_random"];
        let others = others.map(|measure| FigureStyle::of(measure).text(0.5));
        assert_eq!(others, ["0.500", "0.500", "50.0%"]);
    }
}
