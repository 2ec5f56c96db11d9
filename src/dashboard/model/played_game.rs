//! A game that the user has played against a champion.

use std::sync::Arc;

use finches_engine::play::record::GameRecord;

use super::champions::Champions;

/// A finished game of the user.
#[derive(Clone)]
pub struct PlayedGame {
    pub record: Arc<GameRecord>,
    /// The champions of the run that the opponent is from.
    pub champions: Champions,
    pub seed: u64,
    /// The generation of the opponent.
    pub generation: u64,
}
