//! A heat map: a grid of numbers as colored tiles, or as digits and symbols without colors. Tiles
//! can be half a row high.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use crate::format;
use crate::theme::Theme;
use crate::widgets::truncate::width;

/// How numbers are mapped to colors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeatScale {
    /// From the lowest to the highest value.
    Range(f32, f32),
    /// From the negated to the given value, with zero in the middle.
    Around(f32),
}

/// The offset of every second row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOffset {
    None,
    HalfTile,
}

/// The size of a tile, in columns and half rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub width: u16,
    pub halves: u16,
}

/// Tile sizes from the largest to the smallest.
pub const TILES: [Tile; 11] = {
    const fn tile(width: u16, halves: u16) -> Tile {
        Tile { width, halves }
    }
    [
        tile(8, 8),
        tile(6, 6),
        tile(6, 5),
        tile(4, 4),
        tile(4, 3),
        tile(4, 2),
        tile(3, 2),
        tile(2, 2),
        tile(2, 1),
        tile(1, 2),
        tile(1, 1),
    ]
};

/// The narrowest tile that shows its number.
const NUMBERED: u16 = 6;

/// Numbers in rows from the top; NaN leaves a tile blank.
#[derive(Clone, Debug)]
pub struct HeatMap<'a> {
    pub values: &'a [f32],
    pub columns: usize,
    pub rows: RowOffset,
    pub scale: HeatScale,
    /// The hue of each tile, as a place on a circle, 0..1; empty if the number alone gives the
    /// color. With hues the number gives the brightness.
    pub hues: &'a [f32],
    /// The index of a number that is marked.
    pub marked: Option<usize>,
}

impl<'a> HeatMap<'a> {
    /// A map of numbers alone.
    pub fn new(values: &'a [f32], columns: usize, scale: HeatScale) -> Self {
        Self {
            values,
            columns,
            rows: RowOffset::None,
            scale,
            hues: &[],
            marked: None,
        }
    }

    fn lines(&self) -> usize {
        self.values.len().div_ceil(self.columns.max(1))
    }

    /// The columns and rows that the grid takes.
    pub fn size(&self, tile: Tile) -> (u16, u16) {
        let shift = self.shift(1, tile);
        let width = self.columns as u16 * tile.width + shift;
        (width, (self.lines() as u16 * tile.halves).div_ceil(2))
    }

    /// The largest tile that fits, or `None` if even the smallest is too large.
    pub fn largest_tile(&self, width: u16, height: u16, theme: &Theme) -> Option<Tile> {
        let fits = |tile: &&Tile| {
            let (wide, high) = self.size(**tile);
            wide <= width && high <= height && is_drawable(**tile, theme)
        };
        TILES.iter().find(fits).copied()
    }

    /// The offset of a row.
    fn shift(&self, row: usize, tile: Tile) -> u16 {
        match self.rows {
            RowOffset::HalfTile if row % 2 == 1 => tile.width / 2,
            _ => 0,
        }
    }

    /// The index of the number at a column and a half row.
    fn at(&self, x: u16, half: u16, tile: Tile) -> Option<usize> {
        let row = usize::from(half / tile.halves);
        let column = usize::from(x.checked_sub(self.shift(row, tile))? / tile.width);
        let place = row * self.columns + column;
        (column < self.columns && place < self.values.len()).then_some(place)
    }

    /// The position of a value on the scale: 0..=1, or -1..=1 around zero.
    fn share(&self, value: f32) -> f64 {
        let share = match self.scale {
            HeatScale::Range(low, high) if high > low => (value - low) / (high - low),
            HeatScale::Range(..) => 0.5,
            HeatScale::Around(size) if size > 0.0 => value / size,
            HeatScale::Around(_) => 0.0,
        };
        f64::from(share)
    }

    fn tile_style(&self, place: usize, theme: &Theme) -> Option<Style> {
        let share = self.share(self.values[place]);
        if share.is_nan() {
            return None;
        }
        match (self.hues.get(place), self.scale) {
            (Some(hue), HeatScale::Range(..)) => theme.hue(f64::from(*hue), share),
            (None, HeatScale::Range(..)) => theme.heat(share),
            (_, HeatScale::Around(_)) => theme.diverging_background(share),
        }
    }

    /// Draws the grid at the top left of the area.
    pub fn draw(&self, tile: Tile, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        let (width, height) = self.size(tile);
        for y in 0..height.min(area.height) {
            for x in 0..width.min(area.width) {
                if let Some(cell) = buf.cell_mut((area.x + x, area.y + y)) {
                    let (glyph, style) = self.cell(x, y, tile, theme);
                    cell.set_char(glyph).set_style(style);
                }
            }
        }
        self.write(tile, theme, area, buf);
    }

    /// The character and style of a cell.
    fn cell(&self, x: u16, y: u16, tile: Tile, theme: &Theme) -> (char, Style) {
        let places = [2 * y, 2 * y + 1].map(|half| self.at(x, half, tile));
        if theme.heat.is_none() || theme.ascii {
            return places[0].map_or((' ', theme.text), |place| self.sign(place, theme));
        }
        let ground = |place: Option<usize>| {
            let place = place?;
            if self.marked == Some(place) && tile.halves < 2 {
                return Some(Color::White);
            }
            self.tile_style(place, theme)?.bg
        };
        match places.map(ground) {
            [None, None] => (' ', theme.text),
            [Some(top), Some(bottom)] if top == bottom => (' ', Style::new().bg(top)),
            [Some(top), Some(bottom)] => ('▀', Style::new().fg(top).bg(bottom)),
            [Some(top), None] => ('▀', Style::new().fg(top)),
            [None, Some(bottom)] => ('▄', Style::new().fg(bottom)),
        }
    }

