//! The tuples of a board: which squares they have, and where else the symmetries of the board put them.

use std::collections::BTreeSet;

use crate::board_geometry::BoardGeometry;

/// Inputs whose values together select an entry of a table, in the order of their digits.
pub(super) type Tuple = Vec<u32>;

/// All straight tuples of this length, horizontal, vertical and diagonal, of which no two are images of each other.
pub(super) fn straight(geometry: &BoardGeometry, length: u32) -> Vec<Tuple> {
    const DIRECTIONS: [(i64, i64); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let line = |row: i64, column: i64| {
        let directions = if length == 1 {
            &DIRECTIONS[..1]
        } else {
            &DIRECTIONS
        };
        let tuples = directions.iter().filter_map(move |(down, right)| {
            let steps = 0..i64::from(length);
            let inputs = steps.map(|step| geometry.input(row + step * down, column + step * right));
            inputs.collect::<Option<Tuple>>()
        });
        tuples.collect()
    };
    distinct(geometry, &line)
}

/// All squares of 2×2, of which no two are images of each other.
pub(super) fn squares(geometry: &BoardGeometry) -> Vec<Tuple> {
    let square = |row: i64, column: i64| {
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let inputs = corners.map(|(down, right)| geometry.input(row + down, column + right));
        inputs
            .into_iter()
            .collect::<Option<Tuple>>()
            .into_iter()
            .collect()
    };
    distinct(geometry, &square)
}

/// The tuples that begin on each square, without those that are images of earlier ones.
fn distinct(geometry: &BoardGeometry, from: &dyn Fn(i64, i64) -> Vec<Tuple>) -> Vec<Tuple> {
    let mut known = BTreeSet::new();
    let mut tuples = Vec::new();
    for row in 0..geometry.rows() as i64 {
        for column in 0..geometry.columns as i64 {
            for tuple in from(row, column) {
                if known.contains(&set(&tuple)) {
                    continue;
                }
                known.extend(images(geometry, &tuple).iter().map(set));
                tuples.push(tuple);
            }
        }
    }
    tuples
}

/// The inputs of a tuple, whatever their order.
fn set(tuple: &Tuple) -> Tuple {
    let mut inputs = tuple.clone();
    inputs.sort_unstable();
    inputs
}

/// The images of a tuple under all symmetries, each once.
pub(super) fn images(geometry: &BoardGeometry, tuple: &[u32]) -> BTreeSet<Tuple> {
    let symmetries = geometry.symmetries.iter();
    let image = |symmetry: &Vec<u32>| tuple.iter().map(|&at| symmetry[at as usize]).collect();
    symmetries.map(image).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of straight tuples of the board of Reversi, and in how many places they lie.
    fn check(length: u32, tuples: usize, places: usize) {
        let geometry = BoardGeometry::square(8, -1, 3);
        let found = straight(&geometry, length);
        assert_eq!(found.len(), tuples);
        let all = found.iter().flat_map(|tuple| images(&geometry, tuple));
        let all: BTreeSet<Tuple> = all.map(|tuple| set(&tuple)).collect();
        assert_eq!(all.len(), places);
    }

    #[test]
    fn straight_tuples_are_those_of_the_publications() {
        check(1, 10, 64);
        check(2, 32, 210);
        check(3, 24, 168);
        check(4, 21, 130);
    }

    #[test]
    fn squares_cover_the_board_and_symmetric_ones_are_one() {
        let geometry = BoardGeometry::square(8, -1, 3);
        let found = squares(&geometry);
        assert_eq!(found.len(), 10);
        let all = found.iter().flat_map(|tuple| images(&geometry, tuple));
        assert_eq!(
            all.map(|tuple| set(&tuple))
                .collect::<BTreeSet<Tuple>>()
                .len(),
            49
        );
    }

    #[test]
    fn a_board_too_small_has_no_tuples() {
        assert!(straight(&BoardGeometry::square(3, 0, 2), 4).is_empty());
        assert!(squares(&BoardGeometry::square(1, 0, 2)).is_empty());
    }
}
