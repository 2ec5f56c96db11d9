//! A matrix of players against each other: a label for each row, a heading for each column, and a
//! cell for each pair. It does not know what the cells say.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::mouse::Regions;
use crate::theme::Theme;
use crate::widgets::text::{below, columns_of, first_rows, put};

/// The colors of a cell that holds a share of points, from 0 to 1: lighter for a higher share.
pub fn score_style(share: f64, theme: &Theme) -> Style {
    let plain = match share {
        share if share > 0.5 => theme.strong,
        share if share < 0.5 => theme.dim,
        _ => theme.text,
    };
    theme.heat(share).unwrap_or(plain)
}

/// A matrix by its visible rows and columns. The texts of a column have the width of its cells.
pub struct PairMatrix<'a> {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
    pub label_width: u16,
    /// The width and the height of a cell.
    pub cell: (u16, u16),
    pub corner: Span<'a>,
    pub heading: &'a dyn Fn(usize) -> Span<'a>,
    pub label: &'a dyn Fn(usize) -> Line<'a>,
    /// The text of a cell by row and column. Its background fills the height of the cell.
    pub value: &'a dyn Fn(usize, usize) -> Span<'a>,
}

impl PairMatrix<'_> {
    /// The height with its headings.
    pub fn height(&self) -> u16 {
        1 + self.rows.len() as u16 * self.cell.1
    }

    /// Draws the rows that begin in the area, and returns their areas.
    pub fn draw(&self, area: Rect, buf: &mut Buffer) -> Regions<usize> {
        let mut regions = Regions::default();
        put(buf, area, 0, self.corner.clone());
        for column in self.columns.clone() {
            put(buf, self.cell(area, 0, column), 0, (self.heading)(column));
        }
        let middle = (self.cell.1 - 1) / 2;
        for (place, row) in self.rows.clone().enumerate() {
            let y = 1 + place as u16 * self.cell.1;
            let line = first_rows(below(area, y), self.cell.1);
            if line.is_empty() {
                break;
            }
            regions.add(line, row);
            put(buf, line, middle, (self.label)(row));
            for column in self.columns.clone() {
                let at = self.cell(area, y, column);
                let text = (self.value)(row, column);
                let ground = columns_of(at, 0, text.width() as u16);
                if text.style.bg.is_some() {
                    buf.set_style(ground.intersection(buf.area), text.style);
                }
                put(buf, at, middle, text);
            }
        }
        regions
    }

    /// The area of a cell `y` rows below the top.
    fn cell(&self, area: Rect, y: u16, column: usize) -> Rect {
        let place = (column - self.columns.start) as u16;
        let cell = Rect {
            x: area.x + self.label_width + place * self.cell.0,
            y: area.y + y,
            width: self.cell.0,
            height: self.cell.1,
        };
        cell.intersection(area)
    }
}
