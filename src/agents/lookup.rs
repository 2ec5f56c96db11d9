//! Choice by looking it up: the brain is told the number of the position and names the place of a legal move, the first being
//! 0. It is how a strategy written down move by move plays.

use crate::games::{Game, Shape};
use crate::genomes::{Brain, Ports, Sight};
use crate::params::params;
use crate::rng::Stream;

use super::{Agent, Batch, Desk, Outlook, Policy};

params! {
    /// Looking up has no settings.
    pub struct Lookup {}
}

/// The move in the table, if that is one; the legal moves are in `desk.moves`.
fn look_up<G: Game>(
    game: &G,
    brain: &dyn Brain,
    state: &G::State,
    desk: &mut Desk<G>,
) -> Option<G::Move> {
    let number = [game.number(state) as f32];
    brain.think(Sight::one(&number), &mut desk.scratch, &mut desk.outputs);
    desk.moves.clear();
    game.moves(state, &mut desk.moves);
    place(desk.outputs[0]).and_then(|place| desk.moves.get(place).copied())
}

impl Agent for Lookup {
    fn ports(&self, shape: &Shape) -> Result<Ports, String> {
        if shape.choices.is_empty() {
            return Err(
                "`lookup` needs a game whose positions are numbered, such as bounded_nim; try `one_ply`"
                    .to_owned(),
            );
        }
        Ok(Ports {
            choices: shape.choices.clone().into(),
            ..Ports::new(1, 1)
        })
    }

    fn choose<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        look_up(game, brain, state, desk)
    }

    /// 1 for the move in the table, 0 for the others.
    fn opinions<G: Game>(
        &self,
        game: &G,
        brain: &dyn Brain,
        state: &G::State,
        desk: &mut Desk<G>,
    ) -> Vec<f32> {
        let chosen = look_up(game, brain, state, desk);
        let moves = desk.moves.iter();
        moves
            .map(|&action| f32::from(u8::from(Some(action) == chosen)))
            .collect()
    }

    fn opinion_unit(&self) -> &'static str {
        "1 for the move in its table"
    }

    fn policy<G: Game>(
        &self,
        game: &G,
        outlook: &Outlook<G>,
        brain: &dyn Brain,
        desk: &mut Desk<G>,
    ) -> Policy {
        let graph = &outlook.graph;
        let batch = Batch::new(1, graph.states.iter(), |state, row| {
            row[0] = game.number(state) as f32;
        });
        brain.think(batch.sight(), &mut desk.scratch, &mut desk.outputs);
        Policy::of(graph, |state| {
            let place = place(desk.outputs[state as usize])?;
            graph.moves(state).get(place).copied()
        })
    }
}

/// The place that an output names; a number below 0 or that is none names nothing.
fn place(output: f32) -> Option<usize> {
    (output >= 0.0).then_some(output as usize)
}
