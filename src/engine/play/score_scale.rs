//! The scale on which a champion's scores are shown and compared: 0 to 100, so that those of any
//! network can be read. A network that has only learned to choose between the moves of a position
//! may score all of them low early in a game and high late in it, so what is even depends on the
//! ply; what a usual lead is does not.

use crate::games::Side;
use crate::search::alpha_beta::WIN_VALUE;

/// The least share of half the range of possible scores that is usual, if the scores of a game
/// spread over the range.
const SPREADS: f32 = 0.2;

/// The plies before and after another whose scores tell what is even there.
const NEAR: usize = 3;

/// The score of the best move in a position of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsualScore {
    /// The moves made before it.
    pub ply: usize,
    /// The side to move, which the score is for.
    pub side: Side,
    /// The score.
    pub score: f32,
}

/// The scores of games that set a scale, and the lowest and the highest possible score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsualScores {
    /// The scores of the best moves.
    pub scores: Vec<UsualScore>,
    /// The range of all possible scores.
    pub range: Option<(f32, f32)>,
}

impl UsualScores {
    /// The scale in a position after so many moves.
    pub fn scale(&self, ply: usize) -> ScoreScale {
        let scores: Vec<f32> = self.scores.iter().map(|usual| usual.score).collect();
        let scale = ScoreScale::of(&scores, self.range);
        let ScoreScale::Spread { even, spread } = scale else {
            return scale;
        };
        // Scores that are about even at the start are so all game.
        if self
            .even(0)
            .is_none_or(|start| 2.0 * (start - even).abs() <= spread)
        {
            return scale;
        }
        let even_at = |ply| self.even(ply).unwrap_or(even);
        let known = self.scores.iter().filter(|usual| is_usual(usual.score));
        let distances = known.map(|usual| (usual.score - even_at(usual.ply)).abs());
        let near = median(distances.collect()).unwrap_or(0.0);
        ScoreScale::Spread {
            even: even_at(ply),
            // The games may have been played with a quicker search than the one that is shown.
            spread: spread.max(near),
        }
    }

    /// The mean of the scores around a ply, half of it for each side: the lead of one side cancels
    /// that of the other. `None` if a side has none.
    fn even(&self, ply: usize) -> Option<f32> {
        let mean = |side| {
            let near = self.scores.iter().filter(|usual| {
                usual.side == side && usual.ply.abs_diff(ply) <= NEAR && is_usual(usual.score)
            });
            let (count, sum) = near.fold((0, 0.0), |(count, sum), usual| {
                (count + 1, sum + usual.score)
            });
            (count > 0).then(|| sum / count as f32)
        };
        Some(f32::midpoint(mean(Side::First)?, mean(Side::Second)?))
    }
}

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
        let usual: Vec<f32> = scores.iter().copied().filter(|&it| is_usual(it)).collect();
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

/// Whether a score says how far a side is ahead in a game that is not decided.
fn is_usual(score: f32) -> bool {
    score.is_finite() && decided(score).is_none()
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

    #[test]
    fn what_is_even_follows_a_score_that_grows_with_the_ply() {
        let sides = [Side::First, Side::Second];
        let usual = |ply| UsualScore {
            ply,
            side: sides[ply % 2],
            // The first side is ahead by 2 all game.
            score: ply as f32 - 40.0 + [2.0, -2.0][ply % 2],
        };
        let scores = UsualScores {
            scores: (0..60).map(usual).collect(),
            range: None,
        };
        for ply in [10, 30, 50] {
            let even = ply as f32 - 40.0;
            check(scores.scale(ply), &[even], &["50"]);
            let lead = scores.scale(ply).share(even + 2.0);
            assert!((0.5..=0.75).contains(&lead), "{lead}");
        }
        let start = scores.scale(0).share(-40.0);
        assert!((0.25..0.75).contains(&start), "an even start: {start}");
    }
}
