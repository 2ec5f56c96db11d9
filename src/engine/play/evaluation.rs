//! The quality of a player's moves by the oracle, and its games against earlier champions.

use crate::agents::{Policy, Turn, Workspace};
use crate::evolution::fitness::graded::FULL_GRADE;
use crate::games::{Game, Side};
use crate::genomes::Brain;
use crate::rng::Stream;
use crate::search::solver::{SolvedGame, Transition};

use super::game_arena::GameArena;
use super::{TournamentResult, game_loop};

/// The share of positions with a choice in which the policy's move is among the best, from 0 to 1;
/// 1 if there is no such position.
pub(super) fn accuracy<G: Game>(solved: &SolvedGame<G>, policy: &Policy) -> f64 {
    let (mut choices, mut right) = (0_u32, 0_u32);
    for state in (0..solved.graph.len() as u32).filter(|&state| solved.is_decision(state)) {
        choices += 1;
        right += u32::from(is_best(solved, state, policy));
    }
    if choices == 0 {
        1.0
    } else {
        f64::from(right) / f64::from(choices)
    }
}

/// The [`accuracy`] of a player that moves at random.
pub(super) fn chance_accuracy<G: Game>(solved: &SolvedGame<G>) -> f64 {
    let (mut choices, mut right) = (0_u32, 0.0);
    for state in (0..solved.graph.len() as u32).filter(|&state| solved.is_decision(state)) {
        let steps = solved.graph.transitions(state);
        let best = steps.iter().filter(|&&step| solved.is_best(state, step));
        choices += 1;
        right += best.count() as f64 / steps.len() as f64;
    }
    if choices == 0 {
        1.0
    } else {
        right / f64::from(choices)
    }
}

/// The number of positions in which the policy's move leads to a worse result than the best move.
pub(super) fn wrong_decisions<G: Game>(solved: &SolvedGame<G>, policy: &Policy) -> u32 {
    let graph = &solved.graph;
    let wrong =
        |&state: &u32| graph.result(state).is_none() && !keeps(solved, state, policy.step(state));
    (0..graph.len() as u32).filter(wrong).count() as u32
}

/// Whether a step keeps the value of a position; `None` is an illegal move, which loses.
pub(super) fn keeps<G: Game>(solved: &SolvedGame<G>, state: u32, step: Option<Transition>) -> bool {
    let reached = step.map_or(-1, |step| {
        step.as_seen_before(solved.value_of(step.to).value)
    });
    reached >= solved.value_of(state).value
}

/// Whether the policy's move in a position is among the best.
fn is_best<G: Game>(solved: &SolvedGame<G>, state: u32, policy: &Policy) -> bool {
    policy
        .step(state)
        .is_some_and(|step| solved.is_best(state, step))
}

/// Plays one game of a tournament. The champion's moves are compared with the oracle's if the
/// oracle knows every position.
pub(super) fn tournament_game<G: Game>(
    arena: &GameArena<G>,
    players: [&dyn Brain; 2],
    champion: Side,
    start: &G::State,
    workspace: &mut Workspace<G>,
    rng: &mut Stream,
) -> TournamentResult {
    let game = &arena.game;
    let oracle = arena.oracle.as_ref().filter(|oracle| oracle.is_complete());
    let (mut moves, mut good_moves, mut best) = (0, 0, Vec::new());
    workspace.clear();
    let played = game_loop::play_game(game, start.clone(), |state| {
        let mover = game.to_move(state);
        let brain = players[mover.index()];
        let mut turn = Turn::new(game, brain, state, workspace);
        let action = arena.agent.choose(&mut turn, rng);
        if mover == champion {
            moves += 1;
            if let (Some(oracle), Some(action)) = (oracle, &action) {
                oracle.evaluate(game, state, &mut best);
                good_moves += u32::from(best.contains(action));
            }
        }
        action
    });
    let result = if champion == Side::First {
        played.result
    } else {
        played.result_for_second()
    };
    TournamentResult {
        games: 1,
        wins: u32::from(result > 0),
        moves,
        good_moves,
    }
}

/// A game by lookup: its result for the player that moves first, and the moves of each player and
/// those among them that are best.
#[derive(Default)]
pub(super) struct GradedWalk {
    result: i8,
    moves: [u32; 2],
    good_moves: [u32; 2],
}

impl GradedWalk {
    /// Plays from a position of the graph.
    pub(super) fn new<G: Game>(
        solved: &SolvedGame<G>,
        policies: [&Policy; 2],
        mut state: u32,
    ) -> Self {
        let (mut mover, mut walk) = (Side::First, Self::default());
        let result = loop {
            if let Some(result) = solved.graph.result(state) {
                break result;
            }
            let policy = policies[mover.index()];
            walk.moves[mover.index()] += 1;
            walk.good_moves[mover.index()] += u32::from(is_best(solved, state, policy));
            let Some(step) = policy.step(state) else {
                break -1;
            };
            state = step.to;
            if step.switches_side {
                mover = mover.opponent();
            }
        };
        walk.result = if mover == Side::First {
            result
        } else {
            -result
        };
        walk
    }

    /// The share of each player's moves that are best, in parts of [`FULL_GRADE`]; 0 without a
    /// move.
    pub(super) fn grades(&self) -> [u16; 2] {
        [0, 1].map(|side| {
            let grade = u32::from(FULL_GRADE) * self.good_moves[side];
            (grade / self.moves[side].max(1)) as u16
        })
    }

    /// The game as one of a tournament of the player of `champion`.
    pub(super) fn of_champion(&self, champion: Side) -> TournamentResult {
        let side = champion.index();
        let won = self.result != 0 && (self.result > 0) == (champion == Side::First);
        TournamentResult {
            games: 1,
            wins: u32::from(won),
            moves: self.moves[side],
            good_moves: self.good_moves[side],
        }
    }
}
