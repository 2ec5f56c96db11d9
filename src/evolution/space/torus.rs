//! The hexagonal torus: rows of cells, every second one shifted by half a cell, whose edges meet; everyone has six neighbors
//! (Porter & LeGrand, "The Genetic Algorithm").

use crate::params::{Problem, params};

use super::{Grid, Layout, Space, ragged};

params! {
    /// A hexagonal grid whose edges meet.
    pub struct Torus {
        /// Cells in a row. It divides the population into an even number of rows.
        fixed width: u32 = 10, in 3.0..=1000.0, "cells";
    }
}

impl Space for Torus {
    fn neighborhoods(&self, members: usize, _generation: u64) -> Vec<Vec<u32>> {
        let width = self.width as usize;
        (0..members)
            .map(|cell| neighbors(cell, width, members / width))
            .collect()
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout {
            width: self.width as usize,
            grid: Grid::Hexagonal,
        })
    }

    fn problems(&self, population: usize) -> Vec<Problem> {
        let width = self.width as usize;
        let rows = population / width;
        if let Some(problem) = ragged(population, width) {
            return vec![problem];
        }
        // With two rows or an odd number of them, some cells would be neighbors twice or not mutually.
        if rows < 4 || rows % 2 == 1 {
            let message = format!(
                "must cut the population ({population}) into an even number of rows from 4 on, gives {rows}"
            );
            return vec![Problem::new("width", message)];
        }
        Vec::new()
    }
}

/// The six neighbors: left and right, and two each in the rows above and below, which are shifted to the left of even rows
/// and to the right of odd ones.
fn neighbors(cell: usize, width: usize, height: usize) -> Vec<u32> {
    let (row, column) = (cell / width, cell % width);
    let (left, right) = ((column + width - 1) % width, (column + 1) % width);
    let (above, below) = ((row + height - 1) % height, (row + 1) % height);
    let (west, east) = if row % 2 == 0 {
        (left, column)
    } else {
        (column, right)
    };
    let at = |row: usize, column: usize| (row * width + column) as u32;
    vec![
        at(row, left),
        at(row, right),
        at(above, west),
        at(above, east),
        at(below, west),
        at(below, east),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_neighbors_of_a_cell_touch_it() {
        // Rows of four, the second and fourth shifted to the right by half a cell.
        assert_eq!(neighbors(9, 4, 4), [8, 10, 4, 5, 12, 13]);
        assert_eq!(neighbors(5, 4, 4), [4, 6, 1, 2, 9, 10]);
        assert_eq!(neighbors(0, 4, 4), [3, 1, 15, 12, 7, 4]);
    }

    #[test]
    fn anyone_can_be_reached_from_anyone() {
        let homes = Torus { width: 10 }.neighborhoods(100, 0);
        let mut reached = vec![0_usize];
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            for &neighbor in &homes[cell] {
                if !reached.contains(&(neighbor as usize)) {
                    reached.push(neighbor as usize);
                }
            }
            next += 1;
        }
        assert_eq!(reached.len(), 100);
    }

    #[test]
    fn rows_that_do_not_close_are_refused() {
        let faults = |width, population| Torus { width }.problems(population).len();
        assert_eq!((faults(10, 100), faults(3, 12)), (0, 0));
        assert_eq!((faults(10, 50), faults(10, 20), faults(7, 100)), (1, 1, 1));
    }
}
