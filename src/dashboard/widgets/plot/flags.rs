//! Labels within a plot: the names of reference lines, the best value and the changes of
//! parameters. They are drawn where nothing else is, so that neither a line nor another label is
//! covered.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use crate::format;
use crate::theme::Theme;
use crate::widgets::truncate::width;
use crate::widgets::y_axis::AxisRange;

use super::{Labels, Plot, ValueUnit};

/// What a label may cover: nothing, the grid, and reference lines; if there is no other room, also
/// upright ones.
const FREE: &[&str] = &[" ", "┈", ".", "╌", "-"];
const FREE_OR_UPRIGHT: &[&str] = &[" ", "┈", ".", "╌", "-", "╎", ":"];

/// Whether nothing is drawn in `length` cells from a column, relative to the plot, on.
fn is_free(
    (buf, free): (&Buffer, &[&str]),
    body: Rect,
    (x, row): (i32, i32),
    length: usize,
) -> bool {
    let is_inside = x >= 0 && row >= 0 && row < i32::from(body.height);
    let columns = x..x + length as i32;
    is_inside
        && columns.end <= i32::from(body.width)
        && columns.into_iter().all(|x| {
            let cell = buf.cell((body.x + x as u16, body.y + row as u16));
            cell.is_some_and(|cell| free.contains(&cell.symbol()))
        })
}

/// Writes a label at the first of some places that is free. Returns whether there is one.
fn put_free(
    (buf, free): (&mut Buffer, &[&str]),
    body: Rect,
    label: &str,
    style: Style,
    places: impl IntoIterator<Item = (i32, i32)>,
) -> bool {
    let length = width(label);
    let mut places = places.into_iter();
    let found = places.find(|place| is_free((&*buf, free), body, *place, length));
    if let Some((x, row)) = found {
        buf.set_string(body.x + x as u16, body.y + row as u16, label, style);
    }
    found.is_some()
}

/// Names a reference line: at its right end, at its left end, or in a row beside it that is not
/// that of another of the `lines`. Without room for the name, what follows its colon stands there.
pub(super) fn name_reference(
    (name, row): (&str, u16),
    lines: &[(u16, String)],
    theme: &Theme,
    body: Rect,
    buf: &mut Buffer,
) {
    let is_other = |beside: &i32| lines.iter().any(|(other, _)| i32::from(*other) == *beside);
    let row = i32::from(row);
    let shorter = name.split_once(':').map(|(_, rest)| rest);
    for name in std::iter::once(name).chain(shorter) {
        let last = i32::from(body.width) - width(name) as i32;
        let along = [0, 4, 2, 1, 3].map(|quarter| last - last * quarter / 4);
        let beside = [row + 1, row - 1].into_iter().filter(|row| !is_other(row));
        let rows = std::iter::once(row).chain(beside);
        let places = rows.flat_map(|row| along.map(|x| (x, row)));
        if put_free((&mut *buf, FREE), body, name, theme.text, places) {
            break;
        }
    }
}

/// Names an upright line: at its right or at its left, in the first row with room.
pub(super) fn name_beside(label: &str, column: u16, style: Style, body: Rect, buf: &mut Buffer) {
    let x = i32::from(column - body.x);
    let sides = [x + 1, x - width(label) as i32];
    let places = || (0..body.height).flat_map(|row| sides.map(|at| (at, row.into())));
    let _ = put_free((&mut *buf, FREE), body, label, style, places())
        || put_free((buf, FREE_OR_UPRIGHT), body, label, style, places());
}

impl Plot<'_> {
    /// Draws the flags of the best value and, on a chart that has one or that is zoomed, of the
    /// changes, the latest first, as far as there is room. Returns the columns of the latter.
    pub(super) fn flags(
        &self,
        range: AxisRange,
        theme: &Theme,
        body: Rect,
        buf: &mut Buffer,
    ) -> Vec<u16> {
        self.best_flag(range, theme, body, buf);
        let mut flagged = Vec::new();
        if self.best.is_none() && self.labels == Labels::Ends {
            return flagged;
        }
        for (column, label) in self.marks_by_column(body).into_iter().rev() {
            let x = i32::from(column - body.x);
            let label = format!(" {label} ");
            let left = x - width(&label) as i32;
            let pole = |row: i32, buf: &Buffer| is_free((buf, FREE), body, (x, row), 1);
            let rows = (0..i32::from(body.height) - 1).filter(|row| pole(*row, buf));
            let places: Vec<(i32, i32)> =
                rows.flat_map(|row| [(x + 1, row), (left, row)]).collect();
            for (at, row) in places {
                if put_free((&mut *buf, FREE), body, &label, theme.text, [(at, row)]) {
                    draw_pole(
                        Position::new(column, body.y + row as u16),
                        theme.key,
                        theme,
                        body,
                        buf,
                    );
                    flagged.push(column);
                    break;
                }
            }
        }
        flagged
    }

    /// Marks the best value, with its figure and its generation beside it.
    fn best_flag(&self, range: AxisRange, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let at =
            |(generation, value): (u64, f64)| (generation, self.track.place(generation), value);
        let best = self
            .best
            .map(at)
            .filter(|(_, place, _)| self.is_shown(*place));
        let Some((generation, place, value)) = best else {
            return;
        };
        let column = self.column(place, body);
        let row = body.height - 1 - range.row(value, body.height);
        let figure = match self.unit {
            ValueUnit::Share => format::percent(value),
            ValueUnit::Number => format::short(value),
        };
        let label = format!(" {figure} g{} ", format::whole(generation));
        let (x, y) = (i32::from(column - body.x), i32::from(row));
        let left = x - width(&label) as i32;
        let rows = [y, y - 1]
            .into_iter()
            .chain(y + 1..i32::from(body.height) - 1);
        let places = rows.flat_map(|row| [(x + 1, row), (left, row)]);
        put_free((&mut *buf, FREE), body, &label, theme.text, places);
        draw_pole(
            Position::new(column, body.y + row),
            theme.warning,
            theme,
            body,
            buf,
        );
        let glyph = Span::styled(theme.sign("◆", "@"), theme.warning);
        buf.set_span(column, body.y + row, &glyph, 1);
    }
}

