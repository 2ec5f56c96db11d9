//! The rules of one game, and the parts that make a playable game of them. Only [`Rules`] has to be written: the other
//! parts have defaults that use the description of a position by squares.

use std::fmt::Debug;
use std::hash::Hash;

use crate::rng::Stream;

use super::encoding::Encoding;
use super::heuristics::Heuristics;
use super::notation::Notation;
use super::picture::Picture;
use super::{Outcome, Side};

/// The squares of a game's board, numbered row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Squares in a row.
    pub columns: u16,
    /// Rows from top to bottom.
    pub rows: u16,
    /// The number of squares that identify a move; 0 if it differs from move to move.
    pub squares_per_move: usize,
}

impl Grid {
    /// The number of squares.
    pub fn squares(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }
}

/// The message of a bug: a default form of a game that does not describe its squares.
const NO_SQUARES: &str =
    "a game without `grid`, `piece`, `path` and `set_up` has no default encoding or notation";

/// The squares that the default encoding and notation are made from.
pub(super) fn squares_of<G: Rules>(game: &G) -> Grid {
    game.grid().expect(NO_SQUARES)
}

/// The rules of one game.
///
/// A pass is a move, and so is a whole sequence of jumps. The players need not alternate.
///
/// [`grid`](Self::grid), [`piece`](Self::piece), [`path`](Self::path) and [`set_up`](Self::set_up) describe a position and a
/// move by squares and small numbers. The defaults of [`Encoding`], [`Notation`] and [`Picture`] are made from them. A game
/// without squares needs none of the four, but its own encoding and notation; its default picture is empty.
pub trait Rules: Clone + Send + Sync + 'static {
    /// A position, including whose turn it is.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move; legal moves are listed in ascending order.
    type Move: Copy + Ord + Debug + Send + Sync + 'static;

    /// The goal of the game, as a clause.
    fn goal(&self) -> &'static str;

    /// The starting position without randomness.
    fn standard_start(&self) -> Self::State;

    /// The player to move; any player once the game is over.
    fn to_move(&self, state: &Self::State) -> Side;

    /// Appends the legal moves in ascending order; there are none when the game is over.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&self, state: &mut Self::State, action: Self::Move);

    /// The outcome if the game is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The board of the default encoding, notation and picture; `None` for a game without squares.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// What is on a square: 0 if it is empty, positive for a piece of `side`, negative for one of the opponent. Greater
    /// numbers are more valuable pieces.
    fn piece(&self, _state: &Self::State, _square: u16, _side: Side) -> i16 {
        unreachable!("{NO_SQUARES}")
    }

    /// The squares that identify a move in the order in which a player points at them, such as from where to where. Empty
    /// for a pass.
    fn path(&self, _action: Self::Move) -> Vec<u16> {
        unreachable!("{NO_SQUARES}")
    }

    /// The position with these pieces, as [`Rules::piece`] gives them for the first player. `None` if there is none.
    fn set_up(&self, _pieces: &[i16], _to_move: Side) -> Option<Self::State> {
        unreachable!("{NO_SQUARES}")
    }

    /// The starting position of a game, drawn at random if the rules allow several.
    fn start(&self, _rng: &mut Stream) -> Self::State {
        self.standard_start()
    }

    /// The starting position of a training game. By default as any other; a curriculum begins with easy ones.
    fn training_start(&self, _generation: u64, rng: &mut Stream) -> Self::State {
        self.start(rng)
    }

    /// Every possible starting position; empty if the game has too many positions to solve.
    fn all_starts(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// An opening for measuring players, who play it once on each side. If the start is fixed, a few random moves may have
    /// been played.
    fn opening(&self, rng: &mut Stream) -> Self::State {
        self.start(rng)
    }

    /// The number of legal moves. By default they are listed, which allocates memory; searches ask often.
    fn count_moves(&self, state: &Self::State) -> usize {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.len()
    }

    /// Whether a move leaves the turn to the opponent without doing anything.
    fn is_pass(&self, _action: Self::Move) -> bool {
        false
    }

    /// The score of the first and the second player in a finished game, such as discs. By default a win counts 1.
    fn points(&self, state: &Self::State) -> [u16; 2] {
        match self.outcome(state) {
            Some(Outcome::Win(Side::First)) => [1, 0],
            Some(Outcome::Win(Side::Second)) => [0, 1],
            _ => [0, 0],
        }
    }

    /// The canonical form of a position. Two positions with the same form have the same legal moves, encoding and result for
    /// the player to move.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// A whole game: its rules, how a network reads it, how it is written and drawn, and what is known about it.
pub trait Game: Rules + Encoding + Notation + Picture + Heuristics {}

impl<G: Rules + Encoding + Notation + Picture + Heuristics> Game for G {}
