//! The analysis of the game shown, as `finches games --analyze` has it, and what it says of a move.
//! It is background work: searches take time.

use std::sync::Arc;

use crate::screens::move_marks::verdict_words;
use finches_engine::games::Side;
use finches_engine::play::game_analysis::GameAnalysis;
use finches_engine::play::record::{Ply, Verdict};
use finches_engine::text::percent;
use finches_runs::storage::game_judge::GameJudge;

/// Who judges the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluator {
    /// The oracle or, without one, the trained champion of the game or, without one, that of the
    /// run.
    Strongest,
    /// The champion of the run, which chooses moves as it evolved.
    Champion,
}

/// The analysis of a game.
#[derive(Default)]
pub(super) struct ShownAnalysis {
    pub(super) judge: Option<Arc<GameJudge>>,
    /// How many positions have been judged.
    pub(super) judged: usize,
    /// What was found, once all have been.
    pub(super) found: Option<GameAnalysis>,
}

/// A judgment of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoveJudgment {
    pub(super) verdict: Verdict,
    pub(super) words: String,
    /// How much of a win it lost.
    pub(super) loss: f64,
}

impl MoveJudgment {
    /// The judgment of the move at an index in a few words, with how far a side was ahead after it
    /// and how much its mover lost by it; an illegal one needs no analysis.
    pub(super) fn of(
        ply: &Ply,
        index: usize,
        found: Option<&GameAnalysis>,
        viewer: Side,
    ) -> Option<Self> {
        if ply.verdict == Verdict::Illegal {
            return Some(Self {
                verdict: ply.verdict,
                words: verdict_words(ply.verdict).to_owned(),
                loss: 1.0,
            });
        }
        let found = found?;
        let it = found.moves.get(index)?;
        let loss = it.loss.unwrap_or_default();
        let seen = |share| {
            if it.side == viewer {
                share
            } else {
                1.0 - share
            }
        };
        let words = match (it.verdict, it.value.map(seen).map(percent)) {
            (Verdict::Unknown, after) if loss < 0.005 => after?,
            (Verdict::Unknown, after) => format!("{} lost {}", after?, percent(loss)),
            (verdict, _) => verdict_words(verdict).to_owned(),
        };
        Some(Self {
            verdict: it.mark(),
            words,
            loss,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use finches_engine::play::game_analysis::MoveAnalysis;

    fn check(found: (Verdict, Option<f64>, f64), expected: [Option<&str>; 2]) {
        let (verdict, value, loss) = found;
        let ply = Ply {
            side: Side::First,
            position: String::new(),
            action: "a".to_owned(),
            verdict: Verdict::Unknown,
        };
        let judged = MoveAnalysis {
            side: Side::First,
            action: "a".to_owned(),
            verdict,
            value,
            best: Vec::new(),
            loss: value.map(|_| loss),
        };
        let found = GameAnalysis {
            moves: vec![judged],
            shares: Vec::new(),
            turning_point: None,
            accuracies: [None, None],
        };
        let words = [Side::First, Side::Second].map(|viewer| {
            let judged = MoveJudgment::of(&ply, 0, Some(&found), viewer);
            judged.map(|it| it.words)
        });
        assert_eq!(words.each_ref().map(Option::as_deref), expected);
    }

    #[test]
    fn a_move_is_judged_by_the_oracles_word_or_by_who_is_ahead_and_what_it_lost() {
        let mistake = (Verdict::Mistake, Some(0.0), 1.0);
        check(mistake, [Some("mistake"); 2]);
        let unknown = |value, loss| (Verdict::Unknown, value, loss);
        let (good, bad) = (unknown(Some(0.62), 0.0), unknown(Some(0.31), 0.5));
        check(good, [Some("62%"), Some("38%")]);
        check(bad, [Some("31% lost 50%"), Some("69% lost 50%")]);
        check(unknown(None, 0.0), [None; 2]);
    }
}
