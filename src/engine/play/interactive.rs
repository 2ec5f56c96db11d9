//! A game in progress that a human plays: moves as text, undo, hints, and a brain's evaluation of each move.

use std::sync::Arc;

use crate::agents::Workspace;
use crate::games::board::{Board, MaxSize};
use crate::games::{Game, NotationError, Side};
use crate::genomes::Brain;
use crate::rng::{Purpose, stream};
use crate::search::CancelToken;

use super::game_arena::GameArena;
use super::move_evaluations::MoveEvaluations;
use super::record::{self, GameRecord, Verdict};
use super::record_text;

/// A position as a start and the moves since then. A position as text can lack part of the state, such as repetitions.
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

/// A game in progress, of any rules.
pub trait InteractiveGame: Send {
    /// Starts a new game from start position number `index`.
    fn restart(&mut self, index: u64);

    /// Sets up a position written as [`InteractiveGame::position`] does, and forgets the moves before.
    fn set_position(&mut self, position: &str) -> Result<(), NotationError>;

    /// The position with everything in place, if the game also begins with other ones.
    fn usual_start(&self) -> Option<String>;

    /// Checks a position written as [`InteractiveGame::position`] does.
    fn check_position(&self, position: &str) -> Result<(), NotationError>;

    /// The position as text.
    fn position(&self) -> String;

    /// The side to move; any side once the game is over.
    fn to_move(&self) -> Side;

    /// The legal moves as text, in the game's order; empty once the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// Whether the only legal move is to pass.
    fn must_pass(&self) -> bool;

    /// 1, 0 or −1 for the first player once the game is over.
    fn result(&self) -> Option<i8>;

    /// Makes a move; the error says why it is not legal.
    fn play(&mut self, text: &str) -> Result<(), NotationError>;

    /// Ends the game because the side to move chose an illegal move.
    fn forfeit(&mut self);

    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;

    /// The moves so far, each with its side and the oracle's verdict.
    fn history(&self) -> &[(Side, String, Verdict)];

    /// The position with the last move marked.
    fn board(&self, room: MaxSize) -> Board;

    /// Turns the board by half a turn; false if it looks alike from all sides.
    fn turn_board(&mut self) -> bool;

    /// The number of animation stages of the last move; 0 if it is not animated.
    fn stages(&self) -> usize;

    /// The board while the last move has `left` animation stages left.
    fn board_during_move(&self, left: usize, room: MaxSize) -> Board;

    /// The record of the game once it is over; `names` are those of the first and the second player.
    fn record(&self, names: [String; 2]) -> Option<GameRecord>;

    /// The start and the moves that led to the position.
    fn move_sequence(&self) -> MoveSequence;

    /// Sets up the position that a sequence of moves of the same game leads to; the error names the first invalid move.
    fn replay_sequence(&mut self, line: &MoveSequence) -> Result<(), NotationError>;

    /// The evaluation of the position by a brain. A search ends early once `cancel` is set.
    fn evaluate_moves(&self, brain: &dyn Brain, cancel: &Arc<dyn CancelToken>) -> MoveEvaluations;

    /// The unit of the scores in [`MoveEvaluations`].
    fn score_unit(&self) -> &'static str;

    /// The lowest and the highest possible score; `None` if there is no limit.
    fn score_range(&self) -> Option<(f32, f32)>;

    /// Whether the scores are values of the positions after the moves, to the player that moves.
    fn scores_are_values(&self) -> bool;

    /// The result under best play for the first player: 1, 0 or −1. `None` if the oracle does not know the position.
    fn best_result(&self) -> Option<i8>;

    /// The oracle's best moves; empty if the oracle does not know the position.
    fn best_moves(&self) -> Vec<String>;

    /// The rule that limits the moves in the position, as a clause addressed to the player, if any.
    fn obligation(&self) -> Option<&'static str>;

    /// The score of the first and the second player, such as discs.
    fn points(&self) -> [u16; 2];

    /// Whether a typed move can begin with a character; no character once the game is over.
    fn begins_move(&self, first: char) -> bool;

    /// How to type a move.
    fn move_help(&self) -> &'static str;

