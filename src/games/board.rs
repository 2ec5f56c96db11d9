//! A picture of a position: a grid of characters with a meaning each, and the spots at which a player can point. It knows
//! neither colors nor the terminal.

use super::Side;

/// How much room there is for a picture, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub width: u16,
    pub height: u16,
}

/// What a character stands for; the theme gives each a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Blank,
    /// Lines and labels around the pieces.
    Frame,
    /// A piece that belongs to nobody, such as a match.
    Piece,
    /// Part of a piece that stands out, such as the head of a match.
    Accent,
    /// What the last move took away.
    Gone,
    /// Lines between squares.
    Line,
    /// A player's piece.
    Owned(Side),
    /// A piece that the last move made a player's.
    Taken(Side),
    /// What points out the last move.
    Mark,
}

/// One character of a picture, with a stand-in for terminals that only have ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub glyph: char,
    pub plain: char,
    pub tone: Tone,
}

impl Cell {
    pub const BLANK: Self = Self {
        glyph: ' ',
        plain: ' ',
        tone: Tone::Blank,
    };

    pub fn new(glyph: char, plain: char, tone: Tone) -> Self {
        Self { glyph, plain, tone }
    }
}

/// A rectangle of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Patch {
    /// Twice the place of its middle, which is a whole number.
    pub fn middle(&self) -> (i32, i32) {
        let twice = |start: u16, length: u16| 2 * i32::from(start) + i32::from(length);
        (twice(self.x, self.width), twice(self.y, self.height))
    }
}

/// A place on the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub at: Patch,
    /// Room for a sign that it can be pointed at, beside what stands there.
    pub sign: (u16, u16),
}

/// A place a player can point at to make a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Where to point.
    pub at: Patch,
    /// The places to point at one after the other, the last of them `at`, where that does not tell which move is meant; none
    /// where it does.
    pub way: Vec<Stop>,
    /// What the move touches, all of it to be shown while it is pointed at.
    pub covers: Vec<Patch>,
    /// The move in text that pointing here means.
    pub word: String,
    /// Room for a few characters on the move, where there is any that covers no piece.
    pub note: Option<Patch>,
}

/// A grid of characters, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub width: u16,
    pub height: u16,
    pub cells: Vec<Cell>,
    pub spots: Vec<Spot>,
}

impl Board {
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            cells: vec![Cell::BLANK; width as usize * height as usize],
            spots: Vec::new(),
        }
    }

    /// Puts a character; what lies outside the grid is dropped.
    pub fn put(&mut self, x: u16, y: u16, cell: Cell) {
        if x < self.width && y < self.height {
            self.cells[y as usize * self.width as usize + x as usize] = cell;
        }
    }

    /// Writes ASCII text to the right of a place.
    pub fn write(&mut self, x: u16, y: u16, text: &str, tone: Tone) {
        for (offset, glyph) in text.chars().enumerate() {
            self.put(x + offset as u16, y, Cell::new(glyph, glyph, tone));
        }
    }

    /// The rows from the top, each a slice of cells.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(self.width.max(1) as usize)
    }
}
