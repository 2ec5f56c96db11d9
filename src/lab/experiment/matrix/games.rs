//! The games of the table, each with the networks that play it and the column that judges their
//! champions.

use finches_engine::session::measures::{accuracy, versus};

/// A game of the table.
#[derive(Clone, Copy, Debug)]
pub struct MatrixGame {
    /// The name on the command line and in the table.
    pub name: &'static str,
    /// The game, as in a preset.
    pub game: &'static str,
    /// The dense network that all schemes but NEAT evolve.
    pub dense: &'static str,
    /// The network that NEAT begins with and how it grows.
    pub growing: &'static str,
    /// The reference player that judges the champion of the last generation, which no scheme
    /// evolves against. Without one the oracle judges it, in all positions.
    pub judge: Option<&'static str>,
    /// Held-out games against each reference player.
    pub held_out_games: u32,
}

impl MatrixGame {
    /// The column that judges the champion of the last generation.
    pub fn column(&self) -> String {
        let oracle = || accuracy::IN_STATES.name.to_owned();
        (self.judge).map_or_else(oracle, |player| versus::CHAMPION.name_against(player))
    }
}

/// The games in the order of the table. All networks value the position after each move.
pub const GAMES: [MatrixGame; 5] = [
    MatrixGame {
        name: "nim",
        game: "nim(heaps: [4, 4], start: random, mode: all, grading: strict)",
        dense: "mlp(hidden: [8], activation: tanh, sigma: 0.3)",
        growing: "neat(functions: [tanh])",
        judge: None,
        held_out_games: 200,
    },
    MatrixGame {
        name: "bounded_nim",
        game: "bounded_nim(stones: 11, most: 4)",
        dense: "mlp(hidden: [8], activation: tanh, sigma: 0.3)",
        growing: "neat(functions: [tanh])",
        judge: None,
        held_out_games: 200,
    },
    MatrixGame {
        name: "dots_and_boxes",
        game: "dots_and_boxes(rows: 3, columns: 3, inputs: score)",
        dense: "mlp(hidden: [16], activation: tanh, init_sigma: 0.5, sigma: 0.1, mutation_rate: \
            0.3)",
        growing: "neat(functions: [tanh])",
        judge: Some("level-1"),
        held_out_games: 1000,
    },
    MatrixGame {
        name: "reversi",
        game: "reversi()",
        dense: "mlp(hidden: [8], activation: tanh, init_sigma: 0.5, sigma: 0.1, mutation_rate: \
            0.3)",
        growing: "neat(functions: [tanh])",
        judge: Some("swh"),
        held_out_games: 1000,
    },
    MatrixGame {
        name: "draughts",
        game: "draughts(inputs: signed, king_weight: 2, repetition: 3, most_moves: 100)",
        dense: "mlp(hidden: [40, 10], activation: tanh, init_sigma: 0.5, sigma: 0.1, \
            mutation_rate: 0.3)",
        growing: "neat(functions: [tanh])",
        judge: Some("material"),
        held_out_games: 500,
    },
];
