//! The curve of a finished game: who was ahead after each move, from the user's side. No drawing.

use finches_engine::games::Side;
use finches_engine::play::score_scale::{ScoreScale, decided, turning_move};

/// What is known of the course of a finished game.
#[derive(Default)]
pub(super) struct Review {
    /// The positions judged so far.
    pub(super) judged: Vec<JudgedPosition>,
    /// The curve, once all positions are judged and if they say who was ahead.
    pub(super) curve: Option<GameCurve>,
}

/// A position of a finished game, and all that is known about who is ahead in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JudgedPosition {
    /// The result under best play for the first player, if the oracle knows it.
    pub(super) best_result: Option<i8>,
    /// The champion's value of the position to this side, if its scores are values.
    pub(super) value: Option<(Side, f32)>,
    /// The points of the first and the second player.
    pub(super) points: [u16; 2],
}

/// What a curve is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CurveSource {
    /// The oracle's results: 0, a half or 1.
    Oracle,
    /// The champion's values. A half is even.
    Champion,
    /// The user's share of the points.
    Points,
}

/// The curve of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameCurve {
    pub(super) source: CurveSource,
    /// How far the user was ahead at the start and after each move, from 0 (lost) to 1 (won).
    pub(super) shares: Vec<f64>,
    /// The number of the move with which the winner took the lead for good, from 1. `None` after a
    /// draw and if the winner was ahead from the start.
    pub(super) turn: Option<usize>,
}

impl GameCurve {
    /// The curve of a game with this result for the first player, with the champion's values on a
    /// scale. The oracle counts first, if it knows all positions, then the champion. `None` if
    /// nothing says who was ahead.
    pub(super) fn new(
        positions: &[JudgedPosition],
        human: Side,
        result: i8,
        scale: ScoreScale,
    ) -> Option<Self> {
        let share_of = |result: i8| f64::from(1 + human.result(result)) / 2.0;
        let known: Option<Vec<f64>> = positions
            .iter()
            .map(|position| position.best_result.map(share_of))
            .collect();
        let (source, mut shares) = match known {
            Some(shares) => (CurveSource::Oracle, shares),
            None => match value_shares(positions, human, scale) {
                Some(shares) => (CurveSource::Champion, shares),
                None => (CurveSource::Points, point_shares(positions, human)?),
            },
        };
        if source != CurveSource::Points
            && let Some(last) = shares.last_mut()
        {
            *last = share_of(result);
        }
        let turn = turning_move(&shares, human.result(result));
        Some(Self {
            source,
            shares,
            turn,
        })
    }

    /// Whether neither side was clearly ahead in the first half of the game.
    pub(super) fn was_even(&self) -> bool {
        let half = &self.shares[..self.shares.len().div_ceil(2)];
        half.iter().all(|share| (share - 0.5).abs() < 0.1)
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        self.shares.len().saturating_sub(1)
    }
}

/// The champion's values from the user's side. A value that is not known is that of the position
/// before. Neighbors are averaged, since the champion prefers the side that has moved; decided
/// positions are not.
fn value_shares(positions: &[JudgedPosition], human: Side, scale: ScoreScale) -> Option<Vec<f64>> {
    let known = |position: &JudgedPosition| position.value.filter(|(_, value)| value.is_finite());
    positions.iter().find_map(known)?;
    let mut before = 0.5;
    let share = |position: &JudgedPosition| {
        if let Some((side, value)) = known(position) {
            let share = scale.share(value);
            before = if side == human { share } else { 1.0 - share };
        }
        before
    };
    let is_open = |position: &&JudgedPosition| {
        known(position).is_none_or(|(_, value)| decided(value).is_none())
    };
    let shares: Vec<f64> = positions.iter().map(share).collect();
    let open = positions.iter().take_while(is_open).count();
    let mut curve = smoothed(&shares[..open]);
    curve.extend(&shares[open..]);
    Some(curve)
}

/// Each share averaged with its neighbors, with the weights 1, 2 and 1, which cancels what
/// alternates from move to move.
fn smoothed(shares: &[f64]) -> Vec<f64> {
    let at = |index: usize| shares[index.min(shares.len() - 1)];
    let mean = |index: usize| {
        let before = index.checked_sub(1).map_or(at(1), at);
        let after = if index + 1 < shares.len() {
            at(index + 1)
        } else {
            before
        };
        (before + 2.0 * at(index) + after) / 4.0
    };
    (0..shares.len()).map(mean).collect()
}

