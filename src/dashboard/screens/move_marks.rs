//! Marks and symbols of analyzed moves, for places where words do not fit.

use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::truncate::truncate;
use finches_engine::play::record::{GameRecord, Verdict};

/// The marks of the selected move, the champion's choice, and the hint.
pub(super) fn marks(theme: &Theme) -> (&'static str, &'static str, &'static str) {
    theme.sign(("›", "◆", "✓"), (">", "*", "+"))
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
    let sign = match verdict {
        Verdict::Good => theme.sign("✓", "+"),
        Verdict::Mistake | Verdict::Illegal => theme.sign("✗", "x"),
        Verdict::Unknown => "",
        _ => theme.sign("·", "."),
    };
    Span::styled(format!("{sign} {words}"), theme.verdict_style(verdict))
}

/// The number, the player and the text of a game's latest move; `None` before the first.
pub(super) fn latest_move(
    record: &GameRecord,
    ply: usize,
    theme: &Theme,
) -> Option<Vec<Span<'static>>> {
    let played = record.plies.get(ply.checked_sub(1)?)?;
    let name = truncate(&record.names[played.side.index()], 14);
    let action = match played.action.as_str() {
        "" => "no legal move",
        action => action,
    };
    Some(vec![
        Span::styled(format!("{ply}/{} ", record.plies.len()), theme.dim),
        Span::styled(format!("{name} "), theme.text),
        Span::styled(format!("{action} "), theme.strong),
    ])
}

/// A verdict as symbol and words or, if they do not fit, as its symbol alone.
pub(super) fn short_verdict_span(verdict: Verdict, room: usize, theme: &Theme) -> Span<'static> {
    let whole = verdict_span(verdict, verdict_words(verdict), theme);
    if whole.width() <= room {
        whole
    } else {
        verdict_span(verdict, "", theme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_does_not_fit_is_its_symbol() {
        let check = |room, words: &str| {
            let span = short_verdict_span(Verdict::BestOfLost, room, &Theme::dark());
            assert_eq!(span.content, words, "{room}");
        };
        check(16, "· lost, best try");
        check(15, "· ");
    }
}
