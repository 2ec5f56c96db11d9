//! Monte Carlo tree search with early playout termination: each simulation descends the tree by
//! upper confidence bounds, plays a few random moves, and evaluates the position reached (Kocsis &
//! Szepesvári 2006; Lorentz 2008). Simulations are counted, not timed, so that the choice does not
//! depend on the machine.

use rand::RngExt;

use crate::games::{Game, Side};
use crate::rng::Stream;

use super::CancelToken;
use super::bound_terms::BoundTerms;

/// Most moves by which a playout is extended.
const MAX_EXTRA_PLIES: u32 = 40;

/// Simulations between two checks for cancellation.
const CANCEL_CHECK_INTERVAL: u32 = 64;

/// Most nodes in a tree. A full tree is still searched but no longer expanded.
const MAX_NODES: usize = 1 << 20;

/// Evaluates the positions at the end of simulations.
pub trait PositionEvaluator<G: Game> {
    /// The value of a position to a side, from −1 to 1.
    fn evaluate(&mut self, game: &G, state: &G::State, side: Side) -> f32;
}

/// The extent of a tree search.
#[derive(Clone, Copy)]
pub struct TreeLimits<'a> {
    /// Simulations in all. A forced move gets only one.
    pub simulations: u32,
    /// Random moves at the end of each simulation, before the position is evaluated.
    pub playout: u32,
    /// Positions with fewer legal moves than this extend the random moves.
    pub quiet: u32,
    /// Whether they extend them once, at their end, by the number of legal moves; otherwise as long
    /// as such positions follow.
    pub extends_once: bool,
    /// The factor of the square root in the upper confidence bound.
    pub exploration: f32,
    /// Whether nodes below the root are expanded. If not, the simulations are divided equally among
    /// the legal moves.
    pub grows: bool,
    /// Checked regularly. After cancellation the simulations so far count.
    pub cancel: &'a dyn CancelToken,
}

/// The simulations of a move and the sum of their values to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStatistics {
    /// The number of simulations that began with the move.
    pub visits: u32,
    /// The sum of their values, each from −1 to 1.
    pub value_sum: f32,
}

/// The search tree and its buffers, reused so that no move allocates memory.
#[derive(Debug)]
pub struct SearchTree<G: Game> {
    nodes: Vec<TreeNode<G::Move>>,
    /// The positions of the nodes that have been simulated, and of the root.
    states: Vec<G::State>,
    bound_terms: BoundTerms,
    moves: Vec<G::Move>,
    /// Terms of the confidence bound for each number of visits, computed once.
    ucb_terms: Vec<UcbTerms>,
}

impl<G: Game> Default for SearchTree<G> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            states: Vec::new(),
            bound_terms: BoundTerms::default(),
            moves: Vec::new(),
            ucb_terms: Vec::new(),
        }
    }
}

/// A position in the tree. Its state is made when it is simulated first: most children never are.
#[derive(Clone, Copy, Debug)]
struct TreeNode<M> {
    visits: u32,
    value_sum: f32,
    /// The side that moved here. All values are from its point of view.
    mover: Side,
    /// The move that leads here; `None` for the root.
    action: Option<M>,
    parent: u32,
    /// The index of the first child; valid if there are children.
    first_child: u32,
    child_count: u32,
    /// The slot of the terms of its confidence bound; valid unless it is the root.
    slot: u32,
    /// The slot of the first child; valid if there are children.
    first_slot: u32,
    /// The index of the position; valid if the node has visits or is the root.
    state: u32,
}

impl<M> TreeNode<M> {
    fn new(mover: Side) -> Self {
        Self {
            visits: 0,
            value_sum: 0.0,
            mover,
            action: None,
            parent: 0,
            first_child: 0,
            child_count: 0,
            slot: 0,
            first_slot: 0,
            state: 0,
        }
    }
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

impl<G: Game> SearchTree<G> {
    /// Searches a position. The evaluator's values and the results of finished games are averaged.
    pub fn search(
        &mut self,
        game: &G,
        state: &G::State,
        limits: TreeLimits<'_>,
        evaluator: &mut dyn PositionEvaluator<G>,
        rng: &mut Stream,
    ) {
        self.reset(game, state, limits.simulations);
        self.expand(game, 0);
        let moves = self.nodes[0].child_count;
        // A forced move needs only one simulation.
        let simulations = if moves > 1 { limits.simulations } else { moves };
        for simulation in 0..simulations {
            if simulation % CANCEL_CHECK_INTERVAL == CANCEL_CHECK_INTERVAL - 1
                && limits.cancel.is_canceled()
            {
                break;
            }
            let index = if limits.grows {
                self.descend(game, limits.exploration)
            } else {
                (1 + simulation % moves) as usize
            };
            let value = self.simulate(game, index, limits, evaluator, rng);
            self.backpropagate(index, value);
        }
    }

