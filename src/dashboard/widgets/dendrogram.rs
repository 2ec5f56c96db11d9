//! Draws a tree with line characters: one row for each tip, time from left to right. It knows no
//! genomes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::theme::Theme;

/// The ends of lines that meet in a cell.
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;

/// Lines by the ends that meet: left, right, up and down are 1, 2, 4 and 8.
const LIGHT: [&str; 16] = [
    " ", "─", "─", "─", "│", "┘", "└", "┴", "│", "┐", "┌", "┬", "│", "┤", "├", "┼",
];

/// The same where the line from left to right is emphasized.
const HEAVY: [&str; 16] = [
    " ", "━", "━", "━", "│", "┙", "┕", "┷", "│", "┑", "┍", "┯", "│", "┥", "┝", "┿",
];

/// A line of a tree, in columns and rows of the whole tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeLine {
    /// Along a row between two columns.
    Along {
        row: usize,
        columns: [usize; 2],
        is_emphasized: bool,
    },
    /// Down a column between two rows.
    Down { column: usize, rows: [usize; 2] },
}

/// The visible rows of a tree.
struct TreeCanvas {
    first_row: usize,
    width: usize,
    /// The ends of lines in each cell, and whether they are emphasized.
    cells: Vec<(u8, bool)>,
}

impl TreeCanvas {
    fn cell(&mut self, row: usize, column: usize) -> Option<&mut (u8, bool)> {
        let row = row.checked_sub(self.first_row)?;
        let is_inside = column < self.width;
        is_inside.then(|| self.cells.get_mut(row * self.width + column))?
    }

    fn mark(&mut self, (row, column): (usize, usize), ends: u8, is_emphasized: bool) {
        if let Some(cell) = self.cell(row, column) {
            cell.0 |= ends;
            cell.1 |= is_emphasized;
        }
    }

    fn add(&mut self, line: TreeLine) {
        match line {
            TreeLine::Along {
                row,
                columns: [from, to],
                is_emphasized,
            } => {
                for column in from..to {
                    self.mark((row, column), RIGHT, is_emphasized);
                    self.mark((row, column + 1), LEFT, is_emphasized);
                }
            }
            TreeLine::Down {
                column,
                rows: [from, to],
            } => {
                let last = self.first_row + self.cells.len() / self.width.max(1);
                for row in from.max(self.first_row.saturating_sub(1))..to.min(last) {
                    self.mark((row, column), DOWN, false);
                    self.mark((row + 1, column), UP, false);
                }
            }
        }
    }
}

/// Draws the part of a tree whose first row is `first_row`.
pub fn draw(
    lines: impl IntoIterator<Item = TreeLine>,
    first_row: usize,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    let area = area.intersection(buf.area);
    let mut canvas = TreeCanvas {
        first_row,
        width: area.width.into(),
        cells: vec![(0, false); usize::from(area.width) * usize::from(area.height)],
    };
    lines.into_iter().for_each(|line| canvas.add(line));
    for (cell, position) in canvas.cells.iter().zip(area.positions()) {
        let (glyph, style) = glyph(*cell, theme);
        if glyph != " " {
            buf[position].set_symbol(glyph).set_style(style);
        }
    }
}

/// The character and the style of a cell.
fn glyph((ends, is_emphasized): (u8, bool), theme: &Theme) -> (&'static str, Style) {
    let style = if is_emphasized {
        theme.accent
    } else {
        theme.dim
    };
    let is_level = ends & (UP | DOWN) == 0;
    let is_upright = ends & (LEFT | RIGHT) == 0;
    let glyph = match (theme.ascii, is_emphasized) {
        (false, false) => LIGHT[usize::from(ends)],
        (false, true) => HEAVY[usize::from(ends)],
        (true, _) if ends == 0 => " ",
        (true, true) if is_level => "=",
        (true, false) if is_level => "-",
        (true, _) if is_upright => "|",
        (true, _) => "+",
    };
    (glyph, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(first_row: usize, theme: &Theme, expected: &str) {
        let along = |row, columns, is_emphasized| TreeLine::Along {
            row,
            columns,
            is_emphasized,
        };
        let lines = [
            along(0, [0, 5], true),
            along(1, [3, 5], false),
            along(2, [0, 5], false),
            TreeLine::Down {
                column: 3,
                rows: [0, 1],
            },
            TreeLine::Down {
                column: 0,
                rows: [0, 2],
            },
        ];
        let area = Rect::new(0, 0, 6, 3);
        let mut buf = Buffer::empty(area);
        draw(lines, first_row, theme, area, &mut buf);
        let row = |y: u16| (0..6).map(move |x| (x, y));
        let text = |y: u16| -> String {
            let cells = row(y).map(|position| buf[position].symbol());
            cells.collect()
        };
        let drawn: Vec<String> = (0..3).map(text).collect();
        assert_eq!(drawn.join("\n"), expected);
    }

    #[test]
    fn lines_meet_and_the_rows_above_are_cut_off() {
        let theme = Theme::dark();
        check(0, &theme, "┍━━┯━━\n│  └──\n└─────");
        check(1, &theme, "│  └──\n└─────\n      ");
        let ascii = Theme {
            ascii: true,
            ..Theme::dark()
        };
        check(0, &ascii, "+==+==\n|  +--\n+-----");
    }
}
