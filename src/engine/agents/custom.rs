//! Agents of other crates. They see positions without the type of the game, so that each of them
//! can play every game.

use std::mem::take;

use crate::games::{Game, GameShape, Outcome, Side};
use crate::genomes::{Brain, IoSpec};
use crate::registry::CustomConfig;
use crate::rng::{Purpose, Stream, stream};

use super::one_ply::evaluate_moves;
use super::{
    Agent, AgentError, AgentFor, EncodedStates, Policy, PolicyHead, Turn, Workspace, argmax,
};

/// An agent that scores the legal moves of any game and plays one of them.
pub trait ScoringAgent: Agent {
    /// Appends a score for each legal move, in move order. Higher is better.
    fn score_moves(&self, node: &mut dyn DecisionNode, scores: &mut Vec<f32>);

    /// The index of the move to play: by default the one with the highest score, the first in a
    /// tie. Only an agent that is not deterministic may draw random numbers. Where all positions
    /// are tabulated, it plays the highest score.
    fn choose_index(&self, scores: &[f32], _rng: &mut Stream) -> usize {
        argmax(scores.iter().copied())
    }
}

/// A position in which a player moves, without the type of the game.
pub trait DecisionNode {
    /// The sizes of the game's positions and moves as numbers.
    fn shape(&self) -> &GameShape;

    /// The side to move.
    fn to_move(&self) -> Side;

    /// The result if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The number of legal moves; 0 if the game is over.
    fn move_count(&self) -> usize;

    /// The integers that describe a move, in the order of [`GameShape::components`].
    fn move_components(&mut self, index: usize) -> &[i32];

    /// The brain's outputs for this position as the player to move sees it.
    fn outputs(&mut self) -> &[f32];

    /// The brain's outputs for the position after each legal move, one row after the other, as the
    /// player that moves here sees them. All positions are evaluated in one batch.
    fn successor_outputs(&mut self) -> &[f32];

    /// Calls `visit` with the position after a move.
    fn after(&mut self, index: usize, visit: &mut dyn FnMut(&mut dyn DecisionNode));

    /// Whether the choice is no longer needed, so that a search should end.
    fn is_canceled(&self) -> bool;
}

/// A position of a game.
struct GameNode<'a, G: Game> {
    turn: Turn<'a, G>,
    moves: Vec<G::Move>,
}

impl<G: Game> DecisionNode for GameNode<'_, G> {
    fn shape(&self) -> &GameShape {
        &self.turn.workspace.shape
    }

    fn to_move(&self) -> Side {
        self.turn.game.to_move(self.turn.state)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn.game.outcome(self.turn.state)
    }

    fn move_count(&self) -> usize {
        self.moves.len()
    }

    fn move_components(&mut self, index: usize) -> &[i32] {
        let components = &mut self.turn.workspace.decoded_action;
        components.clear();
        (self.turn.game).encode_move(self.moves[index], components);
        components
    }

    fn outputs(&mut self) -> &[f32] {
        self.turn.forward();
        &self.turn.workspace.outputs
    }

    fn successor_outputs(&mut self) -> &[f32] {
        evaluate_moves(&mut self.turn, &self.moves);
        &self.turn.workspace.outputs
    }

    fn after(&mut self, index: usize, visit: &mut dyn FnMut(&mut dyn DecisionNode)) {
        let (game, mut moves) = (self.turn.game, Vec::new());
        let mut state = self.turn.state.clone();
        game.play(&mut state, self.moves[index]);
        game.moves(&state, &mut moves);
        let turn = Turn {
            state: &state,
            workspace: self.turn.workspace,
            ..self.turn
        };
        visit(&mut GameNode { turn, moves });
    }

    fn is_canceled(&self) -> bool {
        self.turn.workspace.cancel_token.is_canceled()
    }
}

impl Agent for CustomConfig<dyn ScoringAgent> {
    fn policy_head(&self) -> PolicyHead {
        (**self).policy_head()
    }

    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, AgentError> {
        (**self).io_spec(shape)
    }

    fn is_deterministic(&self) -> bool {
        (**self).is_deterministic()
    }

    fn score_unit(&self) -> &'static str {
        (**self).score_unit()
    }

    fn scores_are_values(&self) -> bool {
        (**self).scores_are_values()
    }

    fn score_range(&self) -> Option<(f32, f32)> {
        (**self).score_range()
    }
}

