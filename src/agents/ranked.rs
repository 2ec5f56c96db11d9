//! Ranked choice: the brain has an output for every possible move, and the legal move with the highest output is played. Ties
//! are broken at random (Weaver & Bossomaier 1996, "Choice of Network").

use rand::RngExt;

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, IoSpec};
use crate::params::params;
use crate::rng::Stream;

use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Workspace, argmax, io_spec_for,
};

params! {
    /// Ranked choice has no parameters.
    pub struct Ranked {}
}

/// Fills `workspace.moves` with the legal moves and `workspace.move_values` with their outputs.
fn collect_scores<G: Game>(
    game: &G,
    state: &G::State,
    outputs: &[f32],
    workspace: &mut Workspace<G>,
) {
    let low = workspace.shape.components[0].low;
    workspace.moves.clear();
    game.moves(state, &mut workspace.moves);
    workspace.move_values.clear();
    for &action in &workspace.moves {
        workspace.decoded_action.clear();
        game.encode_move(action, &mut workspace.decoded_action);
        workspace
            .move_values
            .push(outputs[(workspace.decoded_action[0] - low) as usize]);
    }
}

/// Evaluates the brain in a position and collects the scores of the legal moves.
fn score_moves<G: Game>(
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    workspace: &mut Workspace<G>,
) {
    workspace.forward(game, brain, state);
    let outputs = std::mem::take(&mut workspace.outputs);
    collect_scores(game, state, &outputs, workspace);
    workspace.outputs = outputs;
}

impl Agent for Ranked {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::MoveScores
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        match &shape.components[..] {
            [moves] => Ok(io_spec_for(shape, moves.span())),
            _ => Err(
"`ranked` needs a game whose moves are one number each, such as dots_and_boxes; try `one_ply`".into(),
),
        }
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    fn score_unit(&self) -> &'static str {
        "output of the move"
    }
}

impl<G: Game> AgentFor<G> for Ranked {
    fn choose(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        score_moves(game, brain, state, workspace);
        let best = argmax(workspace.move_values.iter().copied());
        let &most = workspace.move_values.get(best)?;
        let ties = workspace.move_values[best..]
            .iter()
            .filter(|&&value| value >= most);
        let index = match ties.count() {
            0 | 1 => best,
            count => {
                let chosen = rng.random_range(0..count);
                let mut ties = (0..workspace.move_values.len())
                    .filter(|&index| workspace.move_values[index] >= most);
                ties.nth(chosen).unwrap_or(best)
            }
        };
        Some(workspace.moves[index])
    }

    fn action_scores(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Vec<f32> {
        score_moves(game, brain, state, workspace);
        workspace.move_values.clone()
    }

    fn targets(
        &self,
        game: &G,
        _state: &G::State,
        moves: &[G::Move],
        move_values: &[f32],
        workspace: &mut Workspace<G>,
    ) -> Result<Vec<Option<f32>>, AgentError> {
        let [component] = &workspace.shape.components[..] else {
            return Ok(Vec::new());
        };
        let mut targets = vec![None; component.span()];
        for (&action, &value) in moves.iter().zip(move_values) {
            workspace.decoded_action.clear();
            game.encode_move(action, &mut workspace.decoded_action);
            targets[(workspace.decoded_action[0] - component.low) as usize] = Some(value);
        }
        Ok(targets)
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let mut outputs = std::mem::take(&mut workspace.outputs);
        brain.forward(
            encoded.mover_view.as_input_batch(),
            &mut workspace.scratch,
            &mut outputs,
        );
        let width = workspace.shape.components[0].span();
        let policy = Policy::from_choices(&encoded.graph, |number| {
            let row = &outputs[number as usize * width..][..width];
            collect_scores(game, &encoded.graph.states[number as usize], row, workspace);
            let best = argmax(workspace.move_values.iter().copied());
            workspace.moves.get(best).copied()
        });
        workspace.outputs = outputs;
        policy
    }
}
