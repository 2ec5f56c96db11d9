//! The exhaustive oracle of small games: every reachable position, who wins it, and how long that takes. It serves
//! measures, hints and the perfect player; never the fitness.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::oracle::Oracle;
use super::{Game, Side};

/// A game with more positions is not solved.
const MOST_STATES: usize = 1 << 18;

/// A game with more moves over all positions is not solved.
const MOST_MOVES: usize = 1 << 23;

/// Every position that can be reached, and the moves between them. Positions are numbered in the order they are found.
#[derive(Clone, Debug)]
pub struct StateGraph<G: Game> {
    /// The positions in their canonical form.
    pub states: Vec<G::State>,
    /// The moves of position `i` are `moves[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    moves: Vec<G::Move>,
    next: Vec<Step>,
    /// 1, 0 or −1 for the player to move where the game is over.
    ends: Vec<Option<i8>>,
    /// What the game counts there for the player to move and the other one.
    points: Vec<[u16; 2]>,
    numbers: HashMap<G::State, u32, FixedState>,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the position reached.
    pub to: u32,
    /// Whether the opponent is to move there.
    pub turns: bool,
}

impl Step {
    /// A result for the player to move after this step, as the player before it sees it.
    pub fn back(self, result: i8) -> i8 {
        if self.turns { -result } else { result }
    }
}

impl<G: Game> StateGraph<G> {
    /// Explores the game from all its starting positions, or gives up where there are none listed or too many positions.
    pub fn explore(game: &G) -> Option<Self> {
        Self::explore_from(game, &game.starts())
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
            next: Vec::new(),
            ends: Vec::new(),
            points: Vec::new(),
            numbers: HashMap::default(),
        };
        for start in starts {
            graph.number(game, start);
        }
        let mut at = 0;
        while at < graph.states.len() {
            graph.expand(game, at);
            if graph.states.len() > MOST_STATES || graph.moves.len() > MOST_MOVES {
                return None;
            }
            at += 1;
        }
        Some(graph)
    }

    /// The number of a position, a new one if it was not met before.
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
        self.ends
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
            self.next.push(Step { to, turns });
        }
        self.first.push(self.moves.len() as u32);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never, once explored: there is a starting position.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of a position, if it can be reached.
    pub fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        self.numbers.get(&game.canonical(state)).copied()
    }

    /// The legal moves of a position, in ascending order.
    pub fn moves(&self, state: u32) -> &[G::Move] {
        &self.moves[self.range(state)]
    }

    /// Where each legal move of a position leads.
    pub fn steps(&self, state: u32) -> &[Step] {
        &self.next[self.range(state)]
    }

    /// Where one move of a position leads, or `None` where it is not legal.
    pub fn step(&self, state: u32, action: G::Move) -> Option<Step> {
        let index = self.moves(state).binary_search(&action).ok()?;
        Some(self.steps(state)[index])
    }

    /// 1, 0 or −1 for the player to move where the game is over.
    pub fn end(&self, state: u32) -> Option<i8> {
        self.ends[state as usize]
    }

    /// What the game counts, once it is over, for the player to move and the other one.
    pub fn points(&self, state: u32) -> [u16; 2] {
        self.points[state as usize]
    }

    fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }
}

/// What a position is worth to the player to move, both sides playing their best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// 1 won, 0 drawn, −1 lost.
    pub value: i8,
    /// Moves until the end: the winner hurries, the loser lingers.
    pub length: u16,
}

/// A game whose every reachable position is solved.
#[derive(Clone, Debug)]
pub struct Solved<G: Game> {
    pub graph: StateGraph<G>,
    worth: Vec<Worth>,
}

impl<G: Game> Solved<G> {
    /// Solves the game from its own starting positions, or `None` where it is too large or can repeat a position.
    pub fn new(game: &G) -> Option<Self> {
        Self::of(StateGraph::explore(game)?)
    }

    /// Solves the game from the given positions.
    pub fn from_positions(game: &G, starts: &[G::State]) -> Option<Self> {
        Self::of(StateGraph::explore_from(game, starts)?)
    }

    fn of(graph: StateGraph<G>) -> Option<Self> {
        let order = last_first(&graph)?;
        let mut worth = vec![
            Worth {
                value: 0,
                length: 0
            };
            graph.len()
        ];
        for state in order {
            worth[state as usize] = match graph.end(state) {
                Some(value) => Worth { value, length: 0 },
                None => best_of(&graph, state, &worth),
            };
        }
        Some(Self { graph, worth })
    }

    /// The number of a position, if it can be reached.
    pub fn find(&self, game: &G, state: &G::State) -> Option<u32> {
        self.graph.find(game, state)
    }

    /// What a position is worth to the player to move.
    pub fn worth(&self, state: u32) -> Worth {
        self.worth[state as usize]
    }

