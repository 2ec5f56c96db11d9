//! Alpha-beta search: negamax with alpha-beta pruning (Knuth & Moore 1975), iterative deepening
//! (Slate & Atkin 1977), a transposition table and quiescence search.

use std::cmp;
use std::mem::take;

use crate::games::{Game, Side};

use super::endgame;
use super::search_task::{SearchNode, SearchTask, Successor};
use super::transposition_table::{self, SearchResult, TableEntry, TranspositionTable};
use super::{MoveEvaluator, SearchLimits, ValueMode, prob_cut};

/// The minimal value of a won game, above any evaluation; a lost game has at most its negative.
pub const WIN_VALUE: f32 = 1e9;

/// Buffers per ply and a transposition table, reused so that no position needs an allocation.
#[derive(Debug)]
pub struct AlphaBetaSearch<G: Game> {
    levels: Vec<PlyBuffers<G>>,
    /// The indices of the root moves in search order, and their values at the current depth.
    order: Vec<usize>,
    found: Vec<f32>,
    table: TranspositionTable,
}

impl<G: Game> Default for AlphaBetaSearch<G> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            order: Vec::new(),
            found: Vec::new(),
            table: TranspositionTable::default(),
        }
    }
}

#[derive(Debug)]
struct PlyBuffers<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<f32>,
    order: Vec<(f32, G::Move)>,
    /// The latest move that caused a beta cutoff at this distance from the root, which often does
    /// so in the next position too.
    killer: Option<G::Move>,
}

impl<G: Game> Default for PlyBuffers<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            values: Vec::new(),
            order: Vec::new(),
            killer: None,
        }
    }
}

impl<G: Game> PlyBuffers<G> {
    /// Sorts the moves by their evaluation, best first. Ties are broken by the order of moves, so
    /// that the result does not depend on the sorting algorithm.
    fn sort(&mut self, task: &mut SearchTask<'_, G>, state: &G::State) {
        if self.order.len() < 2 {
            return;
        }
        let evaluator = &mut *task.evaluator;
        evaluator.evaluate_moves(task.game, state, &self.moves, &mut self.values);
        let mut evaluated = self.moves.iter().zip(&self.values);
        for (value, action) in &mut self.order {
            let own = evaluated.find(|(other, _)| *other == action);
            *value = own.map_or(f32::NEG_INFINITY, |(_, &value)| value);
        }
        self.order.sort_unstable_by(|one, other| {
            let by_value = other.0.partial_cmp(&one.0).unwrap_or(cmp::Ordering::Equal);
            by_value.then(one.1.cmp(&other.1))
        });
    }
}

/// Sorts moves by the value found for each, best first; equals keep their order.
fn sort_by_value(order: &mut [usize], found: &[f32]) {
    order.sort_by(|&one, &other| found[other].total_cmp(&found[one]));
}

impl<G: Game> AlphaBetaSearch<G> {
    /// Fills `out` with the value of each of the legal moves `moves` to the mover and returns the
    /// depth reached. At depth 1 these are the evaluator's values. Deeper, a won game has about
    /// [`WIN_VALUE`] and a lost one the negative; early wins and late losses are slightly better.
    ///
    /// Iterative deepening tries the best moves of the last depth first, which saves more time than
    /// it costs.
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        (mut limits, mode): (SearchLimits<'_>, ValueMode),
        evaluator: &mut dyn MoveEvaluator<G>,
        out: &mut Vec<f32>,
    ) -> u8 {
        evaluator.evaluate_moves(game, state, moves, out);
        let is_forced = moves.len() == 1 && mode == ValueMode::Best;
        if is_forced {
            return 1;
        }
        if let Some(left) = endgame::moves_to_end(game, state, limits) {
            if let Some(values) = endgame::solved_values(game, state, moves, (limits, mode)) {
                *out = values;
                return left as u8;
            }
            limits.depth = u8::MAX;
        }
        // Otherwise depth 1 would repeat the evaluation.
        let extends = limits.quiescence || limits.whole_turns;
        let first = if extends { 1 } else { 2 };
        if limits.depth < first {
            return 1;
        }
        self.table.start_search(limits.depth);
        // Results must not depend on earlier searches.
        for level in &mut self.levels {
            level.killer = None;
        }
        let mut task = SearchTask {
            game,
            evaluator,
            limits,
            nodes: 0,
            is_stopped: false,
            margin: limits
                .whole_turns
                .then(|| game.settled_margin(state, Side::First))
                .flatten(),
            is_cut_off: false,
        };
        task.count_points(state, moves, out);
        let (mut order, mut found) = (take(&mut self.order), take(&mut self.found));
        order.clear();
        order.extend(0..moves.len());
        found.clone_from(out);
        let mut reached = 1;
        for depth in first..=limits.depth {
            sort_by_value(&mut order, &found);
            task.is_cut_off = false;
            let mut best = f32::NEG_INFINITY;
            for &index in &order {
                let mut searched = |search: &mut Self, window| {
                    let root = SearchNode {
                        state,
                        depth,
                        ply: 0,
                        window,
                    };
                    match search.search_move(&mut task, &root, moves[index]) {
                        MoveValue::Searched(value) => value,
                        MoveValue::Leaf => out[index],
                    }
                };
                found[index] = match mode {
                    ValueMode::All => searched(self, (f32::NEG_INFINITY, f32::INFINITY)),
                    ValueMode::Best => probe((best.next_down(), f32::INFINITY), |window| {
                        searched(self, window)
                    }),
                };
                best = best.max(found[index]);
            }
            if task.is_stopped {
                break;
            }
            out.clone_from(&found);
            reached = depth;
            if !task.is_cut_off {
                // All lines ended with the game: deeper searches would find the same.
                reached = limits.depth;
                break;
            }
        }
        (self.order, self.found) = (order, found);
        reached
    }

