//! The tuples of a board: which squares they have, and where else the symmetries of the board put
//! them.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::board_geometry::BoardGeometry;

/// Inputs whose values together select an entry of a table, in the order of their digits.
pub(super) type Tuple = Vec<u32>;

/// The places that share the table of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Those where the symmetries of the board put it.
    Symmetric,
    /// All places on the board, and their images.
    Everywhere,
}

/// All straight tuples of this length, horizontal, vertical and diagonal, of which no two share a
/// table.
pub(super) fn straight(geometry: &BoardGeometry, length: u32, sharing: Sharing) -> Vec<Tuple> {
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
    distinct(geometry, sharing, &line)
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
    distinct(geometry, Sharing::Symmetric, &square)
}

/// The most squares of a tuple that is named: the table of ten squares of Reversi has 59,049
/// entries.
const MOST_SQUARES: usize = 10;

/// A text that names no tuple of the board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum TupleError {
    #[error(
        "lists `{text}`, but squares lie from a1 to {last}, and pieces can't stand on all of them"
    )]
    Square { text: String, last: String },
    #[error("lists `{0}` twice in a tuple")]
    Twice(String),
    #[error("has a tuple of {0} squares, but 1 to {MOST_SQUARES} are possible")]
    Count(usize),
}

/// The tuple with these squares: a letter for the column and the number of the row from above.
pub(super) fn named(geometry: &BoardGeometry, squares: &str) -> Result<Tuple, TupleError> {
    let mut tuple = Tuple::new();
    for square in squares.split_whitespace() {
        let input = input(geometry, square).ok_or_else(|| TupleError::Square {
            text: square.to_owned(),
            last: format!(
                "{}{}",
                char::from(b'a' + (geometry.columns - 1) as u8),
                geometry.rows()
            ),
        })?;
        if tuple.contains(&input) {
            return Err(TupleError::Twice(square.to_owned()));
        }
        tuple.push(input);
    }
    if (1..=MOST_SQUARES).contains(&tuple.len()) {
        Ok(tuple)
    } else {
        Err(TupleError::Count(tuple.len()))
    }
}

/// The input of a square by its name.
fn input(geometry: &BoardGeometry, square: &str) -> Option<u32> {
    let mut characters = square.chars();
    let letter = characters.next().filter(char::is_ascii_lowercase)?;
    let row: u8 = characters.as_str().parse().ok()?;
    geometry.input(i64::from(row) - 1, i64::from(letter as u8 - b'a'))
}

/// The tuples that begin on each square, without those that share the table of an earlier one.
fn distinct(
    geometry: &BoardGeometry,
    sharing: Sharing,
    from: &dyn Fn(i64, i64) -> Vec<Tuple>,
) -> Vec<Tuple> {
    let mut known = BTreeSet::new();
    let mut tuples = Vec::new();
    for row in 0..geometry.rows() as i64 {
        for column in 0..geometry.columns as i64 {
            for tuple in from(row, column) {
                if known.contains(&sorted(&tuple)) {
                    continue;
                }
                known.extend(
                    places(geometry, &tuple, sharing)
                        .iter()
                        .map(|place| sorted(place)),
                );
                tuples.push(tuple);
            }
        }
    }
    tuples
}

/// The inputs of a tuple in ascending order.
pub(super) fn sorted(tuple: &[u32]) -> Tuple {
    let mut inputs = tuple.to_vec();
    inputs.sort_unstable();
    inputs
}

/// The inputs that take the place of those of a tuple, given the one for each input.
pub(super) fn image(tuple: &[u32], images: &[u32]) -> Tuple {
    tuple.iter().map(|&input| images[input as usize]).collect()
}

/// All places of a tuple that share its table, each once.
pub(super) fn places(geometry: &BoardGeometry, tuple: &[u32], sharing: Sharing) -> BTreeSet<Tuple> {
    let shifted = match sharing {
        Sharing::Symmetric => vec![tuple.to_vec()],
        Sharing::Everywhere => translations(geometry, tuple),
    };
    let symmetries = geometry.symmetries.iter();
    let images = symmetries.flat_map(|symmetry| shifted.iter().map(|tuple| image(tuple, symmetry)));
    images.collect()
}

