//! Table lookup: the brain's input is the number of the position, its output the index of a legal
//! move, counted from 0. This is how a strategy table plays.

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, InputBatch, IoSpec};
use crate::params::params;
use crate::rng::Stream;

use super::{
    Agent, AgentError, AgentFor, EncodedBatch, EncodedStates, Policy, PolicyHead, Turn, Workspace,
};

params! {
    /// Table lookup has no parameters.
    pub struct Lookup {}
}

/// The move that the brain names, if its index is valid. Fills `workspace.moves` with the legal
/// moves.
fn chosen_move<G: Game>(turn: &mut Turn<'_, G>) -> Option<G::Move> {
    let number = [turn.game.state_index(turn.state) as f32];
    let inputs = InputBatch::single(&number);
    let buffers = &mut *turn.workspace;
    (turn.brain).forward(inputs, &mut buffers.scratch, &mut buffers.outputs);
    turn.list_moves();
    let index = action_index(turn.workspace.outputs[0])?;
    turn.workspace.moves.get(index).copied()
}

impl Agent for Lookup {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::ActionIndex
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        if shape.legal_move_counts.is_empty() {
            let message = "`lookup` needs a game whose positions are numbered, such as \
                bounded_nim; try `one_ply`";
            return Err(message.into());
        }
        Ok(IoSpec {
            choice_counts: shape.legal_move_counts.clone().into(),
            ..IoSpec::new(1, 1)
        })
    }

    fn score_unit(&self) -> &'static str {
        "1 for the move in the table"
    }

    fn score_range(&self) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }
}

impl<G: Game> AgentFor<G> for Lookup {
    fn choose(&self, turn: &mut Turn<'_, G>, _rng: &mut Stream) -> Option<G::Move> {
        chosen_move(turn)
    }

    /// 1 for the move in the table, 0 for the others.
    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        let chosen = chosen_move(turn);
        let moves = turn.workspace.moves.iter();
        moves
            .map(|&action| f32::from(u8::from(Some(action) == chosen)))
            .collect()
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        let batch = EncodedBatch::new(1, graph.states.iter(), |state, row| {
            row[0] = game.state_index(state) as f32;
        });
        brain.forward(
            batch.as_input_batch(),
            &mut workspace.scratch,
            &mut workspace.outputs,
        );
        Policy::from_choices(graph, |state| {
            let action_index = action_index(workspace.outputs[state as usize])?;
            graph.moves(state).get(action_index).copied()
        })
    }
}

/// The move index given by an output; `None` for negative numbers and NaN.
fn action_index(output: f32) -> Option<usize> {
    (output >= 0.0).then_some(output as usize)
}
