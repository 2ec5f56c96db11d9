//! Choice by Monte Carlo tree search with early playout termination: each round descends by upper confidence bounds, makes a few
//! random moves and asks the brain's one output for the value of where they lead (Kocsis & Szepesvári 2006; Lorentz 2008; Thien
//! 2018). Rounds are counted, not timed, so that a choice does not depend on the machine.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use rand::RngExt;

use crate::games::{Game, Shape, Side};
use crate::genomes::{Brain, Ports, Sight};
use crate::params::{choices, params};
use crate::rng::{Purpose, Stream, stream};

use super::{Agent, Desk, Outlook, Policy, highest, ports};

choices! {
    /// What decides between the moves once all rounds are done.
    pub enum Verdict {
        /// The number of rounds that tried the move.
        Visits = "visits",
        /// The mean of what they found.
        Value = "value",
    }
}

params! {
    /// Search by many short games.
    pub struct MonteCarlo {
        /// Rounds before each move.
        fixed rounds: u32 = 300, in 1.0..=1000000.0, "rounds";
        /// Random moves at the end of each round before the network is asked.
        fixed playout: u32 = 1, in 0.0..=1000.0, "moves";
        /// Where the player to move has fewer moves than this, the random moves go on.
        fixed quiet: u32 = 4, in 0.0..=1000.0, "moves";
        /// How much is risked on moves tried seldom: the factor of the square root in the upper confidence bound.
        fixed exploration: f64 = 1.4, in 0.0..=1000.0;
        /// How much the network's opinion counts beside the result of a finished game, so that a game that can be won is won rather than held to be won.
        fixed trust: f64 = 0.9, in 0.0..=1.0;
        /// Whether what was found is kept in a tree that grows, or the rounds are dealt out to the moves at hand.
        fixed tree: bool = true;
        /// What decides between the moves once all rounds are done.
        fixed verdict: Verdict = Verdict::Visits;
    }
}

/// Random moves by which a playout may go on at most.
const MOST_EXTRA: u32 = 40;

/// Rounds from one look at whether time is up to the next.
const SELDOM: u32 = 64;

/// Positions a tree may hold; where it is full it is only looked through.
const MOST_NODES: usize = 1 << 20;

/// Positions whose value is remembered within a game.
const REMEMBERED: usize = 1 << 12;

/// The tree of a search, and what else it works with; reused so that nothing is allocated per move.
#[derive(Debug)]
pub struct Tree<G: Game> {
    nodes: Vec<Node<G>>,
    moves: Vec<G::Move>,
    /// Of each number of visits what the bounds are made of: worked out once, because a descent needs them all the time.
    parts: Vec<Parts>,
    /// Values by the hash of a position and a brain; the number of the game says which are of this one.
    memory: Vec<(u64, u32, f32)>,
    game: u32,
}

/// What a number gives to an upper confidence bound.
#[derive(Clone, Copy, Debug)]
struct Parts {
    logarithm: f64,
    /// The square root of the logarithm, for the visits of a parent.
    spread: f32,
    /// One over the number and over its square root, for the visits of a child.
    share: f32,
    narrow: f32,
}

impl Parts {
    fn new(number: usize, logarithm: f64) -> Self {
        let number = number as f64;
        Self {
            logarithm,
            spread: logarithm.sqrt() as f32,
            share: (1.0 / number) as f32,
            narrow: (1.0 / number.sqrt()) as f32,
        }
    }
}

impl<G: Game> Default for Tree<G> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            moves: Vec::new(),
            parts: Vec::new(),
            memory: Vec::new(),
            game: 1,
        }
    }
}

#[derive(Debug)]
struct Node<G: Game> {
    state: G::State,
    /// Who moved here, which all values are told for.
    mover: Side,
    parent: u32,
    /// Where its children are, once it has any.
    first: u32,
    count: u32,
    visits: u32,
    sum: f32,
}

impl<G: Game> Tree<G> {
    /// Forgets what positions are worth: the brains may be other ones.
    pub(super) fn forget(&mut self) {
        self.game += 1;
    }

