//! How the inputs of a network lie on a board, so that its weights can be shown there.

/// A square of a board by its column and row, `a1` at the top left.
pub fn square_name(place: usize, columns: usize) -> String {
    let column = char::from(b'a' + (place % columns).min(25) as u8);
    format!("{column}{}", place / columns + 1)
}

/// A board seen by one kind of input, such as the own discs.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// What stands on a square of this sheet.
    pub name: &'static str,
    /// Squares in a row.
    pub columns: usize,
    /// What each square is called; nothing where there is none.
    pub squares: Vec<String>,
    /// For each square, row after row from the top, the inputs that change when such a piece is put there, and by how much.
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
