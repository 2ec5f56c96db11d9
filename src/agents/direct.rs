//! Direct decoding: each output is one of the numbers that describe a move, truncated toward zero (Kissling 2025, §3.1.7).

use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, Desk, Outlook, Policy, ports};

params! {
    /// Direct decoding has no settings.
    pub struct Direct {}
}

/// The move that a row of outputs stands for.
fn decode<G: Game>(
    game: &G,
    state: &G::State,
    outputs: &[f32],
    wish: &mut Vec<i32>,
) -> Option<G::Move> {
    wish.clear();
    wish.extend(outputs.iter().map(|&output| output as i32));
    game.interpret(state, wish)
}

impl Agent for Direct {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        match shape.components.len() {
            0 => Err(
                "`direct` needs a game whose moves are described by numbers; try `one_ply`"
                    .to_owned(),
            ),
            count => Ok(ports(shape, count)),
        }
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        desk.look(game, brain, state);
        decode(game, state, &desk.outputs, &mut desk.wish)
    }

    /// Minus the distance between the numbers of the move and the outputs.
    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        desk.look(game, brain, state);
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let distance = |&action: &G::Move| {
            desk.wish.clear();
            game.describe(action, &mut desk.wish);
            let pairs = desk.wish.iter().zip(&desk.outputs);
            -pairs
                .map(|(&number, output)| (number as f32 - output).abs())
                .sum::<f32>()
        };
        moves.iter().map(distance).collect()
    }

    fn opinion_unit(&self) -> &'static str {
        "nearness to the outputs"
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        brain.think(
            outlook.to_mover.sight(),
            &mut desk.scratch,
            &mut desk.outputs,
        );
        let width = desk.shape.components.len();
        Policy::of(&outlook.graph, |state| {
            let row = state as usize * width;
            let outputs = &desk.outputs[row..row + width];
            decode(
                game,
                &outlook.graph.states[state as usize],
                outputs,
                &mut desk.wish,
            )
        })
    }
}
