//! The rules of one game, and the parts that make a playable game of them. Only [`Rules`] has to be
//! written: the other parts have defaults that use the description of a position by squares.

use std::fmt::Debug;
use std::hash::Hash;

use rand::RngExt;

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

/// The squares of a game, from which the default encoding, notation and picture are made: positions
/// and moves as squares and small numbers.
pub trait Squares<G: Rules> {
    /// The board.
    fn grid(&self) -> Grid;

    /// What is on a square: 0 if it is empty, positive for a piece of `side`, negative for one of
    /// the opponent. Greater numbers are more valuable pieces.
    fn piece(&self, state: &G::State, square: u16, side: Side) -> i16;

    /// The squares that identify a move in the order in which a player points at them, such as from
    /// where to where. Empty for a pass.
    fn path(&self, action: G::Move) -> Vec<u16>;

    /// The squares of a move made in a position, which a picture marks and a player points at. By
    /// default those that identify it. In some games they depend on the position: a disc falls onto
    /// those below.
    fn path_from(&self, _before: &G::State, action: G::Move) -> Vec<u16> {
        self.path(action)
    }

    /// The position with these pieces, as [`Squares::piece`] gives them for the first player.
    /// `None` if there is none.
    fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<G::State>;
}

/// The squares that the default encoding and notation are made from.
pub(super) fn squares_of<G: Rules>(game: &G) -> &dyn Squares<G> {
    let squares = game.squares();
    squares.expect("a game without `Rules::squares` has its own encoding and notation")
}

/// What a starting position is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// Any game.
    Game,
    /// A game for fitness. A curriculum begins with easy positions.
    Training {
        /// The generation that plays it.
        generation: u64,
    },
    /// A game for measuring players, who play it once on each side. If the start is fixed, a few
    /// random moves may have been played.
    Opening,
}

/// The position after some random moves from the standard start.
pub fn after_random_moves<G: Rules>(game: &G, plies: usize, rng: &mut Stream) -> G::State {
    let (mut state, mut moves) = (game.standard_start(), Vec::new());
    for _ in 0..plies {
        moves.clear();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[rng.random_range(0..moves.len())]);
    }
    state
}

/// The rules of one game.
///
/// A pass is a move, and so is a whole sequence of jumps. The players need not alternate.
///
/// A game with [`squares`](Self::squares) has a default [`Encoding`], [`Notation`] and [`Picture`].
/// A game without them needs its own encoding and notation; its default picture is empty.
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

    /// The squares of the default encoding, notation and picture; `None` for a game without them.
    fn squares(&self) -> Option<&dyn Squares<Self>> {
        None
    }

    /// A starting position, drawn at random if the rules allow several.
    fn start(&self, _kind: StartKind, _rng: &mut Stream) -> Self::State {
        self.standard_start()
    }

    /// The number of legal moves. By default they are listed, which allocates memory; searches ask
    /// often.
    fn count_moves(&self, state: &Self::State) -> usize {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.len()
    }

    /// Whether a move leaves the turn to the opponent without doing anything.
    fn is_pass(&self, _action: Self::Move) -> bool {
        false
    }

    /// The score of the first and the second player in a finished game, such as discs. By default a
    /// win counts 1.
    fn points(&self, state: &Self::State) -> [u16; 2] {
        match self.outcome(state) {
            Some(Outcome::Win(Side::First)) => [1, 0],
            Some(Outcome::Win(Side::Second)) => [0, 1],
            _ => [0, 0],
        }
    }

    /// The canonical form of a position. Two positions with the same form have the same legal
    /// moves, encoding and result for the player to move.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// A whole game: its rules, how a network reads it, how it is written and drawn, and what is known
/// about it.
pub trait Game: Rules + Encoding + Notation + Picture + Heuristics {}

impl<G: Rules + Encoding + Notation + Picture + Heuristics> Game for G {}
