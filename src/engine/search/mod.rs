//! Searches of game trees: alpha-beta, Monte Carlo trees and the exhaustive solver, with their
//! limits and cancellation. The caller supplies the evaluator; searches do not depend on networks.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::games::Game;

use self::prob_cut::ProbCut;

pub mod alpha_beta;
mod bound_terms;
mod endgame;
pub mod prob_cut;
pub mod queries;
mod search_task;
pub mod solver;
mod transposition_table;
pub mod tree;
#[cfg(test)]
mod zero_evaluator;

/// Cancels searches, matches and schedules early. A plain flag is the simplest token.
pub trait CancelToken: Send + Sync {
    /// Whether searches must stop.
    fn is_canceled(&self) -> bool;
}

/// A token that never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverCancel;

impl CancelToken for NeverCancel {
    fn is_canceled(&self) -> bool {
        false
    }
}

impl CancelToken for AtomicBool {
    fn is_canceled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Evaluates the moves of positions that are not searched any further.
pub trait MoveEvaluator<G: Game> {
    /// Fills `out` with the value, to the mover, of the position after each move.
    fn evaluate_moves(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>);
}

/// A heuristic of the game by its index.
pub(crate) struct HeuristicEvaluator(pub(crate) usize);

impl<G: Game> MoveEvaluator<G> for HeuristicEvaluator {
    fn evaluate_moves(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        let side = game.to_move(state);
        out.clear();
        out.extend(moves.iter().map(|&action| {
            let mut after = state.clone();
            game.play(&mut after, action);
            game.evaluate(self.0, &after, side)
        }));
    }
}

/// Which move values must be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueMode {
    /// All.
    All,
    /// The best moves; for the others the value is an upper bound below the best.
    Best,
}

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct SearchLimits<'a> {
    /// The depth in moves, including the one to be played.
    pub depth: u8,
    /// Whether positions that are not quiet are searched beyond the depth, see
    /// [`Heuristics::is_quiet`](crate::games::Heuristics::is_quiet).
    pub quiescence: bool,
    /// Whether the depth is counted in turns: a player who moves again uses no depth, and every
    /// line ends at a change of turn. Points won along a line come before the evaluation at its
    /// end, if they are [settled](crate::games::Heuristics::settled_margin). It makes no difference
    /// in games whose players alternate and whose points change until the end.
    pub whole_turns: bool,
    /// Positions with at most this many moves left are searched to the end of the game; 0 for none.
    pub endgame: u16,
    /// What shallow searches say of deeper ones, and how many standard deviations beyond the window
    /// a predicted value must lie so that a position is not searched on.
    pub prob_cut: Option<(ProbCut, f32)>,
    /// The maximal number of positions. Beyond it the result of the last completed depth counts.
    pub max_nodes: Option<u64>,
    /// Checked regularly. After cancellation the result of the last completed depth counts.
    pub cancel: &'a dyn CancelToken,
}

impl SearchLimits<'_> {
    /// A fixed depth without quiescence search or other limits.
    pub fn to_depth(depth: u8) -> Self {
        Self {
            depth,
            quiescence: false,
            whole_turns: false,
            endgame: 0,
            prob_cut: None,
            max_nodes: None,
            cancel: &NeverCancel,
        }
    }
}
