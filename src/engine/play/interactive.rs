//! A game in progress that a human plays: moves as text, undo, hints, and a brain's evaluation of
//! each move.

use std::sync::Arc;

use crate::agents::{Turn, Workspace};
use crate::games::board::{Board, MaxSize};
use crate::games::{Game, NotationError, Side};
use crate::rng::{Purpose, Stream, stream};
use crate::search::CancelToken;

use super::game_arena::GameArena;
use super::move_evaluations::MoveEvaluations;
use super::phenotype::Phenotype;
use super::record::{self, GameRecord, Ply, Verdict};
use super::{Arena, ArenaInfo};

/// A position as a start and the moves since then. A position as text can lack part of the state,
/// such as repetitions.
#[derive(Clone, Debug)]
pub struct MoveSequence {
    start: SequenceStart,
    moves: Vec<String>,
}

#[derive(Clone, Debug)]
enum SequenceStart {
    /// The start position of game number `game`, drawn with the seed.
    Numbered {
        seed: u64,
        game: u64,
    },
    Position(String),
}

impl MoveSequence {
    /// The position after some moves from a position as text.
    pub fn from_position(start: String, moves: Vec<String>) -> Self {
        Self {
            start: SequenceStart::Position(start),
            moves,
        }
    }
}

/// What there is to know about the position of a game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The position as text.
    pub text: String,
    /// The side to move; any side once the game is over.
    pub to_move: Side,
    /// The legal moves as text, in the game's order; empty once the game is over.
    pub legal_moves: Vec<String>,
    /// Whether the only legal move is to pass.
    pub must_pass: bool,
    /// The rule that limits the moves, as a clause addressed to the player, if any.
    pub obligation: Option<&'static str>,
    /// 1, 0 or −1 for the first player once the game is over.
    pub result: Option<i8>,
    /// The score of the first and the second player, such as discs.
    pub points: [u16; 2],
    /// The result under best play for the first player: 1, 0 or −1. `None` if the oracle does not
    /// know the position.
    pub best_result: Option<i8>,
    /// The oracle's best moves; empty if the oracle does not know the position.
    pub best_moves: Vec<String>,
    /// The number of animation stages of the move that led here; 0 if it is not animated.
    pub stages: usize,
}

/// The positions of a game in progress with their types, which [`InteractiveGame`] hides.
trait GamePositions: Send {
    /// Goes to a start and forgets the moves before. Nothing changes if it is no position.
    fn begin(&mut self, start: &SequenceStart) -> Result<(), NotationError>;

    /// Makes a move; the error says why it is not legal.
    fn play(&mut self, text: &str) -> Result<(String, Verdict), NotationError>;

    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;

    /// The position, as the rules see it.
    fn describe(&self) -> Position;

    /// The board while the last move has `left` animation stages left.
    fn board(&self, left: usize, room: MaxSize) -> Board;

    /// Turns the board by half a turn; false if it looks alike from all sides.
    fn turn_board(&mut self) -> bool;

    /// Whether a typed move can begin with a character.
    fn begins_move(&self, first: char) -> bool;

    /// The move that a player chooses, and the score of each legal move.
    fn evaluate(
        &self,
        player: &Phenotype,
        cancel: &Arc<dyn CancelToken>,
        rng: &mut Stream,
    ) -> (Option<String>, Vec<f32>);
}

/// A game in progress, of any rules.
pub struct InteractiveGame {
    arena: Arc<dyn Arena>,
    positions: Box<dyn GamePositions>,
    /// What `positions` says about the position, and that the game is over once a side has
    /// forfeited.
    position: Position,
    seed: u64,
    /// The number of the game; each number has its own random stream.
    game: u64,
    start: SequenceStart,
    plies: Vec<Ply>,
    /// The record of the illegal move that ended the game.
    forfeit: Option<Ply>,
}

impl InteractiveGame {
    pub(super) fn new<G: Game>(arena: Arc<GameArena<G>>, seed: u64) -> Self {
        let start = SequenceStart::Numbered { seed, game: 0 };
        let positions = TypedPositions::new(Arc::clone(&arena), seed);
        Self {
            position: positions.describe(),
            positions: Box::new(positions),
            arena,
            seed,
            game: 0,
            start,
            plies: Vec::new(),
            forfeit: None,
        }
    }

