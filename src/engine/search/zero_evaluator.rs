//! An evaluator for tests, to which all positions are worth the same.

use crate::games::Game;

use super::MoveEvaluator;

/// Evaluates every position as 0.
pub(super) struct ZeroEvaluator;

impl<G: Game> MoveEvaluator<G> for ZeroEvaluator {
    fn evaluate_moves(&mut self, _: &G, _: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        out.clear();
        out.resize(moves.len(), 0.0);
    }
}
