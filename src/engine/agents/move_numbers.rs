//! Agents whose outputs stand for the numbers that describe a move. It does not know how outputs
//! become numbers.

use crate::games::{Game, GameShape, MoveComponent};
use crate::genomes::{Brain, IoSpec};
use crate::rng::Stream;

use super::{Agent, AgentError, AgentFor, EncodedStates, Policy, Turn, Workspace};

/// How a row of outputs and the numbers of a move belong together.
pub(super) trait MoveDecoder: Agent {
    /// The number of outputs.
    fn width(components: &[MoveComponent]) -> usize;

    /// Appends the numbers that a row of outputs describes.
    fn decode(components: &[MoveComponent], outputs: &[f32], numbers: &mut Vec<i32>);

    /// How well the numbers of a move agree with a row of outputs.
    fn score(components: &[MoveComponent], outputs: &[f32], numbers: &[i32]) -> f32;

    /// The spec of a brain with these outputs, or why the agent with this name can't play.
    fn spec(name: &str, shape: &GameShape) -> Result<IoSpec, AgentError> {
        match Self::width(&shape.components) {
            0 => Err(format!(
                "`{name}` needs a game whose moves are described by numbers; try `one_ply`"
            )
            .into()),
            outputs => Ok(IoSpec::of(shape.inputs.clone(), outputs)),
        }
    }
}

impl<G: Game, D: MoveDecoder> AgentFor<G> for D {
    fn choose(&self, turn: &mut Turn<'_, G>, _rng: &mut Stream) -> Option<G::Move> {
        turn.forward();
        let workspace = &mut *turn.workspace;
        let numbers = &mut workspace.decoded_action;
        numbers.clear();
        D::decode(&workspace.shape.components, &workspace.outputs, numbers);
        turn.game.decode_move(turn.state, numbers)
    }

    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        turn.forward();
        let (game, workspace) = (turn.game, &mut *turn.workspace);
        let mut moves = Vec::new();
        game.moves(turn.state, &mut moves);
        let numbers = &mut workspace.decoded_action;
        let score = |&action: &G::Move| {
            numbers.clear();
            game.encode_move(action, numbers);
            D::score(&workspace.shape.components, &workspace.outputs, numbers)
        };
        moves.iter().map(score).collect()
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
        let (components, numbers) = (&workspace.shape.components, &mut workspace.decoded_action);
        let width = D::width(components);
        Policy::from_choices(&encoded.graph, |state| {
            let outputs = &workspace.outputs[state as usize * width..][..width];
            numbers.clear();
            D::decode(components, outputs, numbers);
            game.decode_move(&encoded.graph.states[state as usize], numbers)
        })
    }
}
