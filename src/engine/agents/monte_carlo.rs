//! Monte Carlo tree search: the brain's single output evaluates the position that each simulation
//! reaches (Thien 2018).

use std::sync::Arc;

use crate::games::{Game, Side};
use crate::genomes::{Brain, InputBatch};
use crate::params::{choices, params};
use crate::rng::{Purpose, Stream, stream};
use crate::search::tree::{PositionEvaluator, SearchTree, TreeLimits};

use super::{Agent, AgentFor, Turn, Workspace, argmax, value_cache};

choices! {
    /// How the move is chosen after the last simulation.
    pub enum FinalMoveRule {
        /// The move with the most simulations.
        Visits = "visits",
        /// The move with the highest mean value.
        Value = "value",
    }
}

choices! {
    /// How a playout is extended in positions with few legal moves.
    pub enum PlayoutExtension {
        /// Moves in such positions do not count, up to 40 of them.
        Quiet = "quiet",
        /// Once, at the end of the playout: by as many moves as the player to move has choices
        /// (Thien 2018, "Decision Making Algorithm").
        Choices = "choices",
    }
}

params! {
    /// Monte Carlo tree search.
    pub struct MonteCarlo {
        /// Simulations before each move.
        fixed simulations: u32 = 300, in 1.0..=1000000.0, "simulations";
        /// Random moves at the end of each simulation, before the network evaluates the position.
        fixed playout: u32 = 1, in 0.0..=1000.0, "moves";
        /// Positions with fewer legal moves than this extend the random moves.
        fixed quiet: u32 = 4, in 0.0..=1000.0, "moves";
        /// How they extend them.
        fixed extension: PlayoutExtension = PlayoutExtension::Quiet;
        /// The exploration constant: the factor of the square root in the upper confidence bound.
        /// Higher values try rarely visited moves more often.
        fixed exploration: f64 = 1.4, in 0.0..=1000.0;
        /// The weight of the network's value; the result of a finished game has weight 1. Below 1,
        /// a certain win is preferred to a position that the network considers won.
        fixed value_weight: f64 = 0.9, in 0.0..=1.0;
        /// Whether the search builds a tree. If not, the simulations are divided equally among the
        /// legal moves.
        fixed tree: bool = true;
        /// How the move is chosen after the last simulation.
        fixed final_move_rule: FinalMoveRule = FinalMoveRule::Visits;
    }
}

/// Evaluates positions with a brain and the buffers it needs.
struct PlayoutEvaluator<'a, G: Game> {
    brain: &'a dyn Brain,
    workspace: &'a mut Workspace<G>,
    value_weight: f32,
}

impl<G: Game> PositionEvaluator<G> for PlayoutEvaluator<'_, G> {
    fn evaluate(&mut self, game: &G, state: &G::State, side: Side) -> f32 {
        self.value_weight * value(game, self.brain, state, side, self.workspace)
    }
}

/// The brain's value of a position for the side that moved there, clamped to −1..1, the range of
/// results.
fn value<G: Game>(
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    side: Side,
    workspace: &mut Workspace<G>,
) -> f32 {
    let key = value_cache::key(brain, game.encoding_key(state, side));
    if let Some(value) = workspace.value_cache.find(key) {
        return value;
    }
    game.encode(state, side, &mut workspace.inputs);
    brain.forward(
        InputBatch::single(&workspace.inputs),
        &mut workspace.scratch,
        &mut workspace.outputs,
    );
    let value = workspace.outputs[0].clamp(-1.0, 1.0);
    workspace.value_cache.store(key, value);
    value
}

impl MonteCarlo {
    /// Runs the search. The statistics of the legal moves are in `workspace.tree`.
    fn search<G: Game>(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) {
        let (game, state, workspace) = (turn.game, turn.state, &mut *turn.workspace);
        let mut tree = std::mem::take(&mut workspace.tree);
        let cancel_token = Arc::clone(&workspace.cancel_token);
        workspace.value_cache.prepare();
        let limits = TreeLimits {
            simulations: self.simulations,
            playout: self.playout,
            quiet: self.quiet,
            extends_once: self.extension == PlayoutExtension::Choices,
            exploration: self.exploration as f32,
            grows: self.tree,
            cancel: cancel_token.as_ref(),
        };
        let mut evaluator = PlayoutEvaluator {
            brain: turn.brain,
            workspace,
            value_weight: self.value_weight as f32,
        };
        tree.search(game, state, limits, &mut evaluator, rng);
        workspace.tree = tree;
    }

