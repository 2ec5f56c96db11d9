//! One game between two brains.

use crate::agents::{Agent, Desk, Policy};
use crate::contest::Played;
use crate::games::solver::StateGraph;
use crate::games::{Game, Side};
use crate::genomes::Brain;

/// Plays by looking up each move; `start` is where the first player moves. A loop over integers.
pub(super) fn walk<G: Game>(graph: &StateGraph<G>, start: u32, policies: [&Policy; 2]) -> Played {
    let mut state = start;
    let mut mover = 0;
    let mut plies = 0;
    loop {
        let next = policies[mover].next[state as usize];
        let result = match next {
            Policy::OVER => graph
                .end(state)
                .expect("a policy marks just the ends as over"),
            Policy::ILLEGAL => -1,
            step => {
                state = step & !Policy::TURNS;
                mover ^= usize::from(step & Policy::TURNS != 0);
                plies += 1;
                continue;
            }
        };
        return Played {
            result: if mover == 0 { result } else { -result },
            plies: plies + u32::from(next == Policy::ILLEGAL),
        };
    }
}

/// Plays by asking the brains at each move.
pub(super) fn duel<G: Game, A: Agent>(
    game: &G,
    agent: &A,
    brains: [&dyn Brain; 2],
    start: G::State,
    desk: &mut Desk<G>,
) -> Played {
    follow(game, start, |state| {
        agent.choose(game, brains[game.to_move(state).index()], state, desk)
    })
}

/// Plays a game in which `choose` makes every move; where it makes none, the mover has wanted an illegal one and loses.
pub(super) fn follow<G: Game>(
    game: &G,
    mut state: G::State,
    mut choose: impl FnMut(&G::State) -> Option<G::Move>,
) -> Played {
    let mut plies = 0;
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return Played {
                result: outcome.result_for(Side::First),
                plies,
            };
        }
        plies += 1;
        match choose(&state) {
            Some(action) => game.play(&mut state, action),
            None => {
                return Played {
                    result: if game.to_move(&state) == Side::First {
                        -1
                    } else {
                        1
                    },
                    plies,
                };
            }
        }
    }
}
