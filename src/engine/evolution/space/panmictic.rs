//! No spatial structure: there are no neighborhoods.

use crate::params::{ParamError, params};

use super::{Space, SpaceLayout};

params! {
    /// A panmictic population has no parameters.
    pub struct Panmictic {}
}

impl Space for Panmictic {
    fn neighborhoods(&self, _members: usize, _generation: u64) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn layout(&self) -> Option<SpaceLayout> {
        None
    }

    fn problems(&self, _population: usize) -> Vec<ParamError> {
        Vec::new()
    }
}
