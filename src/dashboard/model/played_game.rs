//! A game that the user has played against a champion.

use std::path::PathBuf;
use std::sync::Arc;

use finches_engine::play::record::GameRecord;
use finches_runs::storage::games;
use finches_runs::storage::saves::Saves;

use super::champions::Champions;
use crate::jobs::JobError;

/// The name of the user in records.
pub const YOU: &str = "you";

/// A game of the user.
#[derive(Clone)]
pub struct PlayedGame {
    pub record: Arc<GameRecord>,
    /// The champions of the run that the opponent is from.
    pub champions: Champions,
    pub seed: u64,
    /// The generation of the opponent.
    pub generation: u64,
}

impl PlayedGame {
    /// Adds it to the user's own games, and returns their file.
    pub fn keep(&self, saves: &Saves) -> Result<PathBuf, JobError> {
        let preset = &self.champions.preset;
        let event = format!("finches {} seed {}", preset.name, self.seed);
        let tags = preset.game.transcript_tags(&event);
        let text = self.champions.arena.transcript(&self.record, &tags)?;
        Ok(games::keep(saves, preset.game.name(), &text)?)
    }
}
