//! Network inputs recorded during games, used by safe mutation to compare outputs. It does not
//! depend on a game.

use serde::{Deserialize, Serialize};

/// Rows of network inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayBuffer {
    rows: Vec<Vec<f32>>,
}

/// Most rows that are kept.
const MAX_ROWS: usize = 64;

impl ReplayBuffer {
    /// Adds a row, unless the buffer is full.
    pub fn push(&mut self, row: &[f32]) {
        if self.rows.len() < MAX_ROWS {
            self.rows.push(row.to_vec());
        }
    }

    /// The rows in the order of the games, at most 64.
    pub fn rows(&self) -> &[Vec<f32>] {
        &self.rows
    }
}
