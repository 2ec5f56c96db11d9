//! Squares as large as the space allows, and round pieces that fill them, drawn with blocks, in
//! squares of two rows or more. Those of the second player are rings, so that they differ without
//! colors.

use super::Side;
use super::board::{Board, BoardCell, CellArea, CellRole, MaxSize};

/// The blocks of the quarters of a character that are filled: upper left 1, upper right 2, lower
/// left 4, lower right 8.
const BLOCKS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// The rows of the largest square.
const TALLEST: u16 = 9;

/// Columns and rows of the largest squares with which a board fits: about twice as wide as high,
/// since a character is about twice as high as wide. `margins` are the columns and rows around the
/// squares. `None` if there is not enough space for squares of three columns and a row.
pub(super) fn square_size(
    (columns, rows): (u16, u16),
    margins: (u16, u16),
    room: MaxSize,
) -> Option<(u16, u16)> {
    let widest = room.width.saturating_sub(margins.0) / columns.max(1);
    let tallest = room.height.saturating_sub(margins.1) / rows.max(1);
    let heights = (1..=tallest.min(TALLEST)).rev();
    let fits = |&(width, height): &(u16, u16)| width >= (2 * height).max(3);
    heights
        .map(|height| (widest.min(2 * height + 1), height))
        .find(fits)
}

/// A round piece that fills its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundPiece {
    pub(super) role: CellRole,
    /// The character in ASCII.
    pub(super) plain: char,
    pub(super) is_ring: bool,
}

impl RoundPiece {
    /// A player's piece.
    pub(super) fn of(side: Side, plain: char) -> Self {
        Self {
            role: CellRole::Owned(side),
            plain,
            is_ring: side == Side::Second,
        }
    }

    pub(super) fn draw(self, square: CellArea, board: &mut Board) {
        for row in 0..square.height {
            for column in 0..square.width {
                let quarters: Vec<usize> = (0..4)
                    .filter(|&quarter| self.covers(square, (column, row), quarter))
                    .collect();
                let filled = quarters.iter().fold(0, |sum, quarter| sum + (1 << quarter));
                let plain = if quarters.len() < 2 { ' ' } else { self.plain };
                if filled > 0 {
                    let cell = BoardCell::new(BLOCKS[filled], plain, self.role);
                    board.put(square.x + column, square.y + row, cell);
                }
            }
        }
    }

    /// Whether the piece covers a quarter of a character of its square.
    fn covers(self, square: CellArea, (column, row): (u16, u16), quarter: usize) -> bool {
        let from_center = |at: u16, half: usize, length: u16| {
            f32::from(at) + 0.25 + 0.5 * half as f32 - 0.5 * f32::from(length)
        };
        let x = from_center(column, quarter % 2, square.width);
        let y = from_center(row, quarter / 2, square.height);
        let room = 0.5 * f32::from(square.width.min(2 * square.height));
        // Pieces in neighboring squares stay apart: in two rows, the lower half of one is free.
        let (radius, y) = if square.height < 3 {
            (0.96 * room, 1.4 * (y + 0.25))
        } else {
            (room - 0.6, y)
        };
        let distance = (x * x + 4.0 * y * y) / (radius * radius);
        let hole = if self.is_ring { 0.24 } else { 0.0 };
        (hole..=1.0).contains(&distance)
    }

    /// Writes a sign in the middle of a player's piece.
    pub(super) fn write(self, sign: BoardCell, square: CellArea, board: &mut Board) {
        let tone = match self.role {
            CellRole::Owned(side) if !self.is_ring => CellRole::OnPiece(side),
            _ => sign.tone,
        };
        let (x, y) = middle(square);
        board.put(x, y, BoardCell { tone, ..sign });
    }
}

/// The character in the middle of a square, or right or below of it; in two rows, the upper one,
/// where a piece is widest.
pub(super) fn middle(square: CellArea) -> (u16, u16) {
    let row = if square.height == 2 {
        0
    } else {
        square.height / 2
    };
    (square.x + square.width / 2, square.y + row)
}

/// Marks a square as that of the last move: its corners, or brackets in a single row.
pub(super) fn mark(square: CellArea, board: &mut Board) {
    let rows: &[(u16, [char; 2])] = match square.height {
        1 => &[(0, ['[', ']'])],
        height => &[(0, ['┏', '┓']), (height - 1, ['┗', '┛'])],
    };
    let right = square.x + square.width - 1;
    for &(row, ends) in rows {
        for (x, glyph) in [square.x, right].into_iter().zip(ends) {
            let plain = if glyph.is_ascii() { glyph } else { '+' };
            let cell = BoardCell::new(glyph, plain, CellRole::Mark);
            board.put(x, square.y + row, cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(side: Side, (width, height): (u16, u16)) -> Vec<String> {
        let mut board = Board::new(width, height);
        let (x, y) = (0, 0);
        let square = CellArea {
            x,
            y,
            width,
            height,
        };
        RoundPiece::of(side, 'x').draw(square, &mut board);
        let line = |row: &[BoardCell]| row.iter().map(|cell| cell.glyph).collect();
        board.rows().map(line).collect()
    }

    #[test]
    fn pieces_are_round_and_those_of_the_players_differ() {
        assert_eq!(
            drawn(Side::First, (7, 3)),
            [" ▗▄▄▄▖ ", " █████ ", " ▝▀▀▀▘ "]
        );
        assert_eq!(
            drawn(Side::Second, (7, 3)),
            [" ▗▄▄▄▖ ", " █▌ ▐█ ", " ▝▀▀▀▘ "]
        );
    }

    #[test]
    fn squares_are_as_large_as_the_space_and_about_as_wide_as_high_on_screen() {
        let check = |width, height, expected| {
            let room = MaxSize { width, height };
            assert_eq!(
                square_size((8, 8), (3, 2), room),
                expected,
                "{width}x{height}"
            );
        };
        check(26, 40, None);
        check(27, 10, Some((3, 1)));
        check(200, 10, Some((3, 1)));
        check(60, 18, Some((5, 2)));
        check(66, 27, Some((7, 3)));
        check(36, 20, Some((4, 2)));
        check(120, 50, Some((13, 6)));
    }
}
