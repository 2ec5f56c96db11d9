//! Lines of text put safely: what does not fit the area is cut, what lies outside the buffer is left out.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Writes a line into a row of the area, counted from its top.
pub fn put<'a>(buf: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    let area = area.intersection(buf.area);
    if row < area.height && area.width > 0 {
        buf.set_line(area.x, area.y + row, &line.into(), area.width);
    }
}

/// Writes a line at the right end of a row.
pub fn put_right<'a>(buf: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    let line = line.into();
    let width = (line.width() as u16).min(area.width);
    let at = Rect {
        x: area.right() - width,
        width,
        ..area
    };
    put(buf, at, row, line);
}

/// Writes lines one below the other and returns what is left of the area.
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

/// The area with a margin of so many columns on the left and right.
pub fn inset(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width / 2);
    Rect {
        x: area.x + columns,
        width: area.width - 2 * columns,
        ..area
    }
}

/// An area of at most this size in the middle of another.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}
