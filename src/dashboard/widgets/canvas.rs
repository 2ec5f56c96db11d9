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
    /// A less important line of the same strength that is in the character too.
    under: Option<u8>,
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
        let is_first = spot.dots.is_power_of_two();
        if !is_first && line != spot.line {
            spot.under = Some(std::cmp::max_by_key(line, spot.line, |line| order(*line)));
        }
        if is_first || order(line) < order(spot.line) {
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

    /// Sets the dots below a line that share a character with it. Returns the number of rows of
    /// characters below it, by column of characters.
    pub fn thicken(&mut self, line: u8) -> Vec<Option<usize>> {
        let tops: Vec<Option<usize>> = self.tops(line).collect();
        // The lower of both columns of dots, so that a steep line has nothing on its outer side.
        let rows = |pair: &[Option<usize>]| Some(pair.iter().flatten().min()? / 4);
        let rows: Vec<Option<usize>> = tops.chunks(2).map(rows).collect();
        for (x, top) in tops.into_iter().enumerate() {
            for y in rows[x / 2].map_or(0, |rows| 4 * rows)..top.unwrap_or(0) {
                self.dot(x, y, line, Strength::Strong);
            }
        }
        rows
    }

    /// The highest dot of a line in each column of dots, from the bottom.
    fn tops(&self, line: u8) -> impl Iterator<Item = Option<usize>> {
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
            // Of two lines at the same place, the one below is seen in between.
            let in_between = index % self.width as usize % 4 == 3;
            let line = spot.under.filter(|_| in_between).unwrap_or(spot.line);
            if let Some(cell) = buf.cell_mut((x, y)) {
                let glyph = match (plain, spot.strength) {
                    (DotGlyphs::Braille, _) => {
                        char::from_u32(0x2800 + u32::from(spot.dots)).unwrap_or(' ')
                    }
                    (DotGlyphs::Custom(marks), _) => marks[line as usize % marks.len()],
                    (DotGlyphs::Ascii, Strength::Strong) => {
                        ASCII_MARKERS[line as usize % ASCII_MARKERS.len()]
                    }
                    (DotGlyphs::Ascii, Strength::Faint) => ':',
                };
                cell.set_char(glyph).set_style(style(line, spot.strength));
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

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    #[test]
    fn a_thick_line_ends_where_the_area_below_it_begins() {
        let mut canvas = DotCanvas::new(3, 2);
        // Two dots of the upper row are below the line, none, and all three.
        canvas.stroke((0, 6), (1, 6), 0);
        canvas.stroke((2, 4), (3, 4), 0);
        canvas.stroke((4, 7), (5, 7), 0);
        assert_eq!(canvas.thicken(0), [Some(1); 3]);
        let area = Rect::new(0, 0, 3, 2);
        let mut buf = Buffer::empty(area);
        canvas.draw(area, |_, _| Style::new(), DotGlyphs::Braille, &mut buf);
        let symbols: String = (0..3).map(|x| buf[(x, 0)].symbol()).collect();
        assert_eq!(symbols, "⣶⣀⣿");
        assert_eq!(buf[(0, 1)].symbol(), " ");
    }

    #[test]
    fn a_line_under_another_is_seen_in_between() {
        let mut canvas = DotCanvas::new(8, 1);
        for line in [1, 0] {
            canvas.stroke((0, 2), (15, 2), line);
        }
        let area = Rect::new(0, 0, 8, 1);
        let mut buf = Buffer::empty(area);
        let colors = [Color::Blue, Color::Red];
        let style = |line: u8, _| Style::new().fg(colors[usize::from(line)]);
        canvas.draw(area, style, DotGlyphs::Braille, &mut buf);
        let below = (0..8).filter(|&x| buf[(x, 0)].fg == Color::Red);
        assert_eq!(below.collect::<Vec<u16>>(), [3, 7]);
    }
}
