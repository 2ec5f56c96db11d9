//! One-ply choice: the brain's single output evaluates the position after each legal move for the
//! mover. The move with the highest value is played, the first in a tie; it is always legal.

use crate::games::Game;
use crate::genomes::{Brain, InputBatch};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, AgentFor, EncodedStates, Policy, Turn, Workspace, argmax};

params! {
    /// One-ply choice has no parameters.
    pub struct OnePly {}
}

/// Evaluates every legal move in one batch. The moves are in `workspace.moves`, their values in
/// `workspace.outputs`.
fn evaluate_all<G: Game>(turn: &mut Turn<'_, G>) {
    let (game, brain, state) = (turn.game, turn.brain, turn.state);
    let workspace = &mut *turn.workspace;
    let side = game.to_move(state);
    if let Some(evaluator) = brain.sign_evaluator()
        && let Some(base) =
            game.successor_signs(state, side, &mut workspace.moves, &mut workspace.signs)
    {
        let Workspace {
            signs,
            scratch,
            outputs,
            ..
        } = workspace;
        return evaluator.forward_signs(base, signs, scratch, outputs);
    }
    game.encode(state, side, &mut workspace.inputs);
    game.successors(
        state,
        side,
        &mut workspace.moves,
        &mut workspace.changes,
        &mut workspace.ends,
    );
    forward(brain, workspace);
}

/// Evaluates the given legal moves in one batch. Their values are in `workspace.outputs`.
pub(super) fn evaluate_moves<G: Game>(turn: &mut Turn<'_, G>, moves: &[G::Move]) {
    let (game, state, workspace) = (turn.game, turn.state, &mut *turn.workspace);
    let side = game.to_move(state);
    game.encode(state, side, &mut workspace.inputs);
    workspace.changes.clear();
    workspace.ends.clear();
    for &action in moves {
        game.changes(state, action, side, &mut workspace.changes);
        workspace.ends.push(workspace.changes.len() as u32);
    }
    forward(turn.brain, workspace);
}

/// Evaluates the rows in the workspace.
pub(super) fn forward<G: Game>(brain: &dyn Brain, workspace: &mut Workspace<G>) {
    let batch = InputBatch {
        base: &workspace.inputs,
        changes: &workspace.changes,
        ends: &workspace.ends,
    };
    brain.forward(batch, &mut workspace.scratch, &mut workspace.outputs);
}

impl Agent for OnePly {
    fn score_unit(&self) -> &'static str {
        "value of the position after the move"
    }
}

impl<G: Game> AgentFor<G> for OnePly {
    fn choose(&self, turn: &mut Turn<'_, G>, _rng: &mut Stream) -> Option<G::Move> {
        evaluate_all(turn);
        let best = argmax(turn.workspace.outputs.iter().copied());
        turn.workspace.moves.get(best).copied()
    }

    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        evaluate_all(turn);
        turn.workspace.outputs.clone()
    }

    /// Each position is evaluated once, even if several moves lead to it.
    fn policy(
        &self,
        _game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        brain.forward(
            encoded.opponent_view.as_input_batch(),
            &mut workspace.scratch,
            &mut workspace.outputs,
        );
        let mut again = Vec::new();
        if (0..graph.len() as u32).any(|state| {
            graph
                .transitions(state)
                .iter()
                .any(|step| !step.switches_side)
        }) {
            brain.forward(
                encoded.mover_view.as_input_batch(),
                &mut workspace.scratch,
                &mut again,
            );
        }
        Policy::from_choices(graph, |state| {
            let values = graph.transitions(state).iter().map(|step| {
                let side = if step.switches_side {
                    &workspace.outputs
                } else {
                    &again
                };
                side[step.to as usize]
            });
            graph.moves(state).get(argmax(values)).copied()
        })
    }
}
