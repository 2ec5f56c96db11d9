//! An outside program as a player of matches. A failure loses the game, and ends the program.

use std::sync::Arc;

use crate::games::Game;
use crate::play::forfeits::{Forfeit, ForfeitLog};
use crate::play::player::{Player, PlayerBuffers};
use crate::rng::Stream;

use super::engine::{EnginePool, OutsideEngine};
use super::game_line::{GameLine, line_move};
use super::protocol::EngineFailure;

/// A program that plays a game.
pub(super) struct OutsidePlayer<G: Game> {
    game: G,
    engines: Arc<EnginePool>,
    forfeits: Arc<ForfeitLog>,
}

/// A game in progress on one thread.
struct OutsideGame {
    number: u64,
    line: GameLine,
    /// The program, unless it has failed.
    engine: Result<OutsideEngine, EngineFailure>,
}

impl<G: Game> OutsidePlayer<G> {
    pub(super) fn new(game: G, engines: Arc<EnginePool>, forfeits: Arc<ForfeitLog>) -> Self {
        Self {
            game,
            engines,
            forfeits,
        }
    }

    /// The only legal move, if it is a pass, which no program need be asked for.
    fn forced_pass(&self, state: &G::State) -> Option<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        match moves[..] {
            [only] if self.game.is_pass(only) => Some(only),
            _ => None,
        }
    }

    /// The program's move, which is legal.
    fn ask(&self, state: &G::State, played: &mut OutsideGame) -> Result<G::Move, EngineFailure> {
        let engine = match &mut played.engine {
            Ok(engine) => engine,
            Err(failure) => return Err(failure.clone()),
        };
        played.line.to_move = self.game.to_move(state);
        let text = engine.choose(&played.line)?;
        self.game.parse_move(state, &text).map_err(|error| {
            let reason = format!("it played an illegal move ({error})");
            engine.explained(EngineFailure::Failed(reason))
        })
    }

    /// Notes why the program lost the game, and ends it unless it resigned.
    fn forfeit(&self, failure: EngineFailure, played: &mut OutsideGame) {
        let forfeit = Forfeit {
            game: played.number,
            after: played.line.moves.last().map(|last| last.text.clone()),
            reason: failure.to_string(),
        };
        tracing::warn!(
            target: "finches::play",
            player = self.engines.spec.text,
            game = played.number + 1,
            after = forfeit.after.as_deref().unwrap_or("the start"),
            reason = forfeit.reason,
            "an outside program lost a game"
        );
        if failure == EngineFailure::Resigned {
            self.forfeits.add_resignation(forfeit);
        } else {
            self.forfeits.add(forfeit);
            played.engine = Err(failure);
        }
    }
}

impl<G: Game> Player<G> for OutsidePlayer<G> {
    fn begin(&self, start: &G::State, number: u64, buffers: &mut PlayerBuffers<G>) {
        let engine = self.engines.take().map(|mut engine| {
            engine.begin();
            engine
        });
        buffers.own = Some(Box::new(OutsideGame {
            number,
            line: GameLine::new(&self.game, &self.engines.spec, start),
            engine,
        }));
    }

    fn observe(&self, state: &G::State, action: G::Move, buffers: &mut PlayerBuffers<G>) {
        if let Some(played) = game_in(buffers) {
            played.line.moves.push(line_move(&self.game, state, action));
        }
    }

    fn end(&self, buffers: &mut PlayerBuffers<G>) {
        let own = buffers.own.take().and_then(|own| own.downcast().ok());
        let Some(played) = own.map(|own: Box<OutsideGame>| *own) else {
            return;
        };
        if let Ok(engine) = played.engine {
            self.engines.give(engine);
            self.forfeits.note_success();
        }
    }

    fn choose(
        &self,
        state: &G::State,
        buffers: &mut PlayerBuffers<G>,
        _rng: &mut Stream,
    ) -> Option<G::Move> {
        if let Some(pass) = self.forced_pass(state) {
            return Some(pass);
        }
        let played = game_in(buffers)?;
        match self.ask(state, played) {
            Ok(action) => Some(action),
            Err(failure) => {
                self.forfeit(failure, played);
                None
            }
        }
    }
}

/// The game in the player's buffers.
fn game_in<G: Game>(buffers: &mut PlayerBuffers<G>) -> Option<&mut OutsideGame> {
    buffers.own.as_mut()?.downcast_mut()
}
