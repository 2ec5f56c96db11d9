//! The exhaustive solver of small games: the value of every reachable position and the distance to
//! the end. Used by measures, hints and the oracle player; by no fitness but `graded`, which a
//! preset has to ask for.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::games::oracle::Oracle;
use crate::games::{Game, Side};

/// The maximal number of positions of a game to solve.
const MAX_STATES: usize = 1 << 18;

/// The maximal number of moves, over all positions, of a game to solve.
const MAX_MOVES: usize = 1 << 23;

/// All reachable positions and the moves between them. Positions are numbered in the order of their
/// discovery.
#[derive(Clone, Debug)]
pub struct StateGraph<G: Game> {
    /// The positions in their canonical form.
    pub states: Vec<G::State>,
    /// The moves of position `i` are `moves[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    moves: Vec<G::Move>,
    transitions: Vec<Transition>,
    /// 1, 0 or −1 for the player to move if the game is over.
    results: Vec<Option<i8>>,
    /// The scores of the player to move and of the opponent.
    points: Vec<[u16; 2]>,
    numbers: HashMap<G::State, u32, FixedState>,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The number of the next position.
    pub to: u32,
    /// Whether the opponent is to move next.
    pub switches_side: bool,
}

impl Transition {
    /// Converts a result for the player to move after this transition into one for the player who
    /// moved.
    pub fn as_seen_before(self, result: i8) -> i8 {
        if self.switches_side { -result } else { result }
    }
}

impl<G: Game> StateGraph<G> {
    /// Explores the game from all its starting positions. `None` if none are listed or there are
    /// too many positions.
    pub fn explore(game: &G) -> Option<Self> {
        Self::explore_from(game, &game.all_starts())
    }

    /// Explores the game from the given positions.
    pub fn explore_from(game: &G, starts: &[G::State]) -> Option<Self> {
        if starts.is_empty() {
            return None;
        }
        let mut graph = Self {
            states: Vec::new(),
            first: vec![0],
            moves: Vec::new(),
            transitions: Vec::new(),
            results: Vec::new(),
            points: Vec::new(),
            numbers: HashMap::default(),
        };
        for start in starts {
            graph.number(game, start);
        }
        let mut at = 0;
        while at < graph.states.len() {
            graph.expand(game, at);
            if graph.states.len() > MAX_STATES || graph.moves.len() > MAX_MOVES {
                return None;
            }
            at += 1;
        }
        Some(graph)
    }

    /// The number of a position; a new position gets a new number.
    fn number(&mut self, game: &G, state: &G::State) -> u32 {
        let canonical = game.canonical(state);
        if let Some(&number) = self.numbers.get(&canonical) {
            return number;
        }
        let number = self.states.len() as u32;
        self.states.push(canonical.clone());
        self.numbers.insert(canonical, number);
        number
    }

    fn expand(&mut self, game: &G, at: usize) {
        let state = self.states[at].clone();
        let mover = game.to_move(&state);
        let outcome = game.outcome(&state);
        self.results
            .push(outcome.map(|outcome| outcome.result_for(mover)));
        let mut points = game.points(&state);
        if mover == Side::Second {
            points.reverse();
        }
        self.points.push(points);
        let from = self.moves.len();
        if outcome.is_none() {
            game.moves(&state, &mut self.moves);
        }
        for index in from..self.moves.len() {
            let mut after = state.clone();
            game.play(&mut after, self.moves[index]);
            let turns = game.to_move(&after) != mover;
            let to = self.number(game, &after);
            self.transitions.push(Transition {
                to,
                switches_side: turns,
            });
        }
        self.first.push(self.moves.len() as u32);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Always false after exploring, since there is a starting position.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of a position, if it is reachable.
    pub fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        self.numbers.get(&game.canonical(state)).copied()
    }

    /// The legal moves of a position, in ascending order.
    pub fn moves(&self, state: u32) -> &[G::Move] {
        &self.moves[self.range(state)]
    }

    /// The transition of each legal move of a position.
    pub fn transitions(&self, state: u32) -> &[Transition] {
        &self.transitions[self.range(state)]
    }

    /// The transition of a move, or `None` if it is illegal.
    pub fn transition(&self, state: u32, action: G::Move) -> Option<Transition> {
        let index = self.moves(state).binary_search(&action).ok()?;
        Some(self.transitions(state)[index])
    }

    /// 1, 0 or −1 for the player to move if the game is over.
    pub fn result(&self, state: u32) -> Option<i8> {
        self.results[state as usize]
    }

