//! The program with games of other crates beside its own. `examples/custom_game.rs` adds one.

use crate::games::custom::{CustomGameConfig, NamedGame};
use crate::games::{GameConfig, Rules};

/// The program and the games that another crate adds to it: `Program::new().game::<NoughtsAndCrosses>().main()`.
#[derive(Default)]
#[must_use = "the games are registered by `main` or `register`"]
pub struct Program {
    games: Vec<CustomGameConfig>,
}

impl Program {
    /// A program with the built-in games only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game. Presets, saves, experiments, `finches rules`, the arena and the dashboard then know it by its name.
    ///
    /// # Panics
    ///
    /// If there is a game of this name.
    pub fn game<C: NamedGame>(mut self) -> Self
    where
        <C::Game as Rules>::Move: Into<u64> + TryFrom<u64>,
    {
        let is_new = self.games.iter().all(|game| game.name() != C::NAME)
            && !GameConfig::NAMES.contains(&C::NAME);
        assert!(is_new, "there are two games called `{}`", C::NAME);
        self.games.push(CustomGameConfig::new::<C>());
        self
    }

    /// Makes the games known to this process, for programs without the command line. Call it once, before anything is read.
    ///
    /// # Panics
    ///
    /// If it is called twice.
    pub fn register(self) {
        CustomGameConfig::register(self.games);
    }

    /// Runs the command line with these games.
    #[cfg(feature = "cli")]
    pub fn main(self) -> std::process::ExitCode {
        self.register();
        crate::cli::main()
    }
}
