//! Draws the score of each player against each other: percentages on cells that are lighter the
//! higher the score.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::matrix::{PairMatrix, score_style};
use crate::widgets::text::put_right;
use crate::widgets::truncate::fit;
use finches_engine::play::results::RoundRobinResults;

/// Columns of a cell, with the space after it.
const CELL_WIDTH: u16 = 5;

/// How many times as wide and high a cell may be.
const MAX_ZOOM: u16 = 3;

/// The least and the greatest width of names.
const NAME_WIDTHS: (u16, u16) = (12, 42);

/// Draws a row per player with its percentage against each other one, from the player at index
/// `first` on. Returns the rows that it takes.
pub(super) fn draw(
    results: &RoundRobinResults,
    order: &[usize],
    first: usize,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> u16 {
    let longest = results.longest_name() as u16 + 5;
    let all = order.len() as u16 * CELL_WIDTH;
    let label_width = longest
        .min(area.width.saturating_sub(all))
        .clamp(NAME_WIDTHS.0, NAME_WIDTHS.1);
    let columns = usize::from(area.width.saturating_sub(label_width) / CELL_WIDTH);
    let columns = columns.min(order.len());
    // If not all columns fit, they scroll with the rows.
    let from = first.min(order.len() - columns);
    let label = |row: usize| {
        let name = fit(&results.players[order[row]], usize::from(label_width) - 5);
        Line::from(vec![
            Span::styled(format!("{:>3} ", row + 1), theme.dim),
            Span::styled(name, theme.text),
        ])
    };
    // Three rows of notes stand below it.
    let rows = area.height.saturating_sub(4) / (order.len() - first).max(1) as u16;
    let wide = area.width.saturating_sub(label_width) / columns.max(1) as u16;
    let zoom = rows.min(wide / CELL_WIDTH).clamp(1, MAX_ZOOM);
    let text_width = usize::from(CELL_WIDTH * zoom) - 1;
    let centered = |text: &str| format!("{text:^text_width$}");
    let corners = ["score % against", "score %"].into_iter();
    let mut corners = corners.filter(|words| words.len() <= usize::from(label_width));
    let corner = corners.next().unwrap_or_default();
    let matrix = PairMatrix {
        rows: first..order.len(),
        columns: from..from + columns,
        label_width,
        cell: (CELL_WIDTH * zoom, rows.clamp(1, 2 * zoom - 1)),
        corner: Span::styled(corner, theme.dim),
        heading: &|column| Span::styled(centered(&format!("{:>4}", column + 1)), theme.dim),
        label: &label,
        value: &|row, column| {
            let cell = cell(results, order[row], order[column], theme);
            Span::styled(centered(&cell.content), cell.style)
        },
    };
    matrix.draw(area, buf);
    if columns < order.len() {
        let more = format!("{} of {} columns", columns, order.len());
        put_right(buf, area, 0, Span::styled(more, theme.dim));
    }
    matrix.height()
}

/// The score of one player against another, in four characters.
fn cell<'a>(results: &RoundRobinResults, player: usize, other: usize, theme: &Theme) -> Span<'a> {
    // Both cells of a pair are of the same games: they add up to 100.
    let percent = |player, other| Some((results.share_against(player, other)? * 100.0).round());
    let shown = if player < other {
        percent(player, other)
    } else {
        percent(other, player).map(|percent| 100.0 - percent)
    };
    match shown.filter(|_| player != other) {
        Some(shown) => Span::styled(format!("{shown:>3.0} "), score_style(shown / 100.0, theme)),
        None if player == other => {
            let mark = theme.sign("  · ", "  . ");
            Span::styled(mark, theme.dim)
        }
        None => Span::styled("  - ", theme.dim),
    }
}
