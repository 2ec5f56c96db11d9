//! What a network has been shown in its games, so that a change to it can be judged by what it does there. It knows no game.

/// Rows of numbers as a brain is shown them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experience {
    rows: Vec<Vec<f32>>,
}

/// Rows that are kept of a game.
const MOST: usize = 64;

impl Experience {
    /// Takes note of a row, unless there are many already.
    pub fn push(&mut self, row: &[f32]) {
        if self.rows.len() < MOST {
            self.rows.push(row.to_vec());
        }
    }

    pub fn rows(&self) -> &[Vec<f32>] {
        &self.rows
    }
}
