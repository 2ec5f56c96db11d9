//! A game of another crate behind one type, so that the code that is generic over games is compiled once for all of them.
//! Positions are boxed and moves are numbers, which makes such a game slower than a registered one of this crate.

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
    Side,
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

/// Declares [`ErasedGame`] with the methods of all parts of a game, and forwards those parts of [`CustomGame`] to it.
macro_rules! forward {
    ($( $part:ident {
        $(type $type:ident = $is:ty;)*
        $( fn $name:ident(&self $(, $arg:ident: $of:ty)* $(,)?) $(-> $out:ty)?; )*
    } )*) => {
        /// A game whose positions and moves have lost their types.
        trait ErasedGame: Send + Sync {
            $($( fn $name(&self $(, $arg: $of)*) $(-> $out)?; )*)*
        }

        $(impl $part for CustomGame {
            $(type $type = $is;)*
            $( fn $name(&self $(, $arg: $of)*) $(-> $out)? { self.0.$name($($arg),*) } )*
        })*
    };
}

forward! {
    Rules {
        type State = CustomState;
        type Move = CustomMove;
        fn goal(&self) -> &'static str;
        fn standard_start(&self) -> CustomState;
        fn to_move(&self, state: &CustomState) -> Side;
        fn moves(&self, state: &CustomState, out: &mut Vec<CustomMove>);
        fn play(&self, state: &mut CustomState, action: CustomMove);
        fn outcome(&self, state: &CustomState) -> Option<Outcome>;
        fn grid(&self) -> Option<Grid>;
        fn piece(&self, state: &CustomState, square: u16, side: Side) -> i16;
        fn path(&self, action: CustomMove) -> Vec<u16>;
        fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<CustomState>;
        fn start(&self, rng: &mut Stream) -> CustomState;
        fn training_start(&self, generation: u64, rng: &mut Stream) -> CustomState;
        fn all_starts(&self) -> Vec<CustomState>;
        fn opening(&self, rng: &mut Stream) -> CustomState;
        fn count_moves(&self, state: &CustomState) -> usize;
        fn is_pass(&self, action: CustomMove) -> bool;
        fn points(&self, state: &CustomState) -> [u16; 2];
        fn canonical(&self, state: &CustomState) -> CustomState;
    }
    Encoding {
        fn shape(&self) -> GameShape;
        fn encode(&self, state: &CustomState, side: Side, out: &mut [f32]);
        fn changes(&self, state: &CustomState, action: CustomMove, side: Side, out: &mut Vec<(u32, f32)>);
        fn successors(
            &self,
            state: &CustomState,
            side: Side,
            moves: &mut Vec<CustomMove>,
            changes: &mut Vec<(u32, f32)>,
            ends: &mut Vec<u32>,
        );
        fn input_planes(&self) -> Vec<InputPlane>;
        fn decode_move(&self, state: &CustomState, components: &[i32]) -> Option<CustomMove>;
        fn encode_move(&self, action: CustomMove, out: &mut Vec<i32>);
        fn state_index(&self, state: &CustomState) -> usize;
    }
    Notation {
        fn move_text(&self, action: CustomMove) -> String;
        fn parse_move(&self, state: &CustomState, text: &str) -> Result<CustomMove, NotationError>;
        fn position_text(&self, state: &CustomState) -> String;
        fn parse_position(&self, text: &str) -> Result<CustomState, NotationError>;
        fn record_text(&self, actions: &[CustomMove]) -> String;
        fn parse_record(&self, start: &CustomState, text: &str) -> Result<Vec<CustomMove>, NotationError>;
        fn transcript_format(&self) -> TranscriptFormat;
        fn record_start(&self, text: &str) -> Option<String>;
        fn begins_move(&self, state: &CustomState, first: char) -> bool;
        fn obligation(&self, state: &CustomState) -> Option<&'static str>;
        fn move_help(&self) -> &'static str;
    }
    Picture {
        fn board(&self, state: &CustomState, last: Option<(&CustomState, CustomMove)>, room: MaxSize) -> Board;
        fn animation_frame_count(&self, action: CustomMove) -> usize;
        fn animation_frame(&self, before: &CustomState, action: CustomMove, frame: usize, room: MaxSize) -> Board;
    }
    Heuristics {
        fn heuristics(&self) -> &'static [Heuristic];
        fn judged_positions(&self, most: usize, rng: &mut Stream) -> Vec<CustomState>;
        fn judges_all(&self, most: usize) -> bool;
        fn evaluate(&self, heuristic: usize, state: &CustomState, side: Side) -> f32;
        fn is_quiet(&self, state: &CustomState) -> bool;
        fn settled_margin(&self, state: &CustomState, side: Side) -> Option<i32>;
        fn moves_left(&self, state: &CustomState) -> Option<u16>;
        fn tabulated_end(&self) -> u16;
        fn solve_end(
            &self,
            state: &CustomState,
            moves: &[CustomMove],
            query: EndgameQuery<'_>,
        ) -> Option<Vec<i32>>;
        fn oracle(&self) -> Option<Arc<dyn Oracle<CustomGame>>>;
    }
}

