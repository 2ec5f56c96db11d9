//! Checks that moves are legal. Errors list legal moves.

use super::{Notation, NotationError};

/// Parses and plays a move. The error says what is wrong with it.
pub fn play_text<G: Notation>(
    game: &G,
    state: &mut G::State,
    text: &str,
) -> Result<G::Move, NotationError> {
    if game.outcome(state).is_some() {
        return Err(format!("`{text}` comes after the end of the game").into());
    }
    let action = game.parse_move(state, text)?;
    game.play(state, action);
    Ok(action)
}

/// Returns `wanted` if it is legal, else an error.
pub fn check_legal<G: Notation>(
    game: &G,
    state: &G::State,
    wanted: G::Move,
) -> Result<G::Move, NotationError> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    if moves.contains(&wanted) {
        return Ok(wanted);
    }
    Err(illegal_move(game, &moves, &game.move_text(wanted)))
}

/// The error of an illegal move.
pub(super) fn illegal_move<G: Notation>(game: &G, legal: &[G::Move], text: &str) -> NotationError {
    let some: Vec<String> = legal
        .iter()
        .take(12)
        .map(|&action| game.move_text(action))
        .collect();
    let more = if legal.len() > some.len() {
        ", ..."
    } else {
        ""
    };
    format!(
        "{text} is not legal here; legal moves: {}{more}",
        some.join(", ")
    )
    .into()
}
