//! The picture of heaps of matches.

use crate::games::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget};

use super::NimPosition;

/// Columns to the left of the matches, for the heap's number, and to their right, for its size.
const MARGIN: u16 = 4;
const BEHIND: u16 = 7;

/// The layout of a picture: one or more rows per heap. Each match is a stick, with a head if it fits. A heap too wide for the
/// available space is a bar whose cells stand for several matches.
pub(super) struct NimLayout {
    /// The number of cells of the widest heap, and of matches per cell.
    cells: u16,
    per_cell: u16,
    /// The number of columns from one match to the next.
    pitch: u16,
    /// The number of rows of a match, and from one heap to the next.
    tall: u16,
    step: u16,
}

impl NimLayout {
    /// The picture keeps its size while matches are taken, unless the full heaps are too wide for the available space.
    pub(super) fn new(full: &[u16], before: &NimPosition, room: MaxSize) -> Self {
        let space = room.width.saturating_sub(MARGIN + BEHIND).max(1);
        let widest = |sizes: &[u16]| sizes.iter().copied().max().unwrap_or(0).max(1);
        let (most, now) = (widest(full), widest(before.sizes()));
        let shown = if most <= space { most.max(now) } else { now };
        let per_cell = shown.div_ceil(space).max(1);
        let cells = shown.div_ceil(per_cell);
        let pitch = match space / cells {
            0 | 1 => 1,
            2 => 2,
            3 | 4 => 3,
            5 | 6 => 5,
            _ => 7,
        };
        let rows = (room.height + 1) / before.sizes().len().max(1) as u16;
        let tall = match (pitch, rows) {
            (1, _) | (_, 0..=2) => 1,
            (2, _) | (_, 3) => 2,
            (3, _) | (_, 4) => 3,
            (_, 5..=7) => 4,
            (5, _) => 5,
            _ => 7,
        };
        let widest = match tall {
            ..3 => 2,
            3 => 3,
            4 | 5 => 5,
            _ => 7,
        };
        Self {
            cells,
            per_cell,
            pitch: pitch.min(widest),
            tall,
            step: if tall > 1 { tall + 1 } else { 1 },
        }
    }

    pub(super) fn draw(&self, state: &NimPosition, before: &NimPosition, room: MaxSize) -> Board {
        let count = state.sizes().len() as u16;
        let height = count.saturating_sub(1) * self.step + self.tall;
        let width = MARGIN + self.cells * self.pitch + BEHIND;
        let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
        for (heap, (&size, &was)) in state.sizes().iter().zip(before.sizes()).enumerate() {
            self.draw_heap(&mut board, heap as u16, size, was);
        }
        board
    }

    /// Draws a heap of `size` matches that had `was` matches before the last move.
    fn draw_heap(&self, board: &mut Board, heap: u16, size: u16, was: u16) {
        let top = heap * self.step;
        let foot = top + self.tall - 1;
        board.write(1, foot, &format!("{}", heap + 1), CellRole::Frame);
        let standing = size.div_ceil(self.per_cell);
        let cells = was.max(size).div_ceil(self.per_cell);
        let end = MARGIN + standing * self.pitch;
        for cell in 0..cells {
            let x = MARGIN + cell * self.pitch;
            let (stick, head) = if cell < standing { STANDING } else { TAKEN };
            let middle = x + (self.pitch - 1) / 2;
            for y in top..=foot {
                let is_head = self.tall > 1 && y == top;
                board.put(middle, y, if is_head { head } else { stick });
            }
            if cell < standing {
                let patch = |width| CellArea {
                    x,
                    y: top,
                    width,
                    height: self.tall,
                };
                board.targets.push(MoveTarget {
                    path: Vec::new(),
                    at: patch(self.pitch),
                    highlighted: vec![patch(end - x)],
                    move_text: format!("{}:{}", heap + 1, size - cell * self.per_cell),
                    label_area: None,
                });
            }
        }
        let x = MARGIN + cells * self.pitch + 1;
        board.write(x, foot, &size.to_string(), CellRole::Frame);
    }
}

const STANDING: (BoardCell, BoardCell) = (
    BoardCell {
        glyph: '┃',
        plain: '|',
        tone: CellRole::Piece,
    },
    BoardCell {
        glyph: '●',
        plain: 'o',
        tone: CellRole::Accent,
    },
);

const TAKEN: (BoardCell, BoardCell) = (
    BoardCell {
        glyph: '╵',
        plain: '.',
        tone: CellRole::Gone,
    },
    BoardCell {
        glyph: '○',
        plain: ' ',
        tone: CellRole::Gone,
    },
);
