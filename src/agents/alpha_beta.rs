//! Choice by search: the brain's one output values positions some moves ahead, and alpha-beta finds the move that comes out
//! best when both sides play for it. It can't want an illegal move.

use std::sync::Arc;

use crate::games::search::{Exact, Judgment, Reach};
use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports};
use crate::params::params;
use crate::rng::Stream;

use super::one_ply::value_moves;
use super::{Agent, Desk, Outlook, Policy, highest, ports};

params! {
    /// Search by alpha-beta.
    pub struct AlphaBeta {
        /// How many moves to look ahead, the own one included.
        fixed depth: u32 = 2, in 1.0..=64.0, "moves";
        /// Whether lines of play are followed beyond that until nothing must be captured any more.
        fixed quiescence: bool = false;
        /// Positions looked at before each move at most, after which what was found at the last full depth counts; 0 for no limit. A limit on time would make results depend on the machine.
        fixed nodes: u32 = 0, in 0.0..=1000000000.0, "positions";
    }
}

/// A brain as the judge of positions, with what it needs to look at them.
struct Judging<'a, G: Game> {
    brain: &'a dyn Brain,
    desk: &'a mut Desk<G>,
}

impl<G: Game> Judgment<G> for Judging<'_, G> {
    fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        value_moves(game, self.brain, state, moves, self.desk);
        std::mem::swap(out, &mut self.desk.outputs);
    }
}

/// Values every legal move; the moves are in `desk.moves`, their values in `desk.worths`.
fn search<G: Game>(
    agent: &AlphaBeta,
    exact: Exact,
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    desk: &mut Desk<G>,
) {
    let mut search = std::mem::take(&mut desk.search);
    let mut moves = std::mem::take(&mut desk.moves);
    let mut worths = std::mem::take(&mut desk.worths);
    moves.clear();
    game.moves(state, &mut moves);
    let hurry = Arc::clone(&desk.hurry);
    let reach = Reach {
        depth: agent.depth as u8,
        quiescence: agent.quiescence,
        nodes: (agent.nodes > 0).then_some(agent.nodes.into()),
        hurry: hurry.as_ref(),
    };
    let mut judging = Judging { brain, desk };
    let how = (reach, exact);
    search.values(game, state, &moves, how, &mut judging, &mut worths);
    (desk.search, desk.moves, desk.worths) = (search, moves, worths);
}

impl AlphaBeta {
    /// The move of the highest value, the first of equals.
    fn best<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Option<G::Move> {
        search(self, Exact::Best, game, brain, state, desk);
        let best = highest(desk.worths.iter().copied());
        desk.moves.get(best).copied()
    }
}

impl Agent for AlphaBeta {
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
        self.best(game, brain, state, desk)
    }

    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        search(self, Exact::All, game, brain, state, desk);
        desk.worths.clone()
    }

    fn ponder<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        _rng: &mut Stream,
    ) -> (Option<G::Move>, Vec<f32>) {
        let opinions = self.opinions(game, brain, state, desk);
        let best = highest(opinions.iter().copied());
        (desk.moves.get(best).copied(), opinions)
    }

    fn opinion_unit(&self) -> &'static str {
        "value by search"
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        let graph = &outlook.graph;
        Policy::of(graph, |state| {
            self.best(game, brain, &graph.states[state as usize], desk)
        })
    }
}
