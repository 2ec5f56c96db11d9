//! Lines of play as text, and counts of move sequences, for other programs and tests.

use super::transcript::read_record;
use super::{Game, GameConfig, GameParams, Notation, NotationError, play_text, with_game};

/// A line of play as input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOfPlay<'a> {
    /// Move by move.
    Moves(&'a [String]),
    /// In the game's usual notation.
    Record(&'a str),
}

/// The starting position and the moves of a line of play as text. Errors name the move and its
/// index.
pub fn line_as_text(
    config: &GameConfig,
    start: Option<&str>,
    line: LineOfPlay<'_>,
) -> Result<(String, Vec<String>), NotationError> {
    with_game!(config, config => {
        let game = config.build();
        let (begin, actions) = read(&game, start, line)?;
        let moves = actions.iter().map(|&action| game.move_text(action));
        Ok((game.position_text(&begin), moves.collect()))
    })
}

/// The number of move sequences of length 1, 2, ..., `depth`; a game that ends earlier counts once
/// in each.
pub fn perft(
    config: &GameConfig,
    start: Option<&str>,
    depth: usize,
) -> Result<Vec<u64>, NotationError> {
    with_game!(config, config => {
        let game = config.build();
        let state = position(&game, start)?;
        Ok((1..=depth).map(|depth| count_sequences(&game, &state, depth)).collect())
    })
}

/// The number of move sequences of length `depth`; a game that ends earlier counts once.
pub fn count_sequences<G: Game>(game: &G, state: &G::State, depth: usize) -> u64 {
    match depth.checked_sub(1) {
        Some(plies) => count(game, state, &mut vec![Vec::new(); plies]),
        None => 1,
    }
}

fn position<G: Game>(game: &G, start: Option<&str>) -> Result<G::State, NotationError> {
    start.map_or_else(
        || Ok(game.standard_start()),
        |text| game.parse_position(text).map_err(|error| error.at("start")),
    )
}

/// Reads a line of play from `start`, else from the start that its record states, else from the
/// standard start.
pub(crate) fn read<G: Game>(
    game: &G,
    start: Option<&str>,
    line: LineOfPlay<'_>,
) -> Result<(G::State, Vec<G::Move>), NotationError> {
    let begin = position(game, start)?;
    match line {
        LineOfPlay::Moves(texts) => Ok((begin.clone(), read_moves(game, &begin, texts)?)),
        LineOfPlay::Record(text) => read_record(game, start.map(|_| &begin), text),
    }
}

fn read_moves<G: Game>(
    game: &G,
    start: &G::State,
    texts: &[String],
) -> Result<Vec<G::Move>, NotationError> {
    let mut state = start.clone();
    let read = texts.iter().enumerate().map(|(index, text)| {
        play_text(game, &mut state, text).map_err(|error| error.at(format_args!("moves[{index}]")))
    });
    read.collect()
}

/// The number of sequences with one ply more than there are buffers. The last ply is counted
/// without being played.
fn count<G: Game>(game: &G, state: &G::State, buffers: &mut [Vec<G::Move>]) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut() else {
        return game.count_moves(state).max(1) as u64;
    };
    moves.clear();
    game.moves(state, moves);
    if moves.is_empty() {
        return 1;
    }
    let after = |&action: &G::Move| {
        let mut after = state.clone();
        game.play(&mut after, action);
        count(game, &after, rest)
    };
    moves.iter().map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_counted_with_finished_games_once() {
        // From 2 matches: take 1 or 2; then after 1 there is one move left, after 2 none.
        assert_eq!(
            perft(&GameConfig::all()[0], Some("2"), 3),
            Ok(vec![2, 2, 2])
        );
        assert_eq!(
            perft(&GameConfig::all()[0], Some("2,2"), 2),
            Ok(vec![4, 10])
        );
        assert_eq!(
            perft(&GameConfig::all()[0], Some("1,1"), 3),
            Ok(vec![2, 2, 2])
        );
    }
}
