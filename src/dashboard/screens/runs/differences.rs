//! What differs between the shown lines: their parameters, then their results.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::text::{below, inset, put};
use crate::widgets::truncate::truncate;

use super::list::RunRow;
use super::parameters::{ParameterDifference, RunParameters, differences};
use super::{RunsScreen, RunsTarget};
use crate::mouse::Regions;

/// Draws the lines, then a row for each parameter and each result in which they differ.
pub(super) fn draw_differences(
    screen: &RunsScreen,
    live: Option<&RunModel>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Regions<RunsTarget> {
    let lines = &screen.figures.lines;
    let of_lines: Vec<RunParameters> = lines
        .iter()
        .map(|line| parameters(screen, line, live))
        .collect();
    let parameters = differences(&of_lines.iter().collect::<Vec<_>>());
    let results = results(screen, live);
    let frame = Frame {
        bottom_right: Line::styled("latest values; of groups, means", theme.dim),
        ..Frame::titled("Differences")
    };
    let mut inner = inset(frame.draw(Focus::Elsewhere, theme, area, buf), 1);
    let width = usize::from(inner.width);
    let mut names = Line::default();
    for (index, line) in lines.iter().enumerate() {
        let style = line_style(index, theme);
        names.push_span(Span::styled(format!("{} ", marker(index, theme)), style));
        names.push_span(Span::styled(format!("{}   ", line.name), theme.text));
    }
    put(buf, inner, 0, names);
    inner = below(inner, 2);
    let half = usize::from(inner.height) / 2;
    let room = half.max(usize::from(inner.height).saturating_sub(results.len() + 4));
    for (title, all, room) in [
        ("Parameters", &parameters, room),
        ("Results", &results, usize::MAX),
    ] {
        let room = room.min(inner.height.into()).saturating_sub(2);
        let count = format!("{title}: {}", format::whole(all.len() as u64));
        put(buf, inner, 0, Span::styled(count, theme.strong));
        let hidden = all.len().saturating_sub(room);
        let shown = all.len().min(room) - usize::from(hidden > 0 && room > 0);
        for (row, one) in (1..).zip(&all[..shown]) {
            put(buf, inner, row, difference_line(one, width, theme));
        }
        if hidden > 0 && room > 0 {
            let words = format!("and {} more", hidden + 1);
            put(buf, inner, shown as u16 + 1, Span::styled(words, theme.dim));
        }
        inner = below(inner, all.len().min(room) as u16 + 2);
    }
    Regions::default()
}

/// The parameters of a line.
fn parameters(screen: &RunsScreen, line: &RunRow, live: Option<&RunModel>) -> RunParameters {
    let mut found: Vec<Arc<RunParameters>> = Vec::new();
    for kind in line
        .members
        .iter()
        .filter_map(|&place| screen.set().kind(place, live))
    {
        if !found
            .iter()
            .any(|known| Arc::ptr_eq(known, &kind.parameters))
        {
            found.push(kind.parameters);
        }
    }
    RunParameters::common(&found)
}

/// The columns in whose latest values the lines differ.
fn results(screen: &RunsScreen, live: Option<&RunModel>) -> Vec<ParameterDifference> {
    let difference = |column: finches_engine::metrics::Column| {
        let latest = |line: &RunRow| screen.list().mean(line, &column.name);
        let values = screen
            .figures
            .lines
            .iter()
            .map(|line| latest(line).map(|value| format::figure(&column, value)));
        let values: Vec<Option<String>> = values.collect();
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        differs.then_some(ParameterDifference {
            key: column.label,
            values,
        })
    };
    screen
        .columns(live)
        .into_iter()
        .filter_map(difference)
        .collect()
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
        for index in places {
            let sign = format!("{} ", marker(index, theme));
            line.push_span(Span::styled(sign, line_style(index, theme)));
        }
        line.push_span(Span::styled(format!("{value}  "), theme.strong));
    }
    line
}
