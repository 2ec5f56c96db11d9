//! The end of games: the value of a finished game, and positions so near to the end that they are
//! searched up to it.

use crate::games::endgame::EndgameQuery;
use crate::games::{Game, Side};

use super::alpha_beta::WIN_VALUE;
use super::{SearchLimits, ValueMode};

/// The weight of a point of the margin in the value of a finished game.
const POINT_VALUE: f32 = 1e4;

/// The value to a side of a game that is finished `ply` moves ahead; `None` if it is not over. A
/// larger margin of points counts first, then an earlier end.
pub(super) fn final_value<G: Game>(
    game: &G,
    state: &G::State,
    side: Side,
    ply: usize,
) -> Option<f32> {
    let result = f32::from(game.outcome(state)?.result_for(side));
    let points = game.points(state);
    let margin = f32::from(points[side.index()]) - f32::from(points[side.opponent().index()]);
    // Numbers this large are multiples of 64. The margin of a draw does not count.
    let delay = 64.0 * ply as f32;
    Some(result * (WIN_VALUE - delay) + result.abs() * margin * POINT_VALUE)
}

/// The number of moves left, if so few are left that the position is searched to the end of the
/// game.
pub(super) fn moves_to_end<G: Game>(
    game: &G,
    state: &G::State,
    limits: SearchLimits<'_>,
) -> Option<u16> {
    let is_near = |&left: &u16| left <= limits.endgame;
    // Most searches have no such limit, and then the game need not count.
    (limits.endgame > 0)
        .then(|| game.moves_left(state))
        .flatten()
        .filter(is_near)
}

/// The values of the moves by the game's own solver, on the scale of [`final_value`] without regard
/// to the length of the game.
pub(super) fn solved_values<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    (limits, mode): (SearchLimits<'_>, ValueMode),
) -> Option<Vec<f32>> {
    let query = EndgameQuery {
        all: mode == ValueMode::All,
        is_canceled: &|| limits.cancel.is_canceled(),
    };
    let margins = game.solve_end(state, moves, query)?;
    let value = |margin: i32| margin.signum() as f32 * WIN_VALUE + margin as f32 * POINT_VALUE;
    Some(margins.into_iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::games::reversi::ReversiConfig;
    use crate::games::{GameConfig, GameParams, Rules, StartKind, with_game};
    use crate::params::Params;
    use crate::rng::{Purpose, stream};
    use crate::search::alpha_beta::AlphaBetaSearch;
    use crate::search::zero_evaluator::ZeroEvaluator;

    /// The result and the margin of points.
    type End = (i32, i32);

    fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves
    }

    /// The end that the player to move reaches by each move, by plain search of the whole tree.
    fn exhaustive<G: Game>(game: &G, state: &G::State) -> Vec<End> {
        let mover = game.to_move(state);
        let end = |action: G::Move| {
            let mut after = state.clone();
            game.play(&mut after, action);
            if let Some(outcome) = game.outcome(&after) {
                let points = game.points(&after).map(i32::from);
                let margin = points[mover.index()] - points[mover.opponent().index()];
                let result = i32::from(outcome.result_for(mover));
                return (result, result.abs() * margin);
            }
            let best = exhaustive(game, &after).into_iter().max();
            let (result, margin) = best.expect("the game is not over");
            if game.to_move(&after) == mover {
                (result, margin)
            } else {
                (-result, -margin)
            }
        };
        legal(game, state).into_iter().map(end).collect()
    }

    /// The end that a value of the search stands for.
    fn end_of(value: f32) -> End {
        if value.abs() < 0.5 * WIN_VALUE {
            return (0, 0);
        }
        let margin = (value - value.signum() * WIN_VALUE) / POINT_VALUE;
        (value.signum() as i32, margin.round() as i32)
    }

    fn values<G: Game>(game: &G, state: &G::State, endgame: u16, mode: ValueMode) -> Vec<f32> {
        let limits = SearchLimits {
            endgame,
            ..SearchLimits::to_depth(1)
        };
        let mut values = Vec::new();
        AlphaBetaSearch::default().values(
            game,
            state,
            &legal(game, state),
            (limits, mode),
            &mut ZeroEvaluator,
            &mut values,
        );
        values
    }

    fn check_position<G: Game>(game: &G, state: &G::State, endgame: u16) {
        let text = game.position_text(state);
        let exact = exhaustive(game, state);
        let all = values(game, state, endgame, ValueMode::All);
        let all: Vec<End> = all.into_iter().map(end_of).collect();
        assert_eq!(all, exact, "{text}");
        if exact.len() == 1 {
            return;
        }
        let best = values(game, state, endgame, ValueMode::Best);
        let highest = best.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for (&exact, bound) in exact.iter().zip(best) {
            let is_exact = end_of(bound) == exact;
            assert!(
                is_exact || (end_of(bound) > exact && bound < highest),
                "{text}"
            );
        }
        assert_eq!(Some(end_of(highest)), exact.into_iter().max(), "{text}");
    }

    /// Checks the last positions of random games. Returns how many there were.
    fn check_game<G: Game>(game: &G, endgame: u16) -> usize {
        let mut checked = 0;
        for seed in 0..12 {
            let mut rng = stream(seed, Purpose::Sample, 0, 0);
            let mut state = game.start(StartKind::Game, &mut rng);
            while game.outcome(&state).is_none() {
                if game.moves_left(&state).is_some_and(|left| left <= endgame) {
                    check_position(game, &state, endgame);
                    checked += 1;
                }
                let moves = legal(game, &state);
                game.play(&mut state, moves[rng.random_range(0..moves.len())]);
            }
        }
        checked
    }

    #[test]
    fn ends_of_every_game_are_those_of_plain_exhaustive_search() {
        for mut config in GameConfig::all() {
            config = config.made_finite();
            let checked = with_game!(&config, config => check_game(&config.build(), 7));
            assert!(
                checked > 12 || config.name() == "draughts",
                "{}",
                config.name()
            );
        }
        // A board that has no table of all positions.
        let mut large = GameConfig::named("dots_and_boxes").expect("it is registered");
        for (key, value) in [("rows", "4"), ("columns", "4")] {
            large.set(key, value).expect("it is valid");
        }
        assert!(with_game!(&large, config => check_game(&config.build(), 7)) > 12);
        assert!(check_game(&ReversiConfig::default().build().portable(), 8) > 12);
    }

    #[test]
    fn a_position_with_more_moves_left_is_not_searched_to_the_end() {
        let game = ReversiConfig::default().build();
        let found = values(&game, &game.standard_start(), 59, ValueMode::All);
        assert!(found.into_iter().all(|value| end_of(value) == (0, 0)));
    }
}
