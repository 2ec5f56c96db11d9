//! Search: negamax with alpha-beta pruning (Knuth & Moore 1975), one move deeper at a time (Slate & Atkin 1977), with a table of
//! positions that several lines of play lead to, and on beyond its depth where a position is not quiet. Who searches says what
//! positions are worth; the search knows neither networks nor rules of thumb.

use std::cmp;
use std::mem::take;

use self::table::{Entry, Table};
use super::{Game, Side};

mod table;

/// What a won game is worth at least, above anything a judgment may say; a lost one is worth as much less than nothing.
pub const WON: f32 = 1e9;

/// A judgment of positions that are not searched any further.
pub trait Judgment<G: Game> {
    /// Fills `out` with what the position after each of the moves is worth to the one who makes it.
    fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>);
}

/// Which values of the moves at hand must be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// All.
    All,
    /// That of the best, and of all as good; the others are bounded from above.
    Best,
}

/// Ends searches early, for people who wait.
pub trait Hurry: Send + Sync {
    /// Whether searches are to end.
    fn is_up(&self) -> bool;
}

/// Nobody waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHurry;

impl Hurry for NoHurry {
    fn is_up(&self) -> bool {
        false
    }
}

/// How far a search goes.
#[derive(Clone, Copy)]
pub struct Reach<'a> {
    /// Moves looked ahead, the one to be made included.
    pub depth: u8,
    /// Whether positions that are not quiet are searched on at the end of that, see [`Game::is_quiet`].
    pub quiescence: bool,
    /// Positions at most, beyond which the depth looked through last counts.
    pub nodes: Option<u64>,
    /// Checked now and then: once it is up, the depth looked through last counts.
    pub hurry: &'a dyn Hurry,
}

impl Reach<'_> {
    /// So many moves ahead, whatever comes then.
    pub fn moves(depth: u8) -> Self {
        Self {
            depth,
            quiescence: false,
            nodes: None,
            hurry: &NoHurry,
        }
    }
}

/// Moves by which lines of play that are not quiet may be searched on at most.
const MOST_EXTRA: usize = 40;

/// Buffers for each move ahead and a table of positions met before, reused so that nothing is allocated per position.
#[derive(Debug)]
pub struct Search<G: Game> {
    levels: Vec<Level<G>>,
    /// The places of the moves at hand in the order they are tried in, and what the depth under way finds them to be worth.
    order: Vec<usize>,
    found: Vec<f32>,
    table: Table,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            order: Vec::new(),
            found: Vec::new(),
            table: Table::default(),
        }
    }
}

#[derive(Debug)]
struct Level<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<f32>,
    order: Vec<(f32, G::Move)>,
}

impl<G: Game> Default for Level<G> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            values: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl<G: Game> Level<G> {
    /// Puts the moves to be tried in the order in which the judgment likes them; those liked as much stay in their own order, so
    /// that nothing depends on how the sorting goes.
    fn sort(&mut self, task: &mut Task<'_, G>, state: &G::State) {
        if self.order.len() < 2 {
            return;
        }
        let judgment = &mut *task.judgment;
        judgment.value(task.game, state, &self.moves, &mut self.values);
        let mut judged = self.moves.iter().zip(&self.values);
        for (value, action) in &mut self.order {
            let own = judged.find(|(other, _)| *other == action);
            *value = own.map_or(f32::NEG_INFINITY, |(_, &value)| value);
        }
        self.order.sort_unstable_by(|one, other| {
            let liked = other.0.partial_cmp(&one.0).unwrap_or(cmp::Ordering::Equal);
            liked.then(one.1.cmp(&other.1))
        });
    }
}

/// What does not change while a position is searched.
struct Task<'a, G: Game> {
    game: &'a G,
    judgment: &'a mut dyn Judgment<G>,
    reach: Reach<'a>,
    /// Positions looked at.
    nodes: u64,
    called_off: bool,
}

impl<G: Game> Task<'_, G> {
    /// Counts a position, and sees whether it is one too many.
    fn count(&mut self) {
        const SELDOM: u64 = 64;
        self.nodes += 1;
        let over = self.reach.nodes.is_some_and(|most| self.nodes > most);
        let hurried = self.nodes.is_multiple_of(SELDOM) && self.reach.hurry.is_up();
        self.called_off |= over || hurried;
    }
}

