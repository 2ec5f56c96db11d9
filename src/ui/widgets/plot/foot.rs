//! The foot of a chart: what lies at both ends of its horizontal axis and between them, and the marks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::ui::theme::Theme;
use crate::ui::widgets::across::{self, ends};
use crate::ui::widgets::text::put;

use super::{Labels, Mark, Plot};

impl Plot<'_> {
    /// The places at both ends, and the marks between them, the latest with its label.
    pub(super) fn axis(&self, theme: &Theme, body: Rect, buf: &mut Buffer) {
        let row = body.height;
        let line = Rect {
            height: row + 1,
            ..body
        };
        let (first, last) = ends(self.over, self.window.0, self.window.1);
        let place = |mark: &Mark| self.track.place(mark.generation);
        let marks = || self.marks.iter().filter(|mark| self.is_shown(place(mark)));
        let columns = marks().map(|mark| self.column(place(mark), body));
        let mut columns: Vec<u16> = columns.collect();
        columns.sort_unstable();
        let labels = (first.len() as u16, last.len() as u16);
        let (left, right) = beside(&columns, labels, (body.x, body.right()));
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
            let width = label.chars().count() as u16;
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

    /// Places between the ends of the axis, at its quarters, where they are not in the way.
    fn between(&self, theme: &Theme, (start, end): (u16, u16), line: Rect, buf: &mut Buffer) {
        for quarter in [0.25, 0.5, 0.75] {
            let place = self.window.0 + (self.window.1 - self.window.0) * quarter;
            let label = across::label(self.over, place);
            let width = label.len() as u16;
            let x = self.column(place, line).saturating_sub(width / 2);
            if x > start && x + width < end {
                let at = Rect { x, width, ..line };
                put(buf, at, line.height - 1, Span::styled(label, theme.dim));
            }
        }
    }
}

/// Where labels of these widths begin at the left and the right edge: beside the marks in their way, unless that takes them
/// into each other.
fn beside(marks: &[u16], (left, right): (u16, u16), edges: (u16, u16)) -> (u16, u16) {
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
    fn what_stands_at_the_ends_of_an_axis_gives_way_to_marks() {
        for (marks, expected) in [
            (&[][..], (5, 37)),
            (&[20], (5, 37)),
            (&[7], (9, 37)),
            (&[4, 5, 7, 39], (9, 35)),
            (&[10, 15, 20, 25, 30, 35], (5, 37)),
        ] {
            let found = beside(marks, (11, 3), (5, 40));
            assert_eq!(found, expected, "{marks:?}");
        }
    }
}
