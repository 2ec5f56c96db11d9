//! The games of the table, each with the networks that play it and the column that judges their
//! champions. They are in `games.ron`.

use std::sync::LazyLock;

use finches_engine::session::measures::{accuracy, versus};
use serde::Deserialize;

/// A game of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixGame {
    /// The name on the command line and in the table.
    pub name: String,
    /// The game, as in a preset.
    pub game: String,
    /// The dense network that all schemes but NEAT evolve.
    pub dense: String,
    /// The network that NEAT begins with and how it grows.
    pub growing: String,
    /// The reference player that judges the champion of the last generation, which no scheme
    /// evolves against. Without one the oracle judges it, in all positions.
    #[serde(default)]
    pub judge: Option<String>,
    /// Held-out games against each reference player.
    pub held_out_games: u32,
}

impl MatrixGame {
    /// The column that judges the champion of the last generation.
    pub fn column(&self) -> String {
        let oracle = || accuracy::IN_STATES.name.to_owned();
        let judge = self.judge.as_deref();
        judge.map_or_else(oracle, |player| versus::CHAMPION.name_against(player))
    }
}

/// The games in the order of the table. All networks value the position after each move.
pub static GAMES: LazyLock<Vec<MatrixGame>> =
    LazyLock::new(|| super::listed(include_str!("games.ron")));
