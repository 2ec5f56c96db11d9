//! The scale on which a champion's scores are shown and compared: 0 to 100, so that those of any
//! network can be read. It is one for a whole game, so that equal scores look equal.

use crate::search::alpha_beta::WIN_VALUE;

/// The least share of half the range of possible scores that is usual, if the scores of a game
/// spread over the range.
const SPREADS: f32 = 0.2;

/// Where scores are on the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScoreScale {
    /// The lowest and the highest possible score.
    Possible(f32, f32),
    /// The score that is shown as 50, and how far from it those shown as 25 and 75 are.
    Spread {
        /// The score that is even.
        even: f32,
        /// The distance of a usual lead.
        spread: f32,
    },
}

impl ScoreScale {
    /// The scale of a game in which these are usual scores: half of them are shown as 25 to 75.
    /// `range` is that of all possible scores.
    pub fn of(scores: &[f32], range: Option<(f32, f32)>) -> Self {
        let is_usual = |score: &f32| score.is_finite() && decided(*score).is_none();
        let usual: Vec<f32> = scores.iter().copied().filter(is_usual).collect();
        let (low, high) = range.unwrap_or_default();
        let middle = f32::midpoint(low, high);
        let from = |even: f32| median(usual.iter().map(|score| (score - even).abs()).collect());
        let typical = median(usual.clone()).unwrap_or(middle);
        let is_around = (typical - middle).abs() <= from(typical).unwrap_or(0.0);
        let even = if is_around { middle } else { typical };
        let spread = from(even);
        let least = SPREADS * (high - low) / 2.0;
        if range.is_some() && is_around && spread.is_none_or(|spread| spread >= least) {
            return Self::Possible(low, high);
        }
        Self::Spread {
            even,
            spread: spread.filter(|&spread| spread > 0.0).unwrap_or(1.0),
        }
    }

    /// The place of a score on the scale: 1 and 0 if the search found that it wins or loses the
    /// game, else between them; not a number if the score is none.
    pub fn share(self, score: f32) -> f64 {
        let share = match (decided(score), self) {
            (Some(wins), _) => return f64::from(u8::from(wins)),
            (None, Self::Possible(low, high)) => f64::from((score - low) / (high - low)),
            // The odds are 3 to 1 at the spread.
            (None, Self::Spread { even, spread }) => {
                1.0 / (1.0 + 3.0_f64.powf(f64::from((even - score) / spread)))
            }
        };
        share.clamp(0.01, 0.99)
    }

    /// What 50 stands for, in one or two lines of this width.
    pub fn legend(self, unit: &str, width: usize) -> String {
        match self {
            Self::Possible(..) => format!("{unit}, 0 to 100"),
            Self::Spread { .. } if width < 40 => "50 is even, 75 a usual lead".to_owned(),
            Self::Spread { .. } => format!("{unit}: 50 is even, 75 a usual lead"),
        }
    }
}

/// Whether the search found that a score wins or loses the game; `None` if it found neither.
pub fn decided(score: f32) -> Option<bool> {
    (score.abs() > 0.5 * WIN_VALUE).then_some(score > 0.0)
}

/// A share as a whole number from 1 to 99, or as a word if the game is decided.
pub fn text(share: f64) -> String {
    match share {
        0.0 => "loses".to_owned(),
        1.0 => "wins".to_owned(),
        _ if share.is_nan() => "-".to_owned(),
        _ => format!("{:.0}", share * 100.0),
    }
}

/// The number of the move, from 1, with which the winner took the lead for good. The shares are
/// those of one side at the start and after each move, and so is the result, 1 to −1. `None` after
/// a draw and if the winner was ahead from the start.
pub fn turning_move(shares: &[f64], result: i8) -> Option<usize> {
    let is_ahead = |share: &f64| (share - 0.5) * f64::from(result) > 0.0;
    let last = shares.iter().rposition(|share| !is_ahead(share))?;
    (result != 0 && last + 1 < shares.len()).then_some(last + 1)
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scale: ScoreScale, scores: &[f32], expected: &[&str]) {
        let shown: Vec<String> = scores
            .iter()
            .map(|&score| text(scale.share(score)))
            .collect();
        assert_eq!(shown, expected, "{scale:?}");
    }

    #[test]
    fn half_of_the_usual_scores_are_shown_as_25_to_75_whatever_their_unit() {
        for unit in [0.001, 1.0, 5_000.0] {
            let scaled =
                |scores: &[f32]| -> Vec<f32> { scores.iter().map(|score| score * unit).collect() };
            let scale = ScoreScale::of(&scaled(&[-4.0, -2.0, -1.0, 0.5, 1.0, 2.0, 3.0]), None);
            check(
                scale,
                &scaled(&[-2.0, 0.0, 2.0, 4.0]),
                &["25", "50", "75", "90"],
            );
        }
    }

    #[test]
    fn decided_games_are_shown_apart_and_do_not_stretch_the_scale() {
        let with_ends = [-1.0, 1.0, WIN_VALUE, 1.0, -1.0, -WIN_VALUE, f32::NAN];
        let scale = ScoreScale::of(&with_ends, None);
        assert_eq!(scale, ScoreScale::of(&[-1.0, 1.0, 1.0, -1.0], None));
        let scores = [WIN_VALUE, 1e6, -1e6, -WIN_VALUE, f32::NAN];
        check(scale, &scores, &["wins", "99", "1", "loses", "-"]);
    }

    #[test]
    fn bounded_scores_keep_their_range_only_if_they_spread_over_it() {
        let range = Some((-1.0, 1.0));
        let wide = ScoreScale::of(&[-0.8, 0.4, 0.5, -0.3], range);
        assert_eq!(wide, ScoreScale::Possible(-1.0, 1.0));
        check(wide, &[0.0, 0.5, 1.0], &["50", "75", "99"]);
        let narrow = ScoreScale::of(&[-0.01, 0.02, 0.01, -0.02], range);
        check(narrow, &[0.02], &["75"]);
        assert_eq!(ScoreScale::of(&[], range), wide, "nothing is known");
    }

    #[test]
    fn scores_of_one_sign_are_even_at_their_median() {
        let scale = ScoreScale::of(&[5.0, 7.0, 6.0, 8.0, 9.0], None);
        check(scale, &[7.0, 8.0], &["50", "75"]);
    }
}
