//! A picture of a position: a grid of characters, each with a role, and the targets that a player
//! can point at to move. It does not depend on colors or the terminal.

use super::Side;

/// The space available for a picture, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxSize {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// The role of a character. The theme assigns a style to each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRole {
    /// The background.
    Blank,
    /// Lines and labels around the pieces.
    Frame,
    /// A piece without an owner, such as a match.
    Piece,
    /// The highlighted part of a piece, such as the head of a match.
    Accent,
    /// A piece removed by the last move.
    Gone,
    /// Lines between squares.
    Line,
    /// A player's piece.
    Owned(Side),
    /// A player's piece that the last move won or flipped.
    Taken(Side),
    /// A mark of the last move.
    Mark,
    /// A sign on a player's piece, in the color of what is below the piece.
    OnPiece(Side),
}

/// The square below a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// The background beside the squares.
    #[default]
    None,
    /// The squares in turns, on a board all of whose squares are used.
    Even,
    /// See [`Ground::Even`].
    Odd,
    /// The squares that are used, on a board that uses every second square.
    Dark,
    /// The squares that are not used.
    Light,
}

/// One character of a picture, with a substitute for ASCII terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCell {
    /// The character where Unicode can be shown.
    pub glyph: char,
    /// The ASCII character elsewhere.
    pub plain: char,
    /// What it stands for.
    pub tone: CellRole,
    /// The square below it.
    pub ground: Ground,
}

impl BoardCell {
    /// A cell without anything.
    pub const BLANK: Self = Self {
        glyph: ' ',
        plain: ' ',
        tone: CellRole::Blank,
        ground: Ground::None,
    };

    /// A cell with both of its characters.
    pub fn new(glyph: char, plain: char, tone: CellRole) -> Self {
        Self {
            glyph,
            plain,
            tone,
            ground: Ground::None,
        }
    }

    /// The character where squares can't be told apart by color: every second one is shaded.
    pub fn shaded(&self) -> char {
        match self.ground {
            Ground::Odd | Ground::Light if self.glyph == ' ' => '░',
            _ => self.glyph,
        }
    }
}

/// A rectangle of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellArea {
    /// The column of the left edge, from 0.
    pub x: u16,
    /// The row of the top edge, from 0.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl CellArea {
    /// Twice the coordinates of the center: whole numbers.
    pub fn doubled_center(&self) -> (i32, i32) {
        let twice = |start: u16, length: u16| 2 * i32::from(start) + i32::from(length);
        (twice(self.x, self.width), twice(self.y, self.height))
    }
}

/// A step on the path of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// The area to select.
    pub at: CellArea,
    /// Where a marker for a selectable step fits, beside the piece there.
    pub marker: (u16, u16),
}

/// A place that a player can point at to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTarget {
    /// Where to point.
    pub at: CellArea,
    /// The areas to select in order, ending with `at`, if `at` alone does not identify the move;
    /// otherwise empty.
    pub path: Vec<Waypoint>,
    /// The areas that the move affects, highlighted while it is pointed at.
    pub highlighted: Vec<CellArea>,
    /// The move as text.
    pub move_text: String,
    /// Where a short label fits without covering a piece, if anywhere.
    pub label_area: Option<CellArea>,
}

/// How the pieces of the first and the second player look, and the row that counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLegend {
    /// The row, from 0.
    pub row: u16,
    /// A piece of each player.
    pub pieces: [BoardCell; 2],
    /// The points of each player, such as discs.
    pub points: [u16; 2],
    /// What other signs on the board mean, or empty.
    pub note: &'static str,
}

/// A grid of characters, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Row after row, `width * height` in all.
    pub cells: Vec<BoardCell>,
    /// The places to point at, at most one per legal move.
    pub targets: Vec<MoveTarget>,
    /// `None` in a game without pieces of the players.
    pub legend: Option<BoardLegend>,
    /// Whether there was no room for all of it.
    pub is_cut: bool,
}

impl Board {
    /// A blank picture of this size, or as much of it as there is room for, at least a character.
    pub fn within((width, height): (u16, u16), room: MaxSize) -> Self {
        let (wide, tall) = (room.width.max(1), room.height.max(1));
        Self {
            is_cut: width > wide || height > tall,
            ..Self::new(width.min(wide), height.min(tall))
        }
    }

    /// A blank picture of this size.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            cells: vec![BoardCell::BLANK; width as usize * height as usize],
            targets: Vec::new(),
            legend: None,
            is_cut: false,
        }
    }

    /// Sets a character on the square below it; positions outside the grid are ignored.
    pub fn put(&mut self, x: u16, y: u16, cell: BoardCell) {
        if let Some(place) = self.cell_at(x, y) {
            let ground = place.ground;
            *place = BoardCell { ground, ..cell };
        }
    }

    fn cell_at(&mut self, x: u16, y: u16) -> Option<&mut BoardCell> {
        let is_inside = x < self.width && y < self.height;
        is_inside.then(|| &mut self.cells[y as usize * self.width as usize + x as usize])
    }

    /// Lays an empty square.
    pub(super) fn lay(&mut self, square: CellArea, ground: Ground) {
        for y in square.y..square.y + square.height {
            for x in square.x..square.x + square.width {
                if let Some(place) = self.cell_at(x, y) {
                    *place = BoardCell {
                        ground,
                        ..BoardCell::BLANK
                    };
                }
            }
        }
    }

    /// Writes ASCII text from a position to the right.
    pub fn write(&mut self, x: u16, y: u16, text: &str, tone: CellRole) {
        for (offset, glyph) in text.chars().enumerate() {
            self.put(x + offset as u16, y, BoardCell::new(glyph, glyph, tone));
        }
    }

    /// All of it.
    pub fn whole(&self) -> CellArea {
        CellArea {
            x: 0,
            y: 0,
            width: self.width,
            height: self.height,
        }
    }

    /// The rows from the top, each a slice of cells.
    pub fn rows(&self) -> impl Iterator<Item = &[BoardCell]> {
        self.cells.chunks(self.width.max(1) as usize)
    }
}
