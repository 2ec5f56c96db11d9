//! Draws a board with its cursor and notes. It is independent of the game.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::theme::Theme;
use finches_engine::games::board::{Board, BoardCell, CellArea, CellRole, MaxSize};

/// What is drawn over a board.
#[derive(Clone, Debug, Default)]
pub struct BoardOverlay {
    /// The cells of the move under the cursor.
    pub pointed: Vec<CellArea>,
    /// Positions of markers for selectable moves.
    pub signs: Vec<(u16, u16)>,
    pub notes: Vec<BoardNote>,
}

/// A short text on a move's cells.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNote {
    pub at: CellArea,
    /// As wide as its area.
    pub text: String,
    pub style: Style,
}

/// Draws the board centered in the area and clipped to it.
pub fn draw(board: &Board, theme: &Theme, overlay: &BoardOverlay, area: Rect, buf: &mut Buffer) {
    let mut canvas = BoardCanvas::new(board, area, buf);
    for (y, row) in board.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let (glyph, tone) = match theme.squares() {
                _ if theme.ascii => (cell.plain, cell.tone),
                None if cell.shaded() != cell.glyph => (cell.shaded(), CellRole::Line),
                _ => (cell.glyph, cell.tone),
            };
            let style = theme
                .tone_style(tone)
                .patch(theme.ground_style(cell.ground));
            canvas.put(x as u16, y as u16, glyph, style);
        }
    }
    let sign = theme.sign('‹', '<');
    for &(x, y) in &overlay.signs {
        canvas.put(x, y, sign, theme.key);
    }
    for note in &overlay.notes {
        for (x, glyph) in (note.at.x..).zip(note.text.chars()) {
            canvas.put(x, note.at.y, glyph, note.style);
        }
    }
    // A piece must not lie on its own color.
    let below = theme
        .dim
        .fg
        .map_or(Style::new(), |color| Style::new().bg(color));
    for &patch in &overlay.pointed {
        canvas.mark(board, patch, [theme.selection, below]);
    }
}

/// Draws a board without an overlay.
pub fn draw_plain(board: &Board, theme: &Theme, area: Rect, buf: &mut Buffer) {
    draw(board, theme, &BoardOverlay::default(), area, buf);
}

/// The room for a board in an area.
pub fn room(area: Rect) -> MaxSize {
    MaxSize {
        width: area.width,
        height: area.height,
    }
}

/// The screen area of a patch of a board drawn in `area`.
pub fn place(patch: CellArea, board: &Board, area: Rect) -> Rect {
    let (x, y) = origin(board, area);
    let (x, y) = (x.saturating_add(patch.x), y.saturating_add(patch.y));
    Rect::new(x, y, patch.width, patch.height).intersection(area)
}

/// The top left corner of a board centered in an area.
fn origin(board: &Board, area: Rect) -> (u16, u16) {
    let middle = |start: u16, room: u16, length: u16| start + room.saturating_sub(length) / 2;
    (
        middle(area.x, area.width, board.width),
        middle(area.y, area.height, board.height),
    )
}

/// The part of the buffer that shows a board.
struct BoardCanvas<'a> {
    origin: (u16, u16),
    clip: Rect,
    buf: &'a mut Buffer,
}

impl<'a> BoardCanvas<'a> {
    fn new(board: &Board, area: Rect, buf: &'a mut Buffer) -> Self {
        Self {
            origin: origin(board, area),
            clip: area.intersection(buf.area),
            buf,
        }
    }

    fn place(&self, x: u16, y: u16) -> Option<Position> {
        let place = Position::new(
            self.origin.0.saturating_add(x),
            self.origin.1.saturating_add(y),
        );
        self.clip.contains(place).then_some(place)
    }

    fn put(&mut self, x: u16, y: u16, glyph: char, style: Style) {
        if let Some(place) = self.place(x, y) {
            self.buf[place].set_char(glyph).set_style(style);
        }
    }

