//! One-hot decoding: each number that describes a move has an output per value it can have, and the highest of them
//! counts, the lowest value among equals (Kissling 2025, §3.1.7).

use crate::games::{Component, Game, Shape};
use crate::genomes::{Brain, Ports};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, Desk, Outlook, Policy, highest, ports};

params! {
    /// One-hot decoding has no settings.
    pub struct OneHot {}
}

/// The move that a row of outputs stands for.
fn decode<G: Game>(
    game: &G,
    components: &[Component],
    state: &G::State,
    outputs: &[f32],
    wish: &mut Vec<i32>,
) -> Option<G::Move> {
    wish.clear();
    let mut rest = outputs;
    for component in components {
        let (own, others) = rest.split_at(component.span());
        wish.push(component.low + highest(own.iter().copied()) as i32);
        rest = others;
    }
    game.interpret(state, wish)
}

impl Agent for OneHot {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        match shape.components.iter().map(Component::span).sum() {
            0 => Err(
                "`one_hot` needs a game whose moves are described by numbers; try `one_ply`"
                    .to_owned(),
            ),
            outputs => Ok(ports(shape, outputs)),
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
        decode(
            game,
            &desk.shape.components,
            state,
            &desk.outputs,
            &mut desk.wish,
        )
    }

    /// The sum of the outputs that stand for the move's numbers.
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
        let value = |&action: &G::Move| {
            desk.wish.clear();
            game.describe(action, &mut desk.wish);
            let mut start = 0;
            let outputs =
                desk.wish
                    .iter()
                    .zip(&desk.shape.components)
                    .map(|(&number, component)| {
                        let output = desk.outputs[start + (number - component.low) as usize];
                        start += component.span();
                        output
                    });
            outputs.sum()
        };
        moves.iter().map(value).collect()
    }

    fn opinion_unit(&self) -> &'static str {
        "sum of the move's outputs"
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
        let components = &desk.shape.components;
        let width: usize = components.iter().map(Component::span).sum();
        Policy::of(&outlook.graph, |state| {
            let row = state as usize * width;
            let outputs = &desk.outputs[row..row + width];
            decode(
                game,
                components,
                &outlook.graph.states[state as usize],
                outputs,
                &mut desk.wish,
            )
        })
    }
}
