//! Players that are not evolved: yardsticks for those that are. A reference player knows the rules and, where it needs it,
//! the solved game.

use rand::RngExt;

use crate::rng::Stream;

use super::Game;
use super::solver::Solved;

/// A player with a fixed strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Any legal move, all equally likely.
    Random,
    /// A best move of the solved game, all best moves equally likely.
    Perfect,
}

impl Reference {
    /// Every reference player.
    pub const ALL: [Self; 2] = [Self::Random, Self::Perfect];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Perfect => "perfect",
        }
    }

    /// The player called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|reference| reference.name() == name)
    }

    /// Whether the player can only play a solved game.
    pub fn needs_solution(self) -> bool {
        self == Self::Perfect
    }

    /// Chooses a move; `moves` is a buffer. A perfect player off the solved positions moves at random.
    pub fn choose<G: Game>(
        self,
        game: &G,
        solved: Option<&Solved<G>>,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Stream,
    ) -> G::Move {
        moves.clear();
        let known = solved
            .filter(|_| self == Self::Perfect)
            .and_then(|solved| solved.find(game, state).map(|id| (solved, id)));
        match known {
            Some((solved, id)) => moves.extend(solved.best_moves(id)),
            None => game.moves(state, moves),
        }
        moves[rng.random_range(0..moves.len())]
    }
}
