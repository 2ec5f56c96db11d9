//! An outside program as the opponent of a human, who can take back moves.

use std::time::Duration;

use crate::games::{Game, GameConfig, GameParams, NotationError, play_text, with_game};
use crate::play::match_setup::PlayerError;

use super::OutsideSpec;
use super::engine::OutsideEngine;
use super::game_line::{GameLine, line_move};
use super::protocol::EngineFailure;

/// A program that a human plays against. It is started for its first move, and again after a
/// failure.
pub struct OutsideOpponent {
    spec: OutsideSpec,
    game: GameConfig,
    move_time: Duration,
    engine: Option<OutsideEngine>,
}

impl OutsideOpponent {
    /// A program that is not started yet; the error says why it can't play the game.
    pub fn new(
        spec: OutsideSpec,
        game: &GameConfig,
        move_time: Duration,
    ) -> Result<Self, PlayerError> {
        spec.check_game(game)?;
        Ok(Self {
            spec,
            game: game.clone(),
            move_time,
            engine: None,
        })
    }

    /// The program's move after some moves from a start position as text; `begins` tells it that
    /// this is a new game. The error is a clause about the program.
    pub fn choose(
        &mut self,
        start: &str,
        moves: &[String],
        begins: bool,
    ) -> Result<String, String> {
        let line = with_game!(&self.game, config => {
            line_of(&config.build(), &self.spec, start, moves)
        });
        let line = line.map_err(|error| error.to_string())?;
        let chosen = self.ask(&line, begins);
        chosen.map_err(|failure| {
            self.engine = None;
            failure.to_string()
        })
    }

    fn ask(&mut self, line: &GameLine, begins: bool) -> Result<String, EngineFailure> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => OutsideEngine::start(&self.spec, self.move_time)?,
        };
        let engine = self.engine.insert(engine);
        if begins {
            engine.begin();
        }
        engine.choose(line)
    }
}

/// The line of play for a program.
fn line_of<G: Game>(
    game: &G,
    spec: &OutsideSpec,
    start: &str,
    moves: &[String],
) -> Result<GameLine, NotationError> {
    let mut state = game.parse_position(start)?;
    let mut line = GameLine::new(game, spec, &state);
    for text in moves {
        let before = state.clone();
        let action = play_text(game, &mut state, text)?;
        line.moves.push(line_move(game, &before, action));
    }
    line.to_move = game.to_move(&state);
    Ok(line)
}
