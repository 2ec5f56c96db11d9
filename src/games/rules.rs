//! Answers about the rules, so that other people's programs and our tests can check them: legal moves along a line of play,
//! results, exact values, and counts of move sequences.

use serde::Serialize;

use super::solver::Solved;
use super::{Game, GameConfig, Playable, Side, with_game};

/// What the rules say along a line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The legal moves at the start and after every move, sorted as text; none once the game is over.
    pub legal: Vec<Vec<String>>,
    /// Who is to move at the start and after every move.
    pub to_move: Vec<&'static str>,
    /// The last position.
    pub position: String,
    /// 1, 0 or −1 for the first player once the game is over.
    pub result: Option<i8>,
    /// The best outcome for the side to move in the last position, where it was asked for and can be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i8>,
    /// The moves that reach it, sorted as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<String>>,
}

/// Whether an answer includes the solver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Rules,
    Solved,
}

/// Follows `moves` from `start`, or from the game's standard start. An error names the move and its index.
pub fn answer(
    config: &GameConfig,
    start: Option<&str>,
    moves: &[String],
    depth: Depth,
) -> Result<Answer, String> {
    with_game!(config, config => follow(&config.build(), start, moves, depth))
}

/// The number of move sequences of length 1, 2, ..., `depth`; a game that ends earlier counts once in each.
pub fn perft(config: &GameConfig, start: Option<&str>, depth: usize) -> Result<Vec<u64>, String> {
    with_game!(config, config => {
        let game = config.build();
        let state = position(&game, start)?;
        let mut buffers = vec![Vec::new(); depth];
        Ok((1..=depth).map(|depth| count(&game, &state, depth, &mut buffers)).collect())
    })
}

fn position<G: Game>(game: &G, start: Option<&str>) -> Result<G::State, String> {
    start.map_or_else(
        || Ok(game.standard_start()),
        |text| {
            game.parse_position(text)
                .map_err(|fault| format!("start: {fault}"))
        },
    )
}

fn follow<G: Game>(
    game: &G,
    start: Option<&str>,
    moves: &[String],
    depth: Depth,
) -> Result<Answer, String> {
    let mut state = position(game, start)?;
    let begin = state.clone();
    let (mut legal, mut to_move) = (
        vec![legal_texts(game, &state)],
        vec![game.to_move(&state).word()],
    );
    for (index, text) in moves.iter().enumerate() {
        if game.outcome(&state).is_some() {
            return Err(format!(
                "moves[{index}]: `{text}` comes after the end of the game"
            ));
        }
        let action = game
            .parse_move(&state, text)
            .map_err(|fault| format!("moves[{index}]: {fault}"))?;
        game.play(&mut state, action);
        legal.push(legal_texts(game, &state));
        to_move.push(game.to_move(&state).word());
    }
    let (value, best) = if depth == Depth::Solved {
        solve(game, &begin, &state)
    } else {
        (None, None)
    };
    Ok(Answer {
        legal,
        to_move,
        position: game.position_text(&state),
        result: game
            .outcome(&state)
            .map(|outcome| outcome.result_for(Side::First)),
        value,
        best,
    })
}

fn legal_texts<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    let mut moves = Vec::new();
    if game.outcome(state).is_none() {
        game.moves(state, &mut moves);
    }
    sorted(game, moves)
}

fn sorted<G: Game>(game: &G, moves: impl IntoIterator<Item = G::Move>) -> Vec<String> {
    let mut texts: Vec<String> = moves
        .into_iter()
        .map(|action| game.move_text(action))
        .collect();
    texts.sort_unstable();
    texts
}

/// The value and best moves of a position, or nothing where the game from `begin` is too large to solve.
fn solve<G: Game>(
    game: &G,
    begin: &G::State,
    state: &G::State,
) -> (Option<i8>, Option<Vec<String>>) {
    let answer = || {
        let solved = Solved::from_positions(game, std::slice::from_ref(begin))?;
        let number = solved.find(game, state)?;
        Some((
            solved.worth(number).value,
            sorted(game, solved.best_moves(number)),
        ))
    };
    answer().unzip()
}

fn count<G: Game>(game: &G, state: &G::State, depth: usize, buffers: &mut [Vec<G::Move>]) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut().filter(|_| depth > 0) else {
        return 1;
    };
    moves.clear();
    game.moves(state, moves);
    if moves.is_empty() {
        return 1;
    }
    let after = |&action: &G::Move| {
        let mut after = state.clone();
        game.play(&mut after, action);
        count(game, &after, depth - 1, rest)
    };
    moves.iter().map(after).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nim() -> GameConfig {
        GameConfig::all().remove(0)
    }

    #[test]
    fn a_line_of_play_is_followed_to_its_end() {
        let moves = ["2:3", "1:1", "1:1", "2:1"].map(str::to_owned);
        let answer = answer(&nim(), Some("2,4"), &moves, Depth::Solved).expect("the line is legal");
        assert_eq!(answer.legal[0], ["1:1", "1:2", "2:1", "2:2", "2:3", "2:4"]);
        assert_eq!(answer.legal[3], ["2:1"]);
        assert!(answer.legal[4].is_empty());
        assert_eq!(
            answer.to_move,
            ["first", "second", "first", "second", "first"]
        );
        assert_eq!((answer.position.as_str(), answer.result), ("0,0", Some(1)));
        assert_eq!((answer.value, answer.best), (Some(1), Some(Vec::new())));
    }

    #[test]
    fn the_solver_names_the_best_moves() {
        let answer = answer(&nim(), Some("2,4"), &[], Depth::Solved).expect("the line is legal");
        assert_eq!(
            (answer.value, answer.best),
            (Some(1), Some(vec!["2:2".to_owned()]))
        );
    }

    fn check_fault(start: Option<&str>, moves: &[&str], expected: &str) {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        let fault = answer(&nim(), start, &moves, Depth::Rules).expect_err("it is faulty");
        assert!(fault.starts_with(expected), "{fault}");
    }

    #[test]
    fn faults_name_the_move_and_its_index() {
        check_fault(
            Some("2,4"),
            &["2:3", "2:2"],
            "moves[1]: 2:2 is not legal here",
        );
        check_fault(Some("2,4"), &["x"], "moves[0]: `x` is not a move");
        check_fault(
            Some("1"),
            &["1:1", "1:1"],
            "moves[1]: `1:1` comes after the end",
        );
        check_fault(Some("two"), &[], "start: `two` is not a position");
    }

    #[test]
    fn sequences_are_counted_with_finished_games_once() {
        // From 2 matches: take 1 or 2; then after 1 there is one move left, after 2 none.
        assert_eq!(perft(&nim(), Some("2"), 3), Ok(vec![2, 2, 2]));
        assert_eq!(perft(&nim(), Some("2,2"), 2), Ok(vec![4, 10]));
        assert_eq!(perft(&nim(), Some("1,1"), 3), Ok(vec![2, 2, 2]));
    }
}
