//! Draws the moves of the game so far, with a verdict on each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::screens::move_marks::{judged, short_verdict_span};
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::truncate::{fit, pad, widest};
use finches_engine::play::record::Ply;

use super::current::CurrentGame;

/// Draws the pane.
pub(super) fn view(current: &CurrentGame, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let inner = Frame::titled("Moves").pane(Focus::Elsewhere, theme, area, buf);
    let history = current.game.history();
    if history.is_empty() {
        return Line::styled("None yet.", theme.dim).render(inner, buf);
    }
    let is_short = history.len() > usize::from(inner.height);
    let columns = match (inner.width, inner.height) {
        (60.., _) | (30.., ..6) if is_short => 2,
        _ => 1,
    };
    let wide = widest(history.iter().map(|ply| &*ply.action)).clamp(3, 12);
    let width = usize::from(inner.width) / columns;
    let rest = width.saturating_sub(wide + 15);
    let cell = |(place, ply): (usize, &Ply)| {
        let (who, style) = if ply.side == current.human {
            ("you", theme.strong)
        } else {
            ("champion", theme.text)
        };
        let judged = short_verdict_span(judged(history, place), rest, theme);
        vec![
            Span::styled(format!("{:>2} {who:<9}", place + 1), theme.dim),
            Span::styled(fit(&ply.action, wide) + "  ", style),
            Span::styled(pad(&judged.content, rest) + " ", judged.style),
        ]
    };
    let cells: Vec<Vec<Span<'_>>> = history.iter().enumerate().map(cell).collect();
    let rows: Vec<_> = cells.chunks(columns).collect();
    let list = ScrollList::new(rows.len(), rows.len());
    list.draw(theme, inner, buf, |row| Line::from(rows[row].concat()));
    list.scrollbar(theme, inner.height, area, buf);
}
