//! What a network is given: positions that differ little from one of them.

/// A batch of raw inputs: one base row in full and, for each row of the batch, the few values that
/// differ from it.
#[derive(Clone, Copy, Debug)]
pub struct InputBatch<'a> {
    /// All values of the base row.
    pub base: &'a [f32],
    /// Input index and new value, row after row. No index occurs twice in a row. Anything after the
    /// last row is ignored.
    pub changes: &'a [(u32, f32)],
    /// The end of each row's changes; the length is the number of rows.
    pub ends: &'a [u32],
}

impl<'a> InputBatch<'a> {
    /// A batch of one row.
    pub fn single(base: &'a [f32]) -> Self {
        Self {
            base,
            changes: &[],
            ends: &[0],
        }
    }

    /// The changes of one row.
    pub fn row_changes(&self, row: usize) -> &'a [(u32, f32)] {
        &self.changes[self.first_change(row)..self.ends[row] as usize]
    }

    /// The index of the first change of a row; for one row past the last, the number of changes.
    pub(super) fn first_change(&self, row: usize) -> usize {
        let before = row.checked_sub(1);
        before.map_or(0, |before| self.ends[before] as usize)
    }
}