    /// The value of a move to the mover; [`MoveValue::Leaf`] if the evaluator must supply it.
    fn search_move(
        &mut self,
        task: &mut SearchTask<'_, G>,
        node: &SearchNode<'_, G>,
        action: G::Move,
    ) -> MoveValue {
        match task.successor(node, action) {
            Successor::Final(value) => MoveValue::Searched(value),
            Successor::Leaf => MoveValue::Leaf,
            Successor::Inner(after) => {
                MoveValue::Searched(self.search_successor(task, node, &after))
            }
        }
    }

    /// The value to the mover of the position after a move, which is searched further.
    fn search_successor(
        &mut self,
        task: &mut SearchTask<'_, G>,
        node: &SearchNode<'_, G>,
        after: &G::State,
    ) -> f32 {
        let (alpha, beta) = node.window;
        let is_same_side = task.moves_again(node, after);
        let is_free = is_same_side && task.limits.whole_turns;
        let below = SearchNode {
            state: after,
            depth: node.depth.saturating_sub(u8::from(!is_free)),
            ply: node.ply + 1,
            window: if is_same_side {
                (alpha, beta)
            } else {
                (-beta, -alpha)
            },
        };
        let value = self.search_node(task, &below);
        if is_same_side { value } else { -value }
    }

    /// The value of a position to the player to move, exact within the window.
    fn search_node(&mut self, task: &mut SearchTask<'_, G>, node: &SearchNode<'_, G>) -> f32 {
        task.count();
        if task.is_stopped {
            return 0.0;
        }
        let key = transposition_table::key(node.state, node.ply);
        let known = self.table.find(key);
        if let Some((value, is_cut_off)) =
            known.and_then(|known| known.cutoff(node.depth, node.window))
        {
            task.is_cut_off |= is_cut_off;
            return value;
        }
        let was_cut_off = take(&mut task.is_cut_off);
        if self.levels.len() <= node.ply {
            self.levels.resize_with(node.ply + 1, PlyBuffers::default);
        }
        if let Some(value) = self.prob_cut(task, node) {
            task.is_cut_off = true;
            return value;
        }
        let mut level = take(&mut self.levels[node.ply]);
        level.moves.clear();
        task.game.moves(node.state, &mut level.moves);
        let (value, best) = if node.depth <= 1 {
            (self.leaves(task, node, &mut level), None)
        } else {
            self.branches(task, node, known, &mut level)
        };
        if !task.is_stopped {
            let best = best.and_then(|best| level.moves.iter().position(|&action| action == best));
            let result = SearchResult {
                value,
                best,
                is_cut_off: task.is_cut_off,
            };
            self.table.store(key, node.depth, node.window, result);
        }
        task.is_cut_off |= was_cut_off;
        self.levels[node.ply] = level;
        value
    }