    /// Clears what an earlier search left, and puts a position at the root.
    fn plant(&mut self, game: &G, state: &G::State, rounds: u32) {
        self.nodes.clear();
        self.nodes.push(Node {
            state: state.clone(),
            mover: game.to_move(state).other(),
            parent: 0,
            first: 0,
            count: 0,
            visits: 0,
            sum: 0.0,
        });
        self.memory.resize(REMEMBERED, (0, 0, 0.0));
        if self.parts.is_empty() {
            self.parts.resize(2, Parts::new(1, 0.0));
        }
        // ln n = ln (n - 1) + 2 artanh (1 / (2n - 1)): the same bits on every machine.
        while self.parts.len() <= rounds as usize + 1 {
            let n = self.parts.len();
            let z = 1.0 / (2 * n - 1) as f64;
            let square = z * z;
            let series =
                1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0)));
            let before = self.parts[n - 1].logarithm;
            self.parts.push(Parts::new(n, before + 2.0 * z * series));
        }
    }

    /// Gives a node its children; none where the game is over.
    fn expand(&mut self, game: &G, at: usize) {
        self.moves.clear();
        game.moves(&self.nodes[at].state, &mut self.moves);
        let mover = game.to_move(&self.nodes[at].state);
        let first = self.nodes.len() as u32;
        for &action in &self.moves {
            let mut state = self.nodes[at].state.clone();
            game.play(&mut state, action);
            self.nodes.push(Node {
                state,
                mover,
                parent: at as u32,
                first: 0,
                count: 0,
                visits: 0,
                sum: 0.0,
            });
        }
        (self.nodes[at].first, self.nodes[at].count) = (first, self.moves.len() as u32);
    }

    /// The child with the highest upper confidence bound; one not tried yet comes before all others.
    fn favorite(&self, at: usize, exploration: f32) -> usize {
        let node = &self.nodes[at];
        let spread = exploration * self.parts[node.visits as usize].spread;
        let first = node.first as usize;
        let mut best = (first, f32::NEG_INFINITY);
        for (child, own) in (first..).zip(&self.nodes[first..first + node.count as usize]) {
            if own.visits == 0 {
                return child;
            }
            let parts = &self.parts[own.visits as usize];
            let bound = own.sum * parts.share + spread * parts.narrow;
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }

    /// Enters a value for who moved to a node there and above.
    fn credit(&mut self, mut at: usize, value: f32) {
        let side = self.nodes[at].mover;
        loop {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += if node.mover == side { value } else { -value };
            if at == 0 {
                break;
            }
            at = node.parent as usize;
        }
    }
}

impl MonteCarlo {
    /// Searches; what was found of the legal moves, in their order, is at the children of the root.
    fn search<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) {
        let mut tree = std::mem::take(&mut desk.tree);
        tree.plant(game, state, self.rounds);
        tree.expand(game, 0);
        let moves = tree.nodes[0].count;
        // What is forced needs no thought.
        let rounds = if moves > 1 { self.rounds } else { moves };
        let exploration = self.exploration as f32;
        for round in 0..rounds {
            if round % SELDOM == SELDOM - 1 && desk.hurry.is_up() {
                break;
            }
            let mut at = if self.tree {
                tree.favorite(0, exploration)
            } else {
                (1 + round % moves) as usize
            };
            while self.tree && tree.nodes[at].visits > 0 {
                if tree.nodes[at].count == 0 && tree.nodes.len() < MOST_NODES {
                    tree.expand(game, at);
                }
                if tree.nodes[at].count == 0 {
                    break;
                }
                at = tree.favorite(at, exploration);
            }
            let value = self.play_out(game, brain, &mut tree, at, desk, rng);
            tree.credit(at, value);
        }
        desk.tree = tree;
    }

    /// What a few random moves lead to, for who moved to the node.
    fn play_out<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        tree: &mut Tree<G>,
        at: usize,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> f32 {
        let side = tree.nodes[at].mover;
        let (mut state, mut last) = (tree.nodes[at].state.clone(), side);
        let (mut left, mut extra) = (self.playout, MOST_EXTRA);
        loop {
            tree.moves.clear();
            game.moves(&state, &mut tree.moves);
            if tree.moves.is_empty() {
                let outcome = game.outcome(&state);
                return outcome.map_or(0.0, |outcome| outcome.result_for(side).into());
            }
            if extra > 0 && (tree.moves.len() as u32) < self.quiet {
                extra -= 1;
            } else if left > 0 {
                left -= 1;
            } else {
                break;
            }
            let action = tree.moves[rng.random_range(0..tree.moves.len())];
            last = game.to_move(&state);
            game.play(&mut state, action);
        }
        let value = self.trust as f32 * tree.value(game, brain, &state, last, desk);
        if last == side { value } else { -value }
    }
}

