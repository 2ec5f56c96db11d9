//! Draws a picture of a position, the spot the player points at and the spots a hint points at. It knows no game.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::games::board::{Board, Patch, Spot};
use crate::ui::theme::Theme;

/// What is shown over a board.
#[derive(Clone, Debug, Default)]
pub struct Over<'a> {
    /// What is pointed at.
    pub pointed: Vec<Patch>,
    /// Moves whose spots stand out.
    pub hints: &'a [String],
    /// Where signs tell of what can be pointed at.
    pub signs: Vec<(u16, u16)>,
    pub notes: Vec<Note>,
}

/// A few characters on a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub at: Patch,
    /// As wide as its place.
    pub text: String,
    pub style: Style,
}

/// Draws the board in the middle of the area, clipped to it.
pub fn draw(board: &Board, theme: &Theme, over: &Over<'_>, area: Rect, buf: &mut Buffer) {
    let mut canvas = Canvas::new(board, area, buf);
    for (y, row) in board.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let glyph = if theme.ascii { cell.plain } else { cell.glyph };
            canvas.put(x as u16, y as u16, glyph, theme.tone(cell.tone));
        }
    }
    let sign = if theme.ascii { '<' } else { '‹' };
    for &(x, y) in &over.signs {
        canvas.put(x, y, sign, theme.key);
    }
    for note in &over.notes {
        for (x, glyph) in (note.at.x..).zip(note.text.chars()) {
            canvas.put(x, note.at.y, glyph, note.style);
        }
    }
    let hinted = |spot: &&Spot| over.hints.contains(&spot.word);
    for spot in board.spots.iter().filter(hinted) {
        let first = spot.way.first().map(|stop| stop.at);
        for patch in first.into_iter().chain([spot.at]) {
            canvas.paint(patch, theme.hint());
        }
    }
    for &patch in &over.pointed {
        canvas.paint(patch, theme.selection);
    }
}

/// Where a place lies when its board is drawn in the area.
pub fn place(patch: Patch, board: &Board, area: Rect) -> Rect {
    let (x, y) = origin(board, area);
    let (x, y) = (x.saturating_add(patch.x), y.saturating_add(patch.y));
    Rect::new(x, y, patch.width, patch.height).intersection(area)
}

/// The top left corner of a board in the middle of an area.
fn origin(board: &Board, area: Rect) -> (u16, u16) {
    let middle = |start: u16, room: u16, length: u16| start + room.saturating_sub(length) / 2;
    (
        middle(area.x, area.width, board.width),
        middle(area.y, area.height, board.height),
    )
}

/// The part of the buffer that shows a board.
struct Canvas<'a> {
    origin: (u16, u16),
    clip: Rect,
    buf: &'a mut Buffer,
}

impl<'a> Canvas<'a> {
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

    fn paint(&mut self, patch: Patch, style: Style) {
        for y in patch.y..patch.y.saturating_add(patch.height) {
            for x in patch.x..patch.x.saturating_add(patch.width) {
                if let Some(place) = self.place(x, y) {
                    self.buf[place].set_style(style);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::board::{Room, Tone};

    fn small() -> Board {
        let mut board = Board::new(3, 1);
        board.write(0, 0, "abc", Tone::Piece);
        let at = Patch {
            x: 1,
            y: 0,
            width: 1,
            height: 1,
        };
        let covers = vec![Patch { width: 2, ..at }];
        let way = Vec::new();
        let word = "b".to_owned();
        let note = None;
        board.spots.push(Spot {
            at,
            way,
            covers,
            word,
            note,
        });
        board
    }

    fn pointing<'a>() -> Over<'a> {
        Over {
            pointed: small().spots[0].covers.clone(),
            ..Over::default()
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
    fn spots_are_where_they_are_drawn_and_nowhere_else() {
        let board = small();
        let area = Rect::new(0, 0, 5, 3);
        let mut buf = Buffer::empty(area);
        draw(&board, &Theme::dark(), &Over::default(), area, &mut buf);
        let at = board.spots[0].at;
        assert_eq!(place(at, &board, area), Rect::new(2, 1, 1, 1));
        assert_eq!(buf[(2, 1)].symbol(), "b");
        let hidden = place(at, &board, Rect::new(0, 0, 1, 1));
        assert!(hidden.is_empty(), "what is clipped can't be clicked on");
    }

    #[test]
    fn a_board_is_clipped_to_any_area() {
        let room = Room {
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
