//! The curve of a finished game: who was ahead after each move, from the user's side. No drawing.

use finches_engine::games::Side;
use finches_engine::play::game_analysis::GameAnalysis;

/// What is known of the course of a finished game.
#[derive(Default)]
pub(super) struct Review {
    /// How many positions have been judged.
    pub(super) judged: usize,
    /// The curve, once all positions are judged and if they say who was ahead.
    pub(super) curve: Option<GameCurve>,
}

/// The curve of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameCurve {
    /// The name of what judged the game.
    pub(super) judge: String,
    /// How far the user was ahead at the start and after each move, from 0 (lost) to 1 (won).
    pub(super) shares: Vec<f64>,
    /// The number of the loser's move that lost most for good, from 1. `None` if none lost much.
    pub(super) turn: Option<usize>,
}

impl GameCurve {
    /// The curve of an analyzed game. `None` if nothing says who was ahead.
    pub(super) fn new(judge: &str, found: &GameAnalysis, human: Side) -> Option<Self> {
        let share = |&share: &f64| match human {
            Side::First => share,
            Side::Second => 1.0 - share,
        };
        (!found.shares.is_empty()).then(|| Self {
            judge: judge.to_owned(),
            shares: found.shares.iter().map(share).collect(),
            turn: found.turning_point,
        })
    }

    /// Whether all shares are so, but for the result.
    pub(super) fn was_always(&self, is_so: impl Fn(f64) -> bool) -> bool {
        let before = &self.shares[..self.moves()];
        before.iter().all(|&share| is_so(share))
    }

    /// Whether it stays where it begins.
    pub(super) fn is_flat(&self) -> bool {
        self.shares
            .iter()
            .all(|share| (share - self.shares[0]).abs() < 0.01)
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        self.shares.len().saturating_sub(1)
    }
}
