//! Draws the score of each player against each other: percentages on cells that are lighter the higher the score.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::play::results::RoundRobinResults;
use crate::ui::theme::Theme;
use crate::ui::widgets::text::{put, put_right};
use crate::ui::widgets::truncate::fit;

/// Columns of a cell, with the space after it.
const CELL_WIDTH: u16 = 5;

/// The least and the greatest width of names.
const NAME_WIDTHS: (u16, u16) = (12, 42);

/// Draws a row per player with its percentage against each other one, from the player at index `first` on.
pub(super) fn draw(
    results: &RoundRobinResults,
    order: &[usize],
    first: usize,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let longest = results.longest_name() as u16 + 5;
    let all = order.len() as u16 * CELL_WIDTH;
    let name = longest
        .min(area.width.saturating_sub(all))
        .clamp(NAME_WIDTHS.0, NAME_WIDTHS.1);
    let columns = usize::from(area.width.saturating_sub(name) / CELL_WIDTH).min(order.len());
    // If not all columns fit, they scroll with the rows.
    let from = first.min(order.len() - columns);
    let mut heading = Line::styled(format!("{:<1$}", "score % against", name.into()), theme.dim);
    for place in from..from + columns {
        heading.push_span(Span::styled(format!("{:>4} ", place + 1), theme.dim));
    }
    put(buf, area, 0, heading);
    let rows = usize::from(area.height.saturating_sub(1));
    for (row, (rank, &player)) in order.iter().enumerate().skip(first).take(rows).enumerate() {
        let width = usize::from(name).saturating_sub(5);
        let mut line = Line::from(vec![
            Span::styled(format!("{:>3} ", rank + 1), theme.dim),
            Span::styled(fit(&results.players[player], width) + " ", theme.text),
        ]);
        for &other in &order[from..from + columns] {
            let (text, style) = cell(results, player, other, theme);
            line.push_span(Span::styled(text, style));
            line.push_span(Span::raw(" "));
        }
        put(buf, area, row as u16 + 1, line);
    }
    if columns < order.len() {
        let more = format!("{} of {} columns", columns, order.len());
        put_right(buf, area, 0, Span::styled(more, theme.dim));
    }
}

/// The score of one player against another, in four characters.
fn cell(
    results: &RoundRobinResults,
    player: usize,
    other: usize,
    theme: &Theme,
) -> (String, Style) {
    match results.share_against(player, other) {
        Some(share) => {
            let style = theme.heat(share).unwrap_or(theme.text);
            (format!("{:>3.0} ", share * 100.0), style)
        }
        None if player == other => {
            let mark = if theme.ascii { "  . " } else { "  · " };
            (mark.to_owned(), theme.dim)
        }
        None => ("  - ".to_owned(), theme.dim),
    }
}
