//! The hexagonal torus: rows of cells with wrap-around edges, every second row shifted by half a
//! cell. Each member has six neighbors (Porter & LeGrand, "Vanilla Configuration").

use crate::params::{ParamError, params};

use super::{GridShape, Space, SpaceLayout, uneven_rows};

params! {
    /// A hexagonal grid with wrap-around edges.
    pub struct Torus {
        /// Cells in a row; must divide the population into an even number of rows.
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

    fn layout(&self) -> Option<SpaceLayout> {
        Some(SpaceLayout {
            width: self.width as usize,
            grid: GridShape::Hexagonal,
        })
    }

    fn problems(&self, population: usize) -> Vec<ParamError> {
        let width = self.width as usize;
        let rows = population / width;
        if let Some(problem) = uneven_rows(population, width) {
            return vec![problem];
        }
        // With two rows or an odd number of rows, some neighbors would be duplicate or not mutual.
        if rows < 4 || rows % 2 == 1 {
            let message = format!(
                "must divide the population ({population}) into an even number of at least 4 rows, \
                gives {rows}"
            );
            return vec![ParamError::new("width", message)];
        }
        Vec::new()
    }
}

/// The six neighbors: left and right, and two each in the rows above and below, which are shifted
/// to the left of even rows and to the right of odd ones.
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
        let neighborhoods = Torus { width: 10 }.neighborhoods(100, 0);
        let mut reached = vec![0_usize];
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            for &neighbor in &neighborhoods[cell] {
                if !reached.contains(&(neighbor as usize)) {
                    reached.push(neighbor as usize);
                }
            }
            next += 1;
        }
        assert_eq!(reached.len(), 100);
    }

    #[test]
    fn populations_that_do_not_fill_the_torus_are_rejected() {
        let problems = |width, population| Torus { width }.problems(population).len();
        assert_eq!((problems(10, 100), problems(3, 12)), (0, 0));
        assert_eq!(
            (problems(10, 50), problems(10, 20), problems(7, 100)),
            (1, 1, 1)
        );
    }
}
