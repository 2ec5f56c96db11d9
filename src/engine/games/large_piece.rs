//! Pieces larger than a character, drawn with blocks. Those of the second player are rings, so that
//! they differ without colors.

use super::Side;
use super::board::{Board, BoardCell, CellRole};

/// The size of a piece: columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceSize {
    /// One character, which the game draws itself.
    Single,
    FiveByTwo,
    FiveByThree,
    EightByFour,
    NineByFive,
}

/// What a large piece shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceShape {
    Disc,
    Crown,
}

impl PieceSize {
    /// Columns and rows.
    pub(super) fn extent(self) -> (u16, u16) {
        match self {
            Self::Single => (1, 1),
            Self::FiveByTwo => (5, 2),
            Self::FiveByThree => (5, 3),
            Self::EightByFour => (8, 4),
            Self::NineByFive => (9, 5),
        }
    }

    /// The columns beside a piece around a center, where brackets are drawn.
    pub(super) fn beside(self, x: u16) -> (u16, u16) {
        let (width, _) = self.extent();
        (x - width / 2 - 1, x + width - width / 2)
    }

    /// The rows of a piece in the middle: one, or two if the height is even.
    pub(super) fn middle_rows(self, y: u16) -> impl Iterator<Item = u16> {
        let (_, height) = self.extent();
        y - (height + 1) % 2..=y
    }

    /// The columns of a piece in the middle: one, or two if the width is even.
    pub(super) fn middle_columns(self, x: u16) -> impl Iterator<Item = u16> {
        let (width, _) = self.extent();
        x - (width + 1) % 2..=x
    }

    fn rows(self, side: Side, shape: PieceShape) -> &'static [&'static str] {
        use PieceShape::{Crown, Disc};
        use Side::{First, Second};
        match (self, side, shape) {
            (Self::Single, ..) => &[],
            (Self::FiveByTwo, First, Disc) => &["▟███▙", "▜███▛"],
            (Self::FiveByTwo, Second, Disc) => &["▟▀▀▀▙", "▜▄▄▄▛"],
            (Self::FiveByTwo, First, Crown) => &["▙▗█▖▟", "█████"],
            (Self::FiveByTwo, Second, Crown) => &["▙▗▄▖▟", "█▄▄▄█"],
            (Self::FiveByThree, First, Disc) => &["▗▄▄▄▖", "█████", "▝▀▀▀▘"],
            (Self::FiveByThree, Second, Disc) => &["▗▄▄▄▖", "█   █", "▝▀▀▀▘"],
            (Self::FiveByThree, First, Crown) => &["▄ ▄ ▄", "█████", "▀▀▀▀▀"],
            (Self::FiveByThree, Second, Crown) => &["▄ ▄ ▄", "█▀▄▀█", "▀▀▀▀▀"],
            (Self::EightByFour, First, Disc) => &[" ▄████▄ ", "████████", "████████", " ▀████▀ "],
            (Self::EightByFour, Second, Disc) => &[" ▄█▀▀█▄ ", "██    ██", "██    ██", " ▀█▄▄█▀ "],
            (Self::EightByFour, First, Crown) => &["█▖ ▄▄ ▗█", "██▟██▙██", "████████", "▀▀▀▀▀▀▀▀"],
            (Self::EightByFour, Second, Crown) => &["█▖ ▄▄ ▗█", "█▜▟▘▝▙▛█", "█      █", "▀▀▀▀▀▀▀▀"],
            (Self::NineByFive, First, Disc) => &[
                "  ▄███▄  ",
                "▗███████▖",
                "█████████",
                "▝███████▘",
                "  ▀███▀  ",
            ],
            (Self::NineByFive, Second, Disc) => &[
                "  ▄███▄  ",
                "▗██▀ ▀██▖",
                "██     ██",
                "▝██▄ ▄██▘",
                "  ▀███▀  ",
            ],
            (Self::NineByFive, First, Crown) => &[
                "█▖  ▄  ▗█",
                "██▖▟█▙▗██",
                "█████████",
                "█████████",
                "▀▀▀▀▀▀▀▀▀",
            ],
            (Self::NineByFive, Second, Crown) => &[
                "█▖  ▄  ▗█",
                "█▜▖▟▀▙▗▛█",
                "█ ▀▘ ▝▀ █",
                "█       █",
                "▀▀▀▀▀▀▀▀▀",
            ],
        }
    }

    /// Draws a piece around a center. Of two middle columns or rows, the center is the second.
    /// ASCII pieces have the letter `plain`.
    pub(super) fn draw(
        self,
        (side, shape): (Side, PieceShape),
        plain: char,
        (x, y): (u16, u16),
        board: &mut Board,
    ) {
        let (width, height) = self.extent();
        for (row, glyphs) in (0..).zip(self.rows(side, shape)) {
            for (column, glyph) in (0..).zip(glyphs.chars()) {
                let is_corner = [0, width - 1].contains(&column) && [0, height - 1].contains(&row);
                let is_round = shape == PieceShape::Disc && is_corner;
                let plain = if glyph == ' ' || is_round { ' ' } else { plain };
                let cell = BoardCell::new(glyph, plain, CellRole::Owned(side));
                board.put(x + column - width / 2, y + row - height / 2, cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: [PieceSize; 4] = [
        PieceSize::FiveByTwo,
        PieceSize::FiveByThree,
        PieceSize::EightByFour,
        PieceSize::NineByFive,
    ];

    #[test]
    fn every_large_piece_has_its_size_and_looks_like_no_other() {
        for size in LARGE {
            let mut seen = Vec::new();
            for side in [Side::First, Side::Second] {
                for shape in [PieceShape::Disc, PieceShape::Crown] {
                    let rows = size.rows(side, shape);
                    let widths = rows.iter().map(|row| row.chars().count() as u16);
                    let (width, height) = size.extent();
                    assert_eq!(rows.len() as u16, height, "{size:?}");
                    assert!(widths.into_iter().all(|found| found == width), "{size:?}");
                    assert!(!seen.contains(&rows), "{size:?}");
                    seen.push(rows);
                }
            }
        }
    }

    #[test]
    fn discs_are_as_wide_as_they_are_high_on_screen() {
        for size in LARGE {
            let (width, height) = size.extent();
            // A character is about twice as high as it is wide.
            assert!(width.abs_diff(2 * height) <= 1, "{size:?}");
        }
    }
}