    /// The number of simulations of the latest search.
    pub fn simulations(&self) -> u32 {
        self.nodes[0].visits
    }

    /// The statistics of the legal moves in the position searched last, in move order.
    pub fn root_statistics(&self) -> impl Iterator<Item = MoveStatistics> {
        let root = &self.nodes[0];
        let children = root.first_child as usize..(root.first_child + root.child_count) as usize;
        self.nodes[children].iter().map(|child| MoveStatistics {
            visits: child.visits,
            value_sum: child.value_sum,
        })
    }

    /// The node from which the next simulation is played: a new one, the end of a game, or a leaf
    /// of a full tree.
    fn descend(&mut self, game: &G, exploration: f32) -> usize {
        let mut index = self.select_child(0, exploration);
        while self.nodes[index].visits > 0 {
            if self.nodes[index].child_count == 0 && self.nodes.len() < MAX_NODES {
                self.expand(game, index);
            }
            if self.nodes[index].child_count == 0 {
                break;
            }
            index = self.select_child(index, exploration);
        }
        index
    }

    /// The position of a node whose parent has one. It is made at the first call.
    fn state(&mut self, game: &G, index: usize) -> &G::State {
        let node = self.nodes[index];
        if let (0, Some(action)) = (node.visits, node.action) {
            let parent = self.nodes[node.parent as usize].state;
            let mut state = self.states[parent as usize].clone();
            game.play(&mut state, action);
            self.nodes[index].state = self.states.len() as u32;
            self.states.push(state);
        }
        &self.states[self.nodes[index].state as usize]
    }

    /// The value of a random playout from a node, for the side that moved to the node.
    fn simulate(
        &mut self,
        game: &G,
        index: usize,
        limits: TreeLimits<'_>,
        evaluator: &mut dyn PositionEvaluator<G>,
        rng: &mut Stream,
    ) -> f32 {
        let side = self.nodes[index].mover;
        let (mut state, mut last) = (self.state(game, index).clone(), side);
        let mut plies_left = limits.playout;
        let mut extra_plies_left = if limits.extends_once {
            0
        } else {
            MAX_EXTRA_PLIES
        };
        let mut may_extend = limits.extends_once;
        loop {
            // Most playouts end here: a count suffices.
            if plies_left == 0 {
                let choices = game.count_moves(&state) as u32;
                if choices >= limits.quiet.max(1) {
                    break;
                }
                if std::mem::take(&mut may_extend) {
                    plies_left = choices;
                }
            }
            self.moves.clear();
            game.moves(&state, &mut self.moves);
            if self.moves.is_empty() {
                let outcome = game.outcome(&state);
                return outcome.map_or(0.0, |outcome| outcome.result_for(side).into());
            }
            if extra_plies_left > 0 && (self.moves.len() as u32) < limits.quiet {
                extra_plies_left -= 1;
            } else if plies_left > 0 {
                plies_left -= 1;
            } else {
                break;
            }
            let action = self.moves[rng.random_range(0..self.moves.len())];
            last = game.to_move(&state);
            game.play(&mut state, action);
        }
        let value = evaluator.evaluate(game, &state, last);
        if last == side { value } else { -value }
    }

    /// Clears the tree and makes a position its root.
    fn reset(&mut self, game: &G, state: &G::State, simulations: u32) {
        self.nodes.clear();
        self.states.clear();
        self.bound_terms.clear();
        let mover = game.to_move(state).opponent();
        self.nodes.push(TreeNode::new(mover));
        self.states.push(state.clone());
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
        let state = &self.states[self.nodes[index].state as usize];
        self.moves.clear();
        game.moves(state, &mut self.moves);
        let mover = game.to_move(state);
        let first_child = self.nodes.len() as u32;
        let first_slot = self.bound_terms.add_siblings(self.moves.len()) as u32;
        let children = self.moves.iter().zip(first_slot..);
        self.nodes.extend(children.map(|(&action, slot)| TreeNode {
            action: Some(action),
            parent: index as u32,
            slot,
            ..TreeNode::new(mover)
        }));
        let node = &mut self.nodes[index];
        (node.first_child, node.child_count) = (first_child, self.moves.len() as u32);
        node.first_slot = first_slot;
    }