    /// The game and the agent that it is played with.
    pub fn info(&self) -> &ArenaInfo {
        self.arena.info()
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far, each with its side, the position before it and the oracle's verdict.
    pub fn history(&self) -> &[Ply] {
        &self.plies
    }

    fn begin(&mut self, start: SequenceStart) -> Result<(), NotationError> {
        self.positions.begin(&start)?;
        if let SequenceStart::Numbered { seed, game } = start {
            (self.seed, self.game) = (seed, game);
        }
        self.start = start;
        self.plies.clear();
        self.look();
        Ok(())
    }

    /// Describes the position anew after a change.
    fn look(&mut self) {
        self.forfeit = None;
        self.position = self.positions.describe();
    }

    /// Starts a new game from start position number `index`.
    pub fn restart(&mut self, index: u64) {
        let (seed, game) = (self.seed, index);
        let begun = self.begin(SequenceStart::Numbered { seed, game });
        begun.expect("a start that the game draws is valid");
    }

    /// Sets up a position written as [`Position::text`], and forgets the moves before.
    pub fn set_position(&mut self, position: &str) -> Result<(), NotationError> {
        self.begin(SequenceStart::Position(position.to_owned()))
    }

    /// Checks a position written as [`Position::text`].
    pub fn check_position(&self, position: &str) -> Result<(), NotationError> {
        let mut other = Arc::clone(&self.arena).interactive_game(self.seed);
        other.set_position(position)?;
        match other.position.result {
            Some(_) => Err("the game is over in this position".into()),
            None => Ok(()),
        }
    }

    /// Makes a move; the error says why it is not legal.
    pub fn play(&mut self, text: &str) -> Result<(), NotationError> {
        if self.position.result.is_some() {
            return Err("the game is over; start a new one".into());
        }
        let (action, verdict) = self.positions.play(text)?;
        let ply = self.ply(action, verdict);
        self.plies.push(ply);
        self.look();
        Ok(())
    }

    /// The record of a move in this position.
    fn ply(&self, action: String, verdict: Verdict) -> Ply {
        Ply {
            side: self.position.to_move,
            position: self.position.text.clone(),
            action,
            verdict,
        }
    }

    /// Ends the game because the side to move chose an illegal move.
    pub fn forfeit(&mut self) {
        self.forfeit = Some(self.ply(String::new(), Verdict::Illegal));
        let result = match self.position.to_move {
            Side::First => -1,
            Side::Second => 1,
        };
        self.position.result = Some(result);
        self.position.best_result = Some(result);
        self.position.best_moves.clear();
        self.position.legal_moves.clear();
    }

    /// Takes back the last move; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.plies.pop();
        let was_made = self.positions.undo();
        self.look();
        was_made
    }

    /// The position with the last move marked.
    pub fn board(&self, room: MaxSize) -> Board {
        self.board_during_move(0, room)
    }

    /// The board while the last move has `left` animation stages left.
    pub fn board_during_move(&self, left: usize, room: MaxSize) -> Board {
        self.positions.board(left, room)
    }

    /// Turns the board by half a turn; false if it looks alike from all sides.
    pub fn turn_board(&mut self) -> bool {
        self.positions.turn_board()
    }

    /// Whether a typed move can begin with a character; no character once the game is over.
    pub fn begins_move(&self, first: char) -> bool {
        self.position.result.is_none() && self.positions.begins_move(first)
    }

    /// The record of the game so far, once a move has been made; `names` are those of the first
    /// and the second player.
    pub fn record(&self, names: [String; 2]) -> Option<GameRecord> {
        let plies: Vec<Ply> = self.plies.iter().chain(&self.forfeit).cloned().collect();
        let start = plies.first()?.position.clone();
        Some(GameRecord {
            names,
            start,
            plies,
            result: self.position.result,
        })
    }

    /// The start and the moves that led to the position.
    pub fn move_sequence(&self) -> MoveSequence {
        MoveSequence {
            start: self.start.clone(),
            moves: self.plies.iter().map(|ply| ply.action.clone()).collect(),
        }
    }

    /// Sets up the position that a sequence of moves of the same game leads to; the error names the
    /// first invalid move.
    pub fn replay_sequence(&mut self, line: &MoveSequence) -> Result<(), NotationError> {
        self.begin(line.start.clone())?;
        line.moves.iter().try_for_each(|word| self.play(word))
    }

