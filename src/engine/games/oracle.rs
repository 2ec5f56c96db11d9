//! Exact values of positions, from any source. Used by measures, hints and the oracle player; by no
//! fitness but `graded`, which a preset has to ask for.

use super::Rules;

/// Knows the values of positions under best play by both sides.
pub trait Oracle<G: Rules>: Send + Sync {
    /// Whether it knows every reachable position.
    fn is_complete(&self) -> bool {
        true
    }

    /// The value of a position to the player to move, on the game's own scale. Fills `best` with
    /// the moves that keep it, in ascending order. `None` if the position is unknown.
    fn evaluate(&self, game: &G, state: &G::State, best: &mut Vec<G::Move>) -> Option<i32>;

    /// The result under best play for the player to move: 1 for a win, 0 for a draw, −1 for a loss.
    /// By default the sign of the value.
    fn best_result(&self, game: &G, state: &G::State) -> Option<i8> {
        let value = self.evaluate(game, state, &mut Vec::new())?;
        Some(value.signum() as i8)
    }
}
