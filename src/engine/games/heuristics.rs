//! What is known about a game beyond its rules: formulas for the value of a position, and exact
//! values. By default nothing.

use std::sync::Arc;

use super::Side;
use super::endgame::EndgameQuery;
use super::game::Rules;
use super::heuristic::Heuristic;
use super::oracle::Oracle;
use crate::rng::Stream;

/// Knowledge about the values of positions. Fitness never uses it.
pub trait Heuristics: Rules {
    /// Every possible starting position; empty if the game has too many positions to solve.
    fn all_starts(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// The heuristics of this game. Each defines reference players.
    fn heuristics(&self) -> &'static [Heuristic] {
        &[]
    }

    /// The value of a position to `side` by one of the heuristics. Higher is better; each heuristic
    /// has its own scale.
    fn evaluate(&self, heuristic: usize, _state: &Self::State, _side: Side) -> f32 {
        unreachable!("this game has no heuristic {heuristic}")
    }

    /// Whether a position can be evaluated statically. It can't while captures are pending (see
    /// quiescence search).
    fn is_quiet(&self, _state: &Self::State) -> bool {
        true
    }

    /// The points of `side` minus those of the opponent once the player to move has won all that
    /// there is to win at once. `None` in games whose points change until the end.
    fn settled_margin(&self, _state: &Self::State, _side: Side) -> Option<i32> {
        None
    }

    /// The largest number of moves that can be left, not counting passes, such as the empty
    /// squares. `None` if there is none.
    fn moves_left(&self, _state: &Self::State) -> Option<u16> {
        None
    }

    /// The points of the mover minus those of the opponent at the end of the game, after each of
    /// the legal moves `moves` and then best play by both. Only a game in which more points are the
    /// better result has this. `None` if the game has no solver of its own for the position, or if
    /// it was canceled before the best move was known.
    fn solve_end(
        &self,
        _state: &Self::State,
        _moves: &[Self::Move],
        _query: EndgameQuery<'_>,
    ) -> Option<Vec<i32>> {
        None
    }

    /// The number of moves left up to which [`Self::solve_end`] answers in an instant, from a
    /// table. 0 if it always searches.
    fn tabulated_end(&self) -> u16 {
        0
    }

    /// Positions in which players are judged: all of the game if there are at most so many,
    /// otherwise so many random ones. By default none; of a game whose positions are listed, all of
    /// them are taken.
    fn judged_positions(&self, _most: usize, _rng: &mut Stream) -> Vec<Self::State> {
        Vec::new()
    }

    /// Whether [`Self::judged_positions`] are all positions of the game rather than a sample.
    fn judges_all(&self, _most: usize) -> bool {
        true
    }

    /// An oracle specific to the game. If there is none, a small game is solved by listing its
    /// positions.
    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        None
    }
}
