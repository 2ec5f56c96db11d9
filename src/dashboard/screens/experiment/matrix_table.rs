//! The table of games and schemes so far: a row for each scheme, a column for each game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{below, inset, put};
use crate::widgets::truncate::{truncate, widest};
use finches_lab::experiment::matrix::best::BestScheme;
use finches_lab::experiment::matrix::results::{CellResult, MatrixResults, SchemeResult};

use super::ExperimentScreen;

/// The widest column of a game.
const MOST_WIDTH: usize = 16;

/// The narrowest: a mean and a rank of two digits.
const LEAST_WIDTH: usize = 9;

/// What stands where nothing is known yet.
const MISSING: &str = "-";

/// The preferred height of the pane.
pub(super) fn height(results: &MatrixResults) -> u16 {
    results.schemes.len() as u16 + 3
}

/// Draws the table; the row of the selected preset stays visible.
pub(super) fn view(
    (model, results): (&ExperimentScreen, &MatrixResults),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let selected = results.cells.get(model.selected);
    let (row, rows) = place(results, selected);
    let mut frame =
        Frame::titled("Schemes by mean rank: the mean of the last champions, and its rank");
    frame.bottom_right = Line::from(vec![
        Span::styled("best of a game", theme.good),
        Span::styled(", not clearly worse", theme.strong),
        Span::styled(", clearly worse", theme.dim),
    ]);
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let layout = layout(results, inner.width.into());
    put(buf, inner, 0, layout.headings(theme.dim));
    let body = below(inner, 1);
    let list = ScrollList::new(rows, row);
    list.draw(theme, body, buf, |row| {
        let cells = cells(results, &results.schemes[row], selected, theme);
        layout.row(cells)
    });
    list.scrollbar(theme, body.height, area, buf);
}

/// The row of the selected scheme, and the number of rows.
fn place(results: &MatrixResults, selected: Option<&CellResult>) -> (usize, usize) {
    let mut schemes = results.schemes.iter();
    let row = schemes.position(|one| selected.is_some_and(|cell| cell.scheme == one.scheme));
    (row.unwrap_or(0), results.schemes.len())
}

fn layout(results: &MatrixResults, room: usize) -> TableLayout<'static> {
    let names = results.schemes.iter().map(|one| one.scheme.as_str());
    let name = widest(names.chain(["scheme"]));
    let games = results.games();
    let used = 4 + 2 + name + 2 * games.len();
    let each = room.saturating_sub(used) / games.len().max(1);
    let each = each.clamp(LEAST_WIDTH, MOST_WIDTH);
    let games = games.into_iter().map(|game| {
        let heading = game.replace('_', " ");
        TableColumn::number(truncate(&heading, each), each)
    });
    let first = [
        TableColumn::number("rank", 4),
        TableColumn::words("scheme", name),
    ];
    let columns = first.into_iter().chain(games).collect();
    TableLayout { columns, gap: 2 }.fitted(room)
}

fn cells(
    results: &MatrixResults,
    scheme: &SchemeResult,
    selected: Option<&CellResult>,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let rank = scheme.mean_rank;
    let rank = rank.map_or_else(|| MISSING.to_owned(), |rank| format!("{rank:.1}"));
    let mut cells = vec![
        Span::styled(rank, theme.text),
        Span::styled(scheme.scheme.clone(), theme.text),
    ];
    for game in results.games() {
        let mut places = results.of_game(game);
        let cell = places.find(|cell| cell.scheme == scheme.scheme);
        let best = results.best.iter().find(|best| best.game == game);
        let is_selected = cell.is_some() && cell == selected;
        let style = if is_selected {
            theme.selection
        } else {
            style(&scheme.scheme, best, theme)
        };
        cells.push(Span::styled(cell.map_or_else(String::new, words), style));
    }
    cells
}

/// The mean and its rank.
fn words(cell: &CellResult) -> String {
    match cell.mean.zip(cell.rank) {
        Some((mean, rank)) => format!("{mean:.2} ({})", rank.floor()),
        None => MISSING.to_owned(),
    }
}

fn style(scheme: &str, best: Option<&BestScheme>, theme: &Theme) -> Style {
    match best {
        Some(best) if best.scheme == scheme => theme.good,
        Some(best) if best.rivals.iter().any(|rival| rival == scheme) => theme.strong,
        _ => theme.dim,
    }
}