/// A position with how far it is to be searched, how far it is from the first, and the values that matter.
struct Node<'a, G: Game> {
    state: &'a G::State,
    depth: u8,
    ply: usize,
    window: (f32, f32),
}

impl<G: Game> Node<'_, G> {
    /// The same where only what is better than `best` matters still.
    fn above(&self, best: f32) -> Self {
        Self {
            window: (self.window.0.max(best), self.window.1),
            ..*self
        }
    }
}

impl<G: Game> Search<G> {
    /// Fills `out` with what each of the legal moves `moves` is worth to the mover, as far as the search reaches; returns the moves
    /// it has looked ahead. At depth 1 that is the judgment as it is; deeper, a game that ends is worth [`WON`] or as much less,
    /// a little more the sooner it is won or the later it is lost.
    ///
    /// It looks one move further at a time: what was found best before is tried first, which saves more than it costs.
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        (reach, exact): (Reach<'_>, Exact),
        judgment: &mut dyn Judgment<G>,
        out: &mut Vec<f32>,
    ) -> u8 {
        judgment.value(game, state, moves, out);
        let is_settled = moves.len() == 1 && exact == Exact::Best;
        if (reach.depth <= 1 && !reach.quiescence) || is_settled {
            return 1;
        }
        self.table.open(reach.depth);
        let mut task = Task {
            game,
            judgment,
            reach,
            nodes: 0,
            called_off: false,
        };
        // The search of a single move ahead tells nothing but what lines of captures come to.
        let first = if reach.quiescence { 1 } else { 2 };
        let (mut order, mut found) = (take(&mut self.order), take(&mut self.found));
        order.clear();
        order.extend(0..moves.len());
        found.clone_from(out);
        let mut reached = 1;
        for depth in first..=reach.depth {
            order.sort_by(|&one, &other| found[other].total_cmp(&found[one]));
            let mut best = f32::NEG_INFINITY;
            for &place in &order {
                let alpha = match exact {
                    Exact::All => f32::NEG_INFINITY,
                    Exact::Best => best.next_down(),
                };
                let root = Node {
                    state,
                    depth,
                    ply: 0,
                    window: (alpha, f32::INFINITY),
                };
                found[place] = match self.after(&mut task, &root, moves[place]) {
                    After::Worth(value) => value,
                    After::Open => out[place],
                };
                best = best.max(found[place]);
            }
            if task.called_off {
                break;
            }
            out.clone_from(&found);
            reached = depth;
        }
        (self.order, self.found) = (order, found);
        reached
    }

