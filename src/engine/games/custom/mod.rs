//! Games of other crates: their parameters behind one type.

use crate::params::ParamError;
use crate::registry::{CustomConfig, CustomPart};

pub use self::game::{CustomGame, CustomMove};
pub use self::state::CustomState;
use super::{GameParams, Rules};

mod game;
mod oracle;
mod state;

/// The parameters of a game of another crate.
pub type CustomGameConfig = CustomConfig<dyn CustomGameParams>;

/// [`GameParams`] without the type of the game.
#[doc(hidden)]
pub trait CustomGameParams {
    fn game(&self) -> CustomGame;
    /// [`GameParams::problems`].
    fn errors(&self) -> Vec<ParamError>;
    /// The same game after [`GameParams::make_finite`].
    fn finite(&self) -> CustomGameConfig;
}

impl<C> CustomGameParams for C
where
    C: CustomPart + GameParams<Game: Rules<Move: Into<u64> + TryFrom<u64>>>,
{
    fn game(&self) -> CustomGame {
        CustomGame::new(self.build())
    }

    fn errors(&self) -> Vec<ParamError> {
        self.problems()
    }

    fn finite(&self) -> CustomGameConfig {
        let mut finite = self.clone();
        finite.make_finite();
        CustomGameConfig::new(finite, |game| game)
    }
}

impl GameParams for CustomGameConfig {
    type Game = CustomGame;

    fn build(&self) -> CustomGame {
        self.game()
    }

    fn problems(&self) -> Vec<ParamError> {
        self.errors()
    }

    fn make_finite(&mut self) {
        *self = self.finite();
    }
}
