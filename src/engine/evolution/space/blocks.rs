//! Shifting blocks: a square grid with wrap-around edges is divided into square blocks. In every
//! second generation the blocks are shifted by half a block down and to the right, so that genomes
//! spread between blocks (Porter & LeGrand, "Future Work", after the Critters cellular automaton of
//! Toffoli & Margolus 1987, section 12.8.2).

use crate::params::{ParamError, params};

use super::{GridShape, Space, SpaceLayout, uneven_rows};

params! {
    /// A square grid of blocks that shift from generation to generation.
    pub struct Blocks {
        /// Cells in a row.
        fixed width: u32 = 10, in 2.0..=1000.0, "cells";
        /// Side length of a block; must divide the width and the number of rows.
        fixed side: u32 = 2, in 2.0..=100.0, "cells";
    }
}

impl Space for Blocks {
    fn neighborhoods(&self, members: usize, generation: u64) -> Vec<Vec<u32>> {
        let mut blocks = vec![Vec::new(); members];
        for cell in 0..members {
            blocks[self.block(cell, members, generation)].push(cell as u32);
        }
        let others = |cell: usize| {
            let block = &blocks[self.block(cell, members, generation)];
            let others = block.iter().copied();
            others.filter(|&other| other as usize != cell).collect()
        };
        (0..members).map(others).collect()
    }

    fn layout(&self) -> Option<SpaceLayout> {
        Some(SpaceLayout {
            width: self.width as usize,
            grid: GridShape::Square,
        })
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let (width, side) = (self.width as usize, self.side as usize);
        if let Some(problem) = uneven_rows(population, width) {
            return vec![problem];
        }
        let rows = population / width;
        if !width.is_multiple_of(side) || !rows.is_multiple_of(side) {
            let message = format!(
                "must divide the width ({width}) and the number of rows ({rows}), is {side}"
            );
            return vec![ParamError::new("side", message)];
        }
        Vec::new()
    }
}

impl Blocks {
    /// The index of the block that a cell belongs to.
    fn block(&self, cell: usize, members: usize, generation: u64) -> usize {
        let (width, side) = (self.width as usize, self.side as usize);
        let rows = members / width;
        let shift = if generation.is_multiple_of(2) {
            0
        } else {
            side / 2
        };
        let row = (cell / width + rows - shift) % rows / side;
        let column = (cell % width + width - shift) % width / side;
        row * (width / side) + column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_shift_by_half_a_block_and_wrap_around_the_edges() {
        let blocks = Blocks { width: 4, side: 2 };
        let even = blocks.neighborhoods(16, 0);
        assert_eq!(even[0], [1, 4, 5]);
        assert_eq!(even[15], [10, 11, 14]);
        let odd = blocks.neighborhoods(16, 1);
        assert_eq!(odd[5], [6, 9, 10]);
        assert_eq!(odd[0], [3, 12, 15], "the corners are one block");
        assert_eq!(even, blocks.neighborhoods(16, 2));
    }

    #[test]
    fn blocks_that_do_not_fit_are_refused() {
        let problems = |width, side, population| Blocks { width, side }.problems(population).len();
        assert_eq!(problems(10, 2, 100), 0);
        assert_eq!(
            (
                problems(10, 3, 100),
                problems(10, 2, 50),
                problems(7, 2, 100)
            ),
            (1, 1, 1)
        );
    }
}
