//! The picture of heaps of matches.

use crate::games::board::{Board, BoardCell, CellArea, CellRole, MaxSize, MoveTarget};

use super::NimPosition;

/// Columns to the left of the matches, for the heap's number, and to their right, for its size:
/// alone, and from [`ROOMY`] columns on with words.
const MARGINS: [(u16, u16); 2] = [(4, 5), (9, 10)];
const ROOMY: u16 = 34;

/// The columns from one match to the next at most, and the rows of a match at most.
const WIDEST: u16 = 26;
const TALLEST: u16 = 24;

/// The size of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchSize {
    /// One character wide, with a head of one character if it is higher than a row.
    Thin,
    TwoWide,
    FourWide,
    SixWide,
    TenWide,
}

impl MatchSize {
    /// The widest match with this many columns to the next, and this many rows.
    fn fitting(pitch: u16, tall: u16) -> Self {
        match (pitch, tall) {
            (16.., 15..) => Self::TenWide,
            (10.., 9..) => Self::SixWide,
            (7.., 6..) => Self::FourWide,
            (4.., 4..) => Self::TwoWide,
            _ => Self::Thin,
        }
    }

    fn width(self) -> u16 {
        match self {
            Self::Thin => 1,
            Self::TwoWide => 2,
            Self::FourWide => 4,
            Self::SixWide => 6,
            Self::TenWide => 10,
        }
    }

    /// The rows of the head and one row of the stick, of a match that stands or was taken.
    fn rows(self, is_standing: bool) -> (&'static [&'static str], &'static str) {
        match (self, is_standing) {
            (Self::Thin, true) => (&["●"], "┃"),
            (Self::Thin, false) => (&["○"], "╵"),
            (Self::TwoWide, true) => (&["▟▙", "▜▛"], "▐▌"),
            (Self::TwoWide, false) => (&["╭╮", "╰╯"], "╵╵"),
            (Self::FourWide, true) => (&["▄██▄", "▀██▀"], " ██ "),
            (Self::FourWide, false) => (&["╭──╮", "╰──╯"], " ╵╵ "),
            (Self::SixWide, true) => (&["▗▟██▙▖", "██████", "▝▜██▛▘"], " ▐██▌ "),
            (Self::SixWide, false) => (&["╭────╮", "│    │", "╰────╯"], " ╵  ╵ "),
            (Self::TenWide, true) => (
                &[
                    "  ▗▟██▙▖  ",
                    " ▟██████▙ ",
                    " ████████ ",
                    " ▜██████▛ ",
                    "  ▝████▘  ",
                ],
                "   ████   ",
            ),
            (Self::TenWide, false) => (
                &[
                    " ╭──────╮ ",
                    " │      │ ",
                    " │      │ ",
                    " │      │ ",
                    " ╰──────╯ ",
                ],
                "   ╵  ╵   ",
            ),
        }
    }

    /// Draws a match of `tall` rows at its top left corner: one that stands or, in some tone, its
    /// outline.
    fn draw(self, outline: Option<CellRole>, tall: u16, (x, y): (u16, u16), board: &mut Board) {
        let (head, stick) = self.rows(outline.is_none());
        let head = if tall > 1 { head } else { &[] };
        for row in 0..tall {
            let top = head.get(usize::from(row)).copied();
            let (plain, tone) = match (top.is_some(), outline) {
                (true, None) => ('o', CellRole::Accent),
                (false, None) => ('|', CellRole::Piece),
                (true, Some(tone)) => (' ', tone),
                (false, Some(tone)) => ('.', tone),
            };
            for (column, glyph) in (0..).zip(top.unwrap_or(stick).chars()) {
                let plain = if glyph == ' ' { ' ' } else { plain };
                board.put(x + column, y + row, BoardCell::new(glyph, plain, tone));
            }
        }
    }
}

