//! Where the members of a population live: who is whose neighbor. Pairing and breeding may keep to neighborhoods; a space
//! knows neither of them.

use crate::params::Problem;
use crate::registry::registry;

use self::blocks::Blocks;
use self::nowhere::Nowhere;
use self::torus::Torus;

pub mod blocks;
pub mod nowhere;
pub mod torus;

/// A way to arrange members. A member's place is its index, row after row.
pub trait Space {
    /// The neighbors of each member in this generation, none of them itself or named twice, and all of them mutual. Empty
    /// where there are no neighborhoods.
    fn neighborhoods(&self, members: usize, generation: u64) -> Vec<Vec<u32>>;

    /// How the members are drawn, or none where their order means nothing.
    fn layout(&self) -> Option<Layout>;

    /// Faults of the settings in a population of this size.
    fn problems(&self, population: usize) -> Vec<Problem>;
}

/// How members are drawn on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Members in a row.
    pub width: usize,
    pub grid: Grid,
}

/// Whether rows stand in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    Square,
    /// Every second row is shifted by half a cell.
    Hexagonal,
}

registry! {
    ($)
    /// A space and its settings.
    pub enum SpaceConfig, with_space {
        /// Members live nowhere: their order means nothing and anyone can meet anyone.
        "nowhere" => Nowhere(Nowhere),
        /// A hexagonal grid whose edges meet: everyone has six neighbors.
        "torus" => Torus(Torus),
        /// A square grid cut into blocks that shift from generation to generation: neighbors are those of a block.
        "blocks" => Blocks(Blocks),
    }
}

/// What is wrong with a population that does not fill whole rows, if anything.
fn ragged(population: usize, width: usize) -> Option<Problem> {
    (!population.is_multiple_of(width)).then(|| {
        let message = format!("must divide the population ({population}), is {width}");
        Problem::new("width", message)
    })
}
