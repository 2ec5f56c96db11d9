//! The scale on which a champion's scores are shown: 0 to 100, so that those of any network can be
//! read. It is set when a game begins and stays as it is, so that equal scores look equal.

use finches_engine::search::alpha_beta::WIN_VALUE;

/// The least share of half the range of possible scores that is usual, if the scores of a game
/// spread over the range.
const SPREADS: f32 = 0.2;

/// Where scores are on the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ScoreScale {
    /// The lowest and the highest possible score.
    Possible(f32, f32),
    /// The score that is shown as 50, and how far from it those that are shown as 25 and 75 are.
    Spread { even: f32, spread: f32 },
}

impl ScoreScale {
    /// The scale of a game in which these are usual scores: half of them are shown as 25 to 75.
    /// `range` is that of all possible scores.
    pub(super) fn of(scores: &[f32], range: Option<(f32, f32)>) -> Self {
        let is_usual = |score: &f32| score.is_finite() && decided(*score).is_none();
        let usual: Vec<f32> = scores.iter().copied().filter(is_usual).collect();
        let middle = range.map_or(0.0, |(low, high)| f32::midpoint(low, high));
        let half = range.map_or(0.0, |(low, high)| (high - low) / 2.0);
        let from = |even: f32| {
            usual
                .iter()
                .map(move |score| (score - even).abs())
                .collect()
        };
        let is_around = |even: f32| {
            let above = usual.iter().filter(|&&score| score > even).count();
            let below = usual.iter().filter(|&&score| score < even).count();
            10 * above.min(below) >= usual.len()
        };
        let even = if is_around(middle) {
            middle
        } else {
            median(usual.clone()).unwrap_or(middle)
        };
        match (range, median(from(even))) {
            (Some((low, high)), None) => Self::Possible(low, high),
            (Some((low, high)), Some(spread)) if even == middle && spread >= SPREADS * half => {
                Self::Possible(low, high)
            }
            (_, spread) => Self::Spread {
                even,
                spread: spread.filter(|&spread| spread > 0.0).unwrap_or(1.0),
            },
        }
    }

    /// The place of a score on the scale, 0..=1; that of a score that is not a number is 0.
    pub(super) fn share(self, score: f32) -> f64 {
        if let Some(wins) = decided(score) {
            return f64::from(u8::from(wins));
        }
        match self {
            _ if score.is_nan() => 0.0,
            Self::Possible(low, high) => f64::from((score - low) / (high - low)).clamp(0.0, 1.0),
            Self::Spread { even, spread } => {
                // The odds are 3 to 1 at the spread.
                1.0 / (1.0 + 3.0_f64.powf(f64::from(-(score - even) / spread)))
            }
        }
    }

    /// A score as a whole number from 1 to 99, or as a word if the game is decided.
    pub(super) fn text(self, score: f32) -> String {
        match decided(score) {
            _ if score.is_nan() => "-".to_owned(),
            Some(wins) => word(wins).to_owned(),
            None => figure(self.share(score)),
        }
    }

    /// What 50 stands for, in one or two lines of this width.
    pub(super) fn legend(self, unit: &str, width: usize) -> String {
        match self {
            Self::Possible(..) => format!("{unit}, 0 to 100"),
            Self::Spread { .. } if width < 40 => "50 is even, 75 a usual lead".to_owned(),
            Self::Spread { .. } => format!("{unit}: 50 is even, 75 a usual lead"),
        }
    }
}

/// Whether the search found that a score wins or loses the game; `None` if it found neither.
pub(super) fn decided(score: f32) -> Option<bool> {
    (score.abs() > 0.5 * WIN_VALUE).then_some(score > 0.0)
}

/// The word for a decided game, seen from the side that moves.
pub(super) fn word(wins: bool) -> &'static str {
    if wins { "wins" } else { "loses" }
}

/// A share of an undecided game as a whole number from 1 to 99.
pub(super) fn figure(share: f64) -> String {
    format!("{:.0}", (share * 100.0).clamp(1.0, 99.0))
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_usual_scores_are_shown_as_25_to_75_whatever_their_unit() {
        for unit in [0.001, 1.0, 5_000.0] {
            let usual = [-4.0, -2.0, -1.0, 0.5, 1.0, 2.0, 3.0].map(|score| score * unit);
            let scale = ScoreScale::of(&usual, None);
            let shown = [-2.0, 0.0, 2.0, 4.0].map(|score| scale.text(score * unit));
            assert_eq!(shown, ["25", "50", "75", "90"], "{unit}");
        }
    }

    #[test]
    fn decided_games_are_shown_apart_and_do_not_stretch_the_scale() {
        let usual = [-1.0, 1.0, 1.0, -1.0];
        let with_ends = [-1.0, 1.0, WIN_VALUE, 1.0, -1.0, -WIN_VALUE, f32::NAN];
        let scale = ScoreScale::of(&with_ends, None);
        assert_eq!(scale, ScoreScale::of(&usual, None));
        let shown = [WIN_VALUE, 1e6, -1e6, -WIN_VALUE, f32::NAN].map(|score| scale.text(score));
        assert_eq!(shown, ["wins", "99", "1", "loses", "-"]);
        assert_eq!(
            (scale.share(WIN_VALUE), scale.share(-WIN_VALUE)),
            (1.0, 0.0)
        );
    }

    #[test]
    fn bounded_scores_keep_their_range_only_if_they_spread_over_it() {
        let range = Some((-1.0, 1.0));
        let wide = ScoreScale::of(&[-0.8, 0.4, 0.5, -0.3], range);
        assert_eq!(wide, ScoreScale::Possible(-1.0, 1.0));
        assert_eq!(
            (wide.text(0.0), wide.text(0.5)),
            ("50".to_owned(), "75".to_owned())
        );
        let narrow = ScoreScale::of(&[-0.01, 0.02, 0.01, -0.02], range);
        assert_eq!(narrow.text(0.02), "75");
        assert_eq!(ScoreScale::of(&[], range), wide, "nothing is known");
    }

    #[test]
    fn scores_of_one_sign_are_even_at_their_median() {
        let scale = ScoreScale::of(&[5.0, 7.0, 6.0, 8.0, 9.0], None);
        assert_eq!(
            (scale.text(7.0), scale.text(8.0)),
            ("50".to_owned(), "75".to_owned())
        );
    }
}
