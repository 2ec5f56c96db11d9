//! How a brain's outputs become a move. Agents turn the shape of a game into the ports of a genome; they know no evolution.

use std::iter;
use std::sync::Arc;

use crate::games::search::{Hurry, NoHurry, Search};
use crate::games::solver::{StateGraph, Step};
use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports, Scratch, Sight};
use crate::registry::registry;
use crate::rng::Stream;

use self::alpha_beta::AlphaBeta;
use self::direct::Direct;
use self::lookup::Lookup;
use self::monte_carlo::MonteCarlo;
use self::one_hot::OneHot;
use self::one_ply::OnePly;
use self::ranked::Ranked;

pub mod alpha_beta;
pub mod direct;
pub mod lookup;
pub mod monte_carlo;
pub mod one_hot;
pub mod one_ply;
pub mod ranked;

#[cfg(test)]
mod conformance;

registry! {
    ($)
    /// A way to choose moves and its settings.
    pub enum AgentConfig, with_agent {
        /// One output per number of a move, truncated toward zero.
        "direct" => Direct(Direct),
        /// One output per value of each number of a move; the highest output of each number counts.
        "one_hot" => OneHot(OneHot),
        /// One output per move there can be; the highest of the legal ones counts, chance deciding between equals.
        "ranked" => Ranked(Ranked),
        /// The number of the position goes in, the place of a legal move comes out.
        "lookup" => Lookup(Lookup),
        /// One output that values the position after each legal move; the highest wins.
        "one_ply" => OnePly(OnePly),
        /// One output that values positions some moves ahead, searched by alpha-beta.
        "alpha_beta" => AlphaBeta(AlphaBeta),
        /// One output that values positions, asked at the end of many short random games that grow a tree.
        "monte_carlo" => MonteCarlo(MonteCarlo),
    }
}

/// What the outputs of a brain stand for. A brain can play with any agent that takes them for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// How good a position is for whoever has just moved.
    Value,
    /// The numbers that describe a move.
    Numbers,
    /// How likely each value of each such number is wanted.
    Values,
    /// How much each move there can be is wanted.
    Moves,
    /// The place of a move in a list.
    Place,
}

impl Meaning {
    /// In words, as what a network gives.
    pub fn words(self) -> &'static str {
        match self {
            Self::Value => "the value of a position",
            Self::Numbers => "the numbers of a move",
            Self::Values => "a score for each number of a move",
            Self::Moves => "a score for each move",
            Self::Place => "the place of a move in a list",
        }
    }
}

impl AgentConfig {
    /// What it takes the outputs of a brain for.
    pub fn meaning(&self) -> Meaning {
        match self {
            Self::Direct(_) => Meaning::Numbers,
            Self::OneHot(_) => Meaning::Values,
            Self::Ranked(_) => Meaning::Moves,
            Self::Lookup(_) => Meaning::Place,
            Self::OnePly(_) | Self::AlphaBeta(_) | Self::MonteCarlo(_) => Meaning::Value,
        }
    }
}

/// A way to choose moves. Its choice depends on the position, so that it can be written down as a [`Policy`], and in some on
/// chance.
pub trait Agent: Send + Sync + Clone + 'static {
    /// What a brain must take in and give out to play games of this shape, or why none can.
    fn ports(&self, shape: &Shape) -> Result<Ports, String>;

    /// Whether its choice depends on the position alone and leaves nothing to chance.
    fn is_certain(&self) -> bool {
        true
    }

    /// The move the brain makes, or `None` where it wants an illegal one that the rules punish. `rng` decides what the brain
    /// leaves open.
    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> Option<G::Move>;

    /// What the brain thinks of each legal move, in their order: higher is better, the scale is the agent's own.
    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32>;

    /// The choice and the opinions at once, for the price of one search where the agent searches.
    fn ponder<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(game, brain, state, desk, rng);
        (choice, self.opinions(game, brain, state, desk))
    }

    /// What each output of a brain should be in a position in which the legal moves are worth so much; `None` where it does not
    /// matter. An error says why it can't be told.
    fn targets<G: Game>(
        &self,
        _game: &G,
        _state: &G::State,
        _moves: &[G::Move],
        _worths: &[f32],
        _desk: &mut Desk<G>,
    ) -> Result<Vec<Option<f32>>, String> {
        Err(
            "has nothing to say to this agent, whose outputs stand for no moves; try agent: ranked"
                .to_owned(),
        )
    }

    /// What the numbers of [`Agent::opinions`] are, in a few words.
    fn opinion_unit(&self) -> &'static str;

    /// Writes down the choice in every position, one call of the brain for all of them; the first of the moves that chance would
    /// choose from.
    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy;
}

/// Ports for all inputs of a game and so many outputs.
fn ports(shape: &Shape, outputs: usize) -> Ports {
    Ports {
        features: shape.features.clone(),
        ..Ports::new(shape.inputs, outputs)
    }
}