    /// The scores of the moves at the root after a search.
    fn root_scores<G: Game>(&self, tree: &SearchTree<G>) -> impl Iterator<Item = f32> {
        let rule = self.final_move_rule;
        let simulations = tree.simulations().max(1) as f32;
        tree.root_statistics().map(move |found| match rule {
            FinalMoveRule::Visits => found.visits as f32 / simulations,
            FinalMoveRule::Value => match found.visits {
                0 => -1.0,
                visits => found.value_sum / visits as f32,
            },
        })
    }
}

impl Agent for MonteCarlo {
    fn is_deterministic(&self) -> bool {
        false
    }

    fn score_unit(&self) -> &'static str {
        match self.final_move_rule {
            FinalMoveRule::Visits => "share of the simulations",
            FinalMoveRule::Value => "mean value of the simulations",
        }
    }

    fn scores_are_values(&self) -> bool {
        matches!(self.final_move_rule, FinalMoveRule::Value)
    }

    fn score_range(&self) -> Option<(f32, f32)> {
        match self.final_move_rule {
            FinalMoveRule::Visits => Some((0.0, 1.0)),
            FinalMoveRule::Value => Some((-1.0, 1.0)),
        }
    }
}

impl<G: Game> AgentFor<G> for MonteCarlo {
    fn choose(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) -> Option<G::Move> {
        self.search(turn, rng);
        let best = argmax(self.root_scores(&turn.workspace.tree));
        turn.list_moves();
        turn.workspace.moves.get(best).copied()
    }

    fn choose_with_scores(
        &self,
        turn: &mut Turn<'_, G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(turn, rng);
        (choice, self.root_scores(&turn.workspace.tree).collect())
    }

    /// Uses a fixed random stream, so that the scores are reproducible.
    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        let mut rng = stream(0, Purpose::Chance, 0, 0);
        self.search(turn, &mut rng);
        self.root_scores(&turn.workspace.tree).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::nim::NimConfig;
    use crate::genomes::Scratch;
    use crate::search::solver::SolvedGame;

    /// Gives every position the value 0.
    struct ZeroBrain;

    impl Brain for ZeroBrain {
        fn forward(&self, batch: InputBatch<'_>, _: &mut Scratch, out: &mut Vec<f32>) {
            out.clear();
            out.resize(batch.ends.len(), 0.0);
        }
    }

    /// How many decisions an agent gets right, and how many there are.
    fn count_correct(agent: &MonteCarlo) -> (u32, u32) {
        let config = NimConfig {
            heaps: vec![3, 2, 1],
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = SolvedGame::new(&game).expect("it is small");
        let (mut workspace, mut rng) = (Workspace::new(&game), stream(1, Purpose::Chance, 0, 0));
        let (mut correct, mut all) = (0, 0);
        for (number, state) in (0..).zip(&solved.graph.states) {
            if solved.graph.result(number).is_some() || !solved.is_decision(number) {
                continue;
            }
            let lost = solved.value_of(number).value < 0;
            let mut turn = Turn::new(&game, &ZeroBrain, state, &mut workspace);
            let chosen = agent.choose(&mut turn, &mut rng);
            let chosen = chosen.expect("it chooses a legal move");
            all += 1;
            // Playouts cannot tell which losing move delays the end the longest.
            correct += u32::from(lost || solved.best_moves(number).any(|best| best == chosen));
        }
        (correct, all)
    }

    #[test]
    fn many_simulations_find_the_winning_moves_and_few_do_not() {
        let agent = |simulations, tree| MonteCarlo {
            simulations,
            playout: 100,
            tree,
            ..MonteCarlo::default()
        };
        let (found, all) = count_correct(&agent(3000, true));
        assert_eq!(found, all);
        let (few, _) = count_correct(&agent(4, true));
        assert!(few < all, "{few} of {all}");
        let (flat, _) = count_correct(&agent(3000, false));
        assert!(
            flat < all,
            "random playouts without a tree are not enough: {flat} of {all}"
        );
    }
}
