//! Direct decoding: each output is one of the numbers that describe a move, rounded down; a
//! negative one is illegal (Kissling 2025, §3.1.7).

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, IoSpec};
use crate::params::params;
use crate::rng::Stream;

use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Workspace, io_spec_for,
};

params! {
    /// Direct decoding has no parameters.
    pub struct Direct {}
}

/// The move that a row of outputs describes.
fn decode<G: Game>(
    game: &G,
    state: &G::State,
    outputs: &[f32],
    decoded_action: &mut Vec<i32>,
) -> Option<G::Move> {
    decoded_action.clear();
    decoded_action.extend(outputs.iter().map(|&output| output.floor() as i32));
    game.decode_move(state, decoded_action)
}

impl Agent for Direct {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::MoveComponents
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        match shape.components.len() {
            0 => Err(
                "`direct` needs a game whose moves are described by numbers; try `one_ply`".into(),
            ),
            count => Ok(io_spec_for(shape, count)),
        }
    }

    fn score_unit(&self) -> &'static str {
        "minus the distance to the outputs"
    }
}

impl<G: Game> AgentFor<G> for Direct {
    fn choose(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        workspace.forward(game, brain, state);
        decode(
            game,
            state,
            &workspace.outputs,
            &mut workspace.decoded_action,
        )
    }

    /// Minus the distance between the numbers of the move and the outputs.
    fn action_scores(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Vec<f32> {
        workspace.forward(game, brain, state);
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let distance = |&action: &G::Move| {
            workspace.decoded_action.clear();
            game.encode_move(action, &mut workspace.decoded_action);
            let pairs = workspace.decoded_action.iter().zip(&workspace.outputs);
            -pairs
                .map(|(&number, output)| (number as f32 - output).abs())
                .sum::<f32>()
        };
        moves.iter().map(distance).collect()
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        brain.forward(
            encoded.mover_view.as_input_batch(),
            &mut workspace.scratch,
            &mut workspace.outputs,
        );
        let width = workspace.shape.components.len();
        Policy::from_choices(&encoded.graph, |state| {
            let row = state as usize * width;
            let outputs = &workspace.outputs[row..row + width];
            decode(
                game,
                &encoded.graph.states[state as usize],
                outputs,
                &mut workspace.decoded_action,
            )
        })
    }
}
