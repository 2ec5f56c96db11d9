//! The opponent: the champion or another member of a generation, with its network.

use std::sync::Arc;

use crate::jobs::JobError;
use crate::model::champions::{ChampionQuery, Champions, InspectedPlayer};
use finches_engine::genomes::{Brain, Topology};

/// A champion or another member of a generation, ready to play.
pub(super) struct OpponentPlayer {
    pub(super) generation: u64,
    /// Its index in the population; `None` for a champion.
    member: Option<usize>,
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
        let player = |champion| InspectedPlayer {
            champion,
            member: None,
        };
        Ok(found.map(|champion| Self::of(champions, &player(champion))))
    }

    /// A player of the run.
    pub(super) fn of(champions: &Champions, player: &InspectedPlayer) -> Self {
        let genome = &player.champion.genome;
        let io_spec = champions.arena.io_spec();
        Self {
            generation: player.champion.generation,
            member: player.member,
            brain: Arc::from(champions.preset.genome.grow(genome, io_spec)),
            topology: genome.topology(),
        }
    }

    /// The player's name within a sentence.
    pub(super) fn name(&self) -> String {
        let generation = self.generation;
        match self.member {
            None => format!("the champion of generation {generation}"),
            Some(member) => format!("member {} of generation {generation}", member + 1),
        }
    }

    /// The player's name at the start of a sentence.
    pub(super) fn title(&self) -> String {
        let name = self.name();
        let (initial, rest) = name.split_at(1);
        initial.to_uppercase() + rest
    }

    /// The player's name in a title.
    pub(super) fn label(&self) -> String {
        let kind = if self.member.is_none() {
            "champion "
        } else {
            ""
        };
        kind.to_owned() + &self.short_name()
    }

    /// The player's name in a few characters.
    pub(super) fn short_name(&self) -> String {
        let generation = self.generation;
        match self.member {
            None => format!("g{generation}"),
            Some(member) => format!("g{generation} m{}", member + 1),
        }
    }
}
