//! The oracle of a game of another crate behind the type of all such games.

use std::sync::Arc;

use crate::games::Game;
use crate::games::oracle::Oracle;

use super::game::{CustomGame, CustomMove, move_out, state_in};
use super::state::CustomState;

/// The game's own oracle.
pub(super) struct ErasedOracle<G: Game> {
    game: G,
    oracle: Arc<dyn Oracle<G>>,
}

impl<G: Game> ErasedOracle<G>
where
    G::Move: Into<u64>,
{
    /// The oracle of a game.
    pub(super) fn of(game: &G, oracle: Arc<dyn Oracle<G>>) -> Arc<dyn Oracle<CustomGame>> {
        let game = game.clone();
        Arc::new(Self { game, oracle })
    }
}

#[deny(
    clippy::missing_trait_methods,
    reason = "a game of another crate reaches everything"
)]
impl<G: Game> Oracle<CustomGame> for ErasedOracle<G>
where
    G::Move: Into<u64>,
{
    fn is_complete(&self) -> bool {
        self.oracle.is_complete()
    }

    fn evaluate(
        &self,
        _game: &CustomGame,
        state: &CustomState,
        best: &mut Vec<CustomMove>,
    ) -> Option<i32> {
        let mut moves = Vec::new();
        let state = state_in::<G>(state);
        let value = self.oracle.evaluate(&self.game, state, &mut moves);
        best.clear();
        best.extend(moves.into_iter().map(move_out));
        value
    }

    fn best_result(&self, _game: &CustomGame, state: &CustomState) -> Option<i8> {
        self.oracle.best_result(&self.game, state_in::<G>(state))
    }
}
