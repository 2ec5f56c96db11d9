//! Draws the moves of the game so far, with a verdict on each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::screens::move_marks::short_verdict_span;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::truncate::{pad, widest};
use finches_engine::play::record::Ply;

use super::current::CurrentGame;

/// Draws the pane. `other` is a short word for the opponent. Moves that do not fit one below the
/// other are in two or four columns if these are wide enough for moves and verdicts.
pub(super) fn view(
    current: &CurrentGame,
    other: &str,
    area: Rect,
    buf: &mut Buffer,
    theme: &Theme,
) {
    let inner = Frame::titled("Moves").pane(Focus::Elsewhere, theme, area, buf);
    let history = current.game.history();
    if history.is_empty() {
        return Line::styled("None yet.", theme.dim).render(inner, buf);
    }
    let told = history.iter().map(|ply| {
        let whole = short_verdict_span(ply.verdict, usize::MAX, theme);
        whole.width()
    });
    let numbers = history.len().to_string().len().max(2);
    let wide = widest(history.iter().map(|ply| &*ply.action)).max(3);
    let taken = numbers + wide + 9;
    let cell = taken + told.max().unwrap_or(0) + 1;
    let width = usize::from(inner.width);
    let fits = |many: &usize| many * cell <= width;
    let is_long = history.len() > inner.height.into();
    let columns = [4, 2].into_iter().find(|many| is_long && fits(many));
    let columns = columns.unwrap_or(1);
    let rest = (width / columns).saturating_sub(taken + 1);
    let cell = |(place, ply): (usize, &Ply)| {
        let (who, style) = if ply.side == current.human {
            ("you", theme.strong)
        } else {
            (other, theme.text)
        };
        let told = short_verdict_span(ply.verdict, rest, theme);
        vec![
            Span::styled(format!("{:>numbers$} {who:<5} ", place + 1), theme.dim),
            Span::styled(pad(&ply.action, wide) + "  ", style),
            Span::styled(pad(&told.content, rest) + " ", told.style),
        ]
    };
    let cells: Vec<Vec<Span<'_>>> = history.iter().enumerate().map(cell).collect();
    let rows: Vec<_> = cells.chunks(columns).collect();
    let list = ScrollList::new(rows.len(), rows.len());
    list.draw(theme, inner, buf, |row| Line::from(rows[row].concat()));
    list.scrollbar(theme, inner.height, area, buf);
}
