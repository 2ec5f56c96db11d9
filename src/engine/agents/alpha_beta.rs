//! Alpha-beta search: the brain's single output evaluates positions several moves ahead, and the
//! minimax-optimal move is played. It is always legal.

use std::hash::BuildHasher;
use std::mem::take;
use std::sync::Arc;

use foldhash::fast::FixedState;
use rand::RngExt;

use crate::games::Game;
use crate::genomes::Brain;
use crate::params::params;
use crate::rng::Stream;
use crate::search::alpha_beta::WIN_VALUE;
use crate::search::prob_cut::ProbCut;
use crate::search::{MoveEvaluator, SearchLimits, ValueMode};

use super::one_ply::forward;
use super::{Agent, AgentFor, EncodedStates, Policy, Turn, Workspace, argmax, value_cache};

params! {
    /// Alpha-beta search.
    pub struct AlphaBeta {
        /// How many moves to look ahead, including the player's own.
        fixed depth: u32 = 2, in 1.0..=64.0, "moves";
        /// Whether lines are searched beyond that depth until no capture is pending.
        fixed quiescence: bool = false;
        /// Most positions searched before each move; 0 for no limit. The result of the last
        /// completed depth counts. A time limit would make results depend on the machine.
        fixed nodes: u32 = 0, in 0.0..=1000000000.0, "positions";
        /// Whether the depth is counted in turns, so that a player who moves again uses none of it,
        /// and whether points won along a line count before the evaluation at its end. It only
        /// matters in dots and boxes, where evaluations of positions in the middle of a turn and at
        /// its end can't be compared.
        fixed turns: bool = false;
        /// Positions with at most this many moves left, such as empty squares or undrawn edges, are
        /// searched to the end of the game; 0 for none. Draughts has no such number.
        fixed endgame: u32 = 0, in 0.0..=64.0, "moves";
        /// How often the player passes over its best move for the next best, over that one for the
        /// third, and so on: 0 is never, 1 makes all moves equally likely. A win that the search
        /// sees is never missed.
        fixed slips: f64 = 0.0, in 0.0..=1.0;
        /// Positions whose value, as a search half as deep predicts it, lies this many standard
        /// deviations beyond what matters are not searched on (Multi-ProbCut, Buro 1997), so that
        /// others are searched deeper; 0 for none.
        fixed prob_cut: f64 = 0.0, in 0.0..=10.0, "deviations";
    }
}

/// Evaluates moves with a brain and the buffers it needs. Only positions that are not in the cache
/// are evaluated.
struct BrainEvaluator<'a, G: Game> {
    brain: &'a dyn Brain,
    workspace: &'a mut Workspace<G>,
}

impl<G: Game> BrainEvaluator<'_, G> {
    /// Pushes the value of the move at `index` to `out`: the cached one, or 0 if it has to be
    /// evaluated, which is then noted and returned.
    fn look_up(&mut self, index: usize, key: u64, out: &mut Vec<f32>) -> bool {
        let key = value_cache::key(self.brain, key);
        let cached = self.workspace.value_cache.find(key);
        out.push(cached.unwrap_or_default());
        if cached.is_none() {
            self.workspace.uncached.push((index, key));
        }
        cached.is_none()
    }

    /// Pushes the cached values to `out`, and 0 for the others; evaluates those in the order of
    /// `uncached`. `false` if the brain does not evaluate signs, or the game has none.
    fn evaluate_signs(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) -> bool {
        let Some(evaluator) = self.brain.sign_evaluator() else {
            return false;
        };
        let side = game.to_move(state);
        let Workspace {
            successors, signs, ..
        } = &mut *self.workspace;
        let Some(base) = game.successor_signs(state, side, successors, signs) else {
            return false;
        };
        self.workspace.uncached_signs.clear();
        let mut at = 0;
        for (index, action) in moves.iter().enumerate() {
            // Moves are in the order in which the game lists them, but not all are there.
            let listed = &self.workspace.successors;
            let mut others = listed[at..].iter().chain(&listed[..at]);
            let steps = others.position(|other| other == action);
            at = (at + steps.expect("the moves are legal")) % listed.len();
            let signs = self.workspace.signs[at];
            if self.look_up(index, FixedState::default().hash_one(signs), out) {
                self.workspace.uncached_signs.push(signs);
            }
        }
        let buffers = &mut *self.workspace;
        if !buffers.uncached.is_empty() {
            let (scratch, outputs) = (&mut buffers.scratch, &mut buffers.outputs);
            evaluator.forward_signs(base, &buffers.uncached_signs, scratch, outputs);
        }
        true
    }

    /// The same for all brains and games, by the numbers that change with each move.
    fn evaluate_changes(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        let side = game.to_move(state);
        self.workspace.changes.clear();
        self.workspace.ends.clear();
        for (index, &action) in moves.iter().enumerate() {
            if self.look_up(index, game.successor_key(state, action, side), out) {
                let Workspace { changes, ends, .. } = &mut *self.workspace;
                game.changes(state, action, side, changes);
                ends.push(changes.len() as u32);
            }
        }
        if !self.workspace.uncached.is_empty() {
            game.encode(state, side, &mut self.workspace.inputs);
            forward(self.brain, self.workspace);
        }
    }
}