/// Buffers for choosing moves, reused so that nothing is allocated per move.
pub struct Desk<G: Game> {
    shape: Shape,
    pub moves: Vec<G::Move>,
    inputs: Vec<f32>,
    outputs: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
    wish: Vec<i32>,
    scratch: Scratch,
    /// What a search found each move to be worth.
    worths: Vec<f32>,
    search: Search<G>,
    tree: monte_carlo::Tree<G>,
    /// Ends searches early where somebody waits.
    hurry: Arc<dyn Hurry>,
}

impl<G: Game> Desk<G> {
    pub fn new(game: &G) -> Self {
        let shape = game.shape();
        Self {
            inputs: vec![0.0; shape.numbers()],
            shape,
            moves: Vec::new(),
            outputs: Vec::new(),
            changes: Vec::new(),
            ends: Vec::new(),
            wish: Vec::new(),
            scratch: Scratch::default(),
            worths: Vec::new(),
            search: Search::default(),
            tree: monte_carlo::Tree::default(),
            hurry: Arc::new(NoHurry),
        }
    }

    /// One whose searches end early once `hurry` is up.
    pub fn hurried(game: &G, hurry: &Arc<dyn Hurry>) -> Self {
        Self {
            hurry: Arc::clone(hurry),
            ..Self::new(game)
        }
    }

    /// To be called between two games, for the brains that play may be other ones.
    pub fn clear(&mut self) {
        self.tree.forget();
    }

    /// Shows the position to the brain; the outputs are in `self.outputs`.
    fn look(&mut self, game: &G, brain: &dyn Brain, state: &G::State) {
        game.encode(state, game.to_move(state), &mut self.inputs);
        brain.think(
            Sight::one(&self.inputs),
            &mut self.scratch,
            &mut self.outputs,
        );
    }
}

/// A choice for every position of a state graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// For each position its successor, with [`Policy::TURNS`] where the opponent moves next. An end of the game is its own
    /// successor. Last comes one place more, its own successor too, where players go that want an illegal move.
    pub next: Vec<u32>,
}

impl Policy {
    /// Set in a step after which the opponent is to move.
    pub const TURNS: u32 = 1 << 31;

    /// A policy in which each position's choice is given by the place of a legal move.
    fn of<G: Game>(graph: &StateGraph<G>, mut choose: impl FnMut(u32) -> Option<G::Move>) -> Self {
        let illegal = graph.len() as u32;
        let next = |state: u32| {
            if graph.end(state).is_some() {
                return state;
            }
            let step = choose(state).and_then(|action| graph.step(state, action));
            step.map_or(illegal, |step| {
                step.to | if step.turns { Self::TURNS } else { 0 }
            })
        };
        let choices = (0..illegal).map(next);
        Self {
            next: choices.chain(iter::once(illegal)).collect(),
        }
    }

    /// Where the choice in a position leads; `None` where it is illegal.
    pub fn step(&self, state: u32) -> Option<Step> {
        let next = self.next[state as usize];
        let to = next & !Self::TURNS;
        let legal = to as usize + 1 < self.next.len();
        legal.then_some(Step {
            to,
            turns: next != to,
        })
    }
}

/// Every position of a small game as numbers, made once and shown to every brain.
#[derive(Clone, Debug)]
pub struct Outlook<G: Game> {
    pub graph: StateGraph<G>,
    /// Each position as the player to move sees it.
    to_mover: Batch,
    /// Each position as the opponent of the player to move sees it.
    to_waiter: Batch,
}

impl<G: Game> Outlook<G> {
    pub fn new(game: &G, graph: StateGraph<G>) -> Self {
        let inputs = game.shape().numbers();
        let mover = graph
            .states
            .iter()
            .map(|state| (state, game.to_move(state)));
        let waiter = graph
            .states
            .iter()
            .map(|state| (state, game.to_move(state).other()));
        let to_mover = Batch::new(inputs, mover, |&(state, side), out| {
            game.encode(state, side, out);
        });
        let to_waiter = Batch::new(inputs, waiter, |&(state, side), out| {
            game.encode(state, side, out);
        });
        Self {
            graph,
            to_mover,
            to_waiter,
        }
    }
}

/// Rows of inputs in the form a brain takes.
#[derive(Clone, Debug)]
struct Batch {
    base: Vec<f32>,
    changes: Vec<(u32, f32)>,
    ends: Vec<u32>,
}

impl Batch {
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

    fn sight(&self) -> Sight<'_> {
        Sight {
            base: &self.base,
            changes: &self.changes,
            ends: &self.ends,
        }
    }
}

/// The place of the highest value, the first of equals; values that are no numbers count as lowest.
fn highest(values: impl IntoIterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (place, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (place, value);
        }
    }
    best.0
}
