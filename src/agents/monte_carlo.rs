//! Monte Carlo tree search with early playout termination: each simulation descends the tree by upper confidence bounds, plays a
//! few random moves, and evaluates the position reached with the brain's single output (Kocsis & Szepesvári 2006; Lorentz 2008;
//! Thien 2018). Simulations are counted, not timed, so that the choice does not depend on the machine.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use rand::RngExt;

use crate::games::{Game, GameShape, Side};
use crate::genomes::{Brain, InputBatch, IoSpec};
use crate::params::{choices, params};
use crate::rng::{Purpose, Stream, stream};

use super::{Agent, EncodedStates, Policy, Workspace, argmax, io_spec_for};

choices! {
    /// How the move is chosen after the last simulation.
    pub enum FinalMoveRule {
        /// The move with the most simulations.
        Visits = "visits",
        /// The move with the highest mean value.
        Value = "value",
    }
}

params! {
    /// Monte Carlo tree search.
    pub struct MonteCarlo {
        /// Simulations before each move.
        fixed simulations: u32 = 300, in 1.0..=1000000.0, "simulations";
        /// Random moves at the end of each simulation, before the network evaluates the position.
        fixed playout: u32 = 1, in 0.0..=1000.0, "moves";
        /// The random moves continue while the player to move has fewer legal moves than this.
        fixed quiet: u32 = 4, in 0.0..=1000.0, "moves";
        /// The exploration constant: the factor of the square root in the upper confidence bound. Higher values try rarely visited moves more often.
        fixed exploration: f64 = 1.4, in 0.0..=1000.0;
        /// The weight of the network's value; the result of a finished game has weight 1. Below 1, a certain win is preferred to a position that the network considers won.
        fixed value_weight: f64 = 0.9, in 0.0..=1.0;
        /// Whether the search builds a tree. If not, the simulations are divided equally among the legal moves.
        fixed tree: bool = true;
        /// How the move is chosen after the last simulation.
        fixed final_move_rule: FinalMoveRule = FinalMoveRule::Visits;
    }
}

/// Most moves by which a playout is extended.
const MAX_EXTRA_PLIES: u32 = 40;

/// Simulations between two checks for cancellation.
const CANCEL_CHECK_INTERVAL: u32 = 64;

/// Most nodes in a tree. A full tree is still searched but no longer expanded.
const MAX_NODES: usize = 1 << 20;

/// Slots of the value cache.
const VALUE_CACHE_SIZE: usize = 1 << 12;

/// The search tree and its buffers, reused so that no move allocates memory.
#[derive(Debug)]
pub struct SearchTree<G: Game> {
    nodes: Vec<TreeNode<G>>,
    moves: Vec<G::Move>,
    /// Terms of the confidence bound for each number of visits, computed once.
    ucb_terms: Vec<UcbTerms>,
    /// Hash of position and brain, epoch, value. Only entries of the current epoch are valid.
    value_cache: Vec<(u64, u32, f32)>,
    cache_epoch: u32,
}

/// The terms of an upper confidence bound that depend on a number of visits.
#[derive(Clone, Copy, Debug)]
struct UcbTerms {
    log: f64,
    /// The square root of the logarithm, for the visits of the parent.
    sqrt_log: f32,
    /// 1 / number, for the visits of the child.
    inverse: f32,
    inverse_sqrt: f32,
}

impl UcbTerms {
    fn new(number: usize, log: f64) -> Self {
        let number = number as f64;
        Self {
            log,
            sqrt_log: log.sqrt() as f32,
            inverse: (1.0 / number) as f32,
            inverse_sqrt: (1.0 / number.sqrt()) as f32,
        }
    }
}

impl<G: Game> Default for SearchTree<G> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            moves: Vec::new(),
            ucb_terms: Vec::new(),
            value_cache: Vec::new(),
            cache_epoch: 1,
        }
    }
}

#[derive(Debug)]
struct TreeNode<G: Game> {
    state: G::State,
    /// The side that moved here. All values are from its point of view.
    mover: Side,
    parent: u32,
    /// The index of the first child; valid if there are children.
    first_child: u32,
    child_count: u32,
    visits: u32,
    value_sum: f32,
}

impl<G: Game> SearchTree<G> {
    /// Invalidates all cached values, since the brains may have changed.
    pub(super) fn clear_cache(&mut self) {
        self.cache_epoch += 1;
    }