    /// The evaluation of the position by a player of the arena. A search ends early once `cancel`
    /// is set.
    pub fn evaluate_moves(
        &self,
        player: &Phenotype,
        cancel: &Arc<dyn CancelToken>,
    ) -> MoveEvaluations {
        if self.position.result.is_some() {
            return MoveEvaluations::default();
        }
        let ply = self.plies.len() as u64;
        let mut rng = stream(self.seed, Purpose::Chance, self.game, ply);
        let (chosen, values) = self.positions.evaluate(player, cancel, &mut rng);
        let moves = self.position.legal_moves.iter().cloned();
        MoveEvaluations {
            scores: moves.zip(values).collect(),
            chosen,
        }
    }
}

/// The positions of a game of known type.
struct TypedPositions<G: Game> {
    arena: Arc<GameArena<G>>,
    /// The game as it is drawn.
    drawn: G,
    state: G::State,
    /// The earlier positions, each with the move made in it.
    past: Vec<(G::State, G::Move)>,
}

impl<G: Game> TypedPositions<G> {
    fn new(arena: Arc<GameArena<G>>, seed: u64) -> Self {
        Self {
            state: arena.numbered_start(seed, 0),
            drawn: arena.game.clone(),
            arena,
            past: Vec::new(),
        }
    }

    fn texts(&self, moves: &[G::Move]) -> Vec<String> {
        let moves = moves.iter();
        moves
            .map(|&action| self.arena.game.move_text(action))
            .collect()
    }
}

impl<G: Game> GamePositions for TypedPositions<G> {
    fn begin(&mut self, start: &SequenceStart) -> Result<(), NotationError> {
        self.state = match start {
            &SequenceStart::Numbered { seed, game } => self.arena.numbered_start(seed, game),
            SequenceStart::Position(text) => self.arena.game.parse_position(text)?,
        };
        self.past.clear();
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(String, Verdict), NotationError> {
        let game = &self.arena.game;
        let action = game.parse_move(&self.state, text)?;
        let verdict = record::verdict(&self.arena, &self.state, Some(action));
        self.past.push((self.state.clone(), action));
        game.play(&mut self.state, action);
        Ok((game.move_text(action), verdict))
    }

    fn undo(&mut self) -> bool {
        let last = self.past.pop();
        let was_made = last.is_some();
        if let Some((state, _)) = last {
            self.state = state;
        }
        was_made
    }

    fn describe(&self) -> Position {
        let (game, state) = (&self.arena.game, &self.state);
        let result = game.outcome(state);
        let result = result.map(|outcome| outcome.result_for(Side::First));
        let (to_move, mut moves, mut best) = (game.to_move(state), Vec::new(), Vec::new());
        let mut best_result = result;
        if result.is_none() {
            game.moves(state, &mut moves);
            let oracle = self.arena.oracle.as_deref();
            best_result = oracle.and_then(|oracle| {
                oracle.evaluate(game, state, &mut best);
                let sign = [1, -1][to_move.index()];
                Some(sign * oracle.best_result(game, state)?)
            });
        }
        let last = self.past.last();
        Position {
            text: game.position_text(state),
            to_move,
            legal_moves: self.texts(&moves),
            must_pass: matches!(moves[..], [only] if game.is_pass(only)),
            obligation: game.obligation(state),
            result,
            points: game.points(state),
            best_result,
            best_moves: self.texts(&best),
            stages: last.map_or(0, |&(_, action)| game.animation_frame_count(action)),
        }
    }

    fn board(&self, left: usize, room: MaxSize) -> Board {
        let last = self.past.last().map(|(state, action)| (state, *action));
        record::draw(&self.drawn, &self.state, last, left, room)
    }

    fn turn_board(&mut self) -> bool {
        let turned = self.drawn.turned();
        let turns = turned.is_some();
        if let Some(turned) = turned {
            self.drawn = turned;
        }
        turns
    }

    fn begins_move(&self, first: char) -> bool {
        self.arena.game.begins_move(&self.state, first)
    }

    fn evaluate(
        &self,
        player: &Phenotype,
        cancel: &Arc<dyn CancelToken>,
        rng: &mut Stream,
    ) -> (Option<String>, Vec<f32>) {
        player.check(self.arena.io_spec());
        let (game, agent) = (&self.arena.game, &self.arena.agent);
        let workspace = &mut Workspace::with_cancel_token(game, cancel);
        let mut turn = Turn::new(game, player.brain(), &self.state, workspace);
        let (chosen, values) = agent.choose_with_scores(&mut turn, rng);
        (chosen.map(|action| game.move_text(action)), values)
    }
}
