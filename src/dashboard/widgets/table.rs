//! The columns of a table: their headings and widths, and rows of cells cut and padded to them.

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::widgets::truncate::{fit, pad_left, truncate};

/// The side of a column that its cells are aligned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellAlignment {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A column and its width.
#[derive(Clone, Debug)]
pub struct TableColumn<'a> {
    pub heading: Cow<'a, str>,
    pub width: usize,
    pub alignment: CellAlignment,
}

/// The columns of a table, with `gap` spaces between them.
#[derive(Clone, Debug)]
pub struct TableLayout<'a> {
    pub columns: Vec<TableColumn<'a>>,
    pub gap: usize,
}

impl<'a> TableColumn<'a> {
    /// A column of words.
    pub fn words(heading: impl Into<Cow<'a, str>>, width: usize) -> Self {
        Self {
            heading: heading.into(),
            width,
            alignment: CellAlignment::Left,
        }
    }

    /// A column of numbers.
    pub fn number(heading: impl Into<Cow<'a, str>>, width: usize) -> Self {
        Self {
            alignment: CellAlignment::Right,
            ..Self::words(heading, width)
        }
    }

    /// Text in exactly the width of the column.
    pub fn cell(&self, text: &str) -> String {
        match self.alignment {
            CellAlignment::Left => fit(text, self.width),
            CellAlignment::Right => pad_left(&truncate(text, self.width), self.width),
        }
    }
}

impl TableLayout<'_> {
    /// The width of all columns.
    pub fn width(&self) -> usize {
        let widths = self.columns.iter().map(|column| column.width);
        let gaps = self.gap * self.columns.len().saturating_sub(1);
        widths.sum::<usize>() + gaps
    }

    /// Drops columns from the last until the rest fits into `room`.
    #[must_use]
    pub fn fitted(mut self, room: usize) -> Self {
        while self.width() > room && self.columns.pop().is_some() {}
        self
    }

    /// The headings of all columns.
    pub fn headings<'b>(&self, style: Style) -> Line<'b> {
        let headings = self.columns.iter().map(|column| &*column.heading);
        self.row(headings.map(|heading| Span::styled(heading.to_owned(), style)))
    }

    /// The cells of a row, one for each column; cells of dropped columns are left out.
    pub fn row<'b>(&self, cells: impl IntoIterator<Item = Span<'b>>) -> Line<'b> {
        let mut line = Line::default();
        for (column, cell) in self.columns.iter().zip(cells) {
            if !line.spans.is_empty() && self.gap > 0 {
                line.push_span(" ".repeat(self.gap));
            }
            line.push_span(Span::styled(column.cell(&cell.content), cell.style));
        }
        line
    }

    /// The areas of the columns within the first row of an area.
    pub fn areas(&self, area: Rect) -> Vec<Rect> {
        let mut x = area.x;
        let area_of = |column: &TableColumn<'_>| {
            let cell = Rect::new(x, area.y, column.width as u16, 1);
            x += (column.width + self.gap) as u16;
            cell.intersection(area)
        };
        self.columns.iter().map(area_of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TableLayout<'static> {
        let columns = vec![
            TableColumn::words("player", 8),
            TableColumn::number("won", 5),
            TableColumn::number("lost", 5),
        ];
        TableLayout { columns, gap: 1 }
    }

    fn check(room: usize, cells: [&'static str; 3], expected: &str) {
        let row = sample().fitted(room).row(cells.map(Span::raw));
        assert_eq!(row.to_string(), expected, "{room}");
    }

    #[test]
    fn cells_are_aligned_and_columns_that_do_not_fit_are_dropped() {
        check(20, ["a", "1", "2"], "a            1     2");
        check(20, ["champion 7", "1", "2"], "champio…     1     2");
        check(19, ["a", "1", "2"], "a            1");
        check(4, ["a", "1", "2"], "");
        let headings = sample().headings(Style::new());
        assert_eq!(headings.to_string(), "player     won  lost");
    }

    #[test]
    fn a_column_lies_where_its_cells_are() {
        let areas = sample().areas(Rect::new(2, 1, 17, 3));
        let expected = [
            Rect::new(2, 1, 8, 1),
            Rect::new(11, 1, 5, 1),
            Rect::new(17, 1, 2, 1),
        ];
        assert_eq!(areas, expected);
    }
}
