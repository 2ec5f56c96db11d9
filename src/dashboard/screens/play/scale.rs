//! The scale on which a champion's scores are shown: 0 to 100, so that those of any network can be
//! read.

use finches_engine::play::interactive::InteractiveGame;
use finches_engine::play::move_evaluations::MoveEvaluations;

/// The scores that are shown as 0 and as 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ScoreScale {
    /// The lowest and the highest score that there can be.
    Possible(f32, f32),
    /// The lowest and the highest score of the game so far; `None` before there are different ones.
    Seen(Option<(f32, f32)>),
}

impl ScoreScale {
    /// The scale at the beginning of a game.
    pub(super) fn of(table: &InteractiveGame) -> Self {
        let range = table.info().scores.range;
        range.map_or(Self::Seen(None), |(low, high)| Self::Possible(low, high))
    }

    /// Takes in the scores of a position.
    pub(super) fn widen(&mut self, evaluations: &MoveEvaluations) {
        let Self::Seen(range) = self else { return };
        for &(_, score) in evaluations.scores.iter().filter(|one| one.1.is_finite()) {
            let (low, high) = range.unwrap_or((score, score));
            *range = Some((low.min(score), high.max(score)));
        }
    }

    /// The place of a score on the scale, 0..=1; that of a score that is not a number is 0.
    pub(super) fn share(self, score: f32) -> f64 {
        let (Self::Possible(low, high) | Self::Seen(Some((low, high)))) = self else {
            return 0.0;
        };
        if !score.is_finite() {
            0.0
        } else if high > low {
            f64::from((score - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }

    /// A score as a whole number from 0 to 100.
    pub(super) fn text(self, score: f32) -> String {
        if score.is_finite() {
            format!("{:.0}", self.share(score) * 100.0)
        } else {
            "-".to_owned()
        }
    }

    /// What 0 and 100 stand for, in one or two lines of this width.
    pub(super) fn legend(self, unit: &str, width: usize) -> String {
        match self {
            Self::Seen(_) if width < 40 => "0 lowest, 100 highest of this game".to_owned(),
            Self::Possible(..) => format!("{unit}, 0 to 100"),
            Self::Seen(_) => format!("{unit}: 0 is the lowest of this game, 100 the highest"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluations(scores: &[f32]) -> MoveEvaluations {
        let scores = scores.iter().map(|&score| ("a1".to_owned(), score));
        MoveEvaluations {
            scores: scores.collect(),
            chosen: None,
        }
    }

    #[test]
    fn the_scale_of_unbounded_scores_widens_in_the_course_of_a_game() {
        let mut scale = ScoreScale::Seen(None);
        scale.widen(&evaluations(&[20_000.0, f32::NAN, 30_000.0]));
        let texts = [20_000.0, 25_000.0, 30_000.0, f32::NAN].map(|score| scale.text(score));
        assert_eq!(texts, ["0", "50", "100", "-"]);
        scale.widen(&evaluations(&[70_000.0]));
        assert_eq!(scale.text(30_000.0), "20");
    }

    #[test]
    fn a_bounded_score_always_looks_the_same() {
        let mut scale = ScoreScale::Possible(-1.0, 1.0);
        scale.widen(&evaluations(&[0.1, 0.2]));
        assert_eq!(scale.text(0.0), "50");
        assert_eq!(scale.text(1.0), "100");
    }
}