    /// The winning condition, as a clause.
    fn goal(&self) -> &'static str;
}

/// An interactive game in the arena of one game and agent.
pub(super) struct ArenaGame<G: Game> {
    arena: Arc<GameArena<G>>,
    /// The game as it is drawn.
    drawn: G,
    seed: u64,
    start: SequenceStart,
    state: G::State,
    /// The earlier positions, each with the move made in it.
    past: Vec<(G::State, G::Move)>,
    history: Vec<(Side, String, Verdict)>,
    forfeited: Option<Side>,
    /// The number of the game; each number has its own random stream.
    game: u64,
}

impl<G: Game> ArenaGame<G> {
    pub(super) fn new(arena: Arc<GameArena<G>>, seed: u64) -> Self {
        let state = arena.game.start(&mut stream(seed, Purpose::Sample, 0, 0));
        Self {
            drawn: arena.game.clone(),
            arena,
            seed,
            start: SequenceStart::Numbered { seed, game: 0 },
            state,
            past: Vec::new(),
            history: Vec::new(),
            forfeited: None,
            game: 0,
        }
    }
}

impl<G: Game> InteractiveGame for ArenaGame<G> {
    fn restart(&mut self, index: u64) {
        self.game = index;
        self.start = SequenceStart::Numbered {
            seed: self.seed,
            game: index,
        };
        self.state = self
            .arena
            .game
            .start(&mut stream(self.seed, Purpose::Sample, 0, index));
        self.past.clear();
        self.history.clear();
        self.forfeited = None;
    }

    fn set_position(&mut self, position: &str) -> Result<(), NotationError> {
        self.state = self.arena.game.parse_position(position)?;
        self.start = SequenceStart::Position(position.to_owned());
        self.past.clear();
        self.history.clear();
        self.forfeited = None;
        Ok(())
    }

    fn usual_start(&self) -> Option<String> {
        /// The drawn starts that are compared with the usual one.
        const DRAWS: u64 = 8;
        let game = &self.arena.game;
        let drawn = |index| game.start(&mut stream(self.seed, Purpose::Sample, 0, index));
        let usual = game.standard_start();
        let has_others = (0..DRAWS).any(|index| drawn(index) != usual);
        has_others.then(|| game.position_text(&usual))
    }

    fn check_position(&self, position: &str) -> Result<(), NotationError> {
        let game = &self.arena.game;
        let state = game.parse_position(position)?;
        match game.outcome(&state) {
            Some(_) => Err("the game is over in this position".into()),
            None => Ok(()),
        }
    }

    fn must_pass(&self) -> bool {
        let mut moves = Vec::new();
        self.arena.game.moves(&self.state, &mut moves);
        matches!(moves[..], [only] if self.arena.game.is_pass(only))
    }

    fn position(&self) -> String {
        self.arena.game.position_text(&self.state)
    }

    fn to_move(&self) -> Side {
        self.arena.game.to_move(&self.state)
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.arena.game.moves(&self.state, &mut moves);
        moves
            .iter()
            .map(|&action| self.arena.game.move_text(action))
            .collect()
    }

