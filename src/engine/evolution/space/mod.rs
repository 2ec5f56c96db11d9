//! Spatial structure of a population: the neighbors of each member. Pairing and reproduction can be
//! restricted to neighborhoods; a space does not depend on them.

use crate::params::ParamError;
use crate::registry::registry;

pub mod blocks;
pub mod panmictic;
pub mod torus;

/// A spatial structure. Members are numbered row by row.
pub trait Space {
    /// The neighbors of each member in this generation: mutual, without duplicates and without the
    /// member itself. Empty if there are no neighborhoods.
    fn neighborhoods(&self, members: usize, generation: u64) -> Vec<Vec<u32>>;

    /// The layout of the members on a map, or `None` if they have no positions.
    fn layout(&self) -> Option<SpaceLayout>;

    /// Errors of the parameters for a population of this size.
    fn problems(&self, population: usize) -> Vec<ParamError>;
}

/// The layout of members on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceLayout {
    /// Members in a row.
    pub width: usize,
    /// The shape of the cells.
    pub grid: GridShape,
}

/// The shape of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridShape {
    /// Rows are aligned.
    Square,
    /// Every second row is shifted by half a cell.
    Hexagonal,
}

registry! {
    /// A space and its parameters.
    pub enum SpaceConfig: Space {
        /// No spatial structure: any member can meet any other.
        "panmictic" => Panmictic(panmictic::Panmictic),
        /// A hexagonal grid with wrap-around edges: each member has six neighbors.
        "torus" => Torus(torus::Torus),
        /// A square grid of blocks that shift from generation to generation: the members of a block
        /// are neighbors.
        "blocks" => Blocks(blocks::Blocks),
    }
}

/// An error if the population does not fill whole rows.
fn uneven_rows(population: usize, width: usize) -> Option<ParamError> {
    (!population.is_multiple_of(width)).then(|| {
        let message = format!("must divide the population ({population}), is {width}");
        ParamError::new("width", message)
    })
}
