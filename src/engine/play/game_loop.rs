//! One game between two players.

use crate::agents::Policy;
use crate::contest::GameResult;
use crate::games::{Game, Side};
use crate::search::solver::StateGraph;

/// The number of games that [`play_by_lookup`] plays in step.
pub(super) const LANES: usize = 8;

/// A game to be played by lookup: the index of its start position, and the policies of the first
/// and the second player.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub start: u32,
    pub policies: [&'a Policy; 2],
}

/// Plays games by looking up each move. The length of a game is hard to predict, so several games
/// advance in step, and a game that is over stays at its end position. No branch depends on a
/// single game, and the processor can work on one game while it waits for the memory of another.
pub(super) fn play_by_lookup<G: Game>(
    graph: &StateGraph<G>,
    lanes: [Lane<'_>; LANES],
) -> [GameResult; LANES] {
    let mut states = lanes.map(|lane| lane.start);
    let (mut movers, mut plies) = ([0; LANES], [0_u32; LANES]);
    loop {
        let mut moved = 0;
        for lane in 0..LANES {
            let next = lanes[lane].policies[movers[lane] & 1].next[states[lane] as usize];
            let to = next & !Policy::OPPONENT_NEXT;
            let step = u32::from(to != states[lane]);
            movers[lane] ^= (next >> Policy::OPPONENT_NEXT.trailing_zeros()) as usize;
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
            let result = graph.result(states[lane]);
            let result = result.expect("a game stops moving only at its end");
            (result, graph.points(states[lane]))
        };
        if movers[lane] != 0 {
            points.reverse();
        }
        GameResult {
            result: if movers[lane] == 0 { result } else { -result },
            plies: u16::try_from(plies[lane]).unwrap_or(u16::MAX),
            points,
        }
    })
}

/// Plays a game with the moves of `choose`. If it returns `None`, the player to move chose an
/// illegal move and loses.
pub(super) fn play_game<G: Game>(
    game: &G,
    mut state: G::State,
    mut choose: impl FnMut(&G::State) -> Option<G::Move>,
) -> GameResult {
    let mut plies = 0_u16;
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return GameResult {
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

/// The result of a game in which `mover` chose an illegal move: it loses, and the points are 1 to 0
/// for the opponent.
fn forfeit(mover: Side, plies: u16) -> GameResult {
    let (result, points) = match mover {
        Side::First => (-1, [0, 1]),
        Side::Second => (1, [1, 0]),
    };
    GameResult {
        result,
        plies,
        points,
    }
}
