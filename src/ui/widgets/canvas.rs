//! Dots in a grid of characters: two by four braille dots to a character, or one ASCII mark where braille may not be drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// What a character shows: the dots that are set and the line that set them last.
#[derive(Clone, Copy, Default)]
struct Spot {
    dots: u8,
    line: u8,
    strength: Strength,
}

/// How much a dot counts where several lines meet in a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The spread around a line.
    #[default]
    Faint,
    /// The line itself.
    Strong,
}

/// A grid of dots over an area, the origin at the bottom left.
pub struct Canvas {
    width: u16,
    height: u16,
    spots: Vec<Spot>,
}

/// The bits of a braille character by column and row from the top.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// What lines are drawn with in ASCII, the most important first.
pub const MARKS: [char; 12] = ['*', 'o', '+', 'x', '%', '=', '#', '~', '&', 'v', '$', '!'];

impl Canvas {
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            spots: vec![Spot::default(); width as usize * height as usize],
        }
    }

    /// Dots across.
    pub fn across(&self) -> usize {
        self.width as usize * 2
    }

    /// Dots up.
    pub fn up(&self) -> usize {
        self.height as usize * 4
    }

    /// Sets a dot; what lies outside is dropped.
    pub fn dot(&mut self, x: usize, y: usize, line: u8, strength: Strength) {
        if x >= self.across() || y >= self.up() {
            return;
        }
        let from_top = self.up() - 1 - y;
        let spot = &mut self.spots[from_top / 4 * self.width as usize + x / 2];
        if spot.dots != 0 && spot.strength > strength {
            return;
        }
        if strength > spot.strength {
            *spot = Spot::default();
        }
        spot.dots |= BITS[x % 2][from_top % 4];
        // Where two lines meet, the more important one keeps its color.
        if spot.dots.is_power_of_two() || line < spot.line {
            spot.line = line;
        }
        spot.strength = strength;
    }

    /// Joins two dots.
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

    /// Puts the dots over what is in the area.
    pub fn draw(
        &self,
        area: Rect,
        style: impl Fn(u8, Strength) -> Style,
        plain: Plain,
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
                    (Plain::Braille, _) => {
                        char::from_u32(0x2800 + u32::from(spot.dots)).unwrap_or(' ')
                    }
                    (Plain::Marks(marks), _) => marks[spot.line as usize % marks.len()],
                    (Plain::Ascii, Strength::Strong) => MARKS[spot.line as usize % MARKS.len()],
                    (Plain::Ascii, Strength::Faint) => ':',
                };
                cell.set_char(glyph)
                    .set_style(style(spot.line, spot.strength));
            }
        }
    }
}

/// What may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Braille,
    Ascii,
    /// ASCII with marks of one's own.
    Marks([char; 6]),
}
