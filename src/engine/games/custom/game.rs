//! A game of another crate behind one type, so that the code that is generic over games is compiled
//! once for all of them. Positions are boxed and moves are numbers, which makes such a game slower
//! than a registered one of this crate.

use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::games::board::{Board, MaxSize};
use crate::games::endgame::EndgameQuery;
use crate::games::heuristic::Heuristic;
use crate::games::input_plane::InputPlane;
use crate::games::oracle::Oracle;
use crate::games::transcript::TranscriptFormat;
use crate::games::{
    Encoding, Game, GameShape, Grid, Heuristics, Notation, NotationError, Outcome, Picture, Rules,
    Side, Squares, StartKind,
};
use crate::rng::Stream;

use super::oracle::ErasedOracle;
use super::state::{AnyState, CustomState};

/// A move of any game: its number, in the order of the game's own moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CustomMove(u64);

/// A game of another crate.
#[derive(Clone)]
pub struct CustomGame(Arc<dyn ErasedGame>);

impl Debug for CustomGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CustomGame({})", self.goal())
    }
}

impl CustomGame {
    /// Hides the types of a game.
    pub fn new<G: Game>(game: G) -> Self
    where
        G::Move: Into<u64> + TryFrom<u64>,
    {
        Self(Arc::new(Erased(game)))
    }
}

/// A game whose positions and moves lose their types on the way out and get them back on the way
/// in.
struct Erased<G>(G);

pub(super) fn state_in<G: Game>(state: &CustomState) -> &G::State {
    let state: &dyn Any = &*state.0;
    state
        .downcast_ref()
        .expect("a position comes from its own game")
}

fn state_in_mut<G: Game>(state: &mut CustomState) -> &mut G::State {
    let state: &mut dyn Any = &mut *state.0;
    state
        .downcast_mut()
        .expect("a position comes from its own game")
}

fn state_out(state: impl AnyState) -> CustomState {
    CustomState(Box::new(state))
}

fn move_in<M: TryFrom<u64>>(CustomMove(number): CustomMove) -> M {
    let action = M::try_from(number).ok();
    action.expect("a move comes from its own game")
}

pub(super) fn move_out(action: impl Into<u64>) -> CustomMove {
    CustomMove(action.into())
}

fn moves_in<M: TryFrom<u64>>(actions: &[CustomMove]) -> Vec<M> {
    actions.iter().copied().map(move_in).collect()
}

/// The moves of an output buffer in the game's own type. They are written back when it is dropped.
struct OwnMoves<'a, M: Copy + Into<u64>> {
    own: Vec<M>,
    out: &'a mut Vec<CustomMove>,
}

impl<'a, M: Copy + Into<u64> + TryFrom<u64>> OwnMoves<'a, M> {
    fn new(out: &'a mut Vec<CustomMove>) -> Self {
        Self {
            own: moves_in(out),
            out,
        }
    }
}

impl<M: Copy + Into<u64>> Drop for OwnMoves<'_, M> {
    fn drop(&mut self) {
        self.out.clear();
        self.out.extend(self.own.iter().copied().map(move_out));
    }
}

/// Moves in the game's own type, which are added to an output buffer when it is dropped. What the
/// buffer has is not copied: the graph of all positions lists the moves of all in one.
struct AddedMoves<'a, M: Copy + Into<u64>> {
    own: Vec<M>,
    out: &'a mut Vec<CustomMove>,
}

impl<M: Copy + Into<u64>> Drop for AddedMoves<'_, M> {
    fn drop(&mut self) {
        self.out.extend(self.own.iter().copied().map(move_out));
    }
}

/// The type of an argument without the types of its game.
macro_rules! argument {
    (State) => { &CustomState };
    (StateMut) => { &mut CustomState };
    (Move) => { CustomMove };
    (Moves) => { &[CustomMove] };
    (MovesMut) => { &mut Vec<CustomMove> };
    (MovesAdded) => { &mut Vec<CustomMove> };
    (Step) => { Option<(&CustomState, CustomMove)> };
    (($type:ty)) => { $type };
}