    /// Clears the tree and makes a position its root.
    fn reset(&mut self, game: &G, state: &G::State, simulations: u32) {
        self.nodes.clear();
        self.nodes.push(TreeNode {
            state: state.clone(),
            mover: game.to_move(state).opponent(),
            parent: 0,
            first_child: 0,
            child_count: 0,
            visits: 0,
            value_sum: 0.0,
        });
        self.value_cache.resize(VALUE_CACHE_SIZE, (0, 0, 0.0));
        if self.ucb_terms.is_empty() {
            self.ucb_terms.resize(2, UcbTerms::new(1, 0.0));
        }
        // ln n = ln (n - 1) + 2 artanh (1 / (2n - 1)): the same bits on every machine.
        while self.ucb_terms.len() <= simulations as usize + 1 {
            let n = self.ucb_terms.len();
            let z = 1.0 / (2 * n - 1) as f64;
            let square = z * z;
            let series =
                1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0)));
            let before = self.ucb_terms[n - 1].log;
            self.ucb_terms
                .push(UcbTerms::new(n, before + 2.0 * z * series));
        }
    }

    /// Adds the children of a node; none if the game is over.
    fn expand(&mut self, game: &G, index: usize) {
        self.moves.clear();
        game.moves(&self.nodes[index].state, &mut self.moves);
        let mover = game.to_move(&self.nodes[index].state);
        let first_child = self.nodes.len() as u32;
        for &action in &self.moves {
            let mut state = self.nodes[index].state.clone();
            game.play(&mut state, action);
            self.nodes.push(TreeNode {
                state,
                mover,
                parent: index as u32,
                first_child: 0,
                child_count: 0,
                visits: 0,
                value_sum: 0.0,
            });
        }
        (self.nodes[index].first_child, self.nodes[index].child_count) =
            (first_child, self.moves.len() as u32);
    }

    /// The child with the highest upper confidence bound. Unvisited children come first.
    fn select_child(&self, index: usize, exploration: f32) -> usize {
        let node = &self.nodes[index];
        let sqrt_log = exploration * self.ucb_terms[node.visits as usize].sqrt_log;
        let first_child = node.first_child as usize;
        let mut best = (first_child, f32::NEG_INFINITY);
        for (child, own) in
            (first_child..).zip(&self.nodes[first_child..first_child + node.child_count as usize])
        {
            if own.visits == 0 {
                return child;
            }
            let ucb_terms = &self.ucb_terms[own.visits as usize];
            let bound = own.value_sum * ucb_terms.inverse + sqrt_log * ucb_terms.inverse_sqrt;
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }

    /// Adds a value, seen by the side that moved to the node, to the node and all its ancestors.
    fn backpropagate(&mut self, mut index: usize, value: f32) {
        let side = self.nodes[index].mover;
        loop {
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.value_sum += if node.mover == side { value } else { -value };
            if index == 0 {
                break;
            }
            index = node.parent as usize;
        }
    }
}

impl MonteCarlo {
    /// Runs the search. The statistics of the legal moves, in move order, are in the children of the root.
    fn search<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        rng: &mut Stream,
    ) {
        let mut tree = std::mem::take(&mut workspace.tree);
        tree.reset(game, state, self.simulations);
        tree.expand(game, 0);
        let moves = tree.nodes[0].child_count;
        // A forced move needs only one simulation.
        let simulations = if moves > 1 { self.simulations } else { moves };
        let exploration = self.exploration as f32;
        for simulation in 0..simulations {
            if simulation % CANCEL_CHECK_INTERVAL == CANCEL_CHECK_INTERVAL - 1
                && workspace.cancel_token.is_canceled()
            {
                break;
            }
            let mut index = if self.tree {
                tree.select_child(0, exploration)
            } else {
                (1 + simulation % moves) as usize
            };
            while self.tree && tree.nodes[index].visits > 0 {
                if tree.nodes[index].child_count == 0 && tree.nodes.len() < MAX_NODES {
                    tree.expand(game, index);
                }
                if tree.nodes[index].child_count == 0 {
                    break;
                }
                index = tree.select_child(index, exploration);
            }
            let value = self.simulate(game, brain, &mut tree, index, workspace, rng);
            tree.backpropagate(index, value);
        }
        workspace.tree = tree;
    }

    /// The value of a random playout from a node, for the side that moved to the node.
    fn simulate<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        tree: &mut SearchTree<G>,
        index: usize,
        workspace: &mut Workspace<G>,
        rng: &mut Stream,
    ) -> f32 {
        let side = tree.nodes[index].mover;
        let (mut state, mut last) = (tree.nodes[index].state.clone(), side);
        let (mut plies_left, mut extra_plies_left) = (self.playout, MAX_EXTRA_PLIES);
        loop {
            tree.moves.clear();
            game.moves(&state, &mut tree.moves);
            if tree.moves.is_empty() {
                let outcome = game.outcome(&state);
                return outcome.map_or(0.0, |outcome| outcome.result_for(side).into());
            }
            if extra_plies_left > 0 && (tree.moves.len() as u32) < self.quiet {
                extra_plies_left -= 1;
            } else if plies_left > 0 {
                plies_left -= 1;
            } else {
                break;
            }
            let action = tree.moves[rng.random_range(0..tree.moves.len())];
            last = game.to_move(&state);
            game.play(&mut state, action);
        }
        let value = self.value_weight as f32 * tree.value(game, brain, &state, last, workspace);
        if last == side { value } else { -value }
    }
}

