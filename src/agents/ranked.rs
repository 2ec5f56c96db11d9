//! Choice by rank: the brain has an output for every move there can be, and the legal one with the highest output is played. A
//! brain whose outputs are equal has no preference, so that chance decides between them (Weaver & Bossomaier 1996, "Choice of
//! Network").

use rand::RngExt;

use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, Desk, Outlook, Policy, highest, ports};

params! {
    /// Choice by rank has no settings.
    pub struct Ranked {}
}

/// Fills `desk.worths` with the outputs of the legal moves, which are in `desk.moves`.
fn rank<G: Game>(game: &G, state: &G::State, outputs: &[f32], desk: &mut Desk<G>) {
    let low = desk.shape.components[0].low;
    desk.moves.clear();
    game.moves(state, &mut desk.moves);
    desk.worths.clear();
    for &action in &desk.moves {
        desk.wish.clear();
        game.describe(action, &mut desk.wish);
        desk.worths.push(outputs[(desk.wish[0] - low) as usize]);
    }
}

/// Shows the position to the brain and ranks the legal moves.
fn look_and_rank<G: Game>(game: &G, brain: &dyn Brain, state: &G::State, desk: &mut Desk<G>) {
    desk.look(game, brain, state);
    let outputs = std::mem::take(&mut desk.outputs);
    rank(game, state, &outputs, desk);
    desk.outputs = outputs;
}

impl Agent for Ranked {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        match &shape.components[..] {
            [moves] => Ok(ports(shape, moves.span())),
            _ => Err(
                "`ranked` needs a game whose moves are one number each, such as dots_and_boxes; try `one_ply`"
                    .to_owned(),
            ),
        }
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        rng: &mut Stream,
    ) -> Option<G::Move> {
        look_and_rank(game, brain, state, desk);
        let best = highest(desk.worths.iter().copied());
        let &most = desk.worths.get(best)?;
        let equals = desk.worths[best..].iter().filter(|&&worth| worth >= most);
        let place = match equals.count() {
            0 | 1 => best,
            count => {
                let chosen = rng.random_range(0..count);
                let mut equals = (0..desk.worths.len()).filter(|&place| desk.worths[place] >= most);
                equals.nth(chosen).unwrap_or(best)
            }
        };
        Some(desk.moves[place])
    }

    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        look_and_rank(game, brain, state, desk);
        desk.worths.clone()
    }

    fn targets<G: Game>(
        &self,
        game: &G,
        _state: &G::State,
        moves: &[G::Move],
        worths: &[f32],
        desk: &mut Desk<G>,
    ) -> Result<Vec<Option<f32>>, String> {
        let [component] = &desk.shape.components[..] else {
            return Ok(Vec::new());
        };
        let mut targets = vec![None; component.span()];
        for (&action, &worth) in moves.iter().zip(worths) {
            desk.wish.clear();
            game.describe(action, &mut desk.wish);
            targets[(desk.wish[0] - component.low) as usize] = Some(worth);
        }
        Ok(targets)
    }

    fn opinion_unit(&self) -> &'static str {
        "output for it"
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        let mut outputs = std::mem::take(&mut desk.outputs);
        brain.think(outlook.to_mover.sight(), &mut desk.scratch, &mut outputs);
        let width = desk.shape.components[0].span();
        let policy = Policy::of(&outlook.graph, |number| {
            let row = &outputs[number as usize * width..][..width];
            rank(game, &outlook.graph.states[number as usize], row, desk);
            let best = highest(desk.worths.iter().copied());
            desk.moves.get(best).copied()
        });
        desk.outputs = outputs;
        policy
    }
}