    /// A bound of the value, if a shallower search predicts that the value lies clearly beyond the
    /// window. The evaluation of the moves says which side of the window to try.
    fn prob_cut(&mut self, task: &mut SearchTask<'_, G>, node: &SearchNode<'_, G>) -> Option<f32> {
        let (prob_cut, deviations) = task.limits.prob_cut?;
        let (alpha, beta) = node.window;
        let steps = (node.depth + 1) / 4;
        let is_scout = alpha.next_up() >= beta && alpha.abs() < 0.5 * WIN_VALUE;
        if steps == 0 || !is_scout {
            return None;
        }
        let PlyBuffers { moves, values, .. } = &mut self.levels[node.ply];
        moves.clear();
        task.game.moves(node.state, moves);
        task.evaluator
            .evaluate_moves(task.game, node.state, moves, values);
        let is_high = values.iter().any(|&value| value >= beta);
        let (bound, deviations) = if is_high {
            (beta, deviations)
        } else {
            (alpha, -deviations)
        };
        let left = task.game.moves_left(node.state);
        let asked = prob_cut.shallow_bound(left, steps, (bound, deviations));
        let shallow = SearchNode {
            depth: node.depth - steps * prob_cut::STEP,
            window: if is_high {
                (asked.next_down(), asked)
            } else {
                (asked, asked.next_up())
            },
            ..*node
        };
        let value = self.search_node(task, &shallow);
        let is_beyond = if is_high {
            value >= asked
        } else {
            value <= asked
        };
        (is_beyond && !task.is_stopped).then_some(bound)
    }

    /// Searches the moves until a beta cutoff: first the best move of the table, then one that cut
    /// off a similar position (killer move, Akl & Newborn 1977), then the others by their
    /// evaluation.
    fn branches(
        &mut self,
        task: &mut SearchTask<'_, G>,
        node: &SearchNode<'_, G>,
        known: Option<TableEntry>,
        level: &mut PlyBuffers<G>,
    ) -> (f32, Option<G::Move>) {
        let hint = known.and_then(|known| known.best_of(&level.moves));
        let is_legal = |action: &G::Move| level.moves.binary_search(action).is_ok();
        let killer = level
            .killer
            .filter(|action| Some(*action) != hint && is_legal(action));
        let mut best = (f32::NEG_INFINITY, None);
        for action in [hint, killer].into_iter().flatten() {
            self.branch(task, node, action, &mut best);
            if best.0 >= node.window.1 {
                level.killer = best.1;
                return best;
            }
        }
        let others = level.moves.iter().copied();
        level.order.clear();
        level.order.extend(
            others
                .filter(|&action| Some(action) != hint && Some(action) != killer)
                .map(|action| (0.0, action)),
        );
        level.sort(task, node.state);
        for index in 0..level.order.len() {
            self.branch(task, node, level.order[index].1, &mut best);
            if best.0 >= node.window.1 {
                level.killer = best.1;
                break;
            }
        }
        best
    }

    /// Searches a move and updates the best.
    fn branch(
        &mut self,
        task: &mut SearchTask<'_, G>,
        node: &SearchNode<'_, G>,
        action: G::Move,
        best: &mut (f32, Option<G::Move>),
    ) {
        let value = probe(node.above(best.0).window, |window| {
            let node = SearchNode { window, ..*node };
            match self.search_move(task, &node, action) {
                MoveValue::Searched(value) => value,
                MoveValue::Leaf => unreachable!("a node of depth 2 or more has no leaf moves"),
            }
        });
        if value > best.0 || best.1.is_none() {
            *best = (value, Some(action));
        }
    }

    /// The best value at the last ply: final positions and the evaluator's values first, then the
    /// moves that are searched further, which cost more.
    fn leaves(
        &mut self,
        task: &mut SearchTask<'_, G>,
        node: &SearchNode<'_, G>,
        level: &mut PlyBuffers<G>,
    ) -> f32 {
        let (mut best, mut leaves) = (f32::NEG_INFINITY, 0);
        level.order.clear();
        for index in 0..level.moves.len() {
            let action = level.moves[index];
            match task.successor(node, action) {
                Successor::Final(value) => best = best.max(value),
                Successor::Leaf => {
                    level.moves[leaves] = action;
                    leaves += 1;
                }
                Successor::Inner(_) => level.order.push((0.0, action)),
            }
        }
        if leaves > 0 && best < node.window.1 {
            let (evaluator, game) = (&mut *task.evaluator, task.game);
            let moves = &level.moves[..leaves];
            evaluator.evaluate_moves(game, node.state, moves, &mut level.values);
            task.count_points(node.state, moves, &mut level.values);
            task.nodes += leaves as u64;
            best = level.values.iter().copied().fold(best, f32::max);
        }
        for &(_, action) in &level.order {
            if best >= node.window.1 {
                break;
            }
            if let MoveValue::Searched(value) = self.search_move(task, &node.above(best), action) {
                best = best.max(value);
            }
        }
        best
    }
}