/// An argument with the types of its game `G`.
macro_rules! typed {
    ($value:ident State) => {
        state_in::<G>($value)
    };
    ($value:ident StateMut) => {
        state_in_mut::<G>($value)
    };
    ($value:ident Move) => {
        move_in($value)
    };
    ($value:ident Moves) => {
        &moves_in($value)
    };
    ($value:ident MovesMut) => {
        &mut OwnMoves::new($value).own
    };
    ($value:ident MovesAdded) => {
        &mut AddedMoves {
            own: Vec::new(),
            out: $value,
        }
        .own
    };
    ($value:ident Step) => {
        $value.map(|(before, made)| (state_in::<G>(before), move_in(made)))
    };
    ($value:ident ($type:ty)) => {
        $value
    };
}

/// The type of a result without the types of its game.
macro_rules! result {
    (State) => { CustomState };
    (Option State) => { Option<CustomState> };
    (Result State) => { Result<CustomState, NotationError> };
    (States) => { Vec<CustomState> };
    (Option Move) => { Option<CustomMove> };
    (Result Move) => { Result<CustomMove, NotationError> };
    (Option Game) => { Option<CustomGame> };
    (Option Oracle) => { Option<Arc<dyn Oracle<CustomGame>>> };
    (Option Squares) => { Option<&dyn Squares<CustomGame>> };
    (($type:ty)) => { $type };
}

/// A result without the types of its game.
macro_rules! erased {
    ($game:ident, $result:expr, State) => {
        state_out($result)
    };
    ($game:ident, $result:expr, $wrapped:ident State) => {
        $result.map(state_out)
    };
    ($game:ident, $result:expr, States) => {
        $result.into_iter().map(state_out).collect()
    };
    ($game:ident, $result:expr, $wrapped:ident Move) => {
        $result.map(move_out)
    };
    ($game:ident, $result:expr, Option Game) => {
        $result.map(CustomGame::new)
    };
    ($game:ident, $result:expr, Option Oracle) => {
        $result.map(|it| ErasedOracle::of(&$game.0, it))
    };
    ($game:ident, $result:expr, Option Squares) => {
        $result.map(|_| $game as _)
    };
    ($game:ident, $result:expr, ($type:ty)) => {
        $result
    };
}

/// Forwards all methods of all parts of a game, through a trait that has them without types. An
/// argument or result is in parentheses if it is the same in all games. Clippy denies a part with a
/// method left out.
macro_rules! forward {
    ($( $part:ident {
        $(type $type:ident = $is:ty;)*
        $( fn $name:ident($($arg:ident: $kind:tt),*) -> [$($out:tt)*]; )*
    } )*) => {
        /// A game whose positions and moves have lost their types.
        trait ErasedGame: Send + Sync {
            $($( fn $name(&self $(, $arg: argument!($kind))*) -> result!($($out)*); )*)*
        }

        impl<G: Game> ErasedGame for Erased<G>
        where
            G::Move: Into<u64> + TryFrom<u64>,
        {
            $($( fn $name(&self $(, $arg: argument!($kind))*) -> result!($($out)*) {
                erased!(self, self.0.$name($(typed!($arg $kind)),*), $($out)*)
            } )*)*
        }

        $(#[deny(clippy::missing_trait_methods, reason = "a custom game reaches everything")]
        impl $part for CustomGame {
            $(type $type = $is;)*
            $( fn $name(&self $(, $arg: argument!($kind))*) -> result!($($out)*) {
                self.0.$name($($arg),*)
            } )*
        })*
    };
}