    /// The symbol of a number without colors: a digit or a shade, or signs around zero.
    fn sign(&self, place: usize, theme: &Theme) -> (char, Style) {
        let share = self.share(self.values[place]);
        if share.is_nan() {
            return (' ', theme.text);
        }
        let step = |signs: &[char], share: f64| {
            let last = signs.len() - 1;
            signs[((share.clamp(0.0, 1.0) * signs.len() as f64) as usize).min(last)]
        };
        let glyph = match (self.scale, theme.ascii) {
            (HeatScale::Range(..), true) => {
                step(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'], share)
            }
            (HeatScale::Range(..), false) => step(&['·', '░', '▒', '▓', '█'], share),
            (HeatScale::Around(_), _) => {
                step(&['=', '-', '.', '+', '#'], f64::midpoint(share, 1.0))
            }
        };
        let style = if self.marked == Some(place) {
            theme.selection
        } else {
            theme.text
        };
        (glyph, style)
    }

    /// Writes the numbers if there is room, and the mark.
    fn write(&self, tile: Tile, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if tile.halves < 2 || theme.heat.is_none() || theme.ascii {
            return;
        }
        let numbers = self.values.iter().enumerate();
        for (place, &value) in numbers.filter(|(_, value)| !value.is_nan()) {
            let marked = self.marked == Some(place);
            let text = match (tile.width >= NUMBERED && tile.halves >= 4, marked) {
                (true, true) => format!("◆{}", format::short(value.into())),
                (true, false) => format::short(value.into()),
                (false, true) => "◆".to_owned(),
                (false, false) => continue,
            };
            let (row, column) = (place / self.columns, place % self.columns);
            let left = column as u16 * tile.width + self.shift(row, tile);
            let indent = tile.width.saturating_sub(width(&text) as u16) / 2;
            // The row wholly within the tile that is nearest to its middle.
            let top = (row as u16 * tile.halves).div_ceil(2);
            let y = top + (tile.halves / 2).saturating_sub(1) / 2;
            if left + indent < area.width && y < area.height {
                let style = self.tile_style(place, theme).unwrap_or(theme.text);
                let room = area.width - left - indent;
                buf.set_stringn(
                    area.x + left + indent,
                    area.y + y,
                    &text,
                    room.into(),
                    style,
                );
            }
        }
    }

    /// The legend of the colors or symbols.
    pub fn legend<'l>(&self, theme: &Theme) -> Line<'l> {
        const STEPS: usize = 6;
        let (low, high) = match self.scale {
            HeatScale::Range(low, high) => (low, high),
            HeatScale::Around(size) => (-size, size),
        };
        let plain = theme.heat.is_none() || theme.ascii;
        let steps = (0..STEPS).map(|step| {
            let share = step as f32 / (STEPS - 1) as f32;
            let values = [low + (high - low) * share];
            let sample = HeatMap::new(&values, 1, self.scale);
            if plain {
                let (glyph, style) = sample.sign(0, theme);
                Span::styled(glyph.to_string(), style)
            } else {
                Span::styled(" ", sample.tile_style(0, theme).unwrap_or_default())
            }
        });
        let number = |value: f32| Span::styled(format::short(value.into()), theme.dim);
        let mut spans = vec![number(low), Span::raw(" ")];
        spans.extend(steps);
        spans.extend([Span::raw(" "), number(high)]);
        Line::from(spans)
    }
}

/// The sign of the marked tile, for a legend.
pub fn mark_sign(theme: &Theme) -> Span<'static> {
    if theme.ascii || theme.heat.is_none() {
        Span::styled(" ", theme.selection)
    } else {
        Span::raw("◆")
    }
}

/// Without colors a tile takes whole rows.
fn is_drawable(tile: Tile, theme: &Theme) -> bool {
    (theme.heat.is_some() && !theme.ascii) || tile.halves.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

    fn heat<'a>() -> HeatMap<'a> {
        HeatMap {
            values: &VALUES,
            columns: 2,
            rows: RowOffset::HalfTile,
            scale: HeatScale::Range(0.0, 7.0),
            hues: &[],
            marked: Some(7),
        }
    }

    fn check(theme: &Theme, room: (u16, u16), expected: &[&str]) {
        let area = Rect::new(0, 0, 12, 8);
        let mut buf = Buffer::empty(area);
        let tile = heat().largest_tile(room.0, room.1, theme).expect("it fits");
        heat().draw(tile, theme, area, &mut buf);
        let rows = buf.content.chunks(12).map(|row| {
            let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.trim_end().to_owned()
        });
        let rows: Vec<String> = rows.filter(|row| !row.is_empty()).collect();
        assert_eq!(rows, expected, "{room:?}");
    }

    #[test]
    fn every_second_row_is_shifted_by_half_a_tile() {
        let ascii = Theme {
            ascii: true,
            ..Theme::dark()
        };
        check(&ascii, (5, 4), &["0011", " 2244", "5577", " 8899"]);
        check(
            &Theme::monochrome(),
            (5, 4),
            &["····", " ░░▒▒", "▒▒▓▓", " ████"],
        );
        check(&Theme::dark(), (5, 2), &["▀▀▀▀▄", "▀▀▀▀▄"]);
    }

    #[test]
    fn what_does_not_fit_says_so_and_nothing_is_drawn_outside() {
        assert_eq!(heat().largest_tile(1, 1, &Theme::dark()), None);
        for tile in TILES {
            for (width, height) in [(0, 0), (1, 1), (3, 2), (20, 20)] {
                let mut buf = Buffer::empty(Rect::new(0, 0, 4, 3));
                let area = Rect::new(1, 1, width, height);
                heat().draw(tile, &Theme::dark(), area, &mut buf);
                assert_eq!(buf[(0, 0)].symbol(), " ");
            }
        }
    }
}