    /// Whether a step from `state` is among the best: in a won position every step that keeps the win, in a drawn one
    /// every step that keeps the draw, in a lost one those that delay the end the most (Kissling 2025, §3.1.7).
    pub fn is_best(&self, state: u32, step: Step) -> bool {
        let here = self.worth(state);
        let there = self.worth(step.to);
        let value = step.back(there.value);
        match here.value {
            -1 => there.length + 1 == here.length,
            _ => value == here.value,
        }
    }

    /// The best moves of a position, in ascending order; none where the game is over.
    pub fn best_moves(&self, state: u32) -> impl Iterator<Item = G::Move> + '_ {
        let pairs = self.graph.moves(state).iter().zip(self.graph.steps(state));
        pairs
            .filter(move |&(_, &step)| self.is_best(state, step))
            .map(|(&action, _)| action)
    }

    /// Whether the player to move can do better or worse by choosing.
    pub fn is_choice(&self, state: u32) -> bool {
        let steps = self.graph.steps(state);
        let best = steps
            .iter()
            .filter(|&&step| self.is_best(state, step))
            .count();
        best < steps.len()
    }
}

impl<G: Game> Oracle<G> for Solved<G> {
    /// 1 won, 0 drawn, −1 lost.
    fn judge(&self, game: &G, state: &G::State, best: &mut Vec<G::Move>) -> Option<i32> {
        let number = self.find(game, state)?;
        best.clear();
        best.extend(self.best_moves(number));
        Some(self.worth(number).value.into())
    }
}

/// The best the player to move can get: a win as short as can be, else a draw or a loss as long as can be.
fn best_of<G: Game>(graph: &StateGraph<G>, state: u32, worth: &[Worth]) -> Worth {
    let rank = |worth: &Worth| {
        let length = i32::from(worth.length);
        (worth.value, if worth.value > 0 { -length } else { length })
    };
    let after = |step: &Step| Worth {
        value: step.back(worth[step.to as usize].value),
        length: worth[step.to as usize].length + 1,
    };
    let worths = graph.steps(state).iter().map(after);
    worths
        .max_by_key(rank)
        .expect("a position that is not an end has a move")
}

/// The positions in an order in which each comes after all that its moves lead to, or `None` where moves go in a circle.
fn last_first<G: Game>(graph: &StateGraph<G>) -> Option<Vec<u32>> {
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
            if let Some(step) = graph.steps(state).get(tried as usize) {
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
    use crate::games::Playable;
    use crate::games::nim::NimConfig;

    fn solved(stacks: &[u16]) -> (crate::games::nim::Nim, Solved<crate::games::nim::Nim>) {
        let config = NimConfig {
            stacks: stacks.to_vec(),
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = Solved::new(&game).expect("the game is small");
        (game, solved)
    }

    #[test]
    fn the_number_of_positions_is_the_thesis_count() {
        assert_eq!(solved(&[2, 2]).1.graph.len(), 8 + 1);
        assert_eq!(solved(&[4, 4]).1.graph.len(), 24 + 1);
        assert_eq!(solved(&[1000]).1.graph.len(), 1000 + 1);
    }

    /// Bouton's theorem for misère play (Bouton 1901): the player to move loses where the exclusive-or of the sizes is 0
    /// and some stack has two or more, or where an odd number of single matches is left.
    #[test]
    fn every_position_is_worth_what_the_theorem_of_bouton_says() {
        let (game, solved) = solved(&[5, 4, 3]);
        for (number, state) in solved.graph.states.iter().enumerate() {
            let sizes = state.sizes();
            let nim_sum = sizes.iter().fold(0, |sum, size| sum ^ size);
            let large = sizes.iter().any(|&size| size > 1);
            let won = if large { nim_sum != 0 } else { nim_sum == 0 };
            let expected = if won { 1 } else { -1 };
            assert_eq!(
                solved.worth(number as u32).value,
                expected,
                "{}",
                game.position_text(state)
            );
        }
    }

    fn check_best(stacks: &str, expected: &[&str]) {
        let (game, solved) = solved(&[4, 4]);
        let state = game
            .parse_position(stacks)
            .expect("the test writes positions");
        let number = solved.find(&game, &state).expect("it can be reached");
        let best: Vec<String> = solved
            .best_moves(number)
            .map(|action| game.move_text(action))
            .collect();
        assert_eq!(best, expected, "{stacks}");
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
    fn a_position_is_a_choice_where_moves_differ() {
        let (game, solved) = solved(&[4, 4]);
        let choice = |text: &str| {
            let state = game
                .parse_position(text)
                .expect("the test writes positions");
            solved.is_choice(solved.find(&game, &state).expect("it can be reached"))
        };
        assert!(choice("2,4"));
        assert!(!choice("1,1"));
        assert!(!choice("1,0"));
    }
}
