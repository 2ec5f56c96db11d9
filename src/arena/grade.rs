//! How good a player is by the oracle, and against earlier champions.

use crate::agents::{Agent, Desk, Policy};
use crate::games::solver::{Solved, Step};
use crate::games::{Game, Side};
use crate::genomes::Brain;
use crate::rng::Stream;

use super::{Hall, Tournament, bout};

/// The share of positions with a choice in which the policy's move is among the best; 1 where nothing is to be chosen.
pub(super) fn accuracy<G: Game>(solved: &Solved<G>, policy: &Policy) -> f64 {
    let (mut choices, mut right) = (0_u32, 0_u32);
    for state in (0..solved.graph.len() as u32).filter(|&state| solved.is_choice(state)) {
        choices += 1;
        right += u32::from(is_best(solved, state, policy));
    }
    if choices == 0 {
        1.0
    } else {
        f64::from(right) / f64::from(choices)
    }
}

/// How many positions the policy gives away: it leads to a worse result than the best. How fast does not matter.
pub(super) fn wrong_decisions<G: Game>(solved: &Solved<G>, policy: &Policy) -> u32 {
    let graph = &solved.graph;
    let wrong =
        |&state: &u32| graph.end(state).is_none() && !keeps(solved, state, policy.step(state));
    (0..graph.len() as u32).filter(wrong).count() as u32
}

/// Whether a step keeps what a position is worth; `None` is an illegal move, which loses.
pub(super) fn keeps<G: Game>(solved: &Solved<G>, state: u32, step: Option<Step>) -> bool {
    let reached = step.map_or(-1, |step| step.back(solved.worth(step.to).value));
    reached >= solved.worth(state).value
}

/// Whether the policy's move in a position is among the best.
fn is_best<G: Game>(solved: &Solved<G>, state: u32, policy: &Policy) -> bool {
    policy
        .step(state)
        .is_some_and(|step| solved.is_best(state, step))
}

/// Plays one game of a tournament, the champion's moves judged where every position is known.
pub(super) fn tournament_game<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    seats: [&dyn Brain; 2],
    champion: Side,
    start: &G::State,
    desk: &mut Desk<G>,
    rng: &mut Stream,
) -> Tournament {
    let game = &hall.game;
    let oracle = hall.oracle.as_ref().filter(|oracle| oracle.knows_all());
    let (mut moves, mut good_moves, mut best) = (0, 0, Vec::new());
    desk.clear();
    let played = bout::follow(game, start.clone(), |state| {
        let mover = game.to_move(state);
        let action = hall
            .agent
            .choose(game, seats[mover.index()], state, desk, rng);
        if mover == champion {
            moves += 1;
            if let (Some(oracle), Some(action)) = (oracle, &action) {
                oracle.judge(game, state, &mut best);
                good_moves += u32::from(best.contains(action));
            }
        }
        action
    });
    let result = if champion == Side::First {
        played.result
    } else {
        played.for_second()
    };
    Tournament {
        games: 1,
        wins: u32::from(result > 0),
        moves,
        good_moves,
    }
}

/// Walks one game of a tournament, the champion's moves judged.
pub(super) fn tournament_walk<G: Game>(
    game: &G,
    solved: &Solved<G>,
    policies: [&Policy; 2],
    champion: Side,
    start: &G::State,
) -> Tournament {
    let graph = &solved.graph;
    let mut state = graph
        .find(game, start)
        .expect("every start is in the graph");
    let (mut mover, mut total) = (Side::First, Tournament::default());
    let result = loop {
        if let Some(result) = graph.end(state) {
            break result;
        }
        let policy = policies[mover.index()];
        if mover == champion {
            total.moves += 1;
            total.good_moves += u32::from(is_best(solved, state, policy));
        }
        let Some(step) = policy.step(state) else {
            break -1;
        };
        state = step.to;
        if step.turns {
            mover = mover.other();
        }
    };
    total.games = 1;
    total.wins = u32::from(result != 0 && (result > 0) == (mover == champion));
    total
}
