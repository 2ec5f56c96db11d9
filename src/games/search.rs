//! Depth-limited search: negamax with alpha-beta pruning (Knuth & Moore 1975). Who searches says what positions are worth; the
//! search knows neither networks nor rules of thumb.

use std::cmp::Ordering;

use super::{Game, Side};

/// What a won game is worth at least, above anything a judgment may say; a lost one is worth as much less than nothing.
pub const WON: f32 = 1e9;

/// A judgment of positions that are not searched any further.
pub trait Judgment<G: Game> {
    /// Fills `out` with what the position after each of the moves is worth to the one who makes it.
    fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>);
}

/// Which values of the moves at hand must be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// All.
    All,
    /// That of the best, and of all as good; the others are bounded from above.
    Best,
}

/// Buffers for each depth, reused so that nothing is allocated per position.
#[derive(Debug)]
pub struct Search<G: Game> {
    levels: Vec<Level<G>>,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Self {
        Self { levels: Vec::new() }
    }
}

#[derive(Debug)]
struct Level<G: Game> {
    moves: Vec<G::Move>,
    values: Vec<f32>,
    order: Vec<(f32, G::Move)>,
}

/// What does not change while a position is searched.
struct Task<'a, G: Game> {
    game: &'a G,
    judgment: &'a mut dyn Judgment<G>,
}