    fn result(&self) -> Option<i8> {
        match self.forfeited {
            Some(Side::First) => Some(-1),
            Some(Side::Second) => Some(1),
            None => self
                .arena
                .game
                .outcome(&self.state)
                .map(|outcome| outcome.result_for(Side::First)),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), NotationError> {
        if self.result().is_some() {
            return Err("the game is over; start a new one".into());
        }
        let game = &self.arena.game;
        let action = game.parse_move(&self.state, text)?;
        let verdict = record::verdict(&self.arena, &self.state, Some(action));
        self.history
            .push((self.to_move(), game.move_text(action), verdict));
        self.past.push((self.state.clone(), action));
        game.play(&mut self.state, action);
        Ok(())
    }

    fn forfeit(&mut self) {
        self.forfeited = Some(self.to_move());
    }

    fn undo(&mut self) -> bool {
        self.forfeited = None;
        let Some((state, _)) = self.past.pop() else {
            return false;
        };
        self.history.pop();
        self.state = state;
        true
    }

    fn history(&self) -> &[(Side, String, Verdict)] {
        &self.history
    }

    fn board(&self, room: MaxSize) -> Board {
        self.board_during_move(0, room)
    }

    fn turn_board(&mut self) -> bool {
        let turned = self.drawn.turned();
        let turns = turned.is_some();
        if let Some(turned) = turned {
            self.drawn = turned;
        }
        turns
    }

    fn stages(&self) -> usize {
        let last = self.past.last();
        last.map_or(0, |&(_, action)| {
            self.arena.game.animation_frame_count(action)
        })
    }

    fn board_during_move(&self, left: usize, room: MaxSize) -> Board {
        let last = self.past.last().map(|(state, action)| (state, *action));
        record::draw(&self.drawn, &self.state, last, left, room)
    }

    fn record(&self, names: [String; 2]) -> Option<GameRecord> {
        let result = self.result()?;
        let past = self.past.iter();
        let mut plies: Vec<_> = past
            .map(|(state, action)| record_text::ply(&self.arena, state, *action))
            .collect();
        let forfeited = self.forfeited;
        plies.extend(forfeited.map(|side| record_text::illegal_ply(side, self.position())));
        let start = plies.first()?.position.clone();
        Some(GameRecord {
            names,
            start,
            plies,
            result,
        })
    }

    fn move_sequence(&self) -> MoveSequence {
        let moves = self.history.iter().map(|(_, word, _)| word.clone());
        MoveSequence {
            start: self.start.clone(),
            moves: moves.collect(),
        }
    }

    fn replay_sequence(&mut self, line: &MoveSequence) -> Result<(), NotationError> {
        match &line.start {
            &SequenceStart::Numbered { seed, game } => {
                self.seed = seed;
                self.restart(game);
            }
            SequenceStart::Position(position) => self.set_position(position)?,
        }
        line.moves.iter().try_for_each(|word| self.play(word))
    }

    fn evaluate_moves(&self, brain: &dyn Brain, cancel: &Arc<dyn CancelToken>) -> MoveEvaluations {
        if self.result().is_some() {
            return MoveEvaluations::default();
        }
        let game = &self.arena.game;
        let mut rng = stream(
            self.seed,
            Purpose::Chance,
            self.game,
            self.past.len() as u64,
        );
        let mut workspace = Workspace::with_cancel_token(game, cancel);
        let agent = &self.arena.agent;
        let (chosen, values) =
            agent.choose_with_scores(game, brain, &self.state, &mut workspace, &mut rng);
        MoveEvaluations {
            scores: self.legal_moves().into_iter().zip(values).collect(),
            chosen: chosen.map(|action| game.move_text(action)),
        }
    }

    fn score_unit(&self) -> &'static str {
        self.arena.agent.score_unit()
    }

    fn score_range(&self) -> Option<(f32, f32)> {
        self.arena.agent.score_range()
    }

    fn scores_are_values(&self) -> bool {
        self.arena.agent.scores_are_values()
    }

    fn best_result(&self) -> Option<i8> {
        if let Some(result) = self.result() {
            return Some(result);
        }
        let oracle = self.arena.oracle.as_ref()?;
        let result = oracle.best_result(&self.arena.game, &self.state)?;
        Some(match self.to_move() {
            Side::First => result,
            Side::Second => -result,
        })
    }

    fn best_moves(&self) -> Vec<String> {
        let Some(oracle) = self
            .arena
            .oracle
            .as_ref()
            .filter(|_| self.result().is_none())
        else {
            return Vec::new();
        };
        let game = &self.arena.game;
        let mut best = Vec::new();
        oracle.evaluate(game, &self.state, &mut best);
        best.into_iter()
            .map(|action| game.move_text(action))
            .collect()
    }

    fn obligation(&self) -> Option<&'static str> {
        self.arena.game.obligation(&self.state)
    }

    fn points(&self) -> [u16; 2] {
        self.arena.game.points(&self.state)
    }

    fn begins_move(&self, first: char) -> bool {
        self.result().is_none() && self.arena.game.begins_move(&self.state, first)
    }

    fn move_help(&self) -> &'static str {
        self.arena.game.move_help()
    }

    fn goal(&self) -> &'static str {
        self.arena.game.goal()
    }
}