    /// Marks a part of the board. A player's piece keeps its own color, on another background: in
    /// another color it would look like a piece of the other player.
    fn mark(&mut self, board: &Board, patch: CellArea, [style, below]: [Style; 2]) {
        let rows = board.rows().zip(0..).skip(patch.y.into());
        let rows: Vec<_> = rows.take(patch.height.into()).collect();
        let is_piece =
            |cell: &BoardCell| matches!(cell.tone, CellRole::Owned(_) | CellRole::Taken(_));
        let columns = usize::from(patch.x)..usize::from(patch.x + patch.width);
        let has_piece = rows.iter().any(|(row, _)| {
            let cells = row.get(columns.clone()).unwrap_or_default();
            cells.iter().any(is_piece)
        });
        // The whole square has that background, or the rest of it would hide the piece.
        let style = if has_piece && below.bg.is_some() {
            below
        } else {
            style
        };
        for (row, y) in rows {
            let cells = row.iter().zip(0..).skip(patch.x.into());
            for (cell, x) in cells.take(patch.width.into()) {
                let style = match cell.tone {
                    CellRole::OnPiece(_) => continue,
                    CellRole::Owned(_) | CellRole::Taken(_) => below,
                    _ => style,
                };
                if let Some(place) = self.place(x, y) {
                    self.buf[place].set_style(style);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Modifier};

    use super::*;
    use finches_engine::games::Side;
    use finches_engine::games::board::MoveTarget;

    fn small() -> Board {
        let mut board = Board::new(3, 1);
        board.write(0, 0, "abc", CellRole::Piece);
        let at = CellArea {
            x: 1,
            y: 0,
            width: 1,
            height: 1,
        };
        let covers = vec![CellArea { width: 2, ..at }];
        let way = Vec::new();
        let word = "b".to_owned();
        let note = None;
        board.targets.push(MoveTarget {
            at,
            path: way,
            highlighted: covers,
            move_text: word,
            label_area: note,
        });
        board
    }

    fn pointing() -> BoardOverlay {
        BoardOverlay {
            pointed: small().targets[0].highlighted.clone(),
            ..BoardOverlay::default()
        }
    }

    #[test]
    fn the_cursor_shows_all_that_its_move_touches() {
        let theme = Theme::dark();
        let area = Rect::new(0, 0, 5, 3);
        let mut buf = Buffer::empty(area);
        draw(&small(), &theme, &pointing(), area, &mut buf);
        let marked: Vec<u16> = (0..5)
            .filter(|&x| buf[(x, 1)].style().bg == theme.selection.bg)
            .collect();
        assert_eq!(marked, [2, 3], "in the middle of the area");
    }

    #[test]
    fn a_marked_piece_keeps_its_color_and_is_seen_on_what_is_below() {
        let mut board = small();
        for theme in [Theme::dark(), Theme::dark().next(), Theme::monochrome()] {
            for side in [Side::First, Side::Second] {
                board.write(1, 0, "b", CellRole::Owned(side));
                let area = Rect::new(0, 0, 3, 1);
                let mut buf = Buffer::empty(area);
                draw(&board, &theme, &pointing(), area, &mut buf);
                let style = buf[(1, 0)].style();
                assert_eq!(style.fg, theme.side_style(side).fg.or(Some(Color::Reset)));
                assert!(style.bg != style.fg || style.fg == Some(Color::Reset));
                assert!(!style.add_modifier.contains(Modifier::REVERSED));
            }
        }
    }

    #[test]
    fn spots_are_where_they_are_drawn_and_nowhere_else() {
        let board = small();
        let area = Rect::new(0, 0, 5, 3);
        let mut buf = Buffer::empty(area);
        draw(
            &board,
            &Theme::dark(),
            &BoardOverlay::default(),
            area,
            &mut buf,
        );
        let at = board.targets[0].at;
        assert_eq!(place(at, &board, area), Rect::new(2, 1, 1, 1));
        assert_eq!(buf[(2, 1)].symbol(), "b");
        let hidden = place(at, &board, Rect::new(0, 0, 1, 1));
        assert!(hidden.is_empty(), "clipped cells cannot be clicked");
    }

    #[test]
    fn a_board_is_clipped_to_any_area() {
        let room = MaxSize {
            width: 9,
            height: 9,
        };
        for width in 0..room.width {
            for height in 0..room.height {
                let mut buf = Buffer::empty(Rect::new(0, 0, 6, 4));
                let area = Rect::new(2, 1, width, height);
                draw(&small(), &Theme::dark(), &pointing(), area, &mut buf);
                assert_eq!(buf[(0, 0)].symbol(), " ");
            }
        }
    }
}
