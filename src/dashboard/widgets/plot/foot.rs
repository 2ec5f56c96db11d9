//! The labels and marks of a plot's x-axis.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::theme::Theme;
use crate::widgets::text::{put, right_of};
use crate::widgets::truncate;
use crate::widgets::x_axis::{self, end_labels};
use finches_engine::metrics::progress_unit::ProgressUnit;

use super::{Labels, Plot};

impl Plot<'_> {
    /// Draws the labels at both ends and the marks between them, with the label of a mark if it
    /// has no flag and if it fits. A mark over a label is drawn in the row above it.
    pub(super) fn axis(&self, flagged: &[u16], theme: &Theme, body: Rect, buf: &mut Buffer) {
        let row = body.height;
        let line = Rect {
            height: row + 1,
            ..body
        };
        let from = |x: u16| right_of(line, x - line.x);
        let (first, last) = end_labels(self.x_unit, self.window.0, self.window.1);
        let right = body.right().saturating_sub(last.len() as u16).max(body.x);
        let (start, mut end) = (body.x + first.len() as u16 + 1, right.saturating_sub(1));
        put(buf, line, row, Span::styled(first, theme.dim));
        put(buf, from(right), row, Span::styled(last, theme.dim));
        let marks = self.marks_by_column(body);
        if self.labels != Labels::Ends && marks.is_empty() {
            self.between(theme, (start, end), line, buf);
        }
        let glyph = theme.sign("▲", "^");
        // Marks without labels stand in one row.
        let are_above = marks.iter().any(|(x, _)| !(start..right).contains(x))
            && marks.values().all(String::is_empty);
        for (x, label) in marks.into_iter().rev() {
            let is_free = (start..right).contains(&x) && !are_above;
            let at = if is_free { row } else { row.saturating_sub(1) };
            put(buf, from(x), at, Span::styled(glyph, theme.key));
            let at = if is_free { x + 2 } else { start.max(x) };
            if !flagged.contains(&x) && at + truncate::width(&label) as u16 <= end {
                put(buf, from(at), row, Span::styled(label, theme.dim));
            }
            end = end.min(x.saturating_sub(1).max(start));
        }
    }

    /// The columns with marks, from left to right, and the labels of all marks there.
    pub(super) fn marks_by_column(&self, body: Rect) -> BTreeMap<u16, String> {
        let mut columns: BTreeMap<u16, String> = BTreeMap::new();
        for mark in &self.marks {
            let place = self.track.place(mark.generation);
            if self.is_shown(place) {
                let labels = columns.entry(self.column(place, body)).or_default();
                let comma = if labels.is_empty() { "" } else { ", " };
                *labels = format!("{labels}{comma}{}", mark.label);
            }
        }
        columns
    }

    /// Draws labels at the quarters of the axis, if they fit.
    fn between(&self, theme: &Theme, (start, end): (u16, u16), line: Rect, buf: &mut Buffer) {
        for quarter in [0.25, 0.5, 0.75] {
            let place = self.window.0 + (self.window.1 - self.window.0) * quarter;
            // The label is that of a generation, so it stands there.
            let place = match self.x_unit {
                ProgressUnit::Generations => place.round(),
                _ => place,
            };
            let label = x_axis::label(self.x_unit, place);
            let width = label.len() as u16;
            let x = self.column(place, line).saturating_sub(width / 2);
            if x > start && x + width < end {
                let at = right_of(line, x - line.x);
                put(buf, at, line.height - 1, Span::styled(label, theme.dim));
            }
        }
    }
}
