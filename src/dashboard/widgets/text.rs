//! Draws lines of text. They are clipped to the area and the buffer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws a line in a row of the area, counted from its top.
pub fn put<'a>(buf: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    let area = area.intersection(buf.area);
    if row < area.height && area.width > 0 {
        buf.set_line(area.x, area.y + row, &line.into(), area.width);
    }
}

/// Draws a line right-aligned in a row.
pub fn put_right<'a>(buf: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    let line = line.into();
    let width = (line.width() as u16).min(area.width);
    put(buf, right_of(area, area.width - width), row, line);
}

/// Figures side by side, for the end of a line.
pub fn joined<'a>(figures: &[Line<'a>]) -> Line<'a> {
    let mut line = Line::default();
    for figure in figures {
        if line.width() > 0 {
            line.push_span("   ");
        }
        line.spans.extend(figure.spans.iter().cloned());
    }
    line.push_span(" ");
    line
}

/// Draws lines from the top and returns the rest of the area.
pub fn put_all<'a>(
    buf: &mut Buffer,
    area: Rect,
    lines: impl IntoIterator<Item = Line<'a>>,
) -> Rect {
    let mut row = 0;
    for line in lines {
        put(buf, area, row, line);
        row += 1;
    }
    below(area, row)
}

/// The area without its first rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// The first rows of an area.
pub fn first_rows(area: Rect, rows: u16) -> Rect {
    let height = area.height.min(rows);
    Rect { height, ..area }
}

/// An area without its last rows, and these.
pub fn cut_below(area: Rect, rows: u16) -> (Rect, Rect) {
    let above = first_rows(area, area.height.saturating_sub(rows));
    (above, below(area, above.height))
}

/// One row of an area, counted from its top.
pub fn row_of(area: Rect, row: u16) -> Rect {
    first_rows(below(area, row), 1)
}

/// The area without its first columns.
pub fn right_of(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

/// An area without its last columns, and these.
pub fn cut_right(area: Rect, columns: u16) -> (Rect, Rect) {
    let left = columns_of(area, 0, area.width.saturating_sub(columns));
    (left, right_of(area, left.width))
}

/// At most `width` columns of an area, from column `from` on.
pub fn columns_of(area: Rect, from: u16, width: u16) -> Rect {
    let rest = right_of(area, from);
    let width = rest.width.min(width);
    Rect { width, ..rest }
}

/// The area without `columns` columns on each side.
pub fn inset(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width / 2);
    Rect {
        x: area.x + columns,
        width: area.width - 2 * columns,
        ..area
    }
}

/// A centered area of at most this size.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}
