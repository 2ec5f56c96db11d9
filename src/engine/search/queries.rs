//! Queries about the rules, for other programs and tests: legal moves along a line of play, results
//! and exact values.

use std::sync::Arc;

use serde::Serialize;

use crate::games::oracle::Oracle;
use crate::games::rules::{LineOfPlay, read};
use crate::games::{Game, GameConfig, GameParams, NotationError, Side, encoded, with_game};

use super::solver::SolvedGame;

/// The legal moves along a line of play and facts about its last position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesAnswer {
    /// The legal moves at the start and after every move, sorted as text; empty when the game is
    /// over.
    pub legal: Vec<Vec<String>>,
    /// The side to move at the start and after every move.
    pub to_move: Vec<&'static str>,
    /// The last position.
    pub position: String,
    /// 1, 0 or −1 for the first player if the game is over.
    pub result: Option<i8>,
    /// The value of the last position for the side to move, if requested and known. In dots and
    /// boxes it is the difference in boxes still to be won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// The moves that keep this value, sorted as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<String>>,
    /// The line of play in the game's usual notation, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The last position in numbers, as networks see it, from the point of view of the first and of
    /// the second side, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<[Vec<f32>; 2]>,
}

/// Optional parts of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerOptions {
    /// The solver's value and best moves.
    pub solution: bool,
    /// The line of play in the game's usual notation.
    pub record: bool,
    /// The last position in numbers.
    pub inputs: bool,
}

/// Follows a line of play from `start`, else from the start that its record states, else from the
/// standard start. Errors name the move and its index.
pub fn answer(
    config: &GameConfig,
    start: Option<&str>,
    line: LineOfPlay<'_>,
    extras: AnswerOptions,
) -> Result<RulesAnswer, NotationError> {
    with_game!(config, config => follow(&config.build(), start, line, extras))
}

fn follow<G: Game>(
    game: &G,
    start: Option<&str>,
    line: LineOfPlay<'_>,
    extras: AnswerOptions,
) -> Result<RulesAnswer, NotationError> {
    let (begin, actions) = read(game, start, line)?;
    let mut states = vec![begin];
    for &action in &actions {
        let mut state = states[states.len() - 1].clone();
        game.play(&mut state, action);
        states.push(state);
    }
    let (begin, state) = (&states[0], &states[states.len() - 1]);
    let (value, best) = if extras.solution {
        solve(game, begin, state)
    } else {
        (None, None)
    };
    Ok(RulesAnswer {
        legal: states
            .iter()
            .map(|state| legal_texts(game, state))
            .collect(),
        to_move: states
            .iter()
            .map(|state| game.to_move(state).name())
            .collect(),
        position: game.position_text(state),
        result: game
            .outcome(state)
            .map(|outcome| outcome.result_for(Side::First)),
        value,
        best,
        record: extras.record.then(|| game.record_text(&actions)),
        inputs: extras.inputs.then(|| {
            let spec = game.shape().inputs;
            [Side::First, Side::Second].map(|side| spec.project(encoded(game, &spec, state, side)))
        }),
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

/// The value and best moves of a position; `None` if the game from `begin` is too large to solve.
fn solve<G: Game>(
    game: &G,
    begin: &G::State,
    state: &G::State,
) -> (Option<i32>, Option<Vec<String>>) {
    let listed = || {
        let solved = SolvedGame::from_positions(game, std::slice::from_ref(begin))?;
        Some(Arc::new(solved) as Arc<dyn Oracle<G>>)
    };
    let answer = || {
        let mut best = Vec::new();
        let oracle = game.oracle().or_else(listed)?;
        let value = oracle.evaluate(game, state, &mut best)?;
        Some((value, sorted(game, best)))
    };
    answer().unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: AnswerOptions = AnswerOptions {
        solution: true,
        record: false,
        inputs: false,
    };

    fn nim() -> GameConfig {
        GameConfig::all().remove(0)
    }

    #[test]
    fn a_line_of_play_is_followed_to_its_end() {
        let moves = ["2:3", "1:1", "1:1", "2:1"].map(str::to_owned);
        let answer = answer(&nim(), Some("2,4"), LineOfPlay::Moves(&moves), SOLVED)
            .expect("the line is legal");
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
        let answer =
            answer(&nim(), Some("2,4"), LineOfPlay::Moves(&[]), SOLVED).expect("the line is legal");
        assert_eq!(
            (answer.value, answer.best),
            (Some(1), Some(vec!["2:2".to_owned()]))
        );
    }

    fn check_error(start: Option<&str>, moves: &[&str], expected: &str) {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        let error = answer(
            &nim(),
            start,
            LineOfPlay::Moves(&moves),
            AnswerOptions::default(),
        )
        .expect_err("it is invalid")
        .to_string();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn errors_name_the_move_and_its_index() {
        check_error(
            Some("2,4"),
            &["2:3", "2:2"],
            "moves[1]: 2:2 is not legal here",
        );
        check_error(Some("2,4"), &["x"], "moves[0]: `x` is not a move");
        check_error(
            Some("1"),
            &["1:1", "1:1"],
            "moves[1]: `1:1` comes after the end",
        );
        check_error(Some("two"), &[], "start: `two` is not a position");
    }

    #[test]
    fn a_position_is_given_in_numbers_from_both_sides() {
        let wanted = AnswerOptions {
            inputs: true,
            ..AnswerOptions::default()
        };
        let reversi = GameConfig::named("reversi").expect("it is registered");
        let told = answer(&reversi, None, LineOfPlay::Record("d3"), wanted).expect("it is legal");
        let [first, second] = told.inputs.expect("they were asked for");
        assert_eq!((first.len(), first.iter().sum::<f32>()), (64, 3.0));
        let opposite: Vec<f32> = second.iter().map(|number| -number).collect();
        assert_eq!(first, opposite);
    }

    #[test]
    fn a_line_of_play_may_come_and_go_written_down() {
        let wanted = AnswerOptions {
            record: true,
            ..AnswerOptions::default()
        };
        let ask = |line| answer(&nim(), Some("2,4"), line, wanted);
        let read = ask(LineOfPlay::Record(" 2:3  1:1")).expect("the line is legal");
        assert_eq!(read.record.as_deref(), Some("2:3 1:1"));
        let moves = ["2:3", "1:1"].map(str::to_owned);
        assert_eq!(ask(LineOfPlay::Moves(&moves)), Ok(read));
        let error = ask(LineOfPlay::Record("2:3 2:2"))
            .expect_err("one match is left")
            .to_string();
        assert!(error.starts_with("record[1]: 2:2 is not legal"), "{error}");
    }
}
