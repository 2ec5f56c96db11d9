//! The champion's scores of the moves, the hints, and how both are found: a champion analyzes a
//! position and judges those of a finished game. Searches take time, so it is background work.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Job;
use finches_engine::games::Side;
use finches_engine::play::Arena;
use finches_engine::play::interactive::{InteractiveGame, MoveSequence};
use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::record::Ply;
use finches_runs::run::RunInfo;

use super::curve::JudgedPosition;
use super::scale::ScoreScale;
use super::search_settings::SearchSettings;

/// The longest time for the value of a position of a finished game.
const JUDGING_TIME: Duration = Duration::from_millis(300);

/// What the champion and the oracle say about the moves of the current position.
pub(super) struct Analysis {
    pub(super) search: SearchSettings,
    pub(super) evaluations: MoveEvaluations,
    pub(super) scale: ScoreScale,
    /// The moves of the hint, until the position changes.
    pub(super) hints: Vec<String>,
    /// Whether the board does not show the scores.
    pub(super) is_hidden: bool,
}

impl Analysis {
    pub(super) fn new(facts: &RunInfo, game: &InteractiveGame) -> Self {
        Self {
            search: SearchSettings::new(facts),
            evaluations: MoveEvaluations::default(),
            scale: ScoreScale::of(game),
            hints: Vec::new(),
            is_hidden: false,
        }
    }

    /// Takes in the scores of a position.
    pub(super) fn show(&mut self, evaluations: MoveEvaluations) {
        self.scale.widen(&evaluations);
        self.evaluations = evaluations;
    }

    /// The request to analyze a game with a champion.
    pub(super) fn request(
        &self,
        player: &Arc<Phenotype>,
        game: &InteractiveGame,
    ) -> AnalysisRequest {
        AnalysisRequest {
            arena: self.search.arena(),
            player: Arc::clone(player),
            line: game.move_sequence(),
            limit: self.search.limit(),
        }
    }
}

/// A position to analyze, with the champion that analyzes it.
pub(super) struct AnalysisRequest {
    /// The game, with the agent that chooses moves.
    arena: Arc<dyn Arena>,
    player: Arc<Phenotype>,
    line: MoveSequence,
    /// The time limit, if any.
    limit: Option<Duration>,
}

/// What the background work finds.
pub(super) enum AnalysisAnswer {
    /// The scores of the moves in the current position.
    Scores(MoveEvaluations),
    /// The next position of the finished game.
    Judged(JudgedPosition),
    /// The move of an outside program, or why there is none.
    Replied(Result<String, String>),
    /// The last position of the finished game has been judged.
    AllJudged,
}

impl AnalysisRequest {
    /// Evaluates all legal moves, the best first.
    pub(super) fn think(self, job: &Job<AnalysisAnswer>) -> AnalysisAnswer {
        let limit = job.token.with_limit(self.limit);
        let mut table = self.arena.interactive_game(0);
        let scores = match table.replay_sequence(&self.line) {
            Ok(()) => table.evaluate_moves(&self.player, &limit).best_first(),
            Err(_) => MoveEvaluations::default(),
        };
        AnalysisAnswer::Scores(scores)
    }

    /// Judges the start and the position after each move. If the oracle knows the start, the
    /// champion is not asked.
    pub(super) fn judge(self, job: &Job<AnalysisAnswer>) -> AnalysisAnswer {
        let arena = Arc::clone(&self.arena);
        let mut table = arena.interactive_game(0);
        if table.replay_sequence(&self.line).is_err() {
            return AnalysisAnswer::AllJudged;
        }
        let history = table.history().to_vec();
        while table.undo() {}
        let asks_champion =
            table.position().best_result.is_none() && table.info().scores.are_values;
        let mut start = judged(&table, None);
        for (index, Ply { side, action, .. }) in history.iter().enumerate() {
            if job.is_canceled() {
                break;
            }
            let scores = if asks_champion {
                self.scores(&table, job)
            } else {
                Vec::new()
            };
            if index == 0 {
                let best = scores.iter().map(|(_, score)| *score);
                let best = best.filter(|score| score.is_finite()).reduce(f32::max);
                start.value = best.map(|score| (*side, score));
                job.report(AnalysisAnswer::Judged(start));
            }
            if table.play(action).is_err() {
                break;
            }
            let score = scores.iter().find(|(word, _)| word == action);
            let value = score.map(|(_, score)| (*side, *score));
            job.report(AnalysisAnswer::Judged(judged(&table, value)));
        }
        AnalysisAnswer::AllJudged
    }

    fn scores(&self, table: &InteractiveGame, job: &Job<AnalysisAnswer>) -> Vec<(String, f32)> {
        let time = self.limit.map_or(JUDGING_TIME, |it| it.min(JUDGING_TIME));
        let limit = job.token.with_limit(Some(time));
        table.evaluate_moves(&self.player, &limit).scores
    }
}

/// The current position with the champion's value of it.
fn judged(table: &InteractiveGame, value: Option<(Side, f32)>) -> JudgedPosition {
    JudgedPosition {
        best_result: table.position().best_result,
        value,
        points: table.position().points,
    }
}
