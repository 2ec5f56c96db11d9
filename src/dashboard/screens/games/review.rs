//! The context of a game: its arena and its champions.

use std::sync::Arc;

use crate::model::champions::Champions;
use finches_engine::play::Arena;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

/// The context of a game: its arena and the champions of its run.
#[derive(Clone)]
pub(super) struct GameReview {
    pub(super) champions: Champions,
    /// The event named in exported transcripts.
    pub(super) event: String,
}

impl GameReview {
    /// The context of a run.
    pub(super) fn new(facts: &RunInfo, saves: Option<(Saves, String)>) -> Self {
        Self::with_champions(Champions::new(facts, saves), facts.seed)
    }

    pub(super) fn with_champions(champions: Champions, seed: u64) -> Self {
        Self {
            event: format!("finches {} seed {seed}", champions.preset.name),
            champions,
        }
    }

    pub(super) fn arena(&self) -> &Arc<dyn Arena> {
        &self.champions.arena
    }
}