/// A game whose positions and moves lose their types on the way out and get them back on the way in.
struct Erased<G>(G);

pub(super) fn state_in<G: Game>(state: &CustomState) -> &G::State {
    let state: &dyn Any = &*state.0;
    state
        .downcast_ref()
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

impl<G: Game> ErasedGame for Erased<G>
where
    G::Move: Into<u64> + TryFrom<u64>,
{
    fn goal(&self) -> &'static str {
        self.0.goal()
    }

    fn standard_start(&self) -> CustomState {
        state_out(self.0.standard_start())
    }

    fn to_move(&self, state: &CustomState) -> Side {
        self.0.to_move(state_in::<G>(state))
    }

    fn moves(&self, state: &CustomState, out: &mut Vec<CustomMove>) {
        let mut moves = Vec::new();
        self.0.moves(state_in::<G>(state), &mut moves);
        out.extend(moves.into_iter().map(move_out));
    }

    fn play(&self, state: &mut CustomState, action: CustomMove) {
        let state: &mut dyn Any = &mut *state.0;
        let state = state.downcast_mut();
        let state = state.expect("a position comes from its own game");
        self.0.play(state, move_in(action));
    }

    fn outcome(&self, state: &CustomState) -> Option<Outcome> {
        self.0.outcome(state_in::<G>(state))
    }

    fn grid(&self) -> Option<Grid> {
        self.0.grid()
    }

    fn piece(&self, state: &CustomState, square: u16, side: Side) -> i16 {
        self.0.piece(state_in::<G>(state), square, side)
    }

    fn path(&self, action: CustomMove) -> Vec<u16> {
        self.0.path(move_in(action))
    }

    fn set_up(&self, pieces: &[i16], to_move: Side) -> Option<CustomState> {
        self.0.set_up(pieces, to_move).map(state_out)
    }

    fn start(&self, rng: &mut Stream) -> CustomState {
        state_out(self.0.start(rng))
    }

    fn training_start(&self, generation: u64, rng: &mut Stream) -> CustomState {
        state_out(self.0.training_start(generation, rng))
    }

    fn all_starts(&self) -> Vec<CustomState> {
        self.0.all_starts().into_iter().map(state_out).collect()
    }

    fn opening(&self, rng: &mut Stream) -> CustomState {
        state_out(self.0.opening(rng))
    }

    fn count_moves(&self, state: &CustomState) -> usize {
        self.0.count_moves(state_in::<G>(state))
    }

    fn is_pass(&self, action: CustomMove) -> bool {
        self.0.is_pass(move_in(action))
    }

    fn points(&self, state: &CustomState) -> [u16; 2] {
        self.0.points(state_in::<G>(state))
    }

    fn canonical(&self, state: &CustomState) -> CustomState {
        state_out(self.0.canonical(state_in::<G>(state)))
    }

    fn shape(&self) -> GameShape {
        self.0.shape()
    }

    fn encode(&self, state: &CustomState, side: Side, out: &mut [f32]) {
        self.0.encode(state_in::<G>(state), side, out);
    }

    fn changes(
        &self,
        state: &CustomState,
        action: CustomMove,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    ) {
        self.0
            .changes(state_in::<G>(state), move_in(action), side, out);
    }

    fn successors(
        &self,
        state: &CustomState,
        side: Side,
        moves: &mut Vec<CustomMove>,
        changes: &mut Vec<(u32, f32)>,
        ends: &mut Vec<u32>,
    ) {
        let mut listed = Vec::new();
        self.0
            .successors(state_in::<G>(state), side, &mut listed, changes, ends);
        moves.clear();
        moves.extend(listed.into_iter().map(move_out));
    }

    fn input_planes(&self) -> Vec<InputPlane> {
        self.0.input_planes()
    }

    fn decode_move(&self, state: &CustomState, components: &[i32]) -> Option<CustomMove> {
        let action = self.0.decode_move(state_in::<G>(state), components);
        action.map(move_out)
    }

    fn encode_move(&self, action: CustomMove, out: &mut Vec<i32>) {
        self.0.encode_move(move_in(action), out);
    }

    fn state_index(&self, state: &CustomState) -> usize {
        self.0.state_index(state_in::<G>(state))
    }

    fn move_text(&self, action: CustomMove) -> String {
        self.0.move_text(move_in(action))
    }

    fn parse_move(&self, state: &CustomState, text: &str) -> Result<CustomMove, NotationError> {
        let action = self.0.parse_move(state_in::<G>(state), text);
        action.map(move_out)
    }

    fn position_text(&self, state: &CustomState) -> String {
        self.0.position_text(state_in::<G>(state))
    }

    fn parse_position(&self, text: &str) -> Result<CustomState, NotationError> {
        self.0.parse_position(text).map(state_out)
    }

    fn record_text(&self, actions: &[CustomMove]) -> String {
        self.0.record_text(&moves_in(actions))
    }

    fn parse_record(
        &self,
        start: &CustomState,
        text: &str,
    ) -> Result<Vec<CustomMove>, NotationError> {
        let actions = self.0.parse_record(state_in::<G>(start), text)?;
        Ok(actions.into_iter().map(move_out).collect())
    }

    fn transcript_format(&self) -> TranscriptFormat {
        self.0.transcript_format()
    }

    fn record_start(&self, text: &str) -> Option<String> {
        self.0.record_start(text)
    }

    fn begins_move(&self, state: &CustomState, first: char) -> bool {
        self.0.begins_move(state_in::<G>(state), first)
    }

    fn obligation(&self, state: &CustomState) -> Option<&'static str> {
        self.0.obligation(state_in::<G>(state))
    }

    fn move_help(&self) -> &'static str {
        self.0.move_help()
    }

    fn board(
        &self,
        state: &CustomState,
        last: Option<(&CustomState, CustomMove)>,
        room: MaxSize,
    ) -> Board {
        let last = last.map(|(before, action)| (state_in::<G>(before), move_in(action)));
        self.0.board(state_in::<G>(state), last, room)
    }

    fn animation_frame_count(&self, action: CustomMove) -> usize {
        self.0.animation_frame_count(move_in(action))
    }

    fn animation_frame(
        &self,
        before: &CustomState,
        action: CustomMove,
        frame: usize,
        room: MaxSize,
    ) -> Board {
        let before = state_in::<G>(before);
        self.0.animation_frame(before, move_in(action), frame, room)
    }

    fn heuristics(&self) -> &'static [Heuristic] {
        self.0.heuristics()
    }

    fn judged_positions(&self, most: usize, rng: &mut Stream) -> Vec<CustomState> {
        let positions = self.0.judged_positions(most, rng).into_iter();
        positions.map(state_out).collect()
    }

    fn judges_all(&self, most: usize) -> bool {
        self.0.judges_all(most)
    }

    fn evaluate(&self, heuristic: usize, state: &CustomState, side: Side) -> f32 {
        self.0.evaluate(heuristic, state_in::<G>(state), side)
    }

    fn is_quiet(&self, state: &CustomState) -> bool {
        self.0.is_quiet(state_in::<G>(state))
    }

    fn settled_margin(&self, state: &CustomState, side: Side) -> Option<i32> {
        self.0.settled_margin(state_in::<G>(state), side)
    }

    fn moves_left(&self, state: &CustomState) -> Option<u16> {
        self.0.moves_left(state_in::<G>(state))
    }

    fn tabulated_end(&self) -> u16 {
        self.0.tabulated_end()
    }

    fn solve_end(
        &self,
        state: &CustomState,
        moves: &[CustomMove],
        query: EndgameQuery<'_>,
    ) -> Option<Vec<i32>> {
        self.0
            .solve_end(state_in::<G>(state), &moves_in(moves), query)
    }

    fn oracle(&self) -> Option<Arc<dyn Oracle<CustomGame>>> {
        ErasedOracle::of(&self.0)
    }
}
