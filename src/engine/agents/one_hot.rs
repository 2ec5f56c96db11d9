//! One-hot decoding: each number that describes a move has one output per possible value. The value
//! with the highest output is taken, the lowest value in a tie (Kissling 2025, §3.1.7).

use crate::games::{Game, GameShape, MoveComponent};
use crate::genomes::{Brain, IoSpec};
use crate::params::params;
use crate::rng::Stream;

use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Workspace, argmax, io_spec_for,
};

params! {
    /// One-hot decoding has no parameters.
    pub struct OneHot {}
}

/// The move that a row of outputs describes.
fn decode<G: Game>(
    game: &G,
    components: &[MoveComponent],
    state: &G::State,
    outputs: &[f32],
    decoded_action: &mut Vec<i32>,
) -> Option<G::Move> {
    decoded_action.clear();
    let mut rest = outputs;
    for component in components {
        let (own, others) = rest.split_at(component.span());
        decoded_action.push(component.low + argmax(own.iter().copied()) as i32);
        rest = others;
    }
    game.decode_move(state, decoded_action)
}

impl Agent for OneHot {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::ComponentScores
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        match shape.components.iter().map(MoveComponent::span).sum() {
            0 => Err(
                "`one_hot` needs a game whose moves are described by numbers; try `one_ply`".into(),
            ),
            outputs => Ok(io_spec_for(shape, outputs)),
        }
    }

    fn score_unit(&self) -> &'static str {
        "sum of the move's outputs"
    }
}

impl<G: Game> AgentFor<G> for OneHot {
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
            &workspace.shape.components,
            state,
            &workspace.outputs,
            &mut workspace.decoded_action,
        )
    }

    /// The sum of the outputs for the move's numbers.
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
        let value = |&action: &G::Move| {
            workspace.decoded_action.clear();
            game.encode_move(action, &mut workspace.decoded_action);
            let mut start = 0;
            let outputs = workspace
                .decoded_action
                .iter()
                .zip(&workspace.shape.components)
                .map(|(&number, component)| {
                    let output = workspace.outputs[start + (number - component.low) as usize];
                    start += component.span();
                    output
                });
            outputs.sum()
        };
        moves.iter().map(value).collect()
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
        let components = &workspace.shape.components;
        let width: usize = components.iter().map(MoveComponent::span).sum();
        Policy::from_choices(&encoded.graph, |state| {
            let row = state as usize * width;
            let outputs = &workspace.outputs[row..row + width];
            decode(
                game,
                components,
                &encoded.graph.states[state as usize],
                outputs,
                &mut workspace.decoded_action,
            )
        })
    }
}