/// The layout of a picture: one or more rows per heap. Each match is a stick, with a head if it
/// fits. A heap too wide for the available space is a bar whose cells stand for several matches.
pub(super) struct NimLayout {
    /// The number of cells of the widest heap, and of matches per cell.
    cells: u16,
    per_cell: u16,
    size: MatchSize,
    /// The columns left and right of the matches.
    margins: (u16, u16),
    /// The number of columns from one match to the next.
    pitch: u16,
    /// The number of rows of a match, and from one heap to the next.
    tall: u16,
    step: u16,
}

impl NimLayout {
    /// The picture keeps its size while matches are taken, unless the full heaps are too wide for
    /// the available space.
    pub(super) fn new(full: &[u16], before: &NimPosition, room: MaxSize) -> Self {
        let margins = MARGINS[usize::from(room.width >= ROOMY)];
        let space = room.width.saturating_sub(margins.0 + margins.1).max(1);
        let widest = |sizes: &[u16]| sizes.iter().copied().max().unwrap_or(0).max(1);
        let (most, now) = (widest(full), widest(before.sizes()));
        let shown = if most <= space { most.max(now) } else { now };
        let per_cell = shown.div_ceil(space).max(1);
        let cells = shown.div_ceil(per_cell);
        let rows = room.height / before.sizes().len().max(1) as u16;
        let pitch = (space / cells).clamp(1, WIDEST);
        // A match is at most about as high on screen as two are apart.
        let tall = rows.saturating_sub(1).clamp(1, (2 * pitch).min(TALLEST));
        let size = MatchSize::fitting(pitch, tall);
        Self {
            cells,
            per_cell,
            size,
            margins,
            pitch,
            tall,
            step: if tall > 1 { tall + 1 } else { 1 },
        }
    }

    /// Draws a position. Matches that the last move took are outlined. Once none is left, so are
    /// the places of all matches of the `full` heaps, and those taken last are marked.
    pub(super) fn draw(
        &self,
        full: &[u16],
        state: &NimPosition,
        before: &NimPosition,
        room: MaxSize,
    ) -> Board {
        let count = state.sizes().len() as u16;
        let height = count.saturating_sub(1) * self.step + self.tall;
        let (left, right) = self.margins;
        let width = left + self.cells * self.pitch + right;
        let mut board = Board::within((width, height), room);
        let is_over = state.sizes().iter().all(|&size| size == 0);
        let taken = [CellRole::Gone, CellRole::Mark][usize::from(is_over)];
        let heaps = state.sizes().iter().zip(before.sizes()).zip(full);
        for (heap, ((&size, &was), &full)) in (0..).zip(heaps) {
            let most = full.div_ceil(self.per_cell).min(self.cells);
            for cell in (0..most).filter(|_| is_over) {
                let place = self.place(heap, cell);
                self.size
                    .draw(Some(CellRole::Gone), self.tall, place, &mut board);
            }
            self.draw_heap(&mut board, heap, [size, was], taken);
        }
        board
    }

    /// The corner of a match.
    fn place(&self, heap: u16, cell: u16) -> (u16, u16) {
        let x = self.margins.0 + cell * self.pitch;
        (x + (self.pitch - self.size.width()) / 2, heap * self.step)
    }

    /// Draws a heap of `size` matches that had `was` matches before the last move, and the outlines
    /// of those `taken`.
    fn draw_heap(&self, board: &mut Board, heap: u16, [size, was]: [u16; 2], taken: CellRole) {
        let top = heap * self.step;
        let foot = top + self.tall - 1;
        let margin = self.margins.0;
        let [name, left] = if self.margins == MARGINS[1] {
            [format!("heap {}", heap + 1), format!("{size} left")]
        } else {
            [format!("{}", heap + 1), size.to_string()]
        };
        board.write(1, foot, &name, CellRole::Frame);
        let standing = size.div_ceil(self.per_cell);
        let cells = was.max(size).div_ceil(self.per_cell);
        let end = margin + standing * self.pitch;
        for cell in 0..cells {
            let x = margin + cell * self.pitch;
            let outline = (cell >= standing).then_some(taken);
            self.size
                .draw(outline, self.tall, self.place(heap, cell), board);
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
        let x = margin + self.cells * self.pitch + 1;
        board.write(x, foot, &left, CellRole::Frame);
    }
}