    /// What a move is worth to the mover; [`After::Open`] where that is left to the judgment.
    fn after(&mut self, task: &mut Task<'_, G>, node: &Node<'_, G>, action: G::Move) -> After {
        let game = task.game;
        let mover = game.to_move(node.state);
        let mut after = node.state.clone();
        game.play(&mut after, action);
        if let Some(worth) = finished(game, &after, mover, node.ply) {
            return After::Worth(worth);
        }
        let depth = node.depth.saturating_sub(1);
        let goes_on = |reach: Reach<'_>| {
            let most = usize::from(reach.depth) + MOST_EXTRA;
            reach.quiescence && node.ply < most && !game.is_quiet(&after)
        };
        if depth == 0 && !goes_on(task.reach) {
            return After::Open;
        }
        let (alpha, beta) = node.window;
        let again = game.to_move(&after) == mover;
        let below = Node {
            state: &after,
            depth,
            ply: node.ply + 1,
            window: if again {
                (alpha, beta)
            } else {
                (-beta, -alpha)
            },
        };
        let value = self.node(task, &below);
        After::Worth(if again { value } else { -value })
    }

    /// What a position is worth to the player to move, exact within the window.
    fn node(&mut self, task: &mut Task<'_, G>, node: &Node<'_, G>) -> f32 {
        task.count();
        if task.called_off {
            return 0.0;
        }
        // At the last move ahead looking a position up costs as much as looking at it.
        let key = (node.depth >= 2).then(|| table::key(node.state));
        let known = key.and_then(|key| self.table.find(key));
        if let Some(value) = known.and_then(|known| known.settles(node.depth, node.window)) {
            return value;
        }
        if self.levels.len() <= node.ply {
            self.levels.resize_with(node.ply + 1, Level::default);
        }
        let mut level = take(&mut self.levels[node.ply]);
        level.moves.clear();
        task.game.moves(node.state, &mut level.moves);
        let (value, best) = if node.depth <= 1 {
            (self.leaves(task, node, &mut level), None)
        } else {
            self.branches(task, node, known, &mut level)
        };
        if let (Some(key), Some(best), false) = (key, best, task.called_off) {
            let place = level.moves.iter().position(|&action| action == best);
            let place = place.unwrap_or(0);
            self.table
                .note(key, node.depth, node.window, (value, place));
        }
        self.levels[node.ply] = level;
        value
    }

    /// Tries the moves that seem best first, until one is too good to be allowed: the one found best before, then as the judgment
    /// likes them.
    fn branches(
        &mut self,
        task: &mut Task<'_, G>,
        node: &Node<'_, G>,
        known: Option<Entry>,
        level: &mut Level<G>,
    ) -> (f32, Option<G::Move>) {
        let hint = known.and_then(|known| level.moves.get(usize::from(known.best)).copied());
        let mut best = (f32::NEG_INFINITY, None);
        if let Some(action) = hint {
            self.branch(task, node, action, &mut best);
        }
        if best.0 >= node.window.1 {
            return best;
        }
        let others = level.moves.iter().copied();
        level.order.clear();
        level.order.extend(
            others
                .filter(|&action| Some(action) != hint)
                .map(|action| (0.0, action)),
        );
        level.sort(task, node.state);
        for place in 0..level.order.len() {
            self.branch(task, node, level.order[place].1, &mut best);
            if best.0 >= node.window.1 {
                break;
            }
        }
        best
    }

    /// Tries a move; it is the best if it is better than the best so far.
    fn branch(
        &mut self,
        task: &mut Task<'_, G>,
        node: &Node<'_, G>,
        action: G::Move,
        best: &mut (f32, Option<G::Move>),
    ) {
        let After::Worth(value) = self.after(task, &node.above(best.0), action) else {
            unreachable!("two moves ahead and more there is always one to look beyond");
        };
        if value > best.0 || best.1.is_none() {
            *best = (value, Some(action));
        }
    }

    /// The best of the moves that are not looked beyond but for captures, those that end the game being worth what they are.
    fn leaves(&mut self, task: &mut Task<'_, G>, node: &Node<'_, G>, level: &mut Level<G>) -> f32 {
        let (mut best, mut open) = (f32::NEG_INFINITY, 0);
        for place in 0..level.moves.len() {
            let action = level.moves[place];
            match self.after(task, &node.above(best), action) {
                After::Worth(value) => best = value.max(best),
                After::Open => {
                    level.moves[open] = action;
                    open += 1;
                }
            }
            if best >= node.window.1 {
                return best;
            }
        }
        if open == 0 {
            return best;
        }
        let (judgment, game) = (&mut *task.judgment, task.game);
        judgment.value(game, node.state, &level.moves[..open], &mut level.values);
        task.nodes += open as u64;
        level.values.iter().copied().fold(best, f32::max)
    }
}

/// What is known of a move.
enum After {
    Worth(f32),
    /// The judgment is to say.
    Open,
}

