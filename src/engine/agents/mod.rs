//! Agents turn the outputs of a brain into a move, and the shape of a game into the [`IoSpec`] of a
//! genome. They do not depend on evolution.

use std::iter;
use std::sync::Arc;

use thiserror::Error;

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, InputBatch, IoSpec, Scratch, Signs};
use crate::registry::registry;
use crate::rng::{Purpose, Stream, stream};
use crate::search::alpha_beta::AlphaBetaSearch;
use crate::search::prob_cut::ProbCut;
use crate::search::solver::{StateGraph, Transition};
use crate::search::tree::SearchTree;
use crate::search::{CancelToken, NeverCancel};

use self::custom::ScoringAgent;

pub mod alpha_beta;
pub mod custom;
pub mod direct;
pub mod lookup;
pub mod monte_carlo;
mod move_numbers;
pub mod one_hot;
pub mod one_ply;
pub mod ranked;
mod value_cache;

#[cfg(test)]
mod conformance;

registry! {
    ($)
    /// A way to choose moves, with its parameters.
    pub enum AgentConfig, with_agent {
        /// One output per number of a move, rounded down.
        "direct" => Direct(direct::Direct),
        /// One output per value of each number of a move; the highest output decides each number.
        "one_hot" => OneHot(one_hot::OneHot),
        /// One output per possible move; the legal move with the highest output is played. Ties are
        /// broken at random.
        "ranked" => Ranked(ranked::Ranked),
        /// The input is the number of the position, the output the index of a legal move.
        "lookup" => Lookup(lookup::Lookup),
        /// One output that evaluates the position after each legal move; the move with the highest
        /// value is played.
        "one_ply" => OnePly(one_ply::OnePly),
        /// One output that evaluates positions several moves ahead, searched by alpha-beta.
        "alpha_beta" => AlphaBeta(alpha_beta::AlphaBeta),
        /// One output that evaluates positions at the end of short random playouts, in a Monte
        /// Carlo tree search.
        "monte_carlo" => MonteCarlo(monte_carlo::MonteCarlo),
    }
    else Custom(dyn ScoringAgent)
}

/// The meaning of a brain's outputs. A brain can play with any agent that has the same policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyHead {
    /// The value of a position for the side that has just moved.
    StateValue,
    /// The numbers that describe a move.
    MoveComponents,
    /// A score for each value of each number that describes a move.
    ComponentScores,
    /// A score for each possible move.
    MoveScores,
    /// The index of a move in the list of legal moves.
    ActionIndex,
}

impl PolicyHead {
    /// The meaning of the outputs in words, as an object of "outputs ...".
    pub fn label(self) -> &'static str {
        match self {
            Self::StateValue => "the value of a position",
            Self::MoveComponents => "the numbers of a move",
            Self::ComponentScores => "a score for each number of a move",
            Self::MoveScores => "a score for each move",
            Self::ActionIndex => "the index of a move in a list",
        }
    }
}

/// Why an agent cannot play a game, or its networks cannot be trained.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AgentError(String);

impl<S: Into<String>> From<S> for AgentError {
    fn from(message: S) -> Self {
        Self(message.into())
    }
}

impl AgentConfig {
    /// How this agent interprets the outputs of a brain.
    pub fn policy_head(&self) -> PolicyHead {
        with_agent!(self, agent => agent.policy_head())
    }

    /// Whether the choice depends on the position alone, without random numbers.
    pub fn is_deterministic(&self) -> bool {
        with_agent!(self, agent => agent.is_deterministic())
    }

    /// The agent for a game.
    pub fn build<G: Game>(&self) -> Box<dyn AgentFor<G>> {
        with_agent!(self, agent => Box::new(agent.clone()))
    }
}

/// A way to choose moves: what does not depend on the game. Every agent also implements
/// [`AgentFor`] for all games.
pub trait Agent: Send + Sync {
    /// The meaning of the brain's outputs, by default the value of a position.
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::StateValue
    }

    /// The inputs and outputs that a brain needs to play games of this shape, or why the agent
    /// cannot play them. By default all inputs and one output.
    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        Ok(IoSpec::of(shape.inputs.clone(), 1))
    }

    /// Whether the choice depends on the position alone, without random numbers.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// The meaning of [`AgentFor::action_scores`] in a few words.
    fn score_unit(&self) -> &'static str;

    /// Whether a score is the value of the position after the move, to the player that moves.
    fn scores_are_values(&self) -> bool {
        self.policy_head() == PolicyHead::StateValue
    }

    /// The lowest and the highest possible score; `None` if there is no limit.
    fn score_range(&self) -> Option<(f32, f32)> {
        None
    }
}

