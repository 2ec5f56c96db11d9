//! Who sits opposite: the champion of one generation with its grown brain.

use std::sync::Arc;

use crate::genomes::{Brain, Topology};
use crate::ui::screens::champions::{Champions, Wanted};

/// A champion ready to play.
pub(super) struct Rival {
    pub(super) generation: u64,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) topology: Topology,
}

impl Rival {
    /// Fetches a champion to the board.
    pub(super) fn fetch(champions: &Champions, wanted: Wanted) -> Result<Option<Self>, String> {
        let found = champions.fetch(wanted)?;
        let ports = champions.arena.ports();
        Ok(found.map(|champion| Self {
            generation: champion.generation,
            brain: Arc::from(champions.preset.genome.grow(&champion.genome, ports)),
            topology: champion.genome.topology(),
        }))
    }

    /// The champion as a subject of a sentence, in its middle.
    pub(super) fn name(&self) -> String {
        format!("the champion of generation {}", self.generation)
    }

    /// The same at the beginning.
    pub(super) fn title(&self) -> String {
        format!("The champion of generation {}", self.generation)
    }
}
