//! One-ply choice: the brain's one output values the position after each legal move as the mover sees it, and the highest
//! value is played, the first of equals. It can't want an illegal move.

use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports, Sight};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, Desk, Outlook, Policy, highest, ports};

params! {
    /// One-ply choice has no settings.
    pub struct OnePly {}
}

/// Values every legal move in one batch; the moves are in `desk.moves`, their values in `desk.outputs`.
fn value_all<G: Game>(game: &G, brain: &dyn Brain, state: &G::State, desk: &mut Desk<G>) {
    let side = game.to_move(state);
    game.encode(state, side, &mut desk.inputs);
    game.successors(
        state,
        side,
        &mut desk.moves,
        &mut desk.changes,
        &mut desk.ends,
    );
    think(brain, desk);
}

/// Values some legal moves in one batch; their values are in `desk.outputs`.
pub(super) fn value_moves<G: Game>(
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    moves: &[G::Move],
    desk: &mut Desk<G>,
) {
    let side = game.to_move(state);
    game.encode(state, side, &mut desk.inputs);
    desk.changes.clear();
    desk.ends.clear();
    for &action in moves {
        game.changes(state, action, side, &mut desk.changes);
        desk.ends.push(desk.changes.len() as u32);
    }
    think(brain, desk);
}

/// Values the rows that are on the desk.
fn think<G: Game>(brain: &dyn Brain, desk: &mut Desk<G>) {
    let sight = Sight {
        base: &desk.inputs,
        changes: &desk.changes,
        ends: &desk.ends,
    };
    brain.think(sight, &mut desk.scratch, &mut desk.outputs);
}

impl Agent for OnePly {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        Ok(ports(shape, 1))
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        value_all(game, brain, state, desk);
        desk.moves
            .get(highest(desk.outputs.iter().copied()))
            .copied()
    }

    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        value_all(game, brain, state, desk);
        desk.outputs.clone()
    }

    fn opinion_unit(&self) -> &'static str {
        "value of the position after it"
    }

    /// Each position is valued once, however many moves lead to it.
    fn policy<G: Game>(
        &self,
        _game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        let graph = &outlook.graph;
        brain.think(
            outlook.to_waiter.sight(),
            &mut desk.scratch,
            &mut desk.outputs,
        );
        let mut again = Vec::new();
        if (0..graph.len() as u32).any(|state| graph.steps(state).iter().any(|step| !step.turns)) {
            brain.think(outlook.to_mover.sight(), &mut desk.scratch, &mut again);
        }
        Policy::of(graph, |state| {
            let values = graph.steps(state).iter().map(|step| {
                let side = if step.turns { &desk.outputs } else { &again };
                side[step.to as usize]
            });
            graph.moves(state).get(highest(values)).copied()
        })
    }
}