impl<G: Game> MoveEvaluator<G> for BrainEvaluator<'_, G> {
    fn evaluate_moves(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        out: &mut Vec<f32>,
    ) {
        self.workspace.uncached.clear();
        out.clear();
        if !self.evaluate_signs(game, state, moves, out) {
            self.evaluate_changes(game, state, moves, out);
        }
        let Workspace {
            uncached,
            outputs,
            value_cache,
            ..
        } = &mut *self.workspace;
        for (&(index, key), &value) in uncached.iter().zip(&*outputs) {
            out[index] = value;
            value_cache.store(key, value);
        }
    }
}

/// Searches every legal move. The moves are in `workspace.moves`, their values in
/// `workspace.move_values`.
fn search<G: Game>(agent: &AlphaBeta, exact: ValueMode, turn: &mut Turn<'_, G>) {
    turn.list_moves();
    let (game, brain, state) = (turn.game, turn.brain, turn.state);
    let workspace = &mut *turn.workspace;
    let mut search = take(&mut workspace.search);
    let moves = take(&mut workspace.moves);
    let mut move_values = take(&mut workspace.move_values);
    workspace.value_cache.prepare();
    let cancel_token = Arc::clone(&workspace.cancel_token);
    let mut evaluator = BrainEvaluator { brain, workspace };
    let prob_cut = agent.fitted(game, &mut evaluator);
    let limits = SearchLimits {
        depth: agent.depth as u8,
        quiescence: agent.quiescence,
        whole_turns: agent.turns,
        endgame: agent.endgame as u16,
        prob_cut,
        max_nodes: (agent.nodes > 0).then_some(agent.nodes.into()),
        cancel: cancel_token.as_ref(),
    };
    let how = (limits, exact);
    search.values(game, state, &moves, how, &mut evaluator, &mut move_values);
    (workspace.search, workspace.moves, workspace.move_values) = (search, moves, move_values);
}

impl AlphaBeta {
    /// What shallow searches say of deeper ones, found before the first move of a game.
    fn fitted<G: Game>(
        &self,
        game: &G,
        evaluator: &mut BrainEvaluator<'_, G>,
    ) -> Option<(ProbCut, f32)> {
        if self.prob_cut <= 0.0 {
            return None;
        }
        let key = value_cache::key(evaluator.brain, 0);
        let mut known = evaluator.workspace.prob_cuts.iter();
        let fitted = if let Some((_, known)) = known.find(|(other, _)| *other == key) {
            *known
        } else {
            let cancel_token = Arc::clone(&evaluator.workspace.cancel_token);
            let fitted = ProbCut::fit(game, evaluator, cancel_token.as_ref());
            evaluator.workspace.prob_cuts.push((key, fitted));
            fitted
        };
        Some((fitted?, self.prob_cut as f32))
    }

    /// Whether it may choose another move than the best.
    fn slips(&self) -> bool {
        self.slips > 0.0
    }

    /// The chosen of the moves whose values are in the workspace.
    fn pick<G: Game>(&self, workspace: &Workspace<G>, rng: &mut Stream) -> Option<G::Move> {
        let values = &workspace.move_values;
        let best = argmax(values.iter().copied());
        let wins = values.get(best).is_some_and(|&value| is_win(value));
        let picked = if self.slips() && !wins {
            slip(values, self.slips, rng)
        } else {
            best
        };
        workspace.moves.get(picked).copied()
    }

    /// The move with the highest value, the first in a tie.
    fn best<G: Game>(&self, turn: &mut Turn<'_, G>) -> Option<G::Move> {
        search(self, ValueMode::Best, turn);
        let best = argmax(turn.workspace.move_values.iter().copied());
        turn.workspace.moves.get(best).copied()
    }
}

/// Whether a value is that of a won game.
fn is_win(value: f32) -> bool {
    value > 0.5 * WIN_VALUE
}

/// The index of a move, drawn by its rank: each rank is `share` times as likely as the rank before.
fn slip(values: &[f32], share: f64, rng: &mut Stream) -> usize {
    let mut ranked: Vec<usize> = (0..values.len()).collect();
    ranked.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
    let weight = |rank: usize| (0..rank).fold(1.0, |weight, _| weight * share);
    let total: f64 = (0..ranked.len()).map(weight).sum();
    let mut left = rng.random_range(0.0..1.0) * total;
    let drawn = (0..ranked.len()).position(|rank| {
        left -= weight(rank);
        left < 0.0
    });
    drawn.map_or(0, |rank| ranked[rank])
}

impl Agent for AlphaBeta {
    /// Slips are random.
    fn is_deterministic(&self) -> bool {
        !self.slips()
    }