/// Scores all legal moves. The moves are in `workspace.moves`, their scores in
/// `workspace.move_values`.
fn score_moves<G: Game>(agent: &dyn ScoringAgent, turn: &mut Turn<'_, G>) {
    turn.list_moves();
    let moves = take(&mut turn.workspace.moves);
    let mut scores = take(&mut turn.workspace.move_values);
    scores.clear();
    let turn = Turn {
        workspace: turn.workspace,
        ..*turn
    };
    let mut node = GameNode { turn, moves };
    agent.score_moves(&mut node, &mut scores);
    let workspace = node.turn.workspace;
    (workspace.moves, workspace.move_values) = (node.moves, scores);
}

impl<G: Game> AgentFor<G> for CustomConfig<dyn ScoringAgent> {
    fn choose(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) -> Option<G::Move> {
        score_moves(&**self, turn);
        let index = self.choose_index(&turn.workspace.move_values, rng);
        turn.workspace.moves.get(index).copied()
    }

    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        score_moves(&**self, turn);
        turn.workspace.move_values.clone()
    }

    fn choose_with_scores(
        &self,
        turn: &mut Turn<'_, G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(turn, rng);
        (choice, turn.workspace.move_values.clone())
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        let mut unused = stream(0, Purpose::Chance, 0, 0);
        Policy::from_choices(graph, |number| {
            let state = &graph.states[number as usize];
            let turn = &mut Turn::new(game, brain, state, workspace);
            score_moves(&**self, turn);
            let index = if self.is_deterministic() {
                self.choose_index(&workspace.move_values, &mut unused)
            } else {
                argmax(workspace.move_values.iter().copied())
            };
            workspace.moves.get(index).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentConfig;
    use crate::agents::conformance::check;
    use crate::games::conformance::tests::games;
    use crate::games::{Encoding, GameConfig, GameParams, Rules, StartKind, with_game};
    use crate::genomes::GenomeConfig;
    use crate::params::params;
    use crate::registry::CustomPart;

    params! {
        /// One-ply choice, or the worst reply two plies ahead.
        struct FewPlies {
            fixed plies: u32 = 1, in 1.0..=2.0;
        }
    }

    impl CustomPart for FewPlies {
        const NAME: &'static str = "few_plies";
        const ABOUT: &'static str = "One or two plies.";
    }

    impl Agent for FewPlies {
        fn score_unit(&self) -> &'static str {
            "value"
        }
    }

    impl ScoringAgent for FewPlies {
        fn score_moves(&self, node: &mut dyn DecisionNode, scores: &mut Vec<f32>) {
            if self.plies == 1 {
                return scores.extend_from_slice(node.successor_outputs());
            }
            let side = node.to_move();
            for index in 0..node.move_count() {
                node.after(index, &mut |after| {
                    let replies = after.successor_outputs().iter().copied();
                    let best = replies.fold(f32::MIN, f32::max);
                    scores.push(if after.to_move() == side { best } else { -best });
                });
            }
        }
    }

    fn few_plies(plies: u32) -> CustomConfig<dyn ScoringAgent> {
        CustomConfig::new(FewPlies { plies }, |agent| agent)
    }

    #[test]
    fn an_agent_without_the_type_of_the_game_plays_every_game() {
        let mut positions = 0;
        for game in games() {
            for plies in [1, 2] {
                positions += with_game!(&game, game => {
                    let game = game.build();
                    let agent = few_plies(plies);
                    let io_spec = agent.io_spec(&game.shape()).expect("it plays every game");
                    check(&game, &agent, &io_spec)
                });
            }
        }
        assert!(positions > 20, "some games can be explored");
    }

    #[test]
    fn one_ply_is_that_of_the_built_in_agent() {
        let built_in = AgentConfig::named("one_ply").expect("it is registered");
        let custom = AgentConfig::Custom(few_plies(1));
        for game in games() {
            with_game!(&game, game => {
                let game = game.build();
                let io_spec = IoSpec::of(game.shape().inputs, 1);
                let genome = GenomeConfig::named("graph").expect("it is registered");
                let mut rng = stream(1, Purpose::Initialization, 0, 0);
                let brain = genome.grow(&genome.random(&io_spec, &mut rng), &io_spec);
                let state = game.start(StartKind::Opening, &mut rng);
                let mut workspace = Workspace::new(&game);
                let [one, other] = [&built_in, &custom].map(|agent| {
                    let agent = agent.build();
                    let mut turn = Turn::new(&game, &*brain, &state, &mut workspace);
                    agent.choose_with_scores(&mut turn, &mut rng)
                });
                assert_eq!(one, other);
            });
        }
    }
}
