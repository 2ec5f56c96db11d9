//! The combinations of a sweep from the best to the worst, as far as runs are finished.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::mouse::Regions;
use crate::screens::experiment::ExperimentScreen;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::list::ScrollList;
use crate::widgets::table::{TableColumn, TableLayout};
use crate::widgets::text::{below, inset, put};
use crate::widgets::truncate::{truncate, widest};
use finches_lab::experiment::sweep::results::CombinationResult;

use super::{SweepView, short};

/// The widest column of a parameter.
const MOST_WIDTH: usize = 14;

/// The preferred height of the pane.
pub(in crate::screens::experiment) fn height(sweep: &SweepView) -> u16 {
    sweep.results.combinations.len().min(1000) as u16 + 3
}

/// Draws the table; the selected combination stays visible. Returns the combinations that can be
/// clicked.
pub(in crate::screens::experiment) fn view(
    (model, sweep): (&ExperimentScreen, &SweepView),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<usize> {
    let results = &sweep.results;
    let order = if results.is_lowest_best {
        "lowest first"
    } else {
        "highest first"
    };
    let title = format!("Combinations: {}, {order}", results.measure);
    let room = usize::from(area.width).saturating_sub(6);
    let all = &results.combinations;
    let selected = all
        .iter()
        .position(|one| one.index == model.selected)
        .unwrap_or(0);
    let mut frame = Frame::titled(truncate(&title, room));
    frame.bottom_right = Line::styled(format!("{} of {}", selected + 1, all.len()), theme.dim);
    let inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let layout = layout(sweep, inner.width.into());
    let has_parts = results.has_parts();
    put(buf, inner, 0, layout.headings(theme.dim));
    let body = below(inner, 1);
    let list = ScrollList::selecting(all.len(), selected);
    list.draw(theme, body, buf, |row| {
        let cells = cells(row, (&all[row], has_parts), theme);
        layout.row(cells.into_iter().map(|text| Span::styled(text, theme.text)))
    });
    list.scrollbar(theme, body.height, area, buf);
    list.regions(body, |row| all[row].index)
}

fn layout(sweep: &SweepView, room: usize) -> TableLayout<'static> {
    let results = &sweep.results;
    let mut columns = vec![TableColumn::number("rank", 4)];
    for (place, name) in results.parameters.iter().enumerate() {
        let values = results
            .combinations
            .iter()
            .map(|one| one.values[place].as_str());
        let width = widest(values.chain([name.as_str()])).min(MOST_WIDTH);
        columns.push(TableColumn::number(truncate(name, width), width));
    }
    columns.push(TableColumn::number("runs", 5));
    let generations = || TableColumn::number("generations", 11);
    columns.extend(results.has_parts().then(generations));
    columns.extend([
        TableColumn::number("mean", 8),
        TableColumn::number("95 % CI of mean", 17),
        TableColumn::number("median", 8),
        TableColumn::number("min", 8),
        TableColumn::number("max", 8),
    ]);
    let has_target = results.combinations.iter().any(|one| one.solved.is_some());
    columns.extend(has_target.then(|| TableColumn::number("solved", 6)));
    TableLayout { columns, gap: 2 }.fitted(room)
}

/// The texts of a row.
fn cells(row: usize, (one, has_parts): (&CombinationResult, bool), theme: &Theme) -> Vec<String> {
    let bound = match (one.is_lower_bound, theme.ascii) {
        (false, _) => "",
        (true, true) => ">",
        (true, false) => "≥",
    };
    let mut cells = vec![(row + 1).to_string()];
    cells.extend(one.values.iter().cloned());
    cells.push(one.n.to_string());
    cells.extend(has_parts.then(|| one.generations.to_string()));
    let Some(all) = one.all else {
        cells.extend([const { String::new() }; 6]);
        return cells;
    };
    let figure = |value: f64| format!("{bound}{}", short(value));
    cells.push(figure(all.mean));
    cells.push(format!(
        "{} to {}",
        short(all.mean_low),
        short(all.mean_high)
    ));
    cells.extend([all.median, all.min, all.max].map(figure));
    cells.push(
        one.solved
            .map_or_else(String::new, |count| count.to_string()),
    );
    cells
}
