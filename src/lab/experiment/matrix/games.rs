//! The games of the table, each with the networks that play it and the column that judges their champions.

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
    /// The column that judges the champion of the last generation. No scheme evolves against the player that it measures.
    pub column: &'static str,
    /// Held-out games against each reference player.
    pub held_out_games: u32,
}

/// The games in the order of the table. All networks value the position after each move.
pub const GAMES: [MatrixGame; 5] = [
    MatrixGame {
        name: "nim",
        game: "nim(heaps: [4, 4], start: random, mode: all, grading: strict)",
        dense: "mlp(hidden: [8], activation: tanh, sigma: 0.3)",
        growing: "neat(functions: [tanh])",
        column: "accuracy_states",
        held_out_games: 200,
    },
    MatrixGame {
        name: "bounded_nim",
        game: "bounded_nim(stones: 11, most: 4)",
        dense: "mlp(hidden: [8], activation: tanh, sigma: 0.3)",
        growing: "neat(functions: [tanh])",
        column: "accuracy_states",
        held_out_games: 200,
    },
    MatrixGame {
        name: "dots_and_boxes",
        game: "dots_and_boxes(rows: 3, columns: 3, inputs: score)",
        dense: "mlp(hidden: [16], activation: tanh, init_sigma: 0.5, sigma: 0.1, mutation_rate: 0.3)",
        growing: "neat(functions: [tanh])",
        column: "vs_level_1",
        held_out_games: 1000,
    },
    MatrixGame {
        name: "reversi",
        game: "reversi()",
        dense: "mlp(hidden: [8], activation: tanh, init_sigma: 0.5, sigma: 0.1, mutation_rate: 0.3)",
        growing: "neat(functions: [tanh])",
        column: "vs_swh",
        held_out_games: 1000,
    },
    MatrixGame {
        name: "draughts",
        game: "draughts(inputs: signed, king_weight: 2, repetition: 3, most_moves: 100)",
        dense: "mlp(hidden: [40, 10], activation: tanh, init_sigma: 0.5, sigma: 0.1, mutation_rate: 0.3)",
        growing: "neat(functions: [tanh])",
        column: "vs_material",
        held_out_games: 500,
    },
];
