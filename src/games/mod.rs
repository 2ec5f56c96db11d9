//! The rules of the games: two players, perfect information, zero sum. A game defines positions, moves, and their form as
//! numbers, text and pictures. It does not depend on networks, evolution or the screen.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::params::{ParamError, Params};
use crate::projection::InputProjection;
use crate::registry::registry;
use crate::rng::Stream;

use self::legality::illegal_move_message;
pub use self::legality::{check_legal, play_text};

use self::board::{Board, MaxSize};
use self::bounded_nim::BoundedNimConfig;
use self::dots_and_boxes::DotsAndBoxesConfig;
use self::draughts::DraughtsConfig;
use self::heuristic::Heuristic;
use self::input_plane::InputPlane;
use self::nim::NimConfig;
use self::oracle::Oracle;
use self::reversi::ReversiConfig;
use self::transcript::TranscriptFormat;

pub mod board;
pub mod bounded_nim;
pub mod dots_and_boxes;
pub mod draughts;
pub mod guide;
pub mod heuristic;
pub mod input_plane;
mod legality;
pub mod nim;
pub mod oracle;
pub mod reversi;
pub mod rules;
pub mod transcript;
mod windows;

#[cfg(test)]
pub(crate) mod conformance;

/// One of the two players; `First` moves first from the starting position.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Side {
    First,
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Win(Side),
    Draw,
}

impl Outcome {
    /// 1 for a win of `side`, 0 for a draw, −1 for a loss.
    pub fn result_for(self, side: Side) -> i8 {
        match self {
            Self::Win(winner) if winner == side => 1,
            Self::Win(_) => -1,
            Self::Draw => 0,
        }
    }
}

/// The sizes of a game's positions and moves as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct GameShape {
    /// The number of network inputs.
    pub inputs: usize,
    /// How the encoding of a position is projected onto the inputs; `None` if they are the same.
    pub projection: Option<Arc<InputProjection>>,
    /// The integers that together describe a move; empty if moves have no such form.
    pub components: Vec<MoveComponent>,
    /// The number of legal moves of each position, by [`Game::state_index`]; empty if the game does not index positions.
    pub legal_move_counts: Vec<u16>,
}

impl GameShape {
    /// The length of a position's encoding.
    pub fn encoding_len(&self) -> usize {
        let projection = self.projection.as_ref();
        projection.map_or(self.inputs, |projection| projection.count())
    }
}

/// One of the integers that describe a move, such as the heap to take from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveComponent {
    pub name: &'static str,
    pub low: i32,
    pub high: i32,
}

impl MoveComponent {
    /// The number of possible values.
    pub fn span(&self) -> usize {
        (self.high - self.low + 1) as usize
    }
}

