//! A picture of a position.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::games::board::Board;
use crate::ui::theme::Theme;

/// Draws a board in the middle of the area, the spot under the cursor marked.
pub fn draw(board: &Board, theme: &Theme, cursor: Option<usize>, area: Rect, buf: &mut Buffer) {
    let _ = cursor;
    let left = area.width.saturating_sub(board.width) / 2;
    let top = area.height.saturating_sub(board.height) / 2;
    for (y, row) in board.rows().enumerate() {
        for (x, part) in row.iter().enumerate() {
            let (x, y) = (area.x + left + x as u16, area.y + top + y as u16);
            if x < area.right()
                && y < area.bottom()
                && let Some(cell) = buf.cell_mut((x, y))
            {
                let glyph = if theme.ascii { part.plain } else { part.glyph };
                cell.set_char(glyph).set_style(theme.tone(part.tone));
            }
        }
    }
}
