//! The analysis of the game shown, as `finches games --analyze` has it, and what it says of a move.
//! It is background work: searches take time.

use std::sync::Arc;

use finches_engine::play::game_analysis::{GameAnalysis, MoveAnalysis};
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
    /// The judgment of a move in a few words; an illegal one needs no analysis.
    pub(super) fn of(ply: &Ply, analysis: Option<&MoveAnalysis>) -> Option<Self> {
        if ply.verdict == Verdict::Illegal {
            return Some(Self {
                verdict: ply.verdict,
                words: ply.verdict.word().to_owned(),
                loss: 1.0,
            });
        }
        let it = analysis?;
        let loss = it.loss.unwrap_or_default();
        let words = match (it.verdict, it.value) {
            (Verdict::Unknown, value) if loss < 0.005 => percent(value?),
            (Verdict::Unknown, value) => format!("{} -{}", percent(value?), percent(loss)),
            (verdict, _) => verdict.word().to_owned(),
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
    use finches_engine::games::Side;

    fn check(verdict: Verdict, value: Option<f64>, loss: f64, expected: Option<&str>) {
        let ply = Ply {
            side: Side::First,
            position: String::new(),
            action: "a".to_owned(),
            verdict: Verdict::Unknown,
        };
        let analysis = MoveAnalysis {
            side: Side::First,
            action: "a".to_owned(),
            verdict,
            value,
            best: Vec::new(),
            loss: value.map(|_| loss),
        };
        let judged = MoveJudgment::of(&ply, Some(&analysis));
        assert_eq!(judged.map(|it| it.words).as_deref(), expected);
    }

    #[test]
    fn a_move_is_judged_by_the_oracles_word_or_by_its_value_and_what_it_lost() {
        check(Verdict::Mistake, Some(0.0), 1.0, Some("mistake"));
        check(Verdict::Unknown, Some(0.62), 0.0, Some("62%"));
        check(Verdict::Unknown, Some(0.31), 0.5, Some("31% -50%"));
        check(Verdict::Unknown, None, 0.0, None);
    }
}
