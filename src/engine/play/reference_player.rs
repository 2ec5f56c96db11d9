//! Fixed players that evolved players are measured against. A reference player uses the rules and,
//! if it needs one, the oracle or a heuristic of the game.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::games::Game;
use crate::games::heuristic::Heuristic;
use crate::games::oracle::Oracle;
use crate::rng::Stream;
use crate::search::alpha_beta::AlphaBetaSearch;
use crate::search::{HeuristicEvaluator, SearchLimits, ValueMode};

/// A player with a fixed strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferencePlayer {
    /// A random legal move, uniformly distributed.
    Random,
    /// A best move by the oracle, uniformly distributed among the best.
    Oracle,
    /// A best move by a heuristic with search, uniformly distributed among the best.
    Heuristic {
        /// The index of the heuristic in [`Heuristics::heuristics`](super::Heuristics::heuristics).
        heuristic: u8,
        /// The depth of the search in plies; 1 looks at the position after the move.
        depth: u8,
    },
}

/// Buffers of a reference player, reused from move to move.
#[derive(Debug)]
pub struct ReferenceBuffers<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<f32>,
    search: AlphaBetaSearch<G>,
}

impl<G: Game> Default for ReferenceBuffers<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            values: Vec::new(),
            search: AlphaBetaSearch::default(),
        }
    }
}

impl ReferencePlayer {
    /// All reference players of a game with these heuristics.
    pub fn all(heuristics: &[Heuristic]) -> Vec<Self> {
        let mut all = vec![Self::Random, Self::Oracle];
        for (index, heuristic) in heuristics.iter().enumerate() {
            let players = heuristic.depths.iter();
            all.extend(players.map(|&depth| Self::Heuristic {
                heuristic: index as u8,
                depth,
            }));
        }
        all
    }

    /// The name on the command line.
    pub fn name(self, heuristics: &[Heuristic]) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Oracle => "oracle".to_owned(),
            Self::Heuristic {
                heuristic,
                depth: 1,
            } => heuristics[heuristic as usize].name.to_owned(),
            Self::Heuristic { heuristic, depth } => {
                format!("{}-{depth}", heuristics[heuristic as usize].name)
            }
        }
    }

    /// The player called `name`.
    pub fn named(name: &str, heuristics: &[Heuristic]) -> Option<Self> {
        let mut all = Self::all(heuristics).into_iter();
        all.find(|reference| reference.name(heuristics) == name)
    }

    /// Whether the player looks at most one move ahead, or knows all positions.
    pub fn is_quick(self) -> bool {
        !matches!(self, Self::Heuristic { depth: 2.., .. })
    }

    /// Whether the player needs an oracle.
    pub fn needs_oracle(self) -> bool {
        self == Self::Oracle
    }

    /// Identifies the player in the random streams of its games.
    pub fn key(self) -> u64 {
        match self {
            Self::Random => 0,
            Self::Oracle => 1,
            Self::Heuristic { heuristic, depth } => {
                2 + u64::from(heuristic) * 256 + u64::from(depth)
            }
        }
    }

    /// The share of moves that both sides play at random in measurements against this player;
    /// `None` if it is not used for measurements.
    pub fn random_move_share(self, heuristics: &[Heuristic]) -> Option<f64> {
        match self {
            Self::Random | Self::Oracle => Some(0.0),
            Self::Heuristic { heuristic, depth } => {
                let heuristic = &heuristics[heuristic as usize];
                heuristic
                    .random_move_share
                    .filter(|_| heuristic.depths.first() == Some(&depth))
            }
        }
    }

    /// Chooses a move. The oracle player moves at random if the oracle does not know the position.
    pub fn choose<G: Game>(
        self,
        game: &G,
        oracle: Option<&dyn Oracle<G>>,
        state: &G::State,
        buffers: &mut ReferenceBuffers<G>,
        rng: &mut Stream,
    ) -> G::Move {
        let oracle = oracle.filter(|_| self == Self::Oracle);
        if oracle
            .and_then(|oracle| oracle.evaluate(game, state, &mut buffers.moves))
            .is_none()
        {
            buffers.moves.clear();
            game.moves(state, &mut buffers.moves);
        }
        if let Self::Heuristic { heuristic, depth } = self {
            keep_best(game, state, heuristic as usize, depth, buffers);
        }
        buffers.moves[rng.random_range(0..buffers.moves.len())]
    }
}

/// Keeps only the best moves by a heuristic.
fn keep_best<G: Game>(
    game: &G,
    state: &G::State,
    heuristic: usize,
    depth: u8,
    buffers: &mut ReferenceBuffers<G>,
) {
    let ReferenceBuffers {
        moves,
        values,
        search,
    } = buffers;
    let mut heuristic = HeuristicEvaluator(heuristic);
    let limits = SearchLimits {
        // One move ahead nothing is searched.
        whole_turns: depth > 1,
        ..SearchLimits::to_depth(depth)
    };
    let how = (limits, ValueMode::Best);
    search.values(game, state, moves, how, &mut heuristic, values);
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut values = values.iter();
    moves.retain(|_| values.next() == Some(&best));
}
