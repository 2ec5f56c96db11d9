//! Marks and symbols of analyzed moves, for places where words do not fit.

use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::truncate::truncate;
use finches_engine::play::record::{GameRecord, Ply, Verdict};

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

/// The verdict on a move that is not the best but after which its side still wins.
const LESS: &str = "wins by less";

/// The verdict on a move of a game, and that in a few words. `after` is the result for the first
/// player that is known once all moves are made.
pub(super) fn judged(plies: &[Ply], place: usize, after: Option<i8>) -> (Verdict, &'static str) {
    let Ply { side, verdict, .. } = plies[place];
    // A side may make several moves in a row.
    let mut later = plies[place..].iter();
    let still_wins = match later.find(|ply| ply.side != side) {
        Some(answer) => answer.verdict.is_lost(),
        None => after.is_some_and(|result| side.result(result) > 0),
    };
    match verdict {
        Verdict::Mistake if still_wins => (Verdict::Indifferent, LESS),
        _ => (verdict, verdict_words(verdict)),
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
pub(super) fn short_verdict_span(
    (verdict, words): (Verdict, &str),
    room: usize,
    theme: &Theme,
) -> Span<'static> {
    let whole = verdict_span(verdict, words, theme);
    if whole.width() <= room {
        whole
    } else {
        verdict_span(verdict, "", theme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::games::Side;

    #[test]
    fn a_verdict_that_does_not_fit_is_its_symbol() {
        let check = |room, words: &str| {
            let judged = judged(&plies(&[Verdict::BestOfLost]), 0, None);
            let span = short_verdict_span(judged, room, &Theme::dark());
            assert_eq!(span.content, words, "{room}");
        };
        check(16, "· lost, best try");
        check(15, "· ");
    }

    fn plies(verdicts: &[Verdict]) -> Vec<Ply> {
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let ply = |(side, &verdict): (Side, &Verdict)| Ply {
            side,
            position: String::new(),
            action: String::new(),
            verdict,
        };
        sides.zip(verdicts).map(ply).collect()
    }

    #[test]
    fn a_move_that_still_wins_is_no_mistake() {
        let check = |answer, words: &str| {
            let game = plies(&[Verdict::Mistake, answer]);
            assert_eq!(judged(&game, 0, None).1, words, "{answer:?}");
        };
        check(Verdict::LostAnyway, "wins by less");
        check(Verdict::BestOfLost, "wins by less");
        check(Verdict::Good, "mistake");
        let last = plies(&[Verdict::Mistake]);
        for (after, words) in [
            (None, "mistake"),
            (Some(1), "wins by less"),
            (Some(-1), "mistake"),
        ] {
            assert_eq!(judged(&last, 0, after).1, words, "{after:?}");
        }
        // What the side that moves again then finds is no answer.
        let mut again = plies(&[Verdict::Mistake, Verdict::LostAnyway, Verdict::Good]);
        again[1].side = Side::First;
        assert_eq!(judged(&again, 0, None).1, "mistake");
    }
}
