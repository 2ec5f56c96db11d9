//! Whoever knows what the positions of a game are worth, however that was found out. It serves measures, hints and the
//! perfect player; never the fitness.

use super::Game;

/// Knows what positions are worth, both sides playing their best.
pub trait Oracle<G: Game>: Send + Sync {
    /// Whether it knows every position that can be reached.
    fn knows_all(&self) -> bool {
        true
    }

    /// What a position is worth to the player to move, on the game's own scale; `best` becomes the moves that keep it, in
    /// ascending order. `None` where the position is not known.
    fn judge(&self, game: &G, state: &G::State, best: &mut Vec<G::Move>) -> Option<i32>;
}
