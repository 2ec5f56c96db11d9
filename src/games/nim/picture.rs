//! How stacks of matches look.

use crate::games::board::{Board, Cell, Patch, Room, Spot, Tone};

use super::Stacks;

/// Columns to the left of the matches, for the stack's number, and to their right, for its size.
const MARGIN: u16 = 4;
const BEHIND: u16 = 7;

/// The measures of a picture: a row or more per stack, each match a stick with a head where there is room for it. A stack
/// too wide for the room is drawn as a bar whose cells stand for several matches.
pub(super) struct Picture {
    /// Cells of the widest stack, and the matches each stands for.
    cells: u16,
    per_cell: u16,
    /// Columns from one match to the next.
    pitch: u16,
    /// Rows of a match, and from one stack to the next.
    tall: u16,
    step: u16,
}

impl Picture {
    /// The picture keeps its size as matches go, unless the stacks are too wide for the room when they are full.
    pub(super) fn new(full: &[u16], before: &Stacks, room: Room) -> Self {
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

    pub(super) fn draw(&self, state: &Stacks, before: &Stacks, room: Room) -> Board {
        let count = state.sizes().len() as u16;
        let height = count.saturating_sub(1) * self.step + self.tall;
        let width = MARGIN + self.cells * self.pitch + BEHIND;
        let mut board = Board::new(width.min(room.width.max(1)), height.min(room.height.max(1)));
        for (stack, (&size, &was)) in state.sizes().iter().zip(before.sizes()).enumerate() {
            self.draw_stack(&mut board, stack as u16, size, was);
        }
        board
    }

    /// Draws a stack that holds `size` matches and held `was` before the last move.
    fn draw_stack(&self, board: &mut Board, stack: u16, size: u16, was: u16) {
        let top = stack * self.step;
        let foot = top + self.tall - 1;
        board.write(1, foot, &format!("{}", stack + 1), Tone::Frame);
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
                let patch = |width| Patch {
                    x,
                    y: top,
                    width,
                    height: self.tall,
                };
                board.spots.push(Spot {
                    way: Vec::new(),
                    at: patch(self.pitch),
                    covers: vec![patch(end - x)],
                    word: format!("{}:{}", stack + 1, size - cell * self.per_cell),
                    note: None,
                });
            }
        }
        let x = MARGIN + cells * self.pitch + 1;
        board.write(x, foot, &size.to_string(), Tone::Frame);
    }
}

const STANDING: (Cell, Cell) = (
    Cell {
        glyph: '┃',
        plain: '|',
        tone: Tone::Piece,
    },
    Cell {
        glyph: '●',
        plain: 'o',
        tone: Tone::Accent,
    },
);

const TAKEN: (Cell, Cell) = (
    Cell {
        glyph: '╵',
        plain: '.',
        tone: Tone::Gone,
    },
    Cell {
        glyph: '○',
        plain: ' ',
        tone: Tone::Gone,
    },
);