    /// The child with the highest upper confidence bound. Unvisited children come first.
    fn select_child(&self, index: usize, exploration: f32) -> usize {
        let node = &self.nodes[index];
        let sqrt_log = exploration * self.ucb_terms[node.visits as usize].sqrt_log;
        let first_slot = node.first_slot as usize;
        let slots = first_slot..first_slot + node.child_count as usize;
        node.first_child as usize + self.bound_terms.highest(slots, sqrt_log)
    }

    /// Adds a value, seen by the side that moved to the node, to the node and all its ancestors.
    fn backpropagate(&mut self, mut index: usize, value: f32) {
        let side = self.nodes[index].mover;
        loop {
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.value_sum += if node.mover == side { value } else { -value };
            let terms = &self.ucb_terms[node.visits as usize];
            if index == 0 {
                break;
            }
            let mean = node.value_sum * terms.inverse;
            self.bound_terms
                .set(node.slot as usize, mean, terms.inverse_sqrt);
            index = node.parent as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::DraughtsConfig;
    use crate::games::nim::NimConfig;
    use crate::games::{GameParams, Notation, Rules};
    use crate::rng::{Purpose, stream};
    use crate::search::NeverCancel;

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

    #[test]
    fn each_simulated_node_has_the_position_to_which_its_moves_lead() {
        let game = DraughtsConfig::default().build();
        let start = game.standard_start();
        let limits = TreeLimits {
            simulations: 400,
            playout: 1,
            extends_once: false,
            quiet: 4,
            exploration: 1.4,
            grows: true,
            cancel: &NeverCancel,
        };
        let mut tree = SearchTree::default();
        let mut rng = stream(1, Purpose::Chance, 0, 0);
        tree.search(&game, &start, limits, &mut Material, &mut rng);
        let visited = |node: &&TreeNode<_>| node.visits > 0 && node.action.is_some();
        for node in tree.nodes.iter().filter(visited) {
            let parent = tree.nodes[node.parent as usize];
            let mut state = tree.states[parent.state as usize];
            assert_eq!(game.to_move(&state), node.mover);
            game.play(&mut state, node.action.expect("it is not the root"));
            assert_eq!(tree.states[node.state as usize], state);
        }
        assert_eq!(tree.simulations(), 400);
        assert!(
            tree.states.len() <= 401,
            "only simulated nodes have positions"
        );
    }

    /// The position that a playout reaches from two kings in their corners, each with one move.
    fn end_of_playout(extends_once: bool) -> String {
        let game = DraughtsConfig::default().build();
        let start = game.parse_position("B:WK29:BK4").expect("it is valid");
        let limits = TreeLimits {
            simulations: 1,
            playout: 1,
            extends_once,
            quiet: 4,
            exploration: 1.4,
            grows: true,
            cancel: &NeverCancel,
        };
        let (mut tree, mut end) = (SearchTree::default(), RecordsEnd::default());
        tree.reset(&game, &start, 1);
        let mut rng = stream(1, Purpose::Chance, 0, 0);
        tree.simulate(&game, 0, limits, &mut end, &mut rng);
        end.0
    }

    #[test]
    fn a_playout_with_few_choices_at_its_end_is_extended_by_their_number() {
        assert_eq!(end_of_playout(true), "B:WK25:BK8");
        assert_ne!(end_of_playout(false), "B:WK25:BK8");
    }

    /// Notes the position that it evaluates.
    #[derive(Default)]
    struct RecordsEnd(String);

    impl<G: Game> PositionEvaluator<G> for RecordsEnd {
        fn evaluate(&mut self, game: &G, state: &G::State, _side: Side) -> f32 {
            self.0 = game.position_text(state);
            0.0
        }
    }

    /// Evaluates a position by its pieces.
    struct Material;

    impl<G: Game> PositionEvaluator<G> for Material {
        fn evaluate(&mut self, game: &G, state: &G::State, side: Side) -> f32 {
            0.1 * game.evaluate(0, state, side).clamp(-9.0, 9.0)
        }
    }
}
