//! Ranked choice: the brain has an output for every possible move, and the legal move with the
//! highest output is played. Ties are broken at random (Weaver & Bossomaier 1996, "Choice of
//! Network").

use std::sync::Arc;

use rand::RngExt;

use crate::games::{Game, GameShape};
use crate::genomes::{Brain, IoSpec};
use crate::params::params;
use crate::rng::Stream;

use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Turn, Workspace, argmax,
};

params! {
    /// Ranked choice has no parameters.
    pub struct Ranked {}
}

/// Fills `workspace.move_values` with the outputs of the legal moves.
fn collect_scores<G: Game>(game: &G, outputs: &[f32], workspace: &mut Workspace<G>) {
    let low = workspace.shape.components[0].low;
    let numbers = &mut workspace.decoded_action;
    numbers.clear();
    for &action in &workspace.moves {
        game.encode_move(action, numbers);
    }
    let scores = numbers
        .iter()
        .map(|&number| outputs[(number - low) as usize]);
    workspace.move_values.clear();
    workspace.move_values.extend(scores);
}

/// Evaluates the brain in a position and collects the scores of the moves in `workspace.moves`.
fn score_moves<G: Game>(turn: &mut Turn<'_, G>) {
    turn.forward();
    let outputs = std::mem::take(&mut turn.workspace.outputs);
    collect_scores(turn.game, &outputs, turn.workspace);
    turn.workspace.outputs = outputs;
}

/// The index of the highest value; `None` if several are highest or none is above −∞. No branch
/// depends on the values, which are unpredictable.
fn only_highest(values: &[f32]) -> Option<usize> {
    const LANES: usize = 4;
    let higher = |one: f32, other: f32| if other > one { other } else { one };
    let (vectors, rest) = values.as_chunks::<LANES>();
    let mut most = [f32::NEG_INFINITY; LANES];
    for vector in vectors {
        for lane in 0..LANES {
            most[lane] = higher(most[lane], vector[lane]);
        }
    }
    let most = most.iter().chain(rest).copied();
    let most = most.fold(f32::NEG_INFINITY, higher);
    let (mut count, mut sum) = (0_u32, 0_u32);
    for (index, &value) in (0..).zip(values) {
        let is_highest = value >= most;
        count += u32::from(is_highest);
        sum += if is_highest { index } else { 0 };
    }
    (count == 1 && most > f32::NEG_INFINITY).then_some(sum as usize)
}

impl Agent for Ranked {
    fn policy_head(&self) -> PolicyHead {
        PolicyHead::MoveScores
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        let [moves] = &shape.components[..] else {
            let message = "`ranked` needs a game whose moves are one number each, such as \
                dots_and_boxes; try `one_ply`";
            return Err(message.into());
        };
        Ok(IoSpec {
            modules: Arc::clone(&shape.modules),
            ..IoSpec::of(shape.inputs.clone(), moves.span())
        })
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    fn score_unit(&self) -> &'static str {
        "output of the move"
    }
}

impl<G: Game> AgentFor<G> for Ranked {
    fn choose(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) -> Option<G::Move> {
        turn.list_moves();
        if let [only] = turn.workspace.moves[..] {
            return Some(only);
        }
        score_moves(turn);
        let workspace = &*turn.workspace;
        if let Some(index) = only_highest(&workspace.move_values) {
            return Some(workspace.moves[index]);
        }
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

    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        turn.list_moves();
        score_moves(turn);
        turn.workspace.move_values.clone()
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
            let state = &encoded.graph.states[number as usize];
            workspace.moves.clear();
            game.moves(state, &mut workspace.moves);
            collect_scores(game, row, workspace);
            let best = argmax(workspace.move_values.iter().copied());
            workspace.moves.get(best).copied()
        });
        workspace.outputs = outputs;
        policy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f32], expected: Option<usize>) {
        assert_eq!(only_highest(values), expected, "{values:?}");
    }

    #[test]
    fn the_only_highest_value_is_found_and_ties_are_not() {
        let (nan, low) = (f32::NAN, f32::NEG_INFINITY);
        check(&[], None);
        check(&[-3.0], Some(0));
        check(&[1.0, 1.0], None);
        check(&[0.0, -0.0], None);
        check(&[low, low], None);
        check(&[low], None);
        check(&[nan, nan], None);
        check(&[nan, low], None);
        check(&[nan, 2.0, nan, low], Some(1));
        for count in 1..20_usize {
            for index in 0..count {
                let mut values = vec![-1.0; count];
                values[index] = -0.5;
                check(&values, Some(index));
                values[(index + 1) % count] = -0.5;
                check(&values, (count == 1).then_some(0));
            }
        }
    }
}
