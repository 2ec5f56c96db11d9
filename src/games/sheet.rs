//! How the inputs of a network lie on a board, so that its weights can be shown there.

/// A board seen by one kind of input, such as the own discs.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// What stands on a square of this sheet.
    pub name: &'static str,
    /// Squares in a row.
    pub columns: usize,
    /// For each square, row after row from the top, the inputs that change when such a piece is put there, and by how much.
    pub cells: Vec<Vec<(u32, f32)>>,
}