/// The rules of one game.
///
/// A pass is a move, and so is a whole sequence of jumps. The players need not alternate. `finches rules` reads and writes
/// the text forms.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position, including whose turn it is.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move; legal moves are listed in ascending order.
    type Move: Copy + Ord + Debug + Send + Sync;

    fn shape(&self) -> GameShape;

    /// The starting position of a game, drawn at random if the rules allow several.
    fn start(&self, rng: &mut Stream) -> Self::State;

    /// The starting position without randomness.
    fn standard_start(&self) -> Self::State;

    /// Every possible starting position; empty if the game has too many positions to solve.
    fn all_starts(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// An oracle specific to the game. If there is none, a small game is solved by listing its positions.
    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        None
    }

    /// The index of a position in [`GameShape::legal_move_counts`]; equal for positions with the same [`Game::canonical`]
    /// form. Called only if those counts are listed.
    fn state_index(&self, _state: &Self::State) -> usize {
        unreachable!("this game does not index its positions")
    }

    fn to_move(&self, state: &Self::State) -> Side;

    /// Appends the legal moves in ascending order; there are none when the game is over.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// The number of legal moves.
    fn count_moves(&self, state: &Self::State) -> usize {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.len()
    }

    /// Plays a legal move.
    fn play(&self, state: &mut Self::State, action: Self::Move);

    /// Whether a position can be evaluated statically. It can't while captures are pending (see quiescence search).
    fn is_quiet(&self, _state: &Self::State) -> bool {
        true
    }

    /// The outcome if the game is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The score of the first and the second player in a finished game, such as discs. By default a win counts 1.
    fn points(&self, state: &Self::State) -> [u16; 2] {
        match self.outcome(state) {
            Some(Outcome::Win(Side::First)) => [1, 0],
            Some(Outcome::Win(Side::Second)) => [0, 1],
            _ => [0, 0],
        }
    }

    /// Encodes a position from the point of view of `side` as `shape().encoding_len()` numbers.
    fn encode(&self, state: &Self::State, side: Side, out: &mut [f32]);

    /// How the network inputs lie on the board; empty if they do not.
    fn input_planes(&self) -> Vec<InputPlane> {
        Vec::new()
    }

    /// Appends the numbers of [`Game::encode`] that a move changes, as index and new value, from the point of view of `side`.
    fn changes(
        &self,
        state: &Self::State,
        action: Self::Move,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    );

    /// Lists the legal moves as in [`Game::moves`], the changes of each as in [`Game::changes`], and the end index of each
    /// move's changes. The buffers are overwritten. Entries of `changes` after the last end are undefined.
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

    /// Decodes a move from one integer per component of the shape. `None` if the move is illegal and the rules say that an
    /// illegal move loses the game.
    fn decode_move(&self, state: &Self::State, components: &[i32]) -> Option<Self::Move>;

    /// Whether a move leaves the turn to the opponent without doing anything.
    fn is_pass(&self, _action: Self::Move) -> bool {
        false
    }

    /// Appends the components of a move: the inverse of [`Game::decode_move`] on legal moves.
    fn encode_move(&self, action: Self::Move, out: &mut Vec<i32>);

    /// The canonical form of a position. Two positions with the same form have the same legal moves, encoding and result for
    /// the player to move.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// An opening for measuring players, who play it once on each side. If the start is fixed, a few random moves may have
    /// been played.
    fn opening(&self, rng: &mut Stream) -> Self::State {
        self.start(rng)
    }

    /// The heuristics of this game. Each defines reference players.
    fn heuristics(&self) -> &'static [Heuristic] {
        &[]
    }

    /// The value of a position to `side` by one of the heuristics. Higher is better; each heuristic has its own scale.
    fn evaluate(&self, heuristic: usize, _state: &Self::State, _side: Side) -> f32 {
        unreachable!("this game has no heuristic {heuristic}")
    }

    /// The largest picture of the position that fits, with the last move marked.
    fn board(
        &self,
        state: &Self::State,
        last: Option<(&Self::State, Self::Move)>,
        room: MaxSize,
    ) -> Board;

    /// The number of frames in the animation of a move. The first shows the position before the move. 0 means no animation.
    fn animation_frame_count(&self, _action: Self::Move) -> usize {
        0
    }

    /// Frame `frame` of the animation of a move, below [`Game::animation_frame_count`]. It has no targets.
    fn animation_frame(
        &self,
        _before: &Self::State,
        _action: Self::Move,
        _frame: usize,
        _room: MaxSize,
    ) -> Board {
        unreachable!("the moves of this game are not animated")
    }

    fn move_text(&self, action: Self::Move) -> String;

    /// Parses a legal move. The error says what is wrong with it.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, String>;

    /// The position as text: everything that determines the legal moves and the encoding.
    fn position_text(&self, state: &Self::State) -> String;

    fn parse_position(&self, text: &str) -> Result<Self::State, String>;

    /// A line of play in the game's usual notation; by default the moves separated by spaces.
    fn record_text(&self, actions: &[Self::Move]) -> String {
        let texts: Vec<String> = actions
            .iter()
            .map(|&action| self.move_text(action))
            .collect();
        texts.join(" ")
    }

    /// Parses a line of play from `start`, in the notation of [`Game::record_text`]. Errors name the index of the move from
    /// 0, as in `record[2]: ...`.
    fn parse_record(&self, start: &Self::State, text: &str) -> Result<Vec<Self::Move>, String> {
        let mut state = start.clone();
        let words = text.split_whitespace().enumerate();
        let read = words.map(|(index, word)| {
            play_text(self, &mut state, word).map_err(|error| format!("record[{index}]: {error}"))
        });
        read.collect()
    }

    /// How whole games are written as text files.
    fn transcript_format(&self) -> TranscriptFormat {
        TranscriptFormat::default()
    }

    /// The starting position that a record states, if any.
    fn record_start(&self, _text: &str) -> Option<String> {
        None
    }

    /// One line on how to type a move.
    fn move_help(&self) -> &'static str;

    /// The goal of the game, as a clause.
    fn goal(&self) -> &'static str;
}