    fn score_unit(&self) -> &'static str {
        "value by search"
    }
}

impl<G: Game> AgentFor<G> for AlphaBeta {
    fn choose(&self, turn: &mut Turn<'_, G>, rng: &mut Stream) -> Option<G::Move> {
        if !self.slips() {
            return self.best(turn);
        }
        search(self, ValueMode::All, turn);
        self.pick(turn.workspace, rng)
    }

    fn action_scores(&self, turn: &mut Turn<'_, G>) -> Vec<f32> {
        search(self, ValueMode::All, turn);
        turn.workspace.move_values.clone()
    }

    fn choose_with_scores(
        &self,
        turn: &mut Turn<'_, G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let scores = self.action_scores(turn);
        (self.pick(turn.workspace, rng), scores)
    }

    fn policy(
        &self,
        game: &G,
        encoded: &EncodedStates<G>,
        brain: &dyn Brain,
        workspace: &mut Workspace<G>,
    ) -> Policy {
        let graph = &encoded.graph;
        Policy::from_choices(graph, |state| {
            let state = &graph.states[state as usize];
            self.best(&mut Turn::new(game, brain, state, workspace))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::one_ply;
    use crate::games::draughts::DraughtsConfig;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameParams, Rules};
    use crate::genomes::GenomeConfig;
    use crate::rng::{Purpose, stream};

    /// How often each of four moves with these values is drawn, of 4000 times.
    fn drawn(values: [f32; 4], share: f64) -> [u32; 4] {
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[slip(&values, share, &mut rng)] += 1;
        }
        counts
    }

    #[test]
    fn each_rank_is_drawn_as_many_times_as_the_share_says_of_the_rank_before() {
        let counts = drawn([0.1, 0.4, -2.0, 0.3], 0.5);
        for (count, expected) in counts.into_iter().zip([533, 2133, 267, 1067]) {
            assert!(count.abs_diff(expected) < 100, "{counts:?}");
        }
        let equal = drawn([0.1, 0.4, -2.0, 0.3], 1.0);
        assert!(
            equal.into_iter().all(|count| count.abs_diff(1000) < 120),
            "{equal:?}"
        );
        assert_eq!(drawn([0.1, 0.4, -2.0, 0.3], 0.0), [0, 4000, 0, 0]);
    }

    #[test]
    fn a_player_that_slips_never_misses_a_win() {
        let game = DraughtsConfig::default().build();
        let mut workspace = Workspace::new(&game);
        game.moves(&game.standard_start(), &mut workspace.moves);
        workspace.move_values = vec![0.0; workspace.moves.len()];
        workspace.move_values[3] = WIN_VALUE;
        let agent = AlphaBeta {
            slips: 1.0,
            ..AlphaBeta::default()
        };
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        for _ in 0..100 {
            let picked = agent.pick(&workspace, &mut rng);
            assert_eq!(picked, Some(workspace.moves[3]));
        }
    }

    /// Plays a random game, and compares values that may be cached with those of two brains that
    /// see all positions anew.
    fn check_cached_values<G: Game>(game: &G, genome: &GenomeConfig) {
        let mut workspace = Workspace::new(game);
        let io_spec = AlphaBeta::default().io_spec(&workspace.shape);
        let io_spec = io_spec.expect("it plays every game");
        let mut rng = stream(1, Purpose::Sample, 0, 0);
        let brains = [0, 1].map(|_| genome.grow(&genome.random(&io_spec, &mut rng), &io_spec));
        workspace.value_cache.prepare();
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let (mut state, mut moves, mut values) = (game.standard_start(), Vec::new(), Vec::new());
        loop {
            moves.clear();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            // The first of two calls leaves every second value to the other.
            let some: Vec<_> = moves.iter().copied().step_by(2).collect();
            for brain in &brains {
                for asked in [&some, &moves] {
                    let (brain, workspace) = (brain.as_ref(), &mut workspace);
                    let mut evaluator = BrainEvaluator { brain, workspace };
                    evaluator.evaluate_moves(game, &state, asked, &mut values);
                    let mut turn = Turn::new(game, brain, &state, evaluator.workspace);
                    one_ply::evaluate_moves(&mut turn, asked);
                    assert_eq!(bits(&values), bits(&turn.workspace.outputs));
                }
            }
            game.play(&mut state, moves[rng.random_range(0..moves.len())]);
        }
    }

    #[test]
    fn cached_values_are_those_that_the_brain_gives_to_the_bit() {
        let mut config = DraughtsConfig::default();
        config.make_finite();
        let draughts = config.build();
        let named = |kind| GenomeConfig::named(kind).expect("it is registered");
        check_cached_values(&draughts, &named("mlp"));
        let reversi = ReversiConfig::default().build();
        for kind in ["mlp", "n_tuples"] {
            check_cached_values(&reversi, &named(kind));
        }
    }
}