/// The tuple in all places of the board that have all its squares.
fn translations(geometry: &BoardGeometry, tuple: &[u32]) -> Vec<Tuple> {
    let columns = geometry.columns as i64;
    let square = |input: &u32| {
        let squares = geometry.inputs.iter();
        let at = squares.clone().position(|&at| at == Some(*input));
        let at = at.expect("every input lies on a square") as i64;
        (at / columns, at % columns)
    };
    let squares: Vec<(i64, i64)> = tuple.iter().map(square).collect();
    let rows = geometry.rows() as i64;
    let shifts =
        (-rows..=rows).flat_map(|down| (-columns..=columns).map(move |right| (down, right)));
    let shifted = shifts.filter_map(|(down, right)| {
        let inputs = squares.iter();
        let inputs = inputs.map(|&(row, column)| geometry.input(row + down, column + right));
        inputs.collect::<Option<Tuple>>()
    });
    shifted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of straight tuples of the board of Reversi, and in how many places they lie.
    fn check(length: u32, tuples: usize, count: usize) {
        let geometry = BoardGeometry::square(8, -1, 3);
        let found = straight(&geometry, length, Sharing::Symmetric);
        assert_eq!(found.len(), tuples);
        let all = found
            .iter()
            .flat_map(|tuple| places(&geometry, tuple, Sharing::Symmetric));
        let all: BTreeSet<Tuple> = all.map(|tuple| sorted(&tuple)).collect();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn straight_tuples_are_those_of_the_publications() {
        check(1, 10, 64);
        check(2, 32, 210);
        check(3, 24, 168);
        check(4, 21, 130);
    }

    #[test]
    fn tuples_that_are_shared_everywhere_are_one_for_each_direction() {
        let geometry = BoardGeometry::square(8, -1, 3);
        for (length, tuples, count) in [(1, 1, 64), (2, 2, 210), (3, 2, 168)] {
            let found = straight(&geometry, length, Sharing::Everywhere);
            assert_eq!(found.len(), tuples);
            let all = found
                .iter()
                .flat_map(|tuple| places(&geometry, tuple, Sharing::Everywhere));
            let all: BTreeSet<Tuple> = all.map(|tuple| sorted(&tuple)).collect();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn squares_cover_the_board_and_symmetric_ones_are_one() {
        let geometry = BoardGeometry::square(8, -1, 3);
        let found = squares(&geometry);
        assert_eq!(found.len(), 10);
        let all = found
            .iter()
            .flat_map(|tuple| places(&geometry, tuple, Sharing::Symmetric));
        assert_eq!(
            all.map(|tuple| sorted(&tuple))
                .collect::<BTreeSet<Tuple>>()
                .len(),
            49
        );
    }

    #[test]
    fn a_tuple_is_named_by_its_squares() {
        let geometry = BoardGeometry::square(8, -1, 3);
        assert_eq!(named(&geometry, "a1 b1 a2 h8"), Ok(vec![0, 1, 8, 63]));
        for (text, error) in [
            (
                "a1 i1",
                "lists `i1`, but squares lie from a1 to h8, and pieces can't stand on all of them",
            ),
            (
                "a9",
                "lists `a9`, but squares lie from a1 to h8, and pieces can't stand on all of them",
            ),
            (
                "a9223372036854775807",
                "lists `a9223372036854775807`, but squares lie from a1 to h8, and pieces can't \
                stand on all of them",
            ),
            (
                "a-9223372036854775808",
                "lists `a-9223372036854775808`, but squares lie from a1 to h8, and pieces can't \
                stand on all of them",
            ),
            ("a1 a1", "lists `a1` twice in a tuple"),
            (" ", "has a tuple of 0 squares, but 1 to 10 are possible"),
        ] {
            assert_eq!(
                named(&geometry, text)
                    .expect_err("it names none")
                    .to_string(),
                error
            );
        }
    }

    #[test]
    fn a_board_too_small_has_no_tuples() {
        let geometry = BoardGeometry::square(3, 0, 2);
        for sharing in [Sharing::Symmetric, Sharing::Everywhere] {
            assert!(straight(&geometry, 4, sharing).is_empty());
        }
        assert!(squares(&BoardGeometry::square(1, 0, 2)).is_empty());
    }
}
