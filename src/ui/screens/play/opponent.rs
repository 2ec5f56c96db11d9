//! The opponent: the champion of a generation with its network.

use std::sync::Arc;

use crate::genomes::{Brain, Topology};
use crate::ui::jobs::JobError;
use crate::ui::model::champions::{ChampionQuery, Champions};

/// A champion ready to play.
pub(super) struct OpponentPlayer {
    pub(super) generation: u64,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) topology: Topology,
}

impl OpponentPlayer {
    /// Fetches a champion.
    pub(super) fn fetch(
        champions: &Champions,
        query: ChampionQuery,
    ) -> Result<Option<Self>, JobError> {
        let found = champions.fetch(query)?;
        let io_spec = champions.arena.io_spec();
        Ok(found.map(|champion| Self {
            generation: champion.generation,
            brain: Arc::from(champions.preset.genome.grow(&champion.genome, io_spec)),
            topology: champion.genome.topology(),
        }))
    }

    /// The champion's name within a sentence.
    pub(super) fn name(&self) -> String {
        format!("the champion of generation {}", self.generation)
    }

    /// The champion's name at the start of a sentence.
    pub(super) fn title(&self) -> String {
        format!("The champion of generation {}", self.generation)
    }
}
