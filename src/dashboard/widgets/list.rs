//! A list of rows that scrolls with its cursor. Only the visible rows are formatted. It is
//! independent of what the rows show.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::scrollbar::Set;
use ratatui::text::Line;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget};

use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::text::{put, put_right, right_of};

/// A list by its number of rows and the row that stays visible.
#[derive(Clone, Copy, Debug)]
pub struct ScrollList {
    len: usize,
    cursor: usize,
    highlighted: Option<usize>,
    marks: u16,
}

/// A row: text from the left, and a note at the right edge.
#[derive(Clone, Debug, Default)]
pub struct ListRow<'a> {
    pub text: Line<'a>,
    pub note: Line<'a>,
}

impl<'a> From<Line<'a>> for ListRow<'a> {
    fn from(text: Line<'a>) -> Self {
        let note = Line::default();
        Self { text, note }
    }
}

impl ScrollList {
    /// A list that keeps the row at `cursor` visible.
    pub fn new(len: usize, cursor: usize) -> Self {
        Self {
            len,
            cursor,
            highlighted: None,
            marks: 0,
        }
    }

    /// A list that also highlights the row at `cursor`.
    pub fn selecting(len: usize, cursor: usize) -> Self {
        Self::new(len, cursor).highlighting(Some(cursor))
    }

    /// The same list with another row highlighted, or none.
    #[must_use]
    pub fn highlighting(self, highlighted: Option<usize>) -> Self {
        Self {
            highlighted,
            ..self
        }
    }

    /// The same list with marks in the first columns, which keep their colors in a highlighted row.
    #[must_use]
    pub fn marked(self, marks: u16) -> Self {
        Self { marks, ..self }
    }

    /// The first row visible in `height` rows. The cursor stays at two thirds of the height, so
    /// that the following rows are visible.
    pub fn first(&self, height: usize) -> usize {
        let last = self.len.saturating_sub(height);
        self.cursor.saturating_sub(height * 2 / 3).min(last)
    }

    /// The visible rows with their areas.
    pub fn visible(&self, area: Rect) -> impl Iterator<Item = (usize, Rect)> + use<> {
        let rows = self.first(area.height.into())..self.len;
        rows.zip(area.rows())
    }

    /// The areas of the visible rows as click targets.
    pub fn regions<T>(&self, area: Rect, target: impl Fn(usize) -> T) -> Regions<T> {
        let mut regions = Regions::default();
        for (row, line) in self.visible(area) {
            regions.add(line, target(row));
        }
        regions
    }

    /// Draws the visible rows.
    pub fn draw<'a, R: Into<ListRow<'a>>>(
        &self,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
        mut row: impl FnMut(usize) -> R,
    ) {
        for (index, line) in self.visible(area) {
            let ListRow { text, note } = row(index).into();
            put(buf, line, 0, text);
            put_right(buf, line, 0, note);
            if self.highlighted == Some(index) {
                let style = Style::reset().patch(theme.selection);
                let words = right_of(line, self.marks);
                buf.set_style(words.intersection(buf.area), style);
            }
        }
    }

    /// Draws a scrollbar on the right border of the list's frame, if not all rows fit into its
    /// `height` rows.
    pub fn scrollbar(&self, theme: &Theme, height: u16, frame: Rect, buf: &mut Buffer) {
        let height = usize::from(height);
        let border = frame.intersection(buf.area).inner(Margin::new(0, 1));
        if self.len <= height || border.is_empty() {
            return;
        }
        // The last position is that at which the last row becomes visible.
        let mut state = ScrollbarState::new(self.len - height + 1)
            .position(self.first(height))
            .viewport_content_length(height);
        let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
            .symbols(symbols(theme))
            .begin_symbol(None)
            .end_symbol(None)
            .track_symbol(None)
            .thumb_style(theme.dim);
        bar.render(border, buf, &mut state);
    }
}

/// The symbols of a scrollbar. Only the thumb is drawn, over the border.
fn symbols(theme: &Theme) -> Set<'static> {
    Set {
        track: "",
        thumb: theme.sign("█", "%"),
        begin: "",
        end: "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(len: usize, cursor: usize, height: usize, expected: usize) {
        let first = ScrollList::new(len, cursor).first(height);
        assert_eq!(first, expected, "row {cursor} of {len} in {height}");
    }

    #[test]
    fn a_list_scrolls_so_that_rows_around_its_cursor_are_visible() {
        check(9, 8, 9, 0);
        check(20, 0, 9, 0);
        check(20, 6, 9, 0);
        check(20, 7, 9, 1);
        check(20, 19, 9, 11);
        check(20, 5, 0, 5);
        check(0, 0, 9, 0);
        check(20, 5, 1, 5);
    }

    #[test]
    fn a_row_has_its_note_at_the_right_and_the_cursor_is_highlighted() {
        let theme = Theme::dark();
        let area = Rect::new(0, 0, 8, 2);
        let mut buf = Buffer::empty(area);
        let list = ScrollList::selecting(5, 4);
        list.draw(&theme, area, &mut buf, |row| ListRow {
            text: Line::from(format!("row {row}")),
            note: Line::from("x"),
        });
        let line = |y: u16| (0..8).map(|x| buf[(x, y)].symbol()).collect::<String>();
        assert_eq!([line(0), line(1)], ["row 3  x", "row 4  x"]);
        assert_eq!(buf[(7, 1)].style().bg, theme.selection.bg);
        let rows: Vec<usize> = list.visible(area).map(|(row, _)| row).collect();
        assert_eq!(rows, [3, 4]);
        let mut buf = Buffer::empty(area);
        let marked = list.marked(2);
        marked.draw(&theme, area, &mut buf, |_| {
            Line::styled("● row", theme.good)
        });
        assert_eq!(buf[(0, 1)].style().fg, theme.good.fg);
        assert_eq!(buf[(2, 1)].style().fg, theme.selection.fg);
    }

    #[test]
    fn a_scrollbar_is_drawn_over_the_border_only_if_rows_are_hidden() {
        let column = |len: usize, cursor: usize| {
            let frame = Rect::new(0, 0, 3, 6);
            let mut buf = Buffer::empty(frame);
            ScrollList::new(len, cursor).scrollbar(&Theme::dark(), 4, frame, &mut buf);
            (0..6).map(|y| buf[(2, y)].symbol()).collect::<String>()
        };
        assert_eq!(column(4, 3), "      ");
        assert_eq!(column(8, 0), " ██   ");
        assert_eq!(column(8, 7), "   ██ ");
    }
}
