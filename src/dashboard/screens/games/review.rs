//! Reviews a game: its arena, its champions, and an analysis in which a champion evaluates each
//! position.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{Job, JobError};
use crate::model::champions::{ChampionQuery, Champions};
use finches_engine::play::Arena;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::record::GameRecord;
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use super::GamesAnswer;

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

/// The time limit per position.
const POSITION_TIME_LIMIT: Duration = Duration::from_secs(1);

/// Has a champion evaluate each position of a game, from the one after `first` moves on, then those
/// before.
pub(super) fn analyze(
    review: &GameReview,
    query: ChampionQuery,
    record: &GameRecord,
    first: usize,
    job: &Job<GamesAnswer>,
) -> Result<GamesAnswer, JobError> {
    let champions = &review.champions;
    let champion = match champions.fetch(query)? {
        Some(champion) => Some(champion),
        None => champions.fetch(ChampionQuery::Newest)?,
    };
    let champion = champion.ok_or_else(|| {
        JobError::Failed("there is no saved champion to judge the game".to_owned())
    })?;
    job.report(GamesAnswer::Evaluator(champion.generation));
    let genome = &champions.preset.genome;
    let player = Phenotype::grown(genome, champions.arena.io_spec(), &champion.genome);
    let mut game = Arc::clone(&champions.arena).interactive_game(0);
    for ply in (first..record.plies.len()).chain(0..first) {
        if job.is_canceled() {
            break;
        }
        // Games of people may be longer than the rules of the run allow.
        game.set_position(&record.plies[ply].position)?;
        let limit = job.token.with_limit(Some(POSITION_TIME_LIMIT));
        let evaluation = game.evaluate_moves(&player, &limit).best_first();
        job.report(GamesAnswer::Evaluation { ply, evaluation });
    }
    Ok(GamesAnswer::Analyzed)
}