/// The user's share of the points; a half before there are any. `None` if there are none before the
/// end.
fn point_shares(positions: &[JudgedPosition], human: Side) -> Option<Vec<f64>> {
    let sum = |points: [u16; 2]| points[0] + points[1];
    let (_, before) = positions.split_last()?;
    before.iter().find(|position| sum(position.points) > 0)?;
    let share = |position: &JudgedPosition| match sum(position.points) {
        0 => 0.5,
        all => f64::from(position.points[human.index()]) / f64::from(all),
    };
    Some(positions.iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: JudgedPosition = JudgedPosition {
        best_result: None,
        value: None,
        points: [0, 0],
    };

    /// Values are shown as they are.
    const SCALE: ScoreScale = ScoreScale::Possible(-8.0, 8.0);

    /// A game of the first player with these values, each to the side that has moved; the start is
    /// that of the second.
    fn valued(values: &[f32]) -> Vec<JudgedPosition> {
        let sides = [Side::Second, Side::First].into_iter().cycle();
        let positions = values
            .iter()
            .zip(sides)
            .map(|(&value, side)| JudgedPosition {
                value: Some((side, value)),
                ..UNKNOWN
            });
        positions.collect()
    }

    fn curve(positions: &[JudgedPosition], human: Side, result: i8) -> GameCurve {
        GameCurve::new(positions, human, result, SCALE).expect("something is known")
    }

    #[test]
    fn values_are_seen_from_the_users_side_and_end_with_the_result() {
        let positions = valued(&[-1.0, 2.0, -1.0, -2.0, 4.0]);
        let mine = curve(&positions, Side::First, -1);
        assert_eq!(mine.source, CurveSource::Champion);
        assert_eq!(mine.shares, [0.59375, 0.59375, 0.53125, 0.390625, 0.0]);
        let other = curve(&positions, Side::Second, -1);
        assert_eq!(other.shares, [0.40625, 0.40625, 0.46875, 0.609375, 1.0]);
        assert_eq!((mine.turn, other.turn), (Some(3), Some(3)));
    }

    #[test]
    fn values_that_are_not_known_stay_and_decided_ones_are_not_averaged() {
        let mut positions = valued(&[0.0, 0.0, -4.0, f32::NAN, 1e9, -1e9]);
        positions[3].value = None;
        let curve = curve(&positions, Side::First, 1);
        assert_eq!(curve.shares, [0.5, 0.5625, 0.6875, 0.75, 0.0, 1.0]);
        assert!(!curve.was_even());
    }

    #[test]
    fn what_alternates_from_move_to_move_is_smoothed_away() {
        assert_eq!(smoothed(&[0.25, 0.75, 0.25, 0.75]), [0.5; 4]);
        assert_eq!(smoothed(&[0.25]), [0.25]);
        assert_eq!(smoothed(&[]), [0.0; 0]);
    }

    #[test]
    fn the_oracle_comes_before_the_champion_if_it_knows_every_position() {
        let mut positions = valued(&[1.0, 2.0, 3.0]);
        for (position, result) in positions.iter_mut().zip([1, 0, -1]) {
            position.best_result = Some(result);
        }
        let known = curve(&positions, Side::First, -1);
        assert_eq!((known.source, known.turn), (CurveSource::Oracle, Some(2)));
        assert_eq!(known.shares, [1.0, 0.5, 0.0]);
        positions[1].best_result = None;
        let unknown = curve(&positions, Side::First, -1);
        assert_eq!(unknown.source, CurveSource::Champion);
    }

    #[test]
    fn without_values_the_points_tell_who_was_ahead() {
        let points = [[0, 0], [1, 0], [1, 3], [4, 4], [9, 3]];
        let positions = points.map(|points| JudgedPosition { points, ..UNKNOWN });
        let curve = curve(&positions, Side::First, 1);
        assert_eq!(curve.source, CurveSource::Points);
        assert_eq!(curve.shares, [0.5, 1.0, 0.25, 0.5, 0.75]);
        assert_eq!(curve.turn, Some(4));
        let none = [UNKNOWN, UNKNOWN, positions[1]];
        assert_eq!(GameCurve::new(&none, Side::First, 1, SCALE), None);
    }

    #[test]
    fn it_turns_with_the_last_change_of_the_lead() {
        let check = |shares: &[f64], result, expected| {
            assert_eq!(turning_move(shares, result), expected, "{shares:?}");
        };
        check(&[0.5, 0.6, 0.4, 0.7, 1.0], 1, Some(3));
        check(&[0.5, 0.6, 0.4, 0.7, 0.0], -1, Some(4));
        check(&[0.6, 0.7, 1.0], 1, None);
        check(&[0.5, 0.9, 0.5], 0, None);
        check(&[0.9, 0.2], 1, None);
        check(&[], 1, None);
    }
}