    /// The scores of the player to move and of the opponent if the game is over.
    pub fn points(&self, state: u32) -> [u16; 2] {
        self.points[state as usize]
    }

    fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }
}

/// The value of a position to the player to move under best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedValue {
    /// 1 for a win, 0 for a draw, −1 for a loss.
    pub value: i8,
    /// The number of moves to the end: the winner plays the shortest win, the loser the longest
    /// loss.
    pub distance_to_end: u16,
}

/// A game whose every reachable position is solved.
#[derive(Clone, Debug)]
pub struct SolvedGame<G: Game> {
    /// All reachable positions and moves.
    pub graph: StateGraph<G>,
    values: Vec<SolvedValue>,
}

impl<G: Game> SolvedGame<G> {
    /// Solves the game from all its starting positions. `None` if it is too large or positions can
    /// repeat.
    pub fn new(game: &G) -> Option<Self> {
        Self::of(StateGraph::explore(game)?)
    }

    /// Solves the game from the given positions.
    pub fn from_positions(game: &G, starts: &[G::State]) -> Option<Self> {
        Self::of(StateGraph::explore_from(game, starts)?)
    }

    fn of(graph: StateGraph<G>) -> Option<Self> {
        let order = reverse_topological_order(&graph)?;
        let mut values = vec![
            SolvedValue {
                value: 0,
                distance_to_end: 0
            };
            graph.len()
        ];
        for state in order {
            values[state as usize] = match graph.result(state) {
                Some(value) => SolvedValue {
                    value,
                    distance_to_end: 0,
                },
                None => best_of(&graph, state, &values),
            };
        }
        Some(Self { graph, values })
    }

    /// The number of a position, if it is reachable.
    pub fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        self.graph.find(game, state)
    }

    /// The value of a position to the player to move.
    pub fn value_of(&self, state: u32) -> SolvedValue {
        self.values[state as usize]
    }

    /// Whether a transition from `state` is among the best: one that keeps the win or the draw, and
    /// in a lost position one that delays the end the most (Kissling 2025, §3.1.7).
    pub fn is_best(&self, state: u32, step: Transition) -> bool {
        let here = self.value_of(state);
        let there = self.value_of(step.to);
        let value = step.as_seen_before(there.value);
        match here.value {
            -1 => there.distance_to_end + 1 == here.distance_to_end,
            _ => value == here.value,
        }
    }

    /// The best moves of a position, in ascending order; empty if the game is over.
    pub fn best_moves(&self, state: u32) -> impl Iterator<Item = G::Move> + '_ {
        let pairs = self
            .graph
            .moves(state)
            .iter()
            .zip(self.graph.transitions(state));
        pairs
            .filter(move |&(_, &step)| self.is_best(state, step))
            .map(|(&action, _)| action)
    }

    /// Whether some legal moves are better than others.
    pub fn is_decision(&self, state: u32) -> bool {
        let steps = self.graph.transitions(state);
        let best = steps
            .iter()
            .filter(|&&step| self.is_best(state, step))
            .count();
        best < steps.len()
    }
}

impl<G: Game> Oracle<G> for SolvedGame<G> {
    /// The value is 1 for a win, 0 for a draw, −1 for a loss.
    fn evaluate(&self, game: &G, state: &G::State, best: &mut Vec<G::Move>) -> Option<i32> {
        let number = self.find(game, state)?;
        best.clear();
        best.extend(self.best_moves(number));
        Some(self.value_of(number).value.into())
    }
}

/// The best value for the player to move: the shortest win, else the longest draw or loss.
fn best_of<G: Game>(graph: &StateGraph<G>, state: u32, values: &[SolvedValue]) -> SolvedValue {
    let rank = |solved: &SolvedValue| {
        let length = i32::from(solved.distance_to_end);
        (
            solved.value,
            if solved.value > 0 { -length } else { length },
        )
    };
    let after = |step: &Transition| SolvedValue {
        value: step.as_seen_before(values[step.to as usize].value),
        distance_to_end: values[step.to as usize].distance_to_end + 1,
    };
    let candidates = graph.transitions(state).iter().map(after);
    candidates
        .max_by_key(rank)
        .expect("a position that is not final has a move")
}

