//! Exact values of positions, from any source. Used by measures, hints and the oracle player; never by the fitness.

use super::Rules;

/// Knows the values of positions under best play by both sides.
pub trait Oracle<G: Rules>: Send + Sync {
    /// Whether it knows every reachable position.
    fn is_complete(&self) -> bool {
        true
    }

    /// The value of a position to the player to move, on the game's own scale. Fills `best` with the moves that keep it, in
    /// ascending order. `None` if the position is unknown.
    fn evaluate(&self, game: &G, state: &G::State, best: &mut Vec<G::Move>) -> Option<i32>;
}