/// Draws a thin line from a place down to the axis, where nothing else is.
fn draw_pole(from: Position, style: Style, theme: &Theme, body: Rect, buf: &mut Buffer) {
    let style = theme.frame(style);
    for y in from.y..body.bottom() {
        let is_free = |x: u16| {
            buf.cell((x, y))
                .is_some_and(|it| FREE.contains(&it.symbol()))
        };
        // A blank between two words is none.
        let is_within = !is_free(from.x.saturating_sub(1)) && !is_free(from.x + 1);
        if is_free(from.x)
            && !is_within
            && let Some(cell) = buf.cell_mut((from.x, y))
        {
            cell.set_symbol(theme.sign("┊", ":")).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::plot::{ChartMark, ReferenceLine, Series};
    use crate::widgets::x_axis::RunAxis;
    use finches_engine::metrics::Row;
    use finches_engine::metrics::history::History;

    /// A chart of shares with flags and reference lines, as rows of text.
    fn drawn(
        share: impl Fn(f64) -> f64,
        marks: &[u64],
        (width, height): (u16, u16),
    ) -> Vec<String> {
        let mut history = History::new(2);
        for generation in 0..200_u32 {
            let generation = f64::from(generation);
            history.push(&Row::from_values(vec![
                Some(generation),
                Some(share(generation)),
            ]));
        }
        let track = RunAxis::generations(&history);
        let series = Series {
            buckets: history.column(1),
            track,
            style: Theme::dark().series[0],
            games: None,
        };
        let mark = |&generation: &u64| ChartMark {
            generation,
            label: format!("rate {generation}"),
        };
        let line = |(value, name): (f64, &str)| ReferenceLine {
            value,
            name: name.to_owned(),
        };
        let plot = Plot {
            unit: ValueUnit::Share,
            marks: marks.iter().map(mark).collect(),
            references: [
                (0.35, "paper 35%"),
                (0.36, "chance 36%"),
                (1.0, "target 100%"),
            ]
            .map(line)
            .to_vec(),
            best: Some((120, share(120.0))),
            ..Plot::new(vec![series], track)
        };
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        plot.draw(&Theme::dark(), area, &mut buf);
        let rows = buf.content.chunks(width.into());
        rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect())
            .collect()
    }

    #[test]
    fn labels_are_whole_and_what_has_no_room_for_one_is_a_mark_on_the_axis() {
        let marks = [20, 25, 30, 100, 190];
        let wave = |generation: f64| 0.5 + 0.5 * (generation / 9.0).sin();
        let curves: [&dyn Fn(f64) -> f64; 3] = [&|_| 1.0, &|_| 0.35, &wave];
        for curve in curves {
            for size in [(40, 9), (76, 18), (100, 30)] {
                let rows = drawn(curve, &marks, size);
                let text = rows.join("\n");
                // Only among steep waves is there no room in a small chart.
                let has_room = (curve(3.0) - curve(9.0)).abs() < 1e-9 || size.1 > 18;
                for (word, name) in [
                    ("paper", "paper 35%"),
                    ("chance", "chance 36%"),
                    ("target", "target 100%"),
                    ("rate 190", "rate 190"),
                ] {
                    let whole = text.matches(name).count();
                    assert_eq!(text.matches(word).count(), whole, "{name}:\n{text}");
                    assert!(whole == 1 || !has_room, "{name} in {size:?}:\n{text}");
                }
                let flags = text.matches("rate").count();
                let figures = marks.map(|mark| text.matches(&format!("rate {mark}")).count());
                assert_eq!(flags, figures.iter().sum::<usize>(), "{text}");
                assert!(figures.iter().all(|count| *count <= 1), "{text}");
                let axis = text.matches('▲').count();
                assert!(axis >= 4 && text.contains('◆'), "{text}");
                assert!(text.contains("g120") || !has_room, "{text}");
            }
        }
    }
}
