//! The rules of the games: two players, perfect information, zero sum. A game knows positions, moves and how to describe
//! them as numbers and pictures; it knows no network, no evolution and no screen.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::features::Features;
use crate::params::{Params, Problem};
use crate::registry::registry;
use crate::rng::Stream;

use self::legality::refusal;
pub use self::legality::{advance, legal};

use self::board::{Board, Room};
use self::bounded_nim::BoundedNimConfig;
use self::dots_and_boxes::DotsAndBoxesConfig;
use self::draughts::DraughtsConfig;
use self::nim::NimConfig;
use self::oracle::Oracle;
use self::reference::Judge;
use self::reversi::ReversiConfig;
use self::sheet::Sheet;
use self::transcript::Tags;

pub mod board;
pub mod bounded_nim;
pub mod dots_and_boxes;
pub mod draughts;
pub mod guide;
mod legality;
pub mod nim;
pub mod oracle;
pub mod reference;
pub mod reversi;
pub mod rules;
pub mod search;
pub mod sheet;
pub mod solver;
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
    pub fn other(self) -> Self {
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
    pub fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// How a finished game came out.
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

/// A game as an agent sees it: how wide its positions and moves are as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Numbers that a network is to take in.
    pub inputs: usize,
    /// How the numbers that describe a position add up to these; none where they are the same.
    pub features: Option<Arc<Features>>,
    /// The integers that together describe a move, or none where moves can't be described so.
    pub components: Vec<Component>,
    /// How many legal moves each position has, positions by [`Game::number`]; none where the game does not number them.
    pub choices: Vec<u16>,
}

impl Shape {
    /// Numbers that describe a position.
    pub fn numbers(&self) -> usize {
        let features = self.features.as_ref();
        features.map_or(self.inputs, |features| features.count())
    }
}

/// One of the integers that describe a move, such as the stack to take from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    pub name: &'static str,
    pub low: i32,
    pub high: i32,
}

impl Component {
    /// How many values it can have.
    pub fn span(&self) -> usize {
        (self.high - self.low + 1) as usize
    }
}

/// The rules of one game.
///
/// A pass is a move, and so is a whole sequence of jumps; the mover need not alternate. Text forms are what
/// `finches rules` reads and writes.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position, including whose turn it is.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move; legal moves are listed in ascending order.
    type Move: Copy + Ord + Debug + Send + Sync;

    fn shape(&self) -> Shape;

    /// The position a game begins from, drawn where the rules leave it open.
    fn start(&self, rng: &mut Stream) -> Self::State;

    /// The position a game begins from where nothing is left to chance.
    fn standard_start(&self) -> Self::State;

    /// Every position a game may begin from, or none where there are too many positions to solve the game.
    fn starts(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// Knows what positions are worth where the game can tell; where it can't, a game of few positions is solved by listing
    /// them.
    fn oracle(&self) -> Option<Arc<dyn Oracle<Self>>> {
        None
    }

    /// The number of a position, alike for all with the same [`Game::canonical`] form; asked only where the shape lists
    /// choices.
    fn number(&self, _state: &Self::State) -> usize {
        unreachable!("the shape of this game lists no choices")
    }

    fn to_move(&self, state: &Self::State) -> Side;

    /// Appends the legal moves in ascending order; none once the game is over.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// How many legal moves there are.
    fn count_moves(&self, state: &Self::State) -> usize {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.len()
    }

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, action: Self::Move);

    /// Whether a position can be judged as it stands; it can't where captures are under way whose end is in doubt.
    fn is_quiet(&self, _state: &Self::State) -> bool {
        true
    }

    /// The result once the game is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// What the game itself counts for the first and the second player in a finished game, such as discs; by default a win
    /// counts 1.
    fn points(&self, state: &Self::State) -> [u16; 2] {
        match self.outcome(state) {
            Some(Outcome::Win(Side::First)) => [1, 0],
            Some(Outcome::Win(Side::Second)) => [0, 1],
            _ => [0, 0],
        }
    }

    /// Describes a position to `side` as `shape().numbers()` numbers.
    fn encode(&self, state: &Self::State, side: Side, out: &mut [f32]);

    /// How the inputs of a network lie on the board; none where they do not.
    fn sheets(&self) -> Vec<Sheet> {
        Vec::new()
    }

    /// Appends the numbers of [`Game::encode`] that a move would change, with their new values, as `side` sees them.
    fn changes(
        &self,
        state: &Self::State,
        action: Self::Move,
        side: Side,
        out: &mut Vec<(u32, f32)>,
    );

    /// Lists the legal moves as [`Game::moves`] does, what each would change as [`Game::changes`] does, and where the changes
    /// of each end. What was in the buffers is lost; behind the last end `changes` may hold anything.
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

    /// The move that a wish, one integer per component of the shape, stands for; `None` where it is illegal and the
    /// rules say that this loses the game.
    fn interpret(&self, state: &Self::State, wish: &[i32]) -> Option<Self::Move>;

    /// Whether a move leaves the turn to the opponent without doing anything.
    fn is_pass(&self, _action: Self::Move) -> bool {
        false
    }

    /// A move as the integers of the shape's components; the inverse of [`Game::interpret`] on legal moves.
    fn describe(&self, action: Self::Move, out: &mut Vec<i32>);

    /// The position as a table of positions keeps it: two positions with the same canonical form offer the player to
    /// move the same moves, numbers and prospects.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// A position to measure players from: they all meet there, once on each side. Where the rules leave nothing of the start
    /// to chance, a few moves at random may have been made.
    fn opening(&self, rng: &mut Stream) -> Self::State {
        self.start(rng)
    }

    /// The rules of thumb that make reference players of this game.
    fn judges(&self) -> &'static [Judge] {
        &[]
    }

    /// What a position is worth to `side` by one of the rules of thumb: higher is better, the scale is the rule's own.
    fn appraise(&self, judge: usize, _state: &Self::State, _side: Side) -> f32 {
        unreachable!("the game has no rule of thumb {judge}")
    }

    /// A picture of the position as large as fits the room, the last move marked.
    fn board(
        &self,
        state: &Self::State,
        last: Option<(&Self::State, Self::Move)>,
        room: Room,
    ) -> Board;

    /// How many pictures there are of a move under way, the first of them before anything has moved; none where it is shown at
    /// once.
    fn stages(&self, _action: Self::Move) -> usize {
        0
    }

    /// A picture of a move after so many of its stages, fewer than [`Game::stages`]; there is nothing to point at.
    fn underway(
        &self,
        _before: &Self::State,
        _action: Self::Move,
        _stage: usize,
        _room: Room,
    ) -> Board {
        unreachable!("the moves of this game have no stages")
    }

    fn move_text(&self, action: Self::Move) -> String;

    /// Reads a legal move, or says what is wrong with it.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, String>;

    /// The position as text: what moves there are, and what a network sees.
    fn position_text(&self, state: &Self::State) -> String;

    fn parse_position(&self, text: &str) -> Result<Self::State, String>;

    /// A line of play as players of the game write it down; the moves with spaces between them where they have no custom.
    fn record_text(&self, actions: &[Self::Move]) -> String {
        let texts: Vec<String> = actions
            .iter()
            .map(|&action| self.move_text(action))
            .collect();
        texts.join(" ")
    }

    /// Reads a line of play from `start`, as [`Game::record_text`] writes it. An error names the move and its index from 0, such
    /// as `record[2]: ...`.
    fn parse_record(&self, start: &Self::State, text: &str) -> Result<Vec<Self::Move>, String> {
        let mut state = start.clone();
        let words = text.split_whitespace().enumerate();
        let read = words.map(|(index, word)| {
            advance(self, &mut state, word).map_err(|fault| format!("record[{index}]: {fault}"))
        });
        read.collect()
    }

    /// How whole games are written down to be given away.
    fn tags(&self) -> Tags {
        Tags::default()
    }

    /// The position that a record says it begins from, where records of the game can say so and this one does.
    fn record_start(&self, _text: &str) -> Option<String> {
        None
    }

    /// One line on how a move is typed.
    fn move_help(&self) -> &'static str;

    /// Who wins, as a clause.
    fn goal(&self) -> &'static str;
}

