//! What differs between the shown lines: their parameters, then their results.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::format;
use crate::model::run::RunModel;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::series_marker::{line_style, marker};
use crate::widgets::truncate::truncate;
use finches_runs::storage::run_filter::RunFacts;

use super::list::RunRow;
use super::parameters::ParameterDifference;
use super::{RunsScreen, view};

/// The parameters that belong to no part of a preset.
const WITHOUT_PARTS: [&str; 5] = ["game", "genome", "agent", "generations", "until"];

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
    [parameters(screen), results(screen, live)]
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

/// The parameters in which the lines differ; `various` stands for a line whose runs differ.
fn parameters(screen: &RunsScreen) -> Vec<ParameterDifference> {
    let entries = screen.list().entries();
    let facts = |line: &RunRow| -> Vec<&RunFacts> {
        let members = line.members.iter();
        members
            .filter_map(|&place| entries[place].facts.as_ref())
            .collect()
    };
    let lines: Vec<Vec<&RunFacts>> = screen.figures.lines.iter().map(facts).collect();
    let others = RunFacts::differing(&lines.concat());
    let keys = WITHOUT_PARTS.map(str::to_owned).into_iter().chain(others);
    let difference = |key: String| {
        let value = |line: &Vec<&RunFacts>| {
            let mut values = line.iter().map(|run| run.text(&key));
            let first = values.next()?;
            let is_same = values.all(|value| value == first);
            let various = || Some("various".to_owned());
            if is_same {
                first.map(|text| format::parameter(&text))
            } else {
                various()
            }
        };
        let values = lines.iter().map(value).collect();
        ParameterDifference::of(key, values)
    };
    keys.filter_map(difference).collect()
}

/// The columns in whose latest values the lines differ.
fn results(screen: &RunsScreen, live: Option<&RunModel>) -> Vec<ParameterDifference> {
    let difference = |column: finches_engine::metrics::Column| {
        let latest = |line: &RunRow| screen.list().mean(line, &column.name);
        let values = screen.figures.lines.iter().map(latest);
        let values = values.map(|value| Some(column.figure(value?)));
        let values = values.collect();
        ParameterDifference::of(column.label, values)
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