forward! {
    Rules {
        type State = CustomState;
        type Move = CustomMove;
        fn goal() -> [(&'static str)];
        fn standard_start() -> [State];
        fn to_move(state: State) -> [(Side)];
        fn moves(state: State, out: MovesAdded) -> [(())];
        fn play(state: StateMut, action: Move) -> [(())];
        fn outcome(state: State) -> [(Option<Outcome>)];
        fn squares() -> [Option Squares];
        fn start(kind: (StartKind), rng: (&mut Stream)) -> [State];
        fn count_moves(state: State) -> [(usize)];
        fn is_pass(action: Move) -> [(bool)];
        fn points(state: State) -> [([u16; 2])];
        fn canonical(state: State) -> [State];
    }
    Encoding {
        fn shape() -> [(GameShape)];
        fn encode(state: State, side: (Side), out: (&mut [f32])) -> [(())];
        fn changes(state: State, action: Move, side: (Side), out: (&mut Vec<(u32, f32)>)) -> [(())];
        fn successors(
            state: State,
            side: (Side),
            moves: MovesMut,
            changes: (&mut Vec<(u32, f32)>),
            ends: (&mut Vec<u32>)
        ) -> [(())];
        fn successor_signs(
            state: State,
            side: (Side),
            moves: MovesMut,
            signs: (&mut Vec<[u64; 2]>)
        ) -> [(Option<[u64; 2]>)];
        fn encoding_key(state: State, side: (Side)) -> [(u64)];
        fn successor_key(state: State, action: Move, side: (Side)) -> [(u64)];
        fn input_planes() -> [(Vec<InputPlane>)];
        fn decode_move(state: State, components: (&[i32])) -> [Option Move];
        fn encode_move(action: Move, out: (&mut Vec<i32>)) -> [(())];
        fn state_index(state: State) -> [(usize)];
    }
    Notation {
        fn move_text(action: Move) -> [(String)];
        fn parse_move(state: State, text: (&str)) -> [Result Move];
        fn position_text(state: State) -> [(String)];
        fn parse_position(text: (&str)) -> [Result State];
        fn record_text(actions: Moves) -> [(String)];
        fn record_moves(word: (&str)) -> [(Vec<String>)];
        fn transcript_format() -> [(TranscriptFormat)];
        fn unlimited() -> [Option Game];
        fn begins_move(state: State, first: (char)) -> [(bool)];
        fn obligation(state: State) -> [(Option<&'static str>)];
        fn move_help() -> [(&'static str)];
    }
    Picture {
        fn board(state: State, last: Step, room: (MaxSize)) -> [(Board)];
        fn turned() -> [Option Game];
        fn animation_frame_count(action: Move) -> [(usize)];
        fn animation_frame(
            before: State,
            action: Move,
            frame: (usize),
            room: (MaxSize)
        ) -> [(Board)];
    }
    Heuristics {
        fn all_starts() -> [States];
        fn heuristics() -> [(&'static [Heuristic])];
        fn evaluate(heuristic: (usize), state: State, side: (Side)) -> [(f32)];
        fn is_quiet(state: State) -> [(bool)];
        fn settled_margin(state: State, side: (Side)) -> [(Option<i32>)];
        fn moves_left(state: State) -> [(Option<u16>)];
        fn solve_end(state: State, moves: Moves, query: (EndgameQuery<'_>)) -> [(Option<Vec<i32>>)];
        fn tabulated_end() -> [(u16)];
        fn judged_positions(most: (usize), rng: (&mut Stream)) -> [States];
        fn judges_all(most: (usize)) -> [(bool)];
        fn oracle() -> [Option Oracle];
    }
}

impl<G: Game> Erased<G> {
    fn own(&self) -> &dyn Squares<G> {
        self.0
            .squares()
            .expect("only a game with squares hands them out")
    }
}

#[deny(
    clippy::missing_trait_methods,
    reason = "a game of another crate reaches everything"
)]
impl<G: Game> Squares<CustomGame> for Erased<G>
where
    G::Move: Into<u64> + TryFrom<u64>,
{
    fn grid(&self) -> Grid {
        self.own().grid()
    }

    fn piece(&self, state: &CustomState, square: u16, side: Side) -> i16 {
        self.own().piece(state_in::<G>(state), square, side)
    }

    fn path(&self, action: CustomMove) -> Vec<u16> {
        self.own().path(move_in(action))
    }

    fn path_from(&self, before: &CustomState, action: CustomMove) -> Vec<u16> {
        self.own().path_from(state_in::<G>(before), move_in(action))
    }

    fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<CustomState> {
        self.own().set_up(pieces, to_move).map(state_out)
    }
}
