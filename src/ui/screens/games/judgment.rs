//! What is thought of a move: by the oracle, or by a champion that has a value for each. It draws nothing.

use crate::arena::record::{Ply, Verdict};
use crate::arena::table::Thoughts;

/// Who judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    Oracle,
    Champion,
}

impl Judge {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Oracle => Self::Champion,
            Self::Champion => Self::Oracle,
        }
    }
}

/// A judgment of a move, in a sign's worth and in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgment {
    pub(super) verdict: Verdict,
    pub(super) words: String,
    /// How much the move gives away, from nothing at 0 to all there is at 1.
    pub(super) loss: f32,
}

impl Judgment {
    /// Whether the move was against the rules, which needs no oracle to see.
    pub(super) fn is_forfeit(&self) -> bool {
        self.verdict == Verdict::Illegal
    }

    /// What the oracle says of a move; none where it knows nothing.
    pub(super) fn of_oracle(ply: &Ply) -> Option<Self> {
        let loss = match ply.verdict {
            Verdict::Unknown => return None,
            Verdict::Good | Verdict::Indifferent => 0.0,
            Verdict::Mistake | Verdict::Illegal => 1.0,
        };
        Some(Self {
            verdict: ply.verdict,
            words: ply.verdict.word().to_owned(),
            loss,
        })
    }

    /// What a champion says of a move, by where it stands between the best and the worst that it sees: a mistake gives away
    /// more than half of that.
    pub(super) fn of_champion(ply: &Ply, thoughts: &Thoughts) -> Option<Self> {
        let opinions = &thoughts.opinions;
        let known = |value: f32| {
            if value.is_nan() {
                f32::NEG_INFINITY
            } else {
                value
            }
        };
        let value = known(opinions.iter().find(|(word, _)| *word == ply.action)?.1);
        let finite = || {
            opinions
                .iter()
                .map(|(_, value)| *value)
                .filter(|value| value.is_finite())
        };
        let (low, high) = (
            finite().fold(f32::INFINITY, f32::min),
            finite().fold(f32::NEG_INFINITY, f32::max),
        );
        let loss = match (opinions.len(), high > low) {
            (0 | 1, _) | (_, false) => 0.0,
            _ if !value.is_finite() => 1.0,
            _ => (high - value) / (high - low),
        };
        let place = 1 + opinions.iter().filter(|(_, other)| *other > value).count();
        let of = opinions.len();
        let (verdict, words) = match loss {
            _ if of == 1 => (Verdict::Indifferent, "no choice".to_owned()),
            _ if high <= low => (Verdict::Indifferent, "all alike".to_owned()),
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
    use crate::games::Side;

    fn check(action: &str, values: &[(&str, f32)], words: &str, loss: f32) {
        let ply = Ply {
            side: Side::First,
            position: String::new(),
            action: action.to_owned(),
            verdict: Verdict::Unknown,
        };
        let opinions = values
            .iter()
            .map(|(word, value)| ((*word).to_owned(), *value));
        let thoughts = Thoughts {
            opinions: opinions.collect(),
            wanted: None,
        };
        let judged = Judgment::of_champion(&ply, &thoughts).expect("the move is among them");
        assert_eq!((judged.words.as_str(), judged.loss), (words, loss));
    }

    #[test]
    fn a_move_is_judged_by_where_it_stands_between_the_best_and_the_worst() {
        let values = [("a", 1.0), ("b", 0.75), ("c", 0.0)];
        check("a", &values, "best of 3", 0.0);
        check("b", &values, "fair, 2 of 3", 0.25);
        check("c", &values, "poor, 3 of 3", 1.0);
        check("a", &values[..1], "no choice", 0.0);
        check("b", &[("a", 2.0), ("b", 2.0)], "all alike", 0.0);
        check(
            "b",
            &[("a", 2.0), ("b", f32::NAN), ("c", 1.0)],
            "poor, 3 of 3",
            1.0,
        );
    }
}