impl<G: Game> Tree<G> {
    /// What the brain makes of a position as the side that moved there sees it, within what a result can be worth.
    fn value(
        &mut self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        side: Side,
        desk: &mut Desk<G>,
    ) -> f32 {
        // Brains are told apart by where they are, which none leaves during a game.
        let who = std::ptr::from_ref(brain).addr();
        let key = FixedState::default().hash_one((state, side, who));
        let place = key as usize % REMEMBERED;
        let (known, game_of, value) = self.memory[place];
        if game_of == self.game && known == key {
            return value;
        }
        game.encode(state, side, &mut desk.inputs);
        brain.think(
            Sight::one(&desk.inputs),
            &mut desk.scratch,
            &mut desk.outputs,
        );
        let value = desk.outputs[0].clamp(-1.0, 1.0);
        self.memory[place] = (key, self.game, value);
        value
    }
}

impl Agent for MonteCarlo {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        Ok(ports(shape, 1))
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        self.search(game, brain, state, desk, rng);
        let best = highest(self.worths(&desk.tree));
        desk.moves.clear();
        game.moves(state, &mut desk.moves);
        desk.moves.get(best).copied()
    }

    fn ponder<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let choice = self.choose(game, brain, state, desk, rng);
        (choice, self.worths(&desk.tree).collect())
    }

    /// Chance is always the same here.
    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        let mut rng = stream(0, Purpose::Chance, 0, 0);
        self.search(game, brain, state, desk, &mut rng);
        self.worths(&desk.tree).collect()
    }

    fn opinion_unit(&self) -> &'static str {
        match self.verdict {
            Verdict::Visits => "share of the rounds",
            Verdict::Value => "mean value of the rounds",
        }
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        let graph = &outlook.graph;
        Policy::of(graph, |number| {
            let mut rng = stream(0, Purpose::Chance, 0, number.into());
            let state = &graph.states[number as usize];
            self.choose(game, brain, state, desk, &mut rng)
        })
    }
}

impl MonteCarlo {
    /// What the moves at the root are worth after a search.
    fn worths<'a, G: Game>(&self, tree: &'a Tree<G>) -> impl Iterator<Item = f32> + use<'a, G> {
        let root = &tree.nodes[0];
        let verdict = self.verdict;
        let rounds = root.visits.max(1) as f32;
        let children = root.first as usize..(root.first + root.count) as usize;
        tree.nodes[children].iter().map(move |child| match verdict {
            Verdict::Visits => child.visits as f32 / rounds,
            Verdict::Value => match child.visits {
                0 => -1.0,
                visits => child.sum / visits as f32,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Playable;
    use crate::games::nim::NimConfig;
    use crate::games::solver::Solved;
    use crate::genomes::Scratch;

    /// Finds nothing better than anything else.
    struct Blank;

    impl Brain for Blank {
        fn think(&self, sight: Sight<'_>, _: &mut Scratch, out: &mut Vec<f32>) {
            out.clear();
            out.resize(sight.ends.len(), 0.0);
        }
    }

    #[test]
    fn logarithms_are_what_they_are_called() {
        let mut tree = Tree::default();
        let game = NimConfig::default().build();
        tree.plant(&game, &game.standard_start(), 2000);
        for n in 1..=2001 {
            let error = (tree.parts[n].logarithm - (n as f64).ln()).abs();
            assert!(error < 1e-4, "{n}");
        }
    }

    /// How many of all positions with a choice an agent gets right.
    fn right(agent: &MonteCarlo) -> (u32, u32) {
        let config = NimConfig {
            stacks: vec![3, 2, 1],
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = Solved::new(&game).expect("it is small");
        let (mut desk, mut rng) = (Desk::new(&game), stream(1, Purpose::Chance, 0, 0));
        let (mut right, mut all) = (0, 0);
        for (number, state) in (0..).zip(&solved.graph.states) {
            if solved.graph.end(number).is_some() || !solved.is_choice(number) {
                continue;
            }
            let lost = solved.worth(number).value < 0;
            let chosen = agent.choose(&game, &Blank, state, &mut desk, &mut rng);
            let chosen = chosen.expect("it chooses a legal move");
            all += 1;
            // Which of the moves that lose delays the end the most no playout tells.
            right += u32::from(lost || solved.best_moves(number).any(|best| best == chosen));
        }
        (right, all)
    }

    #[test]
    fn many_rounds_find_the_moves_that_win_and_few_do_not() {
        let agent = |rounds, tree| MonteCarlo {
            rounds,
            playout: 100,
            tree,
            ..MonteCarlo::default()
        };
        let (found, all) = right(&agent(3000, true));
        assert_eq!(found, all);
        let (few, _) = right(&agent(4, true));
        assert!(few < all, "{few} of {all}");
        let (flat, _) = right(&agent(3000, false));
        assert!(
            flat < all,
            "random games alone do not tell: {flat} of {all}"
        );
    }
}