impl<G: Game> SearchTree<G> {
    /// The brain's value of a position for the side that moved there, clamped to −1..1, the range of results.
    fn value(
        &mut self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        side: Side,
        workspace: &mut Workspace<G>,
    ) -> f32 {
        // The address identifies a brain: brains do not move in memory during a game.
        let brain_id = std::ptr::from_ref(brain).addr();
        let key = FixedState::default().hash_one((state, side, brain_id));
        let slot = key as usize % VALUE_CACHE_SIZE;
        let (cached_key, epoch, value) = self.value_cache[slot];
        if epoch == self.cache_epoch && cached_key == key {
            return value;
        }
        game.encode(state, side, &mut workspace.inputs);
        brain.forward(
            InputBatch::single(&workspace.inputs),
            &mut workspace.scratch,
            &mut workspace.outputs,
        );
        let value = workspace.outputs[0].clamp(-1.0, 1.0);
        self.value_cache[slot] = (key, self.cache_epoch, value);
        value
    }
}

impl Agent for MonteCarlo {
    fn io_spec(&self, shape: &GameShape) -> Result<IoSpec, String> {
        Ok(io_spec_for(shape, 1))
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        self.search(game, brain, state, workspace, rng);
        let best = argmax(self.root_scores(&workspace.tree));
        workspace.moves.clear();
        game.moves(state, &mut workspace.moves);
        workspace.moves.get(best).copied()
    }

    fn choose_with_scores<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(game, brain, state, workspace, rng);
        (choice, self.root_scores(&workspace.tree).collect())
    }

    /// Uses a fixed random stream, so that the scores are reproducible.
    fn action_scores<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        workspace: &mut Workspace<G>,
    ) -> Vec<f32> {
        let mut rng = stream(0, Purpose::Chance, 0, 0);
        self.search(game, brain, state, workspace, &mut rng);
        self.root_scores(&workspace.tree).collect()
    }

    fn score_unit(&self) -> &'static str {
        match self.final_move_rule {
            FinalMoveRule::Visits => "share of the simulations",
            FinalMoveRule::Value => "mean value of the simulations",
        }
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        Policy::from_choices(graph, |number| {
            let mut rng = stream(0, Purpose::Chance, 0, number.into());
            let state = &graph.states[number as usize];
            self.choose(game, brain, state, workspace, &mut rng)
        })
    }
}

impl MonteCarlo {
    /// The scores of the moves at the root after a search.
    fn root_scores<'a, G: Game>(
        &self,
        tree: &'a SearchTree<G>,
    ) -> impl Iterator<Item = f32> + use<'a, G> {
        let root = &tree.nodes[0];
        let final_move_rule = self.final_move_rule;
        let simulations = root.visits.max(1) as f32;
        let children = root.first_child as usize..(root.first_child + root.child_count) as usize;
        tree.nodes[children]
            .iter()
            .map(move |child| match final_move_rule {
                FinalMoveRule::Visits => child.visits as f32 / simulations,
                FinalMoveRule::Value => match child.visits {
                    0 => -1.0,
                    visits => child.value_sum / visits as f32,
                },
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::Rules;
    use crate::games::nim::NimConfig;
    use crate::games::solver::SolvedGame;
    use crate::genomes::Scratch;

    /// Gives every position the value 0.
    struct ZeroBrain;

    impl Brain for ZeroBrain {
        fn forward(&self, batch: InputBatch<'_>, _: &mut Scratch, out: &mut Vec<f32>) {
            out.clear();
            out.resize(batch.ends.len(), 0.0);
        }
    }

    #[test]
    fn logarithms_are_accurate() {
        let mut tree = SearchTree::default();
        let game = NimConfig::default().build();
        tree.reset(&game, &game.standard_start(), 2000);
        for n in 1..=2001 {
            let error = (tree.ucb_terms[n].log - (n as f64).ln()).abs();
            assert!(error < 1e-4, "{n}");
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
            let chosen = agent.choose(&game, &ZeroBrain, state, &mut workspace, &mut rng);
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
