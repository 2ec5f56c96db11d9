//! Analyzes a position with a champion. Searches take time, so it is background work.

use std::sync::Arc;
use std::time::Duration;

use crate::genomes::Brain;
use crate::play::Arena;
use crate::play::interactive::{MoveEvaluations, MoveSequence};
use crate::ui::jobs::Job;

/// A position to analyze, with the champion that analyzes it.
pub(super) struct AnalysisRequest {
    /// The game, with the agent that chooses moves.
    pub(super) arena: Arc<dyn Arena>,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) line: MoveSequence,
    /// The time limit, if any.
    pub(super) limit: Option<Duration>,
}

impl AnalysisRequest {
    /// Evaluates all legal moves, the best first.
    pub(super) fn think(self, job: &Job<MoveEvaluations>) -> MoveEvaluations {
        let limit = job.token.with_limit(self.limit);
        let mut table = self.arena.interactive_game(0);
        if table.replay_sequence(&self.line).is_err() {
            return MoveEvaluations::default();
        }
        table
            .evaluate_moves(self.brain.as_ref(), &limit)
            .best_first()
    }
}