/// A way to choose the moves of one game. The choice depends on the position alone, so that it can
/// be tabulated as a [`Policy`]; some agents also draw random numbers.
///
/// The code that plays games is compiled per game and calls the agent once per move, so that it
/// needs no copy per agent.
pub trait AgentFor<G: Game>: Agent {
    /// The move that the brain chooses, or `None` if it chooses an illegal one that the rules
    /// penalize. `rng` breaks ties.
    fn choose(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) -> Option<G::Move>;

    /// A score for each legal move, in move order. Higher is better; the scale depends on the
    /// agent.
    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32>;

    /// The chosen move and the scores of all moves. An agent that searches needs only one search
    /// for both.
    fn choose_with_scores(
        &self,
        turn: &mut Turn<'_, G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(turn, rng);
        (choice, self.action_scores(turn))
    }

    /// The target of each output for supervised training in a position whose legal moves have these
    /// values; `None` for an output without a target. Fails for agents whose outputs do not stand
    /// for moves.
    fn targets(
        &self,
        _game: &G,
        _state: &G::State,
        _moves: &[G::Move],
        _move_values: &[f32],
        _workspace: &mut Workspace<G>,
    ) -> Result<Vec<Option<f32>>, AgentError> {
        let message = "cannot train networks of this agent, because their outputs are not moves; \
            try agent: ranked";
        Err(message.into())
    }

    /// Tabulates the choice in every position, where possible with a single call of the brain. Ties
    /// go to the first move. By default each position is chosen in by itself, with random numbers
    /// of its own.
    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        Policy::from_choices(graph, |number| {
            let mut rng = stream(0, Purpose::Chance, 0, number.into());
            let state = &graph.states[number as usize];
            let turn = &mut Turn::new(game, brain, state, workspace);
            self.choose(turn, &mut rng)
        })
    }
}

/// Reusable buffers for choosing moves, so that no move allocates memory.
pub struct Workspace<G: Game> {
    shape: GameShape,
    /// The legal moves of the position last evaluated.
    pub moves: Vec<G::Move>,
    inputs: Vec<f32>,
    outputs: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
    /// The legal moves of a position that a search looks at.
    successors: Vec<G::Move>,
    /// The position after each legal move as signs.
    signs: Vec<Signs>,
    /// The position after each move whose value was not in the cache.
    uncached_signs: Vec<Signs>,
    decoded_action: Vec<i32>,
    scratch: Scratch,
    /// The value of each move in `moves`, as found by a search.
    move_values: Vec<f32>,
    search: AlphaBetaSearch<G>,
    tree: SearchTree<G>,
    value_cache: value_cache::ValueCache,
    /// The index and the cache key of each move whose value was not in the cache.
    uncached: Vec<(usize, u64)>,
    /// What the shallow searches of each brain of the game say of its deeper ones.
    prob_cuts: Vec<(u64, Option<ProbCut>)>,
    /// Ends searches early when it is canceled.
    cancel_token: Arc<dyn CancelToken>,
}

impl<G: Game> Workspace<G> {
    /// Buffers for a game; every search runs to its end.
    pub fn new(game: &G) -> Self {
        let shape = game.shape();
        Self {
            inputs: vec![0.0; shape.inputs.raw_count()],
            shape,
            moves: Vec::new(),
            outputs: Vec::new(),
            changes: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
            signs: Vec::new(),
            uncached_signs: Vec::new(),
            decoded_action: Vec::new(),
            scratch: Scratch::default(),
            move_values: Vec::new(),
            search: AlphaBetaSearch::default(),
            tree: SearchTree::default(),
            value_cache: value_cache::ValueCache::default(),
            uncached: Vec::new(),
            prob_cuts: Vec::new(),
            cancel_token: Arc::new(NeverCancel),
        }
    }

    /// One whose searches end early once `cancel_token` is canceled.
    pub fn with_cancel_token(game: &G, cancel_token: &Arc<dyn CancelToken>) -> Self {
        Self {
            cancel_token: Arc::clone(cancel_token),
            ..Self::new(game)
        }
    }

    /// Drops cached values. Call it between games, since the brains may change.
    pub fn clear(&mut self) {
        self.value_cache.clear();
        self.prob_cuts.clear();
    }
}

/// A position in which a brain moves.
pub struct Turn<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// What evaluates positions or moves.
    pub brain: &'a dyn Brain,
    /// The position.
    pub state: &'a G::State,
    /// The buffers.
    pub workspace: &'a mut Workspace<G>,
}

