//! Means by the values of two parameters in which runs differ, as a map of colors.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::theme::{ColorDepth, Theme};
use crate::widgets::frame::{Focus, Frame};
use crate::widgets::matrix::PairMatrix;
use crate::widgets::text::{below, put_all};
use crate::widgets::truncate::{fit, pad_left, truncate, widest, wrapped};

use finches_engine::metrics::csv_text::csv_field;
use finches_lab::experiment::table::bound_sign;

use super::RunsScreen;
use super::parameters::in_words;
use super::sweep::SweepView;

/// The narrowest and the widest cell.
const CELL: (u16, u16) = (7, 28);

/// The highest cell.
const MOST_ROWS: u16 = 7;

/// The rows that a map takes with its notes, if there is one.
pub(super) fn length(sweep: &SweepView<'_>) -> Option<usize> {
    let (a, b) = sweep.pair()?;
    Some(sweep.results.pair(a, b).rows.len() * usize::from(MOST_ROWS) + 7)
}

pub(super) fn draw(screen: &RunsScreen, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let sweep = screen.sweep();
    let shown = sweep.and_then(|sweep| sweep.pair().map(|pair| (sweep, pair)));
    let Some((sweep, (a, b))) = shown else {
        let inner = Frame::titled("Map").pane(Focus::Elsewhere, theme, area, buf);
        let words = match screen.figures.asked {
            Some(_) => "working it out",
            None => "A map needs finished runs that differ in two parameters independently.",
        };
        put_all(buf, inner, wrapped(words, inner.width.into(), theme.dim));
        return;
    };
    let sweep = &sweep;
    let [down, across] = [a, b].map(|place| in_words(&sweep.results.parameters[place]));
    let means = sweep.results.pair(a, b);
    let measure = sweep.measure();
    // Sixteen colors are too few for an order that can be seen.
    let is_filled = theme.heat.is_some() && theme.spec.depth != ColorDepth::Named;
    let best = if is_filled { "brightest" } else { "bold" };
    let frame = Frame {
        bottom_right: Line::styled(format!("{measure}; {best}: best"), theme.dim),
        ..Frame::titled(format!("Mean by {down} (down) and {across} (across)"))
    };
    let inner = frame.pane(Focus::Elsewhere, theme, area, buf);
    let labels = widest(means.rows.iter().map(String::as_str)) as u16;
    let label_width = labels.min(inner.width / 3) + 2;
    let room = inner.width.saturating_sub(label_width);
    let fitting = |count: usize, room: u16, (least, most): (u16, u16)| {
        (room / count.max(1) as u16).clamp(least, most)
    };
    let width = fitting(means.columns.len(), room, CELL);
    let notes = notes(sweep, theme, inner.width);
    let left = inner.height.saturating_sub(2 + notes.len() as u16);
    let height = fitting(means.rows.len(), left, (1, MOST_ROWS));
    let (columns, rows) = (room / width, inner.height.saturating_sub(1) / height);
    let value = |row: usize, column: usize| {
        let Some(mean) = means.means[row][column] else {
            return Span::styled(pad_left("- ", width.into()), theme.dim);
        };
        let levels = [(a, &*means.rows[row]), (b, &*means.columns[column])];
        let sign = bound_sign(sweep.results.is_bound(&levels));
        let text = format!("{sign}{}", sweep.figure(mean));
        let text = format!("{} ", pad_left(&text, (width - 1).into()));
        let share = sweep.goodness(mean);
        let plain = if share > 0.75 {
            theme.strong
        } else {
            theme.text
        };
        let fill = theme.heat(share).filter(|_| is_filled);
        Span::styled(text, fill.unwrap_or(plain))
    };
    let matrix = PairMatrix {
        rows: 0..means.rows.len().min(rows.into()),
        columns: 0..means.columns.len().min(columns.into()),
        label_width,
        cell: (width, height),
        corner: Span::raw(""),
        heading: &|column| {
            let name = &means.columns[column];
            let name = format!(
                "{} ",
                pad_left(&truncate(name, (width - 1).into()), (width - 1).into())
            );
            Span::styled(name, theme.dim)
        },
        label: &|row| {
            let name = fit(&means.rows[row], (label_width - 2).into());
            Line::styled(name, theme.dim)
        },
        value: &value,
    };
    matrix.draw(inner, buf);
    put_all(buf, below(inner, matrix.height() + 1), notes);
}

/// The means for other programs, by the values of the two parameters.
pub(super) fn records(sweep: &SweepView<'_>, (a, b): (usize, usize)) -> Vec<Vec<String>> {
    let means = sweep.results.pair(a, b);
    let parameter = |place: usize| sweep.results.parameters[place].clone();
    let figures = ["mean", "is_lower_bound"].map(str::to_owned);
    let mut records = vec![[vec![parameter(a), parameter(b)], figures.to_vec()].concat()];
    for (row, found) in means.rows.iter().zip(&means.means) {
        for (column, mean) in means.columns.iter().zip(found) {
            let is_bound = sweep.results.is_bound(&[(a, row), (b, column)]).to_string();
            records.push(vec![
                row.clone(),
                column.clone(),
                csv_field(*mean),
                is_bound,
            ]);
        }
    }
    records
}

/// What the two strongest parameters explain together.
fn notes(sweep: &SweepView<'_>, theme: &Theme, width: u16) -> Vec<Line<'static>> {
    let interaction = sweep.results.interaction.as_ref();
    let Some(interaction) = interaction.filter(|_| sweep.chosen.is_none()) else {
        return Vec::new();
    };
    let mut words = format!(
        "Together the two strongest parameters {}.",
        interaction.words()
    );
    if sweep.results.has_parts() {
        words += " The better combinations had more generations.";
    }
    wrapped(&words, width.into(), theme.dim)
}