/// The value of a move within a window (alpha, beta). A search that only asks whether the value is
/// above alpha comes first: it is fast, and mostly the answer is no (scout, Pearl 1980).
fn probe((alpha, beta): (f32, f32), mut search: impl FnMut((f32, f32)) -> f32) -> f32 {
    let above = alpha.next_up();
    if alpha.is_finite() && above < beta {
        let value = search((alpha, above));
        if value <= alpha || value >= beta {
            return value;
        }
    }
    search((alpha, beta))
}

/// The value of a move.
enum MoveValue {
    Searched(f32),
    /// The evaluator must supply the value.
    Leaf,
}

#[cfg(test)]
mod tests {
    use crate::games::{Notation, Rules};
    use rand::RngExt;

    use super::*;
    use crate::games::nim::NimConfig;
    use crate::games::{GameConfig, GameParams, Side, with_game};
    use crate::rng::{Purpose, stream};
    use crate::search::CancelToken;
    use crate::search::endgame::final_value;
    use crate::search::solver::SolvedGame;
    use crate::search::zero_evaluator::ZeroEvaluator;

    /// The values of all moves and the depth reached.
    fn look<G: Game>(
        (game, state): (&G, &G::State),
        limits: SearchLimits<'_>,
        mode: ValueMode,
        evaluator: &mut dyn MoveEvaluator<G>,
    ) -> (Vec<f32>, u8) {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        game.moves(state, &mut moves);
        let mut search = AlphaBetaSearch::default();
        let how = (limits, mode);
        let reached = search.values(game, state, &moves, how, evaluator, &mut values);
        (values, reached)
    }

