//! Positions and moves as numbers, which networks read and write. By default one number per square.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::input_spec::InputSpec;
use crate::io_module::IoModule;

use super::Side;
use super::game::{Rules, squares_of};
use super::input_plane::{InputPlane, square_name};

/// The sizes of a game's positions and moves as numbers. By default nothing: a game names what it
/// has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameShape {
    /// The inputs of a network, which encode a position.
    pub inputs: InputSpec,
    /// The integers that together describe a move; empty if moves have no such form.
    pub components: Vec<MoveComponent>,
    /// The number of legal moves of each position, by [`Encoding::state_index`]; empty if the game
    /// does not index positions.
    pub legal_move_counts: Vec<u16>,
    /// The parts of the board that are all alike, if a move is a single number: the places of their
    /// numbers in the encoding, and the numbers of the moves in them, counted from the lowest.
    /// Empty if the board has no such parts.
    pub modules: Arc<[IoModule]>,
}

/// One of the integers that describe a move, such as the heap to take from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveComponent {
    /// What the integer stands for, as a word.
    pub name: &'static str,
    /// The smallest possible value.
    pub low: i32,
    /// The largest possible value.
    pub high: i32,
}

impl MoveComponent {
    /// The number of possible values.
    pub fn span(&self) -> usize {
        (self.high - self.low + 1) as usize
    }
}

/// A game's positions and moves as numbers.
///
/// [`shape`](Self::shape), [`encode`](Self::encode), [`changes`](Self::changes),
/// [`successor_signs`](Self::successor_signs) and [`input_planes`](Self::input_planes) describe the
/// same numbers, as do [`decode_move`](Self::decode_move) and [`encode_move`](Self::encode_move),
/// and [`encoding_key`](Self::encoding_key) and [`successor_key`](Self::successor_key): override
/// them together. The conformance tests check that they agree.
pub trait Encoding: Rules {
    /// The sizes of the encoding and of the numbers that describe a move. Equal for all positions
    /// of a game.
    fn shape(&self) -> GameShape {
        let grid = squares_of(self).grid();
        let square = MoveComponent {
            name: "square",
            low: 0,
            high: grid.squares() as i32 - 1,
        };
        GameShape {
            inputs: InputSpec {
                whole: Some(i16::MIN.unsigned_abs()),
                ..InputSpec::new(grid.squares())
            },
            components: vec![square; grid.squares_per_move],
            ..GameShape::default()
        }
    }

    /// Encodes a position from the point of view of `side` as `shape().inputs.raw_count()` numbers.
    fn encode(&self, state: &Self::State, side: Side, out: &mut [f32]) {
        let squares = squares_of(self);
        for (square, number) in (0..).zip(out) {
            *number = squares.piece(state, square, side).into();
        }
    }

    /// Appends the numbers of [`Encoding::encode`] that a move changes, as index and new value,
    /// from the point of view of `side`.
    fn changes(
        &self,
        state: &Self::State,
        action: Self::Move,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        let mut after = state.clone();
        self.play(&mut after, action);
        let squares = squares_of(self);
        for square in 0..squares.grid().squares() as u16 {
            let piece = squares.piece(&after, square, side);
            if piece != squares.piece(state, square, side) {
                out.push((square.into(), piece.into()));
            }
        }
    }

    /// Lists the legal moves as in [`Rules::moves`], the changes of each as in
    /// [`Encoding::changes`], and the end index of each move's changes. The buffers are
    /// overwritten. Entries of `changes` after the last end are undefined.
    fn successors(
        &self,
        state: &Self::State,
        side: Side,
        moves: &mut Vec<Self::Move>,
        changes: &mut Vec<(u32, f32)>,
        ends: &mut Vec<u32>,
    ) {
        moves.clear();
        changes.clear();
        ends.clear();
        self.moves(state, moves);
        for &action in &*moves {
            self.changes(state, action, side, changes);
            ends.push(changes.len() as u32);
        }
    }

    /// Lists the legal moves as in [`Rules::moves`], and the encoding of the position after each as
    /// two sets of bits: the numbers that are 1, and those that are −1; the others are 0. Returns
    /// the encoding of the position itself in this form, or `None` if the game has other numbers or
    /// more than 64. The buffers are overwritten.
    fn successor_signs(
        &self,
        _state: &Self::State,
        _side: Side,
        _moves: &mut Vec<Self::Move>,
        _signs: &mut Vec<[u64; 2]>,
    ) -> Option<[u64; 2]> {
        None
    }

    /// A hash of a position's encoding from the point of view of `side`: positions with the same
    /// key are encoded alike. Games whose positions hold more than the encoding shows override it,
    /// so that more positions share a key.
    fn encoding_key(&self, state: &Self::State, side: Side) -> u64 {
        FixedState::default().hash_one((state, side))
    }

    /// The key of the position after a move, see [`Encoding::encoding_key`].
    fn successor_key(&self, state: &Self::State, action: Self::Move, side: Side) -> u64 {
        let mut after = state.clone();
        self.play(&mut after, action);
        self.encoding_key(&after, side)
    }

    /// How the network inputs lie on the board; empty if they do not.
    fn input_planes(&self) -> Vec<InputPlane> {
        let Some(squares) = self.squares() else {
            return Vec::new();
        };
        let grid = squares.grid();
        let columns = usize::from(grid.columns);
        vec![InputPlane {
            name: "pieces",
            columns,
            squares: (0..grid.squares())
                .map(|square| square_name(square, columns))
                .collect(),
            cells: (0..grid.squares() as u32)
                .map(|input| vec![(input, 1.0)])
                .collect(),
        }]
    }

    /// Decodes a move from one integer per component of the shape. `None` if the move is illegal
    /// and the rules say that an illegal move loses the game. By default any integers mean a pass
    /// if it is the only legal move.
    fn decode_move(&self, state: &Self::State, components: &[i32]) -> Option<Self::Move> {
        if components.is_empty() {
            return None;
        }
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let squares = squares_of(self);
        let is_meant = |action: &Self::Move| {
            let path = squares.path(*action);
            let numbers = path.iter().map(|&square| i32::from(square));
            numbers.eq(components.iter().copied()) || path.is_empty() && moves.len() == 1
        };
        moves.iter().copied().find(is_meant)
    }

    /// Appends the components of a move: the inverse of [`Encoding::decode_move`] on legal moves.
    fn encode_move(&self, action: Self::Move, out: &mut Vec<i32>) {
        let squares = squares_of(self);
        let path = squares.path(action).into_iter().map(i32::from);
        let padded = path.chain(std::iter::repeat(0));
        out.extend(padded.take(squares.grid().squares_per_move));
    }

    /// The index of a position in [`GameShape::legal_move_counts`]; equal for positions with the
    /// same [`Rules::canonical`] form. Called only if those counts are listed.
    fn state_index(&self, _state: &Self::State) -> usize {
        unreachable!("this game does not index its positions")
    }
}

/// The raw inputs of a position: its encoding from the point of view of `side`, of
/// `spec.raw_count()` numbers.
pub fn encoded<G: Encoding>(game: &G, spec: &InputSpec, state: &G::State, side: Side) -> Vec<f32> {
    let mut numbers = vec![0.0; spec.raw_count()];
    game.encode(state, side, &mut numbers);
    numbers
}
