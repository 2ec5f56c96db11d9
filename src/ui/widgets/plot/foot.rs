//! The labels and marks of a plot's x-axis.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::ui::theme::Theme;
use crate::ui::widgets::text::put;
use crate::ui::widgets::truncate;
use crate::ui::widgets::x_axis::{self, end_labels};

use super::{ChartMark, Labels, Plot};

impl Plot<'_> {
    /// Draws the labels at both ends and the marks between them, with the label of a mark if it fits.
    pub(super) fn axis(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let row = body.height;
        let line = Rect {
            height: row + 1,
            ..body
        };
        let (first, last) = end_labels(self.x_unit, self.window.0, self.window.1);
        let place = |mark: &ChartMark| self.track.place(mark.generation);
        let marks = || self.marks.iter().filter(|mark| self.is_shown(place(mark)));
        let columns = marks().map(|mark| self.column(place(mark), body));
        let mut columns: Vec<u16> = columns.collect();
        columns.sort_unstable();
        let labels = (first.len() as u16, last.len() as u16);
        let (left, right) = avoid_marks(&columns, labels, (body.x, body.right()));
        let from = |x: u16| Rect {
            x,
            width: line.right().saturating_sub(x),
            ..line
        };
        put(buf, from(left), row, Span::styled(first, theme.dim));
        put(buf, from(right), row, Span::styled(last, theme.dim));
        let glyph = if theme.ascii { "^" } else { "▲" };
        let (start, mut end) = (left + labels.0 + 1, right.saturating_sub(1));
        if self.labels != Labels::Ends && columns.is_empty() {
            self.between(theme, (start, end), line, buf);
        }
        for mark in marks().rev() {
            let x = self.column(place(mark), body);
            let at = Rect {
                x,
                width: 1,
                ..line
            };
            put(buf, at, row, Span::styled(glyph, theme.key));
            let label = format!(" {}", mark.label);
            let width = truncate::width(&label) as u16;
            if x + 1 + width <= end && x >= start {
                let at = Rect {
                    x: x + 1,
                    width,
                    ..line
                };
                put(buf, at, row, Span::styled(label, theme.dim));
                end = x;
            } else {
                end = end.min(x);
            }
        }
    }

    /// Draws labels at the quarters of the axis, if they fit.
    fn between(&self, theme: &Theme, (start, end): (u16, u16), line: Rect, buf: &mut Buffer) {
        for quarter in [0.25, 0.5, 0.75] {
            let place = self.window.0 + (self.window.1 - self.window.0) * quarter;
            let label = x_axis::label(self.x_unit, place);
            let width = label.len() as u16;
            let x = self.column(place, line).saturating_sub(width / 2);
            if x > start && x + width < end {
                let at = Rect { x, width, ..line };
                put(buf, at, line.height - 1, Span::styled(label, theme.dim));
            }
        }
    }
}

/// The positions of the left and the right label with these widths. They make room for marks, unless they would then overlap.
fn avoid_marks(marks: &[u16], (left, right): (u16, u16), edges: (u16, u16)) -> (u16, u16) {
    let over = |x: u16, width: u16, mark: u16| (x..x + width).contains(&mark);
    let at_edges = (edges.0, edges.1.saturating_sub(right).max(edges.0));
    let first = marks.iter().fold(
        at_edges.0,
        |x, &mark| {
            if over(x, left, mark) { mark + 2 } else { x }
        },
    );
    let last = marks.iter().rev().fold(at_edges.1, |x, &mark| {
        if over(x, right, mark) {
            mark.saturating_sub(right + 1)
        } else {
            x
        }
    });
    if first + left < last {
        (first, last)
    } else {
        at_edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_at_the_ends_make_room_for_marks() {
        for (marks, expected) in [
            (&[][..], (5, 37)),
            (&[20], (5, 37)),
            (&[7], (9, 37)),
            (&[4, 5, 7, 39], (9, 35)),
            (&[10, 15, 20, 25, 30, 35], (5, 37)),
        ] {
            let found = avoid_marks(marks, (11, 3), (5, 40));
            assert_eq!(found, expected, "{marks:?}");
        }
    }
}
