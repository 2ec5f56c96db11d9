//! Signs and figures of judged moves, where words do not fit.

use crate::arena::record::Verdict;
use crate::ui::theme::Theme;

/// The marks of the move pointed at, the champion's own choice, and the hint.
pub(super) fn marks(theme: &Theme) -> (&'static str, &'static str, &'static str) {
    if theme.ascii {
        (">", "*", "+")
    } else {
        ("›", "◆", "✓")
    }
}

/// A value with as many decimals as tell something.
pub(super) fn figure(value: f32) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".to_owned(),
        size if size >= 10_000.0 => format!("{value:.1e}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A sign for the oracle's verdict, for where its word does not fit.
pub(super) fn sign(verdict: Verdict, theme: &Theme) -> &'static str {
    match (verdict, theme.ascii) {
        (Verdict::Good, false) => "✓",
        (Verdict::Good, true) => "+",
        (Verdict::Mistake | Verdict::Illegal, false) => "✗",
        (Verdict::Mistake | Verdict::Illegal, true) => "x",
        (Verdict::Indifferent, false) => "·",
        (Verdict::Indifferent, true) => ".",
        (Verdict::Unknown, _) => "",
    }
}

/// The sign alone where its word does not fit.
pub(super) fn clip(judged: &str, width: usize) -> String {
    if judged.chars().count() <= width {
        judged.to_owned()
    } else {
        judged.chars().take(1).collect()
    }
}
