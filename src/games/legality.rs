//! Moves as they are written, legal or refused with what would be.

use super::Game;

/// Makes the move that `text` stands for, or says what is wrong with it.
pub fn advance<G: Game>(game: &G, state: &mut G::State, text: &str) -> Result<G::Move, String> {
    if game.outcome(state).is_some() {
        return Err(format!("`{text}` comes after the end of the game"));
    }
    let action = game.parse_move(state, text)?;
    game.play(state, action);
    Ok(action)
}

/// The result of reading a legal move: finds `wanted` among the legal moves or says that it is not.
pub fn legal<G: Game>(game: &G, state: &G::State, wanted: G::Move) -> Result<G::Move, String> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    if moves.contains(&wanted) {
        return Ok(wanted);
    }
    Err(refusal(game, &moves, &game.move_text(wanted)))
}

/// Says that a move is not among the legal ones.
pub(super) fn refusal<G: Game>(game: &G, legal: &[G::Move], text: &str) -> String {
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
        "{text} is not legal here; legal are {}{more}",
        some.join(", ")
    )
}