/// The settings of a game, from which it is made.
pub trait Playable: Params + Default {
    type Game: Game;

    fn build(&self) -> Self::Game;
    /// Faults that no single setting shows.
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }

    /// Sets what makes every game end, where nothing does.
    fn bound(&mut self) {}
}

registry! {
    ($)
    /// A game and its settings.
    pub enum GameConfig, with_game {
        /// Misère Nim: take any number of matches from one stack; whoever takes the very last match loses.
        "nim" => Nim(NimConfig),
        /// Bounded Nim: take at most so many stones from one heap; whoever takes the last one loses.
        "bounded_nim" => BoundedNim(BoundedNimConfig),
        /// Reversi (Othello): a disc turns the enemy discs between it and another own one; most discs win.
        "reversi" => Reversi(ReversiConfig),
        /// Dots and boxes: whoever draws the last side of a box has it and moves again; most boxes win.
        "dots_and_boxes" => DotsAndBoxes(DotsAndBoxesConfig),
        /// English draughts (checkers): men step forward, kings both ways, captures must be made; whoever can't move loses.
        "draughts" => Draughts(DraughtsConfig),
    }
}

/// Settings that say how a network sees a game, not what its rules are.
const SIGHT: [&str; 4] = ["inputs", "king_weight", "view", "difference"];

impl GameConfig {
    /// The same rules as players meet by: seen as a network does by default, and such that every game ends.
    #[must_use]
    pub fn plain(&self) -> Self {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let mut plain = self.clone();
        for param in params.iter().filter(|param| SIGHT.contains(&&*param.key)) {
            plain
                .set(&param.key, &param.default)
                .expect("a default is allowed");
        }
        plain.bounded()
    }

    /// The same rules, with what makes every game end where nothing did.
    #[must_use]
    pub fn bounded(&self) -> Self {
        let mut bounded = self.clone();
        with_game!(&mut bounded, config => config.bound());
        bounded
    }

    /// The same game with settings changed, or all that is wrong with them.
    pub fn with(&self, settings: &[(String, String)]) -> Result<Self, String> {
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

    /// The settings of the same game under other rules that are not as here.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let own = self.settings();
        let mut settings = other.settings();
        settings.retain(|setting| !own.contains(setting));
        settings
    }

    /// Each setting as `key=value`.
    fn settings(&self) -> Vec<String> {
        let mut params = Vec::new();
        self.visit("", &mut params);
        let settings = params.iter();
        settings
            .map(|param| format!("{}={}", param.key, param.value))
            .collect()
    }

    /// Faults that no single setting shows.
    pub fn problems(&self) -> Vec<Problem> {
        with_game!(self, config => config.problems())
    }
}
