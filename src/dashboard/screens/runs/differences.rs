//! What differs between the shown lines: their parameters, then their results.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::truncate::truncate;

use super::list::RunRow;
use super::parameters::{ParameterDifference, RunParameters, differences};
use super::{RunsScreen, view};

/// Draws the lines, then a row for each parameter and each result in which they differ.
pub(super) fn draw(
    screen: &RunsScreen,
    live: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let frame = Frame {
        bottom_right: Line::styled("latest values; of groups, means", theme.dim),
        ..Frame::titled("Differences")
    };
    let parts = all(screen, live);
    view::draw_lines(screen, frame, theme, (area, buf), |width| {
        let mut lines = names(screen, width, theme);
        for (title, found) in ["Parameters", "Results"].into_iter().zip(&parts) {
            let count = format!("{title}: {}", format::whole(found.len() as u64));
            lines.extend([Line::default(), Line::styled(count, theme.strong)]);
            lines.extend(found.iter().map(|one| difference_line(one, width, theme)));
        }
        lines
    });
}

/// The parameters and the results in which the shown lines differ.
fn all(screen: &RunsScreen, live: Option<&RunModel>) -> [Vec<ParameterDifference>; 2] {
    let lines = screen.figures.lines.iter();
    let of_lines: Vec<RunParameters> = lines.map(|line| parameters(screen, line, live)).collect();
    let parameters = differences(&of_lines.iter().collect::<Vec<_>>());
    [parameters, results(screen, live)]
}

/// The number of lines below the names.
pub(super) fn length(screen: &RunsScreen, live: Option<&RunModel>) -> usize {
    let found = all(screen, live);
    found.iter().map(|part| part.len() + 2).sum()
}

/// The names of the lines with their markers, as many in a row as fit.
fn names<'a>(screen: &RunsScreen, width: usize, theme: &Theme) -> Vec<Line<'a>> {
    let mut rows = vec![Line::default()];
    for (index, line) in screen.figures.lines.iter().enumerate() {
        let sign = format!("{} ", marker(index, theme));
        let name = Span::styled(format!("{}   ", screen.label(line)), theme.text);
        let row = rows.last().map_or(0, Line::width);
        if row > 0 && row + 2 + name.width() > width {
            rows.push(Line::default());
        }
        if let Some(row) = rows.last_mut() {
            row.push_span(Span::styled(sign, line_style(index, theme)));
            row.push_span(name);
        }
    }
    rows
}

/// The parameters of a line.
fn parameters(screen: &RunsScreen, line: &RunRow, live: Option<&RunModel>) -> RunParameters {
    let members = line.members.iter();
    let kinds = members.filter_map(|&place| screen.set().kind(place, live));
    let mut found: Vec<Arc<RunParameters>> = kinds.map(|kind| kind.parameters).collect();
    // Runs of a preset share them.
    found.dedup_by(|one, other| Arc::ptr_eq(one, other));
    RunParameters::common(&found)
}

/// The columns in whose latest values the lines differ.
fn results(screen: &RunsScreen, live: Option<&RunModel>) -> Vec<ParameterDifference> {
    let difference = |column: finches_engine::metrics::Column| {
        let latest = |line: &RunRow| screen.list().mean(line, &column.name);
        let values = screen.figures.lines.iter().map(latest);
        let values = values.map(|value| Some(column.figure(value?)));
        let values: Vec<Option<String>> = values.collect();
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        differs.then_some(ParameterDifference {
            key: column.label,
            values,
        })
    };
    let columns = screen.columns(live).into_iter();
    columns.filter_map(difference).collect()
}

/// A parameter with the values of the lines; those with the same value share it.
fn difference_line<'a>(difference: &ParameterDifference, width: usize, theme: &Theme) -> Line<'a> {
    let name = (width * 2 / 5).clamp(16, 44);
    let mut line = Line::styled(
        format!("{:<name$} ", truncate(&difference.name(), name)),
        theme.text,
    );
    let room = width.saturating_sub(name + 2) / difference.values.len().max(1);
    for (places, value) in difference.grouped_values(room.saturating_sub(4).max(4)) {
        line.push_span(if places.contains(&0) { "" } else { "  " });
        for index in places {
            let sign = format!("{} ", marker(index, theme));
            line.push_span(Span::styled(sign, line_style(index, theme)));
        }
        line.push_span(Span::styled(value, theme.strong));
    }
    line
}