impl<'a, G: Game> Turn<'a, G> {
    /// A position of a game in which a brain moves, with buffers of this game.
    pub fn new(
        game: &'a G,
        brain: &'a dyn Brain,
        state: &'a G::State,
        workspace: &'a mut Workspace<G>,
    ) -> Self {
        Self {
            game,
            brain,
            state,
            workspace,
        }
    }

    /// Fills `workspace.moves` with the legal moves.
    fn list_moves(&mut self) {
        self.workspace.moves.clear();
        self.game.moves(self.state, &mut self.workspace.moves);
    }

    /// Evaluates the brain for the player to move. Its outputs are in `workspace.outputs`.
    fn forward(&mut self) {
        let mover = self.game.to_move(self.state);
        let buffers = &mut *self.workspace;
        self.game.encode(self.state, mover, &mut buffers.inputs);
        let inputs = InputBatch::single(&buffers.inputs);
        (self.brain).forward(inputs, &mut buffers.scratch, &mut buffers.outputs);
    }
}

/// A choice for every position of a state graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The successor of each position, with the bit [`Policy::OPPONENT_NEXT`] if the opponent moves
    /// next. A final position is its own successor. One more entry at the end stands for an illegal
    /// move; it is its own successor too.
    pub next: Vec<u32>,
}

impl Policy {
    /// The bit that is set if the opponent moves next.
    pub const OPPONENT_NEXT: u32 = 1 << 31;

    /// The policy that plays the move `choose` returns for each position.
    fn from_choices<G: Game>(
        graph: &StateGraph<G>,
        mut choose: impl FnMut(u32) -> Option<G::Move>,
    ) -> Self {
        let illegal = graph.len() as u32;
        let next = |state: u32| {
            if graph.result(state).is_some() {
                return state;
            }
            let step = choose(state).and_then(|action| graph.transition(state, action));
            step.map_or(illegal, |step| {
                step.to
                    | if step.switches_side {
                        Self::OPPONENT_NEXT
                    } else {
                        0
                    }
            })
        };
        let choices = (0..illegal).map(next);
        Self {
            next: choices.chain(iter::once(illegal)).collect(),
        }
    }

    /// The transition chosen in a position; `None` if the move is illegal.
    pub fn step(&self, state: u32) -> Option<Transition> {
        let next = self.next[state as usize];
        let to = next & !Self::OPPONENT_NEXT;
        let legal = to as usize + 1 < self.next.len();
        legal.then_some(Transition {
            to,
            switches_side: next != to,
        })
    }
}

/// The network inputs of every position of a small game, encoded once for all brains.
#[derive(Clone, Debug)]
pub struct EncodedStates<G: Game> {
    /// The positions, by index.
    pub graph: StateGraph<G>,
    /// Each position from the view of the player to move.
    mover_view: EncodedBatch,
    /// Each position from the view of the opponent of the player to move.
    opponent_view: EncodedBatch,
}

impl<G: Game> EncodedStates<G> {
    /// Encodes every position of the graph, from the view of both players.
    pub fn new(game: &G, graph: StateGraph<G>) -> Self {
        let inputs = game.shape().inputs.raw_count();
        let mover = graph
            .states
            .iter()
            .map(|state| (state, game.to_move(state)));
        let waiter = graph
            .states
            .iter()
            .map(|state| (state, game.to_move(state).opponent()));
        let mover_view = EncodedBatch::new(inputs, mover, |&(state, side), out| {
            game.encode(state, side, out);
        });
        let opponent_view = EncodedBatch::new(inputs, waiter, |&(state, side), out| {
            game.encode(state, side, out);
        });
        Self {
            graph,
            mover_view,
            opponent_view,
        }
    }
}

/// The owned data of an [`InputBatch`]; its base row is all zeros.
#[derive(Clone, Debug)]
struct EncodedBatch {
    base: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
}

impl EncodedBatch {
    fn new<T>(
        inputs: usize,
        rows: impl Iterator<Item = T>,
        encode: impl Fn(&T, &mut [f32]),
    ) -> Self {
        let mut batch = Self {
            base: vec![0.0; inputs],
            changes: Vec::new(),
            ends: Vec::new(),
        };
        let mut row = vec![0.0; inputs];
        for item in rows {
            encode(&item, &mut row);
            let differing = row.iter().enumerate().filter(|&(_, &value)| value != 0.0);
            batch
                .changes
                .extend(differing.map(|(input, &value)| (input as u32, value)));
            batch.ends.push(batch.changes.len() as u32);
        }
        batch
    }

    fn as_input_batch(&self) -> InputBatch<'_> {
        InputBatch {
            base: &self.base,
            changes: &self.changes,
            ends: &self.ends,
        }
    }
}

/// The index of the highest value, the first in a tie. NaN counts as the lowest value.
pub fn argmax(values: impl IntoIterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}
