//! One game between two players.

use crate::agents::{Agent, Desk, Policy};
use crate::contest::Played;
use crate::games::reference::Notes;
use crate::games::solver::StateGraph;
use crate::games::{Game, Side};
use crate::rng::Stream;

use super::{Guest, Hall};

/// Games that are walked side by side.
pub(super) const LANES: usize = 8;

/// A game to be walked: the number of the position it begins from, and the choices of the first and second player.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub start: u32,
    pub policies: [&'a Policy; 2],
}

/// Plays by looking up each move. How long a game lasts is hard to predict, so that several are walked in step, each standing
/// still at its end: no branch depends on a single game, and the processor looks ahead in one while it waits for another.
pub(super) fn walk<G: Game>(graph: &StateGraph<G>, lanes: [Lane<'_>; LANES]) -> [Played; LANES] {
    let mut states = lanes.map(|lane| lane.start);
    let (mut movers, mut plies) = ([0; LANES], [0_u32; LANES]);
    loop {
        let mut moved = 0;
        for lane in 0..LANES {
            let next = lanes[lane].policies[movers[lane] & 1].next[states[lane] as usize];
            let to = next & !Policy::TURNS;
            let step = u32::from(to != states[lane]);
            movers[lane] ^= (next >> Policy::TURNS.trailing_zeros()) as usize;
            states[lane] = to;
            plies[lane] += step;
            moved |= step;
        }
        if moved == 0 {
            break;
        }
    }
    std::array::from_fn(|lane| {
        let illegal = states[lane] as usize == graph.len();
        let (result, mut points) = if illegal {
            (-1, [0, 1])
        } else {
            let result = graph.end(states[lane]);
            let result = result.expect("games stand still at their ends");
            (result, graph.points(states[lane]))
        };
        if movers[lane] != 0 {
            points.reverse();
        }
        Played {
            result: if movers[lane] == 0 { result } else { -result },
            plies: u16::try_from(plies[lane]).unwrap_or(u16::MAX),
            points,
        }
    })
}

/// The move that a guest makes, or `None` where it wants an illegal one.
pub(super) fn ask<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    guest: Guest<'_>,
    state: &G::State,
    (desk, notes): &mut (Desk<G>, Notes<G>),
    rng: &mut Stream,
) -> Option<G::Move> {
    let game = &hall.game;
    match guest {
        Guest::Brain(brain) => hall.agent.choose(game, brain, state, desk, rng),
        Guest::Reference(reference) => {
            Some(reference.choose(game, hall.oracle.as_deref(), state, notes, rng))
        }
    }
}

/// Plays a game in which `choose` makes every move; where it makes none, the mover has wanted an illegal one and loses.
pub(super) fn follow<G: Game>(
    game: &G,
    mut state: G::State,
    mut choose: impl FnMut(&G::State) -> Option<G::Move>,
) -> Played {
    let mut plies = 0_u16;
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return Played {
                result: outcome.result_for(Side::First),
                plies,
                points: game.points(&state),
            };
        }
        plies = plies.saturating_add(1);
        match choose(&state) {
            Some(action) => game.play(&mut state, action),
            None => return forfeit(game.to_move(&state), plies),
        }
    }
}

/// The mover has wanted an illegal move and loses; the opponent has the one point of a game in which nothing is counted.
fn forfeit(mover: Side, plies: u16) -> Played {
    let (result, points) = match mover {
        Side::First => (-1, [0, 1]),
        Side::Second => (1, [1, 0]),
    };
    Played {
        result,
        plies,
        points,
    }
}
