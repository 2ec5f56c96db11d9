//! No space at all: there are no neighborhoods.

use crate::params::{Problem, params};

use super::{Layout, Space};

params! {
    /// Living nowhere has no settings.
    pub struct Nowhere {}
}

impl Space for Nowhere {
    fn neighborhoods(&self, _members: usize, _generation: u64) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn layout(&self) -> Option<Layout> {
        None
    }

    fn problems(&self, _population: usize) -> Vec<Problem> {
        Vec::new()
    }
}