/// What a game that is finished so many moves ahead is worth to a side: it is won by more the more the game counts for it, and then
/// the sooner it is over.
fn finished<G: Game>(game: &G, state: &G::State, side: Side, ply: usize) -> Option<f32> {
    let result = f32::from(game.outcome(state)?.result_for(side));
    let points = game.points(state);
    let margin = f32::from(points[side.index()]) - f32::from(points[side.other().index()]);
    // Numbers this large are multiples of 64; a draw is a draw, whoever has more.
    let delay = 64.0 * ply as f32;
    Some(result * (WON - delay) + result.abs() * margin * 1e4)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::games::nim::NimConfig;
    use crate::games::solver::Solved;
    use crate::games::{GameConfig, Playable, Side, with_game};
    use crate::rng::{Purpose, stream};

    /// Says nothing of any position.
    struct Blank;

    impl<G: Game> Judgment<G> for Blank {
        fn value(&mut self, _: &G, _: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
            out.clear();
            out.resize(moves.len(), 0.0);
        }
    }

    /// Looks so many moves ahead.
    fn look<G: Game>(
        (game, state): (&G, &G::State),
        reach: Reach<'_>,
        exact: Exact,
        judgment: &mut dyn Judgment<G>,
    ) -> (Vec<f32>, u8) {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        game.moves(state, &mut moves);
        let mut search = Search::default();
        let how = (reach, exact);
        let reached = search.values(game, state, &moves, how, judgment, &mut values);
        (values, reached)
    }

    fn highest(values: &[f32]) -> f32 {
        values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn a_search_to_the_end_finds_what_the_oracle_knows() {
        let config = NimConfig {
            stacks: vec![3, 2, 1],
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = Solved::new(&game).expect("it is small");
        let mut looked_at = 0;
        for (number, state) in (0..).zip(&solved.graph.states) {
            if solved.graph.end(number).is_some() || solved.graph.moves(number).len() < 2 {
                continue;
            }
            for exact in [Exact::All, Exact::Best] {
                let (values, _) = look((&game, state), Reach::moves(7), exact, &mut Blank);
                let worth = solved.worth(number).value;
                assert_eq!(highest(&values) > 0.0, worth > 0, "{state:?}: {values:?}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 20);
    }

    /// Values every position by a number made of its text.
    struct Odd;

    impl<G: Game> Judgment<G> for Odd {
        fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
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

    /// The definition: the values of all moves by negamax over the whole tree.
    fn plain<G: Game>(
        game: &G,
        state: &G::State,
        (depth, ply): (u8, usize),
        quiescence: bool,
    ) -> Vec<f32> {
        let mover = game.to_move(state);
        let (mut moves, mut judged) = (Vec::new(), Vec::new());
        game.moves(state, &mut moves);
        Odd.value(game, state, &moves, &mut judged);
        let worth = |(&action, &judged): (&G::Move, &f32)| {
            let mut after = state.clone();
            game.play(&mut after, action);
            if let Some(worth) = finished(game, &after, mover, ply) {
                return worth;
            }
            if depth <= 1 && (!quiescence || game.is_quiet(&after)) {
                return judged;
            }
            let below = (depth.saturating_sub(1), ply + 1);
            let value = highest(&plain(game, &after, below, quiescence));
            if game.to_move(&after) == mover {
                value
            } else {
                -value
            }
        };
        moves.iter().zip(&judged).map(worth).collect()
    }

    fn check_against_plain<G: Game>(game: &G, state: &G::State, depth: u8, quiescence: bool) {
        let reach = Reach {
            quiescence,
            ..Reach::moves(depth)
        };
        let exact = plain(game, state, (depth, 0), quiescence);
        let [all, best] = [Exact::All, Exact::Best].map(|exact| {
            let (values, reached) = look((game, state), reach, exact, &mut Odd);
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
            stacks: vec![4, 4, 3],
            ..NimConfig::default()
        };
        let game = config.build();
        for depth in 2..=4 {
            check_against_plain(&game, &game.standard_start(), depth, false);
        }
        for (config, moves) in [("draughts", 60), ("dots_and_boxes", 12), ("reversi", 50)] {
            let config = GameConfig::named(config).expect("it is registered");
            with_game!(&config, config => check_along_a_game(&config.build(), moves));
        }
    }

    /// Looks ahead at some positions of a random game.
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
                    check_against_plain(game, &state, depth, quiescence);
                }
            }
            game.play(&mut state, legal[rng.random_range(0..legal.len())]);
        }
    }

    /// Time is up.
    struct AtOnce;

    impl Hurry for AtOnce {
        fn is_up(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_search_called_off_returns_what_the_depth_before_found() {
        let game = NimConfig::default().build();
        let state = game.standard_start();
        let whole = |depth| look((&game, &state), Reach::moves(depth), Exact::All, &mut Odd);
        let (three, _) = whole(3);
        let counted = Reach {
            nodes: Some(150),
            ..Reach::moves(9)
        };
        let (values, reached) = look((&game, &state), counted, Exact::All, &mut Odd);
        assert!((2..9).contains(&reached), "{reached}");
        assert_eq!(values, whole(reached).0);
        assert_ne!(three, whole(2).0, "depths differ in what they find");
        let hurried = Reach {
            hurry: &AtOnce,
            ..Reach::moves(9)
        };
        let (_, reached) = look((&game, &state), hurried, Exact::All, &mut Odd);
        assert!(reached < 9);
    }

    #[test]
    fn the_sooner_of_two_wins_is_worth_more() {
        let game = GameConfig::named("draughts").expect("it is registered");
        with_game!(&game, config => {
            let game = config.build();
            let state = game.parse_position("B:W18:BK9,K14").expect("it is a position");
            let reach = Reach::moves(5);
            let (values, _) = look((&game, &state), reach, Exact::All, &mut Blank);
            assert!(highest(&values) >= WON, "{values:?}");
        });
    }
}
