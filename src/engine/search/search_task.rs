//! What all nodes of an alpha-beta search share, and what a move leads to.

use crate::games::{Game, Side};

use super::endgame::final_value;
use super::{MoveEvaluator, SearchLimits};

/// The maximal number of moves that quiescence search adds to the depth.
const MAX_QUIESCENCE: usize = 40;

/// The state shared by all nodes of a search.
pub(super) struct SearchTask<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a mut dyn MoveEvaluator<G>,
    pub(super) limits: SearchLimits<'a>,
    /// Positions searched so far.
    pub(super) nodes: u64,
    pub(super) is_stopped: bool,
    /// The settled margin of the first player at the root, if points are counted.
    pub(super) margin: Option<i32>,
    /// Whether some line ended before the end of the game since this was last reset.
    pub(super) is_cut_off: bool,
}

impl<G: Game> SearchTask<'_, G> {
    /// Counts a position and checks the limits.
    pub(super) fn count(&mut self) {
        const CANCEL_CHECK_INTERVAL: u64 = 64;
        self.nodes += 1;
        let over = self.limits.max_nodes.is_some_and(|most| self.nodes > most);
        let is_check_due = self.nodes.is_multiple_of(CANCEL_CHECK_INTERVAL);
        self.is_stopped |= over || (is_check_due && self.limits.cancel.is_canceled());
    }

    /// Plays a move and decides how its value is found.
    pub(super) fn successor(
        &mut self,
        node: &SearchNode<'_, G>,
        action: G::Move,
    ) -> Successor<G::State> {
        let game = self.game;
        let mut after = node.state.clone();
        game.play(&mut after, action);
        if let Some(value) = final_value(game, &after, game.to_move(node.state), node.ply) {
            return Successor::Final(value);
        }
        if node.depth > 1 || self.is_extended(node, &after) {
            Successor::Inner(after)
        } else {
            self.is_cut_off = true;
            Successor::Leaf
        }
    }

    /// Puts the points won since the root before the evaluations of the positions after some moves:
    /// evaluations are reduced to less than half a point, in their order. Networks that evolved to
    /// choose among moves need not know what a point is worth.
    pub(super) fn count_points(&self, state: &G::State, moves: &[G::Move], values: &mut [f32]) {
        let Some(margin) = self.margin else { return };
        let side = self.game.to_move(state);
        let before = if side == Side::First { margin } else { -margin };
        for (&action, value) in moves.iter().zip(values) {
            let mut after = state.clone();
            self.game.play(&mut after, action);
            let now = self.game.settled_margin(&after, side);
            let won = now.map_or(0, |now| now - before);
            *value = won as f32 + 0.5 * *value / (1.0 + value.abs());
        }
    }

    /// Whether a line is searched beyond the depth.
    pub(super) fn is_extended(&self, node: &SearchNode<'_, G>, after: &G::State) -> bool {
        let most = usize::from(self.limits.depth) + MAX_QUIESCENCE;
        let is_unquiet = self.limits.quiescence && node.ply < most && !self.game.is_quiet(after);
        is_unquiet || (self.limits.whole_turns && self.moves_again(node, after))
    }

    /// Whether the player of a node is to move again.
    pub(super) fn moves_again(&self, node: &SearchNode<'_, G>, after: &G::State) -> bool {
        self.game.to_move(after) == self.game.to_move(node.state)
    }
}

/// What a move leads to.
pub(super) enum Successor<S> {
    /// The end of the game, with its value to the mover.
    Final(f32),
    /// A position for the evaluator.
    Leaf,
    /// A position to be searched further.
    Inner(S),
}

/// A position with its remaining depth, its distance from the root and the alpha-beta window.
pub(super) struct SearchNode<'a, G: Game> {
    pub(super) state: &'a G::State,
    pub(super) depth: u8,
    pub(super) ply: usize,
    pub(super) window: (f32, f32),
}

impl<G: Game> SearchNode<'_, G> {
    /// The same node with alpha raised to `best`.
    pub(super) fn above(&self, best: f32) -> Self {
        Self {
            window: (self.window.0.max(best), self.window.1),
            ..*self
        }
    }
}
