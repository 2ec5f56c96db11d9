//! Alpha-beta search: the brain's single output evaluates positions several moves ahead, and the minimax-optimal move is played.
//! It is always legal.

use std::sync::Arc;

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, IoSpec};
use crate::params::params;
use crate::rng::Stream;
use crate::search::{MoveEvaluator, SearchLimits, ValueMode};

use super::one_ply::evaluate_moves;
use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Workspace, argmax, io_spec_for,
};

params! {
    /// Alpha-beta search.
    pub struct AlphaBeta {
        /// How many moves to look ahead, including the player's own.
        fixed depth: u32 = 2, in 1.0..=64.0, "moves";
        /// Whether lines are searched beyond that depth until no capture is pending.
        fixed quiescence: bool = false;
        /// Most positions searched before each move; 0 for no limit. The result of the last completed depth counts. A time limit would make results depend on the machine.
        fixed nodes: u32 = 0, in 0.0..=1000000000.0, "positions";
    }
}

/// Evaluates moves with a brain and the buffers it needs.
struct BrainEvaluator<'a, G: Game> {
    brain: &'a dyn Brain,
    workspace: &'a mut Workspace<G>,
}

impl<G: Game> MoveEvaluator<G> for BrainEvaluator<'_, G> {
    fn evaluate_moves(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        evaluate_moves(game, self.brain, state, moves, self.workspace);
        std::mem::swap(out, &mut self.workspace.outputs);
    }
}

/// Searches every legal move. The moves are in `workspace.moves`, their values in `workspace.move_values`.
fn search<G: Game>(
    agent: &AlphaBeta,
    exact: ValueMode,
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    workspace: &mut Workspace<G>,
) {
    let mut search = std::mem::take(&mut workspace.search);
    let mut moves = std::mem::take(&mut workspace.moves);
    let mut move_values = std::mem::take(&mut workspace.move_values);
    moves.clear();
    game.moves(state, &mut moves);
    let cancel_token = Arc::clone(&workspace.cancel_token);
    let reach = SearchLimits {
        depth: agent.depth as u8,
        quiescence: agent.quiescence,
        max_nodes: (agent.nodes > 0).then_some(agent.nodes.into()),
        cancel: cancel_token.as_ref(),
    };
    let mut evaluator = BrainEvaluator { brain, workspace };
    let how = (reach, exact);
    search.values(game, state, &moves, how, &mut evaluator, &mut move_values);
    (workspace.search, workspace.moves, workspace.move_values) = (search, moves, move_values);
}

impl AlphaBeta {
    /// The move with the highest value, the first in a tie.
    fn best<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Option<G::Move> {
        search(self, ValueMode::Best, game, brain, state, workspace);
        let best = argmax(workspace.move_values.iter().copied());
        workspace.moves.get(best).copied()
    }
}

impl Agent for AlphaBeta {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::StateValue
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        Ok(io_spec_for(shape, 1))
    }

    fn score_unit(&self) -> &'static str {
        "value by search"
    }
}

impl<G: Game> AgentFor<G> for AlphaBeta {
    fn choose(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        self.best(game, brain, state, workspace)
    }

    fn action_scores(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Vec<f32> {
        search(self, ValueMode::All, game, brain, state, workspace);
        workspace.move_values.clone()
    }

    fn choose_with_scores(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        _rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let scores = self.action_scores(game, brain, state, workspace);
        let best = argmax(scores.iter().copied());
        (workspace.moves.get(best).copied(), scores)
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        Policy::from_choices(graph, |state| {
            self.best(game, brain, &graph.states[state as usize], workspace)
        })
    }
}