    fn highest(values: &[f32]) -> f32 {
        values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn a_search_to_the_end_finds_what_the_oracle_knows() {
        let config = NimConfig {
            heaps: vec![3, 2, 1],
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = SolvedGame::new(&game).expect("it is small");
        let mut looked_at = 0;
        for (number, state) in (0..).zip(&solved.graph.states) {
            if solved.graph.result(number).is_some() || solved.graph.moves(number).len() < 2 {
                continue;
            }
            for exact in [ValueMode::All, ValueMode::Best] {
                let (values, _) = look(
                    (&game, state),
                    SearchLimits::to_depth(7),
                    exact,
                    &mut ZeroEvaluator,
                );
                let value = solved.value_of(number).value;
                assert_eq!(highest(&values) > 0.0, value > 0, "{state:?}: {values:?}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 20);
    }

    /// Evaluates every position by a hash of its text.
    struct HashEvaluator;

    impl<G: Game> MoveEvaluator<G> for HashEvaluator {
        fn evaluate_moves(
            &mut self,
            game: &G,
            state: &G::State,
            moves: &[G::Move],
            out: &mut Vec<f32>,
        ) {
            out.clear();
            let side = game.to_move(state);
            out.extend(moves.iter().map(|&action| {
                let mut after = state.clone();
                game.play(&mut after, action);
                let text = game.position_text(&after);
                let sum = text.bytes().fold(7_u32, |sum, byte| {
                    sum.wrapping_mul(31).wrapping_add(byte.into())
                });
                let value = (sum % 100) as f32;
                if side == Side::First { value } else { -value }
            }));
        }
    }

    /// The values of all moves by plain negamax over the whole tree.
    fn plain<G: Game>(
        game: &G,
        state: &G::State,
        (depth, ply): (u8, usize),
        (limits, margin): (SearchLimits<'_>, Option<i32>),
    ) -> Vec<f32> {
        let mover = game.to_move(state);
        let (mut moves, mut evaluated) = (Vec::new(), Vec::new());
        game.moves(state, &mut moves);
        HashEvaluator.evaluate_moves(game, state, &moves, &mut evaluated);
        if let Some(margin) = margin {
            for (&action, value) in moves.iter().zip(&mut evaluated) {
                let mut after = state.clone();
                game.play(&mut after, action);
                let settled = game.settled_margin(&after, Side::First);
                let won = settled.expect("it was known before") - margin;
                let won = if mover == Side::First { won } else { -won };
                *value = won as f32 + 0.5 * *value / (1.0 + value.abs());
            }
        }
        let value_of = |(&action, &evaluated): (&G::Move, &f32)| {
            let mut after = state.clone();
            game.play(&mut after, action);
            if let Some(value) = final_value(game, &after, mover, ply) {
                return value;
            }
            let is_same_side = game.to_move(&after) == mover;
            let is_free = limits.whole_turns && is_same_side;
            let is_quiet = !limits.quiescence || game.is_quiet(&after);
            if depth <= 1 && is_quiet && !is_free {
                return evaluated;
            }
            let below = (depth.saturating_sub(u8::from(!is_free)), ply + 1);
            let value = highest(&plain(game, &after, below, (limits, margin)));
            if is_same_side { value } else { -value }
        };
        moves.iter().zip(&evaluated).map(value_of).collect()
    }

    fn check_against_plain<G: Game>(game: &G, state: &G::State, limits: SearchLimits<'_>) {
        let depth = limits.depth;
        let margin = game.settled_margin(state, Side::First);
        let margin = margin.filter(|_| limits.whole_turns);
        let exact = plain(game, state, (depth, 0), (limits, margin));
        let [all, best] = [ValueMode::All, ValueMode::Best].map(|mode| {
            let (values, reached) = look((game, state), limits, mode, &mut HashEvaluator);
            assert!(reached == depth || values.len() == 1);
            values
        });
        if exact.len() == 1 {
            return;
        }
        assert_eq!(all, exact, "depth {depth} {state:?}");
        let top = highest(&exact);
        for (exact, bound) in exact.iter().zip(&best) {
            let is_exact = exact.to_bits() == bound.to_bits();
            assert!(
                exact <= bound && (is_exact || *bound < top),
                "{all:?} {best:?}"
            );
        }
    }

    #[test]
    fn pruning_the_table_and_the_order_change_no_value_that_matters() {
        let config = NimConfig {
            heaps: vec![4, 4, 3],
            ..NimConfig::default()
        };
        let game = config.build();
        for depth in 2..=4 {
            let limits = SearchLimits::to_depth(depth);
            check_against_plain(&game, &game.standard_start(), limits);
        }
        for (config, moves) in [("draughts", 60), ("dots_and_boxes", 12), ("reversi", 50)] {
            let config = GameConfig::named(config).expect("it is registered");
            with_game!(&config, config => check_along_a_game(&config.build(), moves));
        }
    }

    /// Checks some positions of a random game.
    fn check_along_a_game<G: Game>(game: &G, moves: usize) {
        let mut rng = stream(4, Purpose::Sample, 0, 0);
        let mut state = game.standard_start();
        for ply in 0..moves {
            let mut legal = Vec::new();
            game.moves(&state, &mut legal);
            if legal.is_empty() {
                break;
            }
            if ply % 4 == 3 {
                for (depth, quiescence) in [(1, true), (3, false), (3, true)] {
                    for whole_turns in [false, true] {
                        let limits = SearchLimits {
                            quiescence,
                            whole_turns,
                            ..SearchLimits::to_depth(depth)
                        };
                        check_against_plain(game, &state, limits);
                    }
                }
            }
            game.play(&mut state, legal[rng.random_range(0..legal.len())]);
        }
    }

    /// A token that is already canceled.
    struct Canceled;

    impl CancelToken for Canceled {
        fn is_canceled(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_stopped_search_returns_the_values_of_the_last_completed_depth() {
        let game = NimConfig::default().build();
        let state = game.standard_start();
        let whole = |depth| {
            look(
                (&game, &state),
                SearchLimits::to_depth(depth),
                ValueMode::All,
                &mut HashEvaluator,
            )
        };
        let (three, _) = whole(3);
        let counted = SearchLimits {
            max_nodes: Some(150),
            ..SearchLimits::to_depth(9)
        };
        let (values, reached) = look((&game, &state), counted, ValueMode::All, &mut HashEvaluator);
        assert!((2..9).contains(&reached), "{reached}");
        assert_eq!(values, whole(reached).0);
        assert_ne!(three, whole(2).0, "depths differ in what they find");
        let canceled = SearchLimits {
            cancel: &Canceled,
            ..SearchLimits::to_depth(9)
        };
        let (_, reached) = look(
            (&game, &state),
            canceled,
            ValueMode::All,
            &mut HashEvaluator,
        );
        assert!(reached < 9);
    }

    #[test]
    fn the_earlier_of_two_wins_has_the_higher_value() {
        let game = GameConfig::named("draughts").expect("it is registered");
        with_game!(&game, config => {
            let game = config.build();
            let state = game.parse_position("B:W18:BK9,K14").expect("it is a position");
            let limits = SearchLimits::to_depth(5);
            let (values, _) = look((&game, &state), limits, ValueMode::All, &mut ZeroEvaluator);
            assert!(highest(&values) >= WIN_VALUE, "{values:?}");
        });
    }
}
