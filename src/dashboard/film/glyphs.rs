//! Signs that few fonts have in the width and height of a cell: dots, blocks and lines are drawn as
//! rectangles, so that they meet on every machine.

use ratatui::symbols::pixel::{OCTANTS, QUADRANTS, SEXTANTS};

/// The width and height of a cell, in units of the picture.
pub(super) const CELL: (u16, u16) = (8, 16);

/// A rectangle: left, top, width and height.
pub(super) type Rectangle = (u16, u16, u16, u16);

/// What a sign is drawn as.
pub(super) enum Glyph {
    /// Places of dots, of 2 by 4 in a cell.
    Dots(Vec<(u16, u16)>),
    /// Rectangles within a cell.
    Rectangles(Vec<Rectangle>),
    Letter,
}

impl Glyph {
    pub(super) fn of(sign: char) -> Self {
        const BITS: [(u16, u16); 8] = [
            (0, 0),
            (0, 1),
            (0, 2),
            (1, 0),
            (1, 1),
            (1, 2),
            (0, 3),
            (1, 3),
        ];
        let (width, height) = CELL;
        let code = sign as u32;
        let rectangles = match code {
            0x2800..=0x28ff => {
                let set = (0..8).filter(|bit| (code - 0x2800) >> bit & 1 == 1);
                return Self::Dots(set.map(|bit| BITS[bit]).collect());
            }
            // Eighths of the height from below, and of the width from the left.
            0x2581..=0x2588 => {
                let tall = (code - 0x2580) as u16 * height / 8;
                vec![(0, height - tall, width, tall)]
            }
            0x2589..=0x258f => vec![(0, 0, (0x2590 - code) as u16 * width / 8, height)],
            _ => match grid(sign).or_else(|| arms(sign)) {
                Some(rectangles) => rectangles,
                None => return Self::Letter,
            },
        };
        Self::Rectangles(rectangles)
    }
}

/// The rectangles of a sign that is a pattern of 2 by 2, 3 or 4 blocks.
fn grid(sign: char) -> Option<Vec<Rectangle>> {
    let (width, height) = CELL;
    let tables: [(&[char], u16); 3] = [(&QUADRANTS, 2), (&SEXTANTS, 3), (&OCTANTS, 4)];
    let found = tables.into_iter().find_map(|(table, rows)| {
        let pattern = table.iter().position(|known| *known == sign)?;
        Some((pattern, rows))
    });
    let (pattern, rows) = found.filter(|_| !sign.is_ascii())?;
    let blocks = (0..2 * rows).filter(|bit| pattern >> bit & 1 == 1);
    let block = |bit: u16| {
        let (top, below) = (bit / 2 * height / rows, (bit / 2 + 1) * height / rows);
        (bit % 2 * width / 2, top, width / 2, below - top)
    };
    Some(blocks.map(block).collect())
}

/// The rectangles of a line or a corner of a frame: arms from the middle to the left, the right,
/// the top and the bottom, or through it.
fn arms(sign: char) -> Option<Vec<Rectangle>> {
    const LIGHT: &str = "─│╭╮╰╯┌┐└┘├┤┬┴┼╴╵╶╷";
    const HEAVY: &str = "━┃┏┓┗┛";
    /// The arms of the signs above, in their order.
    const ARMS: [&str; 19] = [
        "-", "|", "rb", "lb", "rt", "lt", "rb", "lb", "rt", "lt", "|r", "|l", "-b", "-t", "-|",
        "l", "t", "r", "b",
    ];
    let place = |signs: &str| signs.chars().position(|known| known == sign);
    let (arms, thick) = match (place(LIGHT), place(HEAVY)) {
        (Some(place), _) => (ARMS[place], 1),
        (None, Some(place)) => (["-", "|", "rb", "lb", "rt", "lt"][place], 2),
        (None, None) => return None,
    };
    let (x, y) = (CELL.0 / 2 - 1, CELL.1 / 2);
    let arm = |arm: char| match arm {
        '-' => (0, y, CELL.0, thick),
        '|' => (x, 0, thick, CELL.1),
        'l' => (0, y, x + thick, thick),
        'r' => (x, y, CELL.0 - x, thick),
        't' => (x, 0, thick, y + thick),
        _ => (x, y, thick, CELL.1 - y),
    };
    Some(arms.chars().map(arm).collect())
}
