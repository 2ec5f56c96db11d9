//! How good a brain is, by measures that no fitness knows: against the oracle, earlier champions and reference players.

use crate::agents::{Agent, Desk, Policy};
use crate::games::reference::Reference;
use crate::games::solver::{Solved, Step};
use crate::games::{Game, Side};
use crate::genomes::Brain;
use crate::rng::{Purpose, stream};

use super::{Hall, Tournament, bout};

/// The seed of the held-out games: one set for every run, so that their figures can be compared.
const HELD_OUT: u64 = 0x0066_696e_6368_6573;

/// The share of positions with a choice in which the policy's move is among the best; 1 where nothing is to be chosen.
pub(super) fn accuracy<G: Game>(solved: &Solved<G>, policy: &Policy) -> f64 {
    let (mut choices, mut right) = (0_u32, 0_u32);
    for state in (0..solved.graph.len() as u32).filter(|&state| solved.is_choice(state)) {
        choices += 1;
        let next = policy.next[state as usize];
        let step = Step {
            to: next & !Policy::TURNS,
            turns: next & Policy::TURNS != 0,
        };
        right += u32::from(next != Policy::ILLEGAL && solved.is_best(state, step));
    }
    if choices == 0 {
        1.0
    } else {
        f64::from(right) / f64::from(choices)
    }
}

/// Plays one game of a tournament and adds it to the total.
pub(super) fn tournament_game<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    seats: [&dyn Brain; 2],
    champion: Side,
    start: &G::State,
    desk: &mut Desk<G>,
    total: &mut Tournament,
) {
    let game = &hall.game;
    let played = bout::follow(game, start.clone(), |state| {
        let mover = game.to_move(state);
        let action = hall.agent.choose(game, seats[mover.index()], state, desk);
        if mover == champion {
            total.moves += 1;
            total.good_moves += u32::from(is_good(hall, state, action));
        }
        action
    });
    let result = if champion == Side::First {
        played.result
    } else {
        played.for_second()
    };
    total.games += 1;
    total.wins += u32::from(result > 0);
}

fn is_good<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    state: &G::State,
    action: Option<G::Move>,
) -> bool {
    let judged = || {
        let solved = hall.solved()?;
        let number = solved.find(&hall.game, state)?;
        let step = solved.graph.step(number, action?)?;
        Some(solved.is_best(number, step))
    };
    judged().unwrap_or(false)
}

/// The brain's share of points against a reference player, both sides from each position.
pub(super) fn versus<G: Game, A: Agent>(
    hall: &Hall<G, A>,
    brain: &dyn Brain,
    reference: Reference,
    games: u32,
) -> f64 {
    let game = &hall.game;
    let mut desk = Desk::new(game);
    let mut moves = Vec::new();
    let mut points = 0.0;
    for index in 0..games {
        let start = hall.opening(Purpose::HeldOut, HELD_OUT, 0, index / 2);
        let own = if index % 2 == 0 {
            Side::First
        } else {
            Side::Second
        };
        let mut rng = stream(HELD_OUT, Purpose::Bout, reference as u64, index.into());
        let played = bout::follow(game, start, |state| {
            if game.to_move(state) == own {
                hall.agent.choose(game, brain, state, &mut desk)
            } else {
                Some(reference.choose(game, hall.solved(), state, &mut moves, &mut rng))
            }
        });
        let result = if own == Side::First {
            played.result
        } else {
            played.for_second()
        };
        points += f64::from(result + 1) / 2.0;
    }
    points / f64::from(games.max(1))
}
