//! Signs that few fonts have in the width and height of a cell: dots, blocks and lines are drawn as
//! rectangles, so that they meet on every machine.

use ratatui::symbols::pixel::{OCTANTS, QUADRANTS, SEXTANTS};

/// The width and height of a cell, in units of the picture.
pub(super) const CELL: (u16, u16) = (8, 16);

/// A rectangle: left, top, width and height.
pub(super) type Rectangle = (u16, u16, u16, u16);

/// The columns and rows of the dots of a sign, of two by four; empty for other signs.
pub(super) fn dots(sign: char) -> Vec<(u16, u16)> {
    const PLACES: [u16; 8] = [0, 2, 4, 1, 3, 5, 6, 7];
    let bits = (sign as u32).wrapping_sub(0x2800);
    let set = (0..8).filter(|bit| bits < 0x100 && bits >> bit & 1 == 1);
    set.map(|bit| (PLACES[bit] % 2, PLACES[bit] / 2)).collect()
}

/// The rectangles of a block or of a line of a frame; empty for other signs.
pub(super) fn rectangles(sign: char) -> Vec<Rectangle> {
    let (width, height) = CELL;
    match sign as u32 {
        // Eighths of the height from below, and of the width from the left.
        code @ 0x2581..=0x2588 => {
            let tall = (code - 0x2580) as u16 * height / 8;
            vec![(0, height - tall, width, tall)]
        }
        code @ 0x2589..=0x258f => vec![(0, 0, (0x2590 - code) as u16 * width / 8, height)],
        0x2500..=0x257f => arms(sign),
        0x80.. => grid(sign),
        _ => Vec::new(),
    }
}

/// The rectangles of a pattern of 2 by 2, 3 or 4 blocks.
fn grid(sign: char) -> Vec<Rectangle> {
    let tables: [(&[char], u16); 3] = [(&QUADRANTS, 2), (&SEXTANTS, 3), (&OCTANTS, 4)];
    let place = |table: &[char]| table.iter().position(|known| *known == sign);
    let mut found = tables
        .iter()
        .filter_map(|(table, rows)| Some((place(table)?, *rows)));
    let (pattern, rows) = found.next().unwrap_or((0, 2));
    let blocks = (0..2 * rows).filter(|bit| pattern >> bit & 1 == 1);
    let top = |row: u16| row * CELL.1 / rows;
    let half = CELL.0 / 2;
    blocks
        .map(|bit| {
            (
                bit % 2 * half,
                top(bit / 2),
                half,
                top(bit / 2 + 1) - top(bit / 2),
            )
        })
        .collect()
}

/// The rectangles of a line or a corner: through the middle, or from it to the left, the right, the
/// top and the bottom. Dashes are drawn as lines, which are shorter to write.
fn arms(sign: char) -> Vec<Rectangle> {
    const ARMS: &str = "─- │| ╭rb ╮lb ╰rt ╯lt ┌rb ┐lb └rt ┘lt ├|r ┤|l ┬-b ┴-t ┼-| ╴l ╵t ╶r ╷b \
        ┈- ╌- ┄- ┆| ┊| ╎| ━- ┃| ┏rb ┓lb ┗rt ┛lt";
    let arms = ARMS.split(' ').find_map(|known| known.strip_prefix(sign));
    let thick = if "━┃┏┓┗┛".contains(sign) {
        2
    } else {
        1
    };
    let ((width, height), (x, y)) = (CELL, (CELL.0 / 2 - 1, CELL.1 / 2));
    let arm = |arm: char| match arm {
        '-' => (0, y, width, thick),
        '|' => (x, 0, thick, height),
        'l' => (0, y, x + thick, thick),
        'r' => (x, y, width - x, thick),
        't' => (x, 0, thick, y + thick),
        _ => (x, y, thick, height - y),
    };
    arms.unwrap_or_default().chars().map(arm).collect()
}
