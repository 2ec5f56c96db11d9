//! How the inputs of a network lie on a board. Used to show network weights on the board.

/// The name of a square by its column and row, `a1` at the top left.
pub fn square_name(place: usize, columns: usize) -> String {
    let column = char::from(b'a' + (place % columns).min(25) as u8);
    format!("{column}{}", place / columns + 1)
}

/// The board as one kind of input sees it, such as the own discs.
#[derive(Clone, Debug, PartialEq)]
pub struct InputPlane {
    /// What this plane shows, such as `own discs`.
    pub name: &'static str,
    /// The number of squares in a row.
    pub columns: usize,
    /// The name of each square; empty if there is no square.
    pub squares: Vec<String>,
    /// For each square, row by row from the top: the inputs that a piece on it changes, and by how
    /// much.
    pub cells: Vec<Vec<(u32, f32)>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_as_people_read_them() {
        assert_eq!(square_name(0, 8), "a1");
        assert_eq!(square_name(63, 8), "h8");
        assert_eq!(square_name(9, 8), "b2");
    }
}