/// The parameters of a game.
pub trait GameParams: Params + Default {
    type Game: Game;

    fn build(&self) -> Self::Game;
    /// Errors that involve several parameters.
    fn problems(&self) -> Vec<ParamError> {
        Vec::new()
    }

    /// Adds draw rules if games could otherwise go on forever.
    fn make_finite(&mut self) {}
}

registry! {
    ($)
    /// A game and its parameters.
    pub enum GameConfig, with_game {
        /// Misère Nim: take any number of matches from one heap; the player who takes the last match loses.
        "nim" => Nim(NimConfig),
        /// Bounded Nim: take up to a fixed number of stones from one heap; the player who takes the last stone loses.
        "bounded_nim" => BoundedNim(BoundedNimConfig),
        /// Reversi (Othello): a new disc flips the enemy discs between it and another own disc; most discs win.
        "reversi" => Reversi(ReversiConfig),
        /// Dots and boxes: the player who draws the last side of a box owns it and moves again; most boxes win.
        "dots_and_boxes" => DotsAndBoxes(DotsAndBoxesConfig),
        /// English draughts (checkers): men move forward, kings both ways, captures are compulsory; a player who can't move loses.
        "draughts" => Draughts(DraughtsConfig),
    }
}

/// Parameters of the network's inputs, not of the rules.
const INPUT_PARAMETERS: [&str; 4] = ["inputs", "king_weight", "view", "difference"];

impl GameConfig {
    /// The rules for matches: input parameters at their defaults, and every game ends.
    #[must_use]
    pub fn for_matches(&self) -> Self {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let mut plain = self.clone();
        for param in params
            .iter()
            .filter(|param| INPUT_PARAMETERS.contains(&&*param.key))
        {
            plain
                .set(&param.key, &param.default)
                .expect("a default value is valid");
        }
        plain.made_finite()
    }

    /// The same rules, with draw rules added if games could otherwise go on forever.
    #[must_use]
    pub fn made_finite(&self) -> Self {
        let mut bounded = self.clone();
        with_game!(&mut bounded, config => config.make_finite());
        bounded
    }

    /// The same game with changed parameters. The error lists everything that is wrong with them.
    pub fn with_parameters(&self, settings: &[(String, String)]) -> Result<Self, String> {
        let mut changed = self.clone();
        let refused = settings
            .iter()
            .filter_map(|(key, value)| changed.set(key.trim_start_matches("game."), value).err());
        let mut problems: Vec<String> = refused.map(|problem| problem.to_string()).collect();
        problems.extend(changed.problems().iter().map(ToString::to_string));
        if problems.is_empty() {
            Ok(changed)
        } else {
            Err(problems.join("\n"))
        }
    }

    /// The parameters of `other`, a configuration of the same game, that differ from those here, each as `key=value`.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let own = self.assignments();
        let mut settings = other.assignments();
        settings.retain(|setting| !own.contains(setting));
        settings
    }

    /// Each parameter as `key=value`.
    fn assignments(&self) -> Vec<String> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let settings = params.iter();
        settings
            .map(|param| format!("{}={}", param.key, param.value))
            .collect()
    }

    /// Errors that involve several parameters.
    pub fn problems(&self) -> Vec<ParamError> {
        with_game!(self, config => config.problems())
    }
}
