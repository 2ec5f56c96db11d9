//! A canvas of dots: two by four braille dots per character, or one ASCII marker.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::theme::Theme;

/// The dots of a character, and the line that they belong to.
#[derive(Clone, Copy, Default)]
struct DotCell {
    dots: u8,
    line: u8,
    strength: Strength,
}

/// The priority of a dot if several lines meet in a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The spread around a line.
    #[default]
    Faint,
    /// The line itself.
    Strong,
}

/// A grid of dots with its origin at the bottom left.
pub struct DotCanvas {
    width: u16,
    height: u16,
    /// The line that is most important; the others follow in their order.
    front: u8,
    spots: Vec<DotCell>,
}

/// The bits of a braille character by column and row from the top.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The ASCII markers of lines, most important first.
pub const ASCII_MARKERS: [char; 12] = ['*', 'o', '+', 'x', '%', '=', '#', '~', '&', 'v', '$', '!'];

impl DotCanvas {
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            front: 0,
            spots: vec![DotCell::default(); width as usize * height as usize],
        }
    }

    /// The canvas with another line as the most important one.
    #[must_use]
    pub fn with_front(self, front: u8) -> Self {
        Self { front, ..self }
    }

    /// The number of dots per row.
    pub fn dot_columns(&self) -> usize {
        self.width as usize * 2
    }

    /// The number of dots per column.
    pub fn dot_rows(&self) -> usize {
        self.height as usize * 4
    }

    /// Sets a dot. Dots outside are ignored.
    pub fn dot(&mut self, x: usize, y: usize, line: u8, strength: Strength) {
        if x >= self.dot_columns() || y >= self.dot_rows() {
            return;
        }
        let from_top = self.dot_rows() - 1 - y;
        let spot = &mut self.spots[from_top / 4 * self.width as usize + x / 2];
        if spot.dots != 0 && spot.strength > strength {
            return;
        }
        if strength > spot.strength {
            *spot = DotCell::default();
        }
        spot.dots |= BITS[x % 2][from_top % 4];
        // If two lines meet, the more important one keeps its color.
        let order = |line: u8| (line != self.front, line);
        if spot.dots.is_power_of_two() || order(line) < order(spot.line) {
            spot.line = line;
        }
        spot.strength = strength;
    }

    /// Draws a line between two dots.
    pub fn stroke(&mut self, from: (usize, usize), to: (usize, usize), line: u8) {
        let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
        let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let x = (from.0 as f64 + dx * share).round() as usize;
            let y = (from.1 as f64 + dy * share).round() as usize;
            self.dot(x, y, line, Strength::Strong);
        }
    }

    /// The highest dot of a line in each column of dots, from the bottom.
    pub fn tops(&self, line: u8) -> impl Iterator<Item = Option<usize>> {
        let width = usize::from(self.width);
        (0..self.dot_columns()).map(move |x| {
            let column = self.spots.iter().skip(x / 2).step_by(width).enumerate();
            let is_own = |spot: &DotCell| spot.strength == Strength::Strong && spot.line == line;
            column
                .filter(|(_, spot)| is_own(spot))
                .find_map(|(row, spot)| {
                    let set = |bit: &u8| spot.dots & bit != 0;
                    let place = BITS[x % 2].iter().position(set)?;
                    Some(self.dot_rows() - 1 - (4 * row + place))
                })
        })
    }

    /// Draws the dots over the content of the area.
    pub fn draw(
        &self,
        area: Rect,
        style: impl Fn(u8, Strength) -> Style,
        plain: DotGlyphs<'_>,
        buf: &mut Buffer,
    ) {
        for (index, spot) in self
            .spots
            .iter()
            .enumerate()
            .filter(|(_, spot)| spot.dots != 0)
        {
            let x = area.x + (index % self.width as usize) as u16;
            let y = area.y + (index / self.width as usize) as u16;
            if let Some(cell) = buf.cell_mut((x, y)) {
                let glyph = match (plain, spot.strength) {
                    (DotGlyphs::Braille, _) => {
                        char::from_u32(0x2800 + u32::from(spot.dots)).unwrap_or(' ')
                    }
                    (DotGlyphs::Custom(marks), _) => marks[spot.line as usize % marks.len()],
                    (DotGlyphs::Ascii, Strength::Strong) => {
                        ASCII_MARKERS[spot.line as usize % ASCII_MARKERS.len()]
                    }
                    (DotGlyphs::Ascii, Strength::Faint) => ':',
                };
                cell.set_char(glyph)
                    .set_style(style(spot.line, spot.strength));
            }
        }
    }
}

/// The characters that dots are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotGlyphs<'a> {
    Braille,
    Ascii,
    /// ASCII with custom markers, by line.
    Custom(&'a [char]),
}

impl DotGlyphs<'_> {
    /// Those that the theme can draw.
    pub fn of(theme: &Theme) -> Self {
        theme.sign(Self::Braille, Self::Ascii)
    }
}