impl<G: Game> Search<G> {
    /// Fills `out` with what each of the legal moves `moves` is worth to the mover, looking `depth` moves ahead, this one
    /// included. At depth 1 that is the judgment as it is; deeper, a game that ends is worth [`WON`] or as much less.
    #[allow(
        clippy::too_many_arguments,
        reason = "a position, how far to look, who judges, and where the values go"
    )]
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        depth: u8,
        exact: Exact,
        judgment: &mut dyn Judgment<G>,
        out: &mut Vec<f32>,
    ) {
        if depth <= 1 {
            judgment.value(game, state, moves, out);
            return;
        }
        while self.levels.len() < depth as usize {
            self.levels.push(Level {
                moves: Vec::new(),
                values: Vec::new(),
                order: Vec::new(),
            });
        }
        let mut task = Task { game, judgment };
        let mut best = f32::NEG_INFINITY;
        out.clear();
        for &action in moves {
            let alpha = match exact {
                Exact::All => f32::NEG_INFINITY,
                Exact::Best => best.next_down(),
            };
            let value = self.after(&mut task, state, action, depth - 1, (alpha, f32::INFINITY));
            best = best.max(value);
            out.push(value);
        }
    }

    /// What a move is worth to the mover, `depth` moves being looked at after it.
    fn after(
        &mut self,
        task: &mut Task<'_, G>,
        state: &G::State,
        action: G::Move,
        depth: u8,
        (alpha, beta): (f32, f32),
    ) -> f32 {
        let mover = task.game.to_move(state);
        let mut after = state.clone();
        task.game.play(&mut after, action);
        if let Some(worth) = finished(task.game, &after, mover) {
            worth
        } else if task.game.to_move(&after) == mover {
            self.node(task, &after, depth, (alpha, beta))
        } else {
            -self.node(task, &after, depth, (-beta, -alpha))
        }
    }

    /// What a position is worth to the player to move, exact within the window.
    fn node(
        &mut self,
        task: &mut Task<'_, G>,
        state: &G::State,
        depth: u8,
        (alpha, beta): (f32, f32),
    ) -> f32 {
        let place = depth as usize - 1;
        let mut level = std::mem::replace(
            &mut self.levels[place],
            Level {
                moves: Vec::new(),
                values: Vec::new(),
                order: Vec::new(),
            },
        );
        level.moves.clear();
        task.game.moves(state, &mut level.moves);
        task.judgment
            .value(task.game, state, &level.moves, &mut level.values);
        let value = if depth == 1 {
            leaves(task.game, state, &level)
        } else {
            self.branches(task, state, depth, (alpha, beta), &mut level)
        };
        self.levels[place] = level;
        value
    }

    /// Tries the moves that the judgment likes best first, until one is too good to be allowed.
    fn branches(
        &mut self,
        task: &mut Task<'_, G>,
        state: &G::State,
        depth: u8,
        (alpha, beta): (f32, f32),
        level: &mut Level<G>,
    ) -> f32 {
        level.order.clear();
        let judged = level
            .values
            .iter()
            .copied()
            .zip(level.moves.iter().copied());
        level.order.extend(judged);
        // Moves that are liked as much stay in their own order, so that nothing depends on how the sorting goes.
        level.order.sort_unstable_by(|one, other| {
            let liked = other.0.partial_cmp(&one.0).unwrap_or(Ordering::Equal);
            liked.then(one.1.cmp(&other.1))
        });
        let mut best = f32::NEG_INFINITY;
        for &(_, action) in &level.order {
            let window = (alpha.max(best), beta);
            best = best.max(self.after(task, state, action, depth - 1, window));
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// The best of the judged moves, those that end the game being worth what they are.
fn leaves<G: Game>(game: &G, state: &G::State, level: &Level<G>) -> f32 {
    let mover = game.to_move(state);
    let worth = |(&action, &value): (&G::Move, &f32)| {
        let mut after = state.clone();
        game.play(&mut after, action);
        finished(game, &after, mover).unwrap_or(value)
    };
    let values = level.moves.iter().zip(&level.values).map(worth);
    values.fold(f32::NEG_INFINITY, f32::max)
}

/// What a finished game is worth to a side: it is won by more the more the game counts for it.
fn finished<G: Game>(game: &G, state: &G::State, side: Side) -> Option<f32> {
    let result = f32::from(game.outcome(state)?.result_for(side));
    let points = game.points(state);
    let margin = f32::from(points[side.index()]) - f32::from(points[side.other().index()]);
    // Margins must be told apart from one another beside so large a number; a draw is a draw, whoever has more.
    Some(result * WON + result.abs() * margin * 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Playable;
    use crate::games::nim::NimConfig;
    use crate::games::solver::Solved;

    /// Says nothing of any position.
    struct Blank;

    impl<G: Game> Judgment<G> for Blank {
        fn value(&mut self, _: &G, _: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
            out.clear();
            out.resize(moves.len(), 0.0);
        }
    }

    #[test]
    fn a_search_to_the_end_finds_what_the_oracle_knows() {
        let config = NimConfig {
            stacks: vec![3, 2, 1],
            ..NimConfig::default()
        };
        let game = config.build();
        let solved = Solved::new(&game).expect("it is small");
        let (mut search, mut values) = (Search::default(), Vec::new());
        let mut looked_at = 0;
        for (number, state) in solved.graph.states.iter().enumerate() {
            let number = number as u32;
            if solved.graph.end(number).is_some() {
                continue;
            }
            let moves = solved.graph.moves(number);
            for exact in [Exact::All, Exact::Best] {
                search.values(&game, state, moves, 7, exact, &mut Blank, &mut values);
                let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let worth = solved.worth(number).value;
                assert_eq!(best > 0.0, worth > 0, "{state:?}: {values:?}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 20);
    }

    /// Values every position by a number made of its text.
    struct Odd;

    impl<G: Game> Judgment<G> for Odd {
        fn value(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
            out.clear();
            let side = game.to_move(state);
            out.extend(moves.iter().map(|&action| {
                let mut after = state.clone();
                game.play(&mut after, action);
                let text = game.position_text(&after);
                let sum = text.bytes().fold(7_u32, |sum, byte| {
                    sum.wrapping_mul(31).wrapping_add(byte.into())
                });
                let value = (sum % 100) as f32;
                if side == Side::First { value } else { -value }
            }));
        }
    }

    /// The definition: negamax over the whole tree.
    fn plain<G: Game>(game: &G, state: &G::State, depth: u8) -> f32 {
        let mover = game.to_move(state);
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mut values = Vec::new();
        Odd.value(game, state, &moves, &mut values);
        let worth = |(&action, &judged): (&G::Move, &f32)| {
            let mut after = state.clone();
            game.play(&mut after, action);
            if let Some(worth) = finished(game, &after, mover) {
                worth
            } else if depth == 1 {
                judged
            } else if game.to_move(&after) == mover {
                plain(game, &after, depth - 1)
            } else {
                -plain(game, &after, depth - 1)
            }
        };
        let values = moves.iter().zip(&values).map(worth);
        values.fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn pruning_changes_no_value_that_matters() {
        let config = NimConfig {
            stacks: vec![4, 4, 3],
            ..NimConfig::default()
        };
        let game = config.build();
        let state = game.standard_start();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut search = Search::default();
        for depth in 2..=4 {
            let (mut all, mut best) = (Vec::new(), Vec::new());
            search.values(&game, &state, &moves, depth, Exact::All, &mut Odd, &mut all);
            search.values(
                &game,
                &state,
                &moves,
                depth,
                Exact::Best,
                &mut Odd,
                &mut best,
            );
            let top = plain(&game, &state, depth);
            let highest = |values: &[f32]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!((highest(&all), highest(&best)), (top, top), "depth {depth}");
            for (exact, bound) in all.iter().zip(&best) {
                assert!(
                    exact <= bound && (exact.to_bits() == bound.to_bits() || *bound < top),
                    "{all:?} {best:?}"
                );
            }
        }
    }
}
