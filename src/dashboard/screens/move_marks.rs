//! Marks, symbols, and scores of analyzed moves, for places where words do not fit.

use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::truncate::width;
use finches_engine::play::record::Verdict;

/// The marks of the selected move, the champion's choice, and the hint.
pub(super) fn marks(theme: &Theme) -> (&'static str, &'static str, &'static str) {
    theme.sign(("›", "◆", "✓"), (">", "*", "+"))
}

/// Formats a score with about three significant digits. One that rounds to zero has no sign.
pub(super) fn score(value: f32) -> String {
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    match value.abs() {
        size if !size.is_finite() => "-".to_owned(),
        size if size >= 10_000.0 => format!("{value:.1e}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The symbol of the oracle's verdict.
pub(super) fn verdict_symbol(verdict: Verdict, theme: &Theme) -> &'static str {
    match verdict {
        Verdict::Good => theme.sign("✓", "+"),
        Verdict::Mistake | Verdict::Illegal => theme.sign("✗", "x"),
        Verdict::BestOfLost | Verdict::LostAnyway | Verdict::Forced | Verdict::Indifferent => {
            theme.sign("·", ".")
        }
        Verdict::Unknown => "",
    }
}

/// The verdict in a few words; empty if the oracle does not know the position.
pub(super) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::BestOfLost => "lost, best try",
        known => known.word(),
    }
}

/// A verdict as symbol and words.
pub(super) fn verdict_span(verdict: Verdict, words: &str, theme: &Theme) -> Span<'static> {
    let sign = verdict_symbol(verdict, theme);
    Span::styled(format!("{sign} {words}"), theme.verdict_style(verdict))
}

/// The verdict or, if it does not fit, its symbol alone.
pub(super) fn clip(judged: &str, room: usize) -> String {
    if width(judged) <= room {
        judged.to_owned()
    } else {
        judged.chars().take(1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_about_three_digits_and_zero_has_no_sign() {
        for (value, text) in [
            (12_345.0, "1.2e4"),
            (-123.4, "-123"),
            (12.34, "12.3"),
            (-0.006, "-0.01"),
            (-0.004, "0.00"),
            (-0.0, "0.00"),
            (f32::NAN, "-"),
        ] {
            assert_eq!(score(value), text);
        }
    }
}
