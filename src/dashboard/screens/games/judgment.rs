//! Judges a move by the oracle or by a champion's scores. No drawing.

use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_engine::play::record::{Ply, Verdict};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluator {
    Oracle,
    Champion,
}

impl Evaluator {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Oracle => Self::Champion,
            Self::Champion => Self::Oracle,
        }
    }
}

/// A judgment of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoveJudgment {
    pub(super) verdict: Verdict,
    pub(super) words: String,
    /// The share of the value given away, from 0 (best move) to 1 (worst move).
    pub(super) loss: f32,
}

impl MoveJudgment {
    /// Whether the move was illegal, which needs no oracle.
    pub(super) fn is_forfeit(&self) -> bool {
        self.verdict == Verdict::Illegal
    }

    /// The oracle's judgment; `None` if the oracle does not know the position.
    pub(super) fn by_oracle(ply: &Ply) -> Option<Self> {
        let loss = match ply.verdict {
            Verdict::Unknown => return None,
            Verdict::Good | Verdict::LostAnyway | Verdict::Forced | Verdict::Indifferent => 0.0,
            Verdict::Mistake | Verdict::Illegal => 1.0,
        };
        Some(Self {
            verdict: ply.verdict,
            words: ply.verdict.word().to_owned(),
            loss,
        })
    }

    /// The champion's judgment, by where the move's score lies between the best and the worst. A
    /// mistake gives away more than half of the range.
    pub(super) fn by_champion(ply: &Ply, evaluation: &MoveEvaluations) -> Option<Self> {
        let evaluations = &evaluation.scores;
        let known = |value: f32| {
            if value.is_nan() {
                f32::NEG_INFINITY
            } else {
                value
            }
        };
        let value = known(evaluations.iter().find(|(word, _)| *word == ply.action)?.1);
        let finite = || {
            evaluations
                .iter()
                .map(|(_, value)| *value)
                .filter(|value| value.is_finite())
        };
        let (low, high) = (
            finite().fold(f32::INFINITY, f32::min),
            finite().fold(f32::NEG_INFINITY, f32::max),
        );
        let loss = match (evaluations.len(), high > low) {
            (0 | 1, _) | (_, false) => 0.0,
            _ if !value.is_finite() => 1.0,
            _ => (high - value) / (high - low),
        };
        let place = 1 + evaluations
            .iter()
            .filter(|(_, other)| *other > value)
            .count();
        let of = evaluations.len();
        let own_word = |verdict: Verdict| (verdict, verdict.word().to_owned());
        let (verdict, words) = match loss {
            _ if of == 1 => own_word(Verdict::Forced),
            _ if high <= low => own_word(Verdict::Indifferent),
            _ if place == 1 => (Verdict::Good, format!("best of {of}")),
            loss if loss > 0.5 => (Verdict::Mistake, format!("poor, {place} of {of}")),
            _ => (Verdict::Indifferent, format!("fair, {place} of {of}")),
        };
        Some(Self {
            verdict,
            words,
            loss,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::games::Side;

    fn check(action: &str, values: &[(&str, f32)], words: &str, loss: f32) {
        let ply = Ply {
            side: Side::First,
            position: String::new(),
            action: action.to_owned(),
            verdict: Verdict::Unknown,
        };
        let evaluations = values
            .iter()
            .map(|(word, value)| ((*word).to_owned(), *value));
        let evaluation = MoveEvaluations {
            scores: evaluations.collect(),
            chosen: None,
        };
        let judged = MoveJudgment::by_champion(&ply, &evaluation).expect("the move is among them");
        assert_eq!((judged.words.as_str(), judged.loss), (words, loss));
    }

    #[test]
    fn a_move_is_judged_by_where_it_stands_between_the_best_and_the_worst() {
        let values = [("a", 1.0), ("b", 0.75), ("c", 0.0)];
        check("a", &values, "best of 3", 0.0);
        check("b", &values, "fair, 2 of 3", 0.25);
        check("c", &values, "poor, 3 of 3", 1.0);
        check("a", &values[..1], "forced", 0.0);
        check("b", &[("a", 2.0), ("b", 2.0)], "all equal", 0.0);
        check(
            "b",
            &[("a", 2.0), ("b", f32::NAN), ("c", 1.0)],
            "poor, 3 of 3",
            1.0,
        );
    }
}
