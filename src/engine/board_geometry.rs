//! Where the inputs of a network lie on a board: which squares neighbor each other, what they hold,
//! and which symmetries the game has. A game names it; a network can look at neighboring squares
//! together and treat symmetric ones alike.

/// The squares of a board, with an input of a network each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardGeometry {
    /// The number of columns.
    pub columns: usize,
    /// The input of each square, row by row from the upper left corner; `None` where no piece can
    /// stand.
    pub inputs: Vec<Option<u32>>,
    /// The lowest value of an input.
    pub lowest: i8,
    /// The number of values of an input, which are whole numbers from the lowest on.
    pub levels: u8,
    /// The symmetries of the game, the identity first: for each input the one that takes its place.
    pub symmetries: Vec<Vec<u32>>,
    /// For each input the one that takes its place when the players change sides. The values are
    /// then negated.
    pub opposite: Vec<u32>,
}

impl BoardGeometry {
    /// A square board with an input on each square, row by row, and all eight symmetries of the
    /// square. It looks alike from both sides.
    pub fn square(side: usize, lowest: i8, levels: u8) -> Self {
        let last = side - 1;
        let image = |symmetry: usize, square: usize| {
            let (mut row, mut column) = (square / side, square % side);
            if symmetry & 1 != 0 {
                column = last - column;
            }
            if symmetry & 2 != 0 {
                row = last - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            (row * side + column) as u32
        };
        let squares = 0..side * side;
        let permutation = |symmetry| -> Vec<u32> {
            squares
                .clone()
                .map(|square| image(symmetry, square))
                .collect()
        };
        Self {
            columns: side,
            inputs: squares.clone().map(|square| Some(square as u32)).collect(),
            lowest,
            levels,
            symmetries: (0..8).map(permutation).collect(),
            opposite: permutation(0),
        }
    }

    /// Whether the negative of each value is one too, so that the players can change sides.
    pub fn has_opposite(&self) -> bool {
        i16::from(self.levels) == 1 - 2 * i16::from(self.lowest)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.inputs.len() / self.columns
    }

    /// The input of a square; `None` off the board and where no piece can stand.
    pub fn input(&self, row: i64, column: i64) -> Option<u32> {
        let column = usize::try_from(column).ok()?;
        let row = usize::try_from(row).ok()?;
        if column >= self.columns {
            return None;
        }
        *self.inputs.get(row * self.columns + column)?
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_symmetries_of_a_square_are_eight_and_closed_under_composition() {
        let geometry = BoardGeometry::square(4, -1, 3);
        let all: BTreeSet<&Vec<u32>> = geometry.symmetries.iter().collect();
        assert_eq!(all.len(), 8);
        assert_eq!(geometry.symmetries[0], (0..16).collect::<Vec<u32>>());
        for one in &geometry.symmetries {
            for other in &geometry.symmetries {
                let both: Vec<u32> = one.iter().map(|&at| other[at as usize]).collect();
                assert!(all.contains(&both));
            }
        }
    }

    #[test]
    fn squares_off_the_board_have_no_input() {
        let geometry = BoardGeometry::square(3, 0, 2);
        assert_eq!(geometry.rows(), 3);
        assert_eq!(geometry.input(1, 2), Some(5));
        for (row, column) in [(-1, 0), (0, -1), (3, 0), (0, 3)] {
            assert_eq!(geometry.input(row, column), None);
        }
    }
}