/// The positions in reverse topological order: each after all its successors. `None` if there is a
/// cycle.
fn reverse_topological_order<G: Game>(graph: &StateGraph<G>) -> Option<Vec<u32>> {
    const NEW: u32 = 0;
    const DONE: u32 = u32::MAX;
    let mut seen = vec![NEW; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    let mut path = Vec::new();
    for start in 0..graph.len() as u32 {
        if seen[start as usize] == NEW {
            path.push(start);
        }
        while let Some(&state) = path.last() {
            let tried = seen[state as usize];
            if let Some(step) = graph.transitions(state).get(tried as usize) {
                seen[state as usize] += 1;
                match seen[step.to as usize] {
                    NEW => path.push(step.to),
                    DONE => {}
                    _ => return None,
                }
            } else {
                seen[state as usize] = DONE;
                order.push(state);
                path.pop();
            }
        }
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameParams;
    use crate::games::Notation;
    use crate::games::bounded_nim::BoundedNimConfig;
    use crate::games::nim::NimConfig;

    fn solved(heaps: &[u16]) -> (crate::games::nim::Nim, SolvedGame<crate::games::nim::Nim>) {
        let config = NimConfig {
            heaps: heaps.to_vec(),
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = SolvedGame::new(&game).expect("the game is small");
        (game, solved)
    }

    #[test]
    fn the_number_of_positions_is_the_thesis_count() {
        assert_eq!(solved(&[2, 2]).1.graph.len(), 8 + 1);
        assert_eq!(solved(&[4, 4]).1.graph.len(), 24 + 1);
        assert_eq!(solved(&[1000]).1.graph.len(), 1000 + 1);
    }

    /// Bouton's theorem for misère play (Bouton 1901): the player to move loses where the
    /// exclusive-or of the sizes is 0 and some heap has two or more, or where an odd number of
    /// single matches is left.
    #[test]
    fn every_value_agrees_with_the_theorem_of_bouton() {
        let (game, solved) = solved(&[5, 4, 3]);
        for (number, state) in solved.graph.states.iter().enumerate() {
            let sizes = state.sizes();
            let nim_sum = sizes.iter().fold(0, |sum, size| sum ^ size);
            let large = sizes.iter().any(|&size| size > 1);
            let won = if large { nim_sum != 0 } else { nim_sum == 0 };
            let expected = if won { 1 } else { -1 };
            assert_eq!(
                solved.value_of(number as u32).value,
                expected,
                "{}",
                game.position_text(state)
            );
        }
    }

    fn check_best(heaps: &str, expected: &[&str]) {
        let (game, solved) = solved(&[4, 4]);
        let state = game.parse_position(heaps).expect("the position is valid");
        let number = solved
            .find(&game, &state)
            .expect("the position is reachable");
        let best: Vec<String> = solved
            .best_moves(number)
            .map(|action| game.move_text(action))
            .collect();
        assert_eq!(best, expected, "{heaps}");
    }

    #[test]
    fn best_moves_win_or_delay_the_loss() {
        check_best("2,4", &["2:2"]);
        check_best("4,0", &["1:3"]);
        check_best("1,1", &["1:1", "2:1"]);
        check_best("1,0", &["1:1"]);
        check_best("2,2", &["1:1", "1:2", "2:1", "2:2"]);
        check_best("3,0", &["1:2"]);
        check_best("3,3", &["1:1", "2:1"]);
    }

    #[test]
    fn a_position_is_a_decision_if_its_moves_differ_in_value() {
        let (game, solved) = solved(&[4, 4]);
        let choice = |text: &str| {
            let state = game.parse_position(text).expect("the position is valid");
            solved.is_decision(
                solved
                    .find(&game, &state)
                    .expect("the position is reachable"),
            )
        };
        assert!(choice("2,4"));
        assert!(!choice("1,1"));
        assert!(!choice("1,0"));
    }

    /// Hynek's rule for bounded Nim: leave a multiple of `most + 1` stones, plus one.
    fn check_bounded(stones: u16, most: u16) {
        let game = BoundedNimConfig { stones, most }.build();
        let solved = SolvedGame::new(&game).expect("it is small");
        for left in 1..=stones {
            let state = game
                .parse_position(&left.to_string())
                .expect("it is a heap");
            // With the smallest maximum some heap sizes are unreachable.
            let Some(number) = solved.find(&game, &state) else {
                continue;
            };
            let winning_take = (left - 1) % (most + 1);
            assert_eq!(solved.value_of(number).value == 1, winning_take > 0);
            if winning_take > 0 {
                let best: Vec<u16> = solved.best_moves(number).collect();
                assert_eq!(best, [winning_take], "{left} of {stones}, at most {most}");
            }
        }
    }

    #[test]
    fn the_solver_agrees_with_the_published_rule() {
        for stones in [1, 2, 11, 21, 31, 60] {
            (1..=7).for_each(|most| check_bounded(stones, most));
        }
    }
}
