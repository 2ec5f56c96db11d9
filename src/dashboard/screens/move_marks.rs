//! Marks and symbols of analyzed moves, for places where words do not fit.

use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::truncate::width;
use finches_engine::play::record::Verdict;

/// The marks of the selected move, the champion's choice, and the hint.
pub(super) fn marks(theme: &Theme) -> (&'static str, &'static str, &'static str) {
    theme.sign(("›", "◆", "✓"), (">", "*", "+"))
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
