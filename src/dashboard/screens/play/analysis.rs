//! The champion's scores of the moves, the hints, and how both are found: a champion analyzes a
//! position, and a judge those of a finished game. Searches take time, so it is background work.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{Job, JobError};
use crate::model::champions::ChampionQuery;
use crate::model::played_game::PlayedGame;
use finches_engine::games::Side;
use finches_engine::play::Arena;
use finches_engine::play::interactive::{InteractiveGame, MoveSequence};
use finches_engine::play::move_evaluations::MoveEvaluations;
use finches_engine::play::phenotype::Phenotype;
use finches_engine::play::pool::Pool;
use finches_engine::play::score_scale::{ScoreScale, UsualScore, UsualScores};
use finches_runs::run::RunInfo;
use finches_runs::storage::saves::Saves;

use super::curve::GameCurve;
use super::search_settings::SearchSettings;

/// The games that set the scale of a game, and their longest length.
const SAMPLE_GAMES: usize = 3;
const SAMPLE_PLIES: usize = 60;

/// How far the user is ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lead {
    /// From 0, lost, to 1, won.
    pub(super) share: f64,
    /// Whether the oracle says so, and not the champion.
    pub(super) is_known: bool,
}

/// What the champion and the oracle say about the moves of the current position.
pub(super) struct Analysis {
    pub(super) search: SearchSettings,
    pub(super) evaluations: MoveEvaluations,
    /// The scores that set the scale of this game, once the champion has analyzed a position of it.
    pub(super) usual: Option<Arc<UsualScores>>,
    /// The scale of the latest position that was analyzed.
    pub(super) scale: Option<ScoreScale>,
    /// The moves that win against best play, in a game whose moves all win or lose and where that
    /// is known.
    pub(super) winning: Option<Vec<String>>,
    /// How far the user is ahead in the latest position that was analyzed.
    pub(super) lead: Option<Lead>,
    /// The moves of the hint, until the position changes.
    pub(super) hints: Vec<String>,
    pub(super) shown: ShownValues,
}

/// Where the champion's values are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownValues {
    /// In the list of moves, and that of the position beside the board.
    Beside,
    /// On the squares, too.
    OnSquares,
    Nowhere,
}

impl ShownValues {
    pub(super) fn next(self) -> Self {
        match self {
            Self::Beside => Self::OnSquares,
            Self::OnSquares => Self::Nowhere,
            Self::Nowhere => Self::Beside,
        }
    }
}

impl Analysis {
    pub(super) fn new(facts: &RunInfo) -> Self {
        Self {
            search: SearchSettings::new(facts),
            evaluations: MoveEvaluations::default(),
            usual: None,
            scale: None,
            winning: None,
            lead: None,
            hints: Vec::new(),
            // What the oracle knows would give the game away.
            shown: if facts.arena.info().is_solved {
                ShownValues::Nowhere
            } else {
                ShownValues::Beside
            },
        }
    }

    /// Takes in the scores of a position, the best first.
    pub(super) fn show(
        &mut self,
        evaluations: MoveEvaluations,
        usual: Arc<UsualScores>,
        ply: usize,
    ) {
        self.evaluations = evaluations;
        self.scale = Some(usual.scale(ply));
        self.usual = Some(usual);
    }

    /// A new game has a new scale.
    pub(super) fn forget_scale(&mut self) {
        (self.usual, self.scale, self.lead) = (None, None, None);
    }

    /// The place of a move's score on the scale.
    pub(super) fn share(&self, score: f32) -> f64 {
        self.scale.map_or(f64::NAN, |scale| scale.share(score))
    }

    /// The request to analyze a game with a champion.
    pub(super) fn request(
        &self,
        player: &Arc<Phenotype>,
        game: &InteractiveGame,
    ) -> AnalysisRequest {
        AnalysisRequest {
            arena: self.search.arena(),
            valuing_arena: self.search.valuing_arena(),
            quick_arena: self.search.quick_arena(),
            usual: self.usual.clone(),
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
    /// The game with the agent whose values are shown, if it is another.
    valuing_arena: Option<Arc<dyn Arena>>,
    /// The game with a quick agent, for games that set the scale, if there is one.
    quick_arena: Option<Arc<dyn Arena>>,
    /// The scores that set the scale of the game, if they are known.
    usual: Option<Arc<UsualScores>>,
    player: Arc<Phenotype>,
    line: MoveSequence,
    /// The time limit, if any.
    limit: Option<Duration>,
}

/// What the background work finds.
pub(super) enum AnalysisAnswer {
    /// The scores of the moves in the current position, and those that set the scale of the game.
    Scores(MoveEvaluations, Arc<UsualScores>),
    /// One more position of the finished game has been judged.
    Judged,
    /// The move of an outside program, or why there is none.
    Replied(Result<String, String>),
    /// All positions of the finished game have been judged, as far as that was possible.
    Reviewed(Option<GameCurve>),
}

impl AnalysisRequest {
    /// Evaluates all legal moves, the best first.
    pub(super) fn think(self, job: &Job<AnalysisAnswer>) -> AnalysisAnswer {
        let evaluate = |arena: &Arc<dyn Arena>, limit| {
            let mut table = Arc::clone(arena).interactive_game(0);
            table.replay_sequence(&self.line).map_or_else(
                |_| MoveEvaluations::default(),
                |()| table.evaluate_moves(&self.player, &job.token.with_limit(limit)),
            )
        };
        let mut scores = evaluate(&self.arena, self.limit);
        if let Some(valuing) = &self.valuing_arena {
            scores.scores = evaluate(valuing, None).scores;
        }
        let scores = scores.best_first();
        let usual = self.usual.clone();
        let usual = usual.unwrap_or_else(|| Arc::new(self.usual_scores(job)));
        AnalysisAnswer::Scores(scores, usual)
    }

    /// The scores of the positions of a few games that the champion plays against itself from the
    /// start of this game, after some moves that differ from game to game.
    fn usual_scores(&self, job: &Job<AnalysisAnswer>) -> UsualScores {
        let mut usual = UsualScores {
            scores: Vec::new(),
            range: self.arena.info().scores.range,
        };
        let Some(arena) = &self.quick_arena else {
            return usual;
        };
        let mut table = Arc::clone(arena).interactive_game(0);
        for number in 0..SAMPLE_GAMES {
            if table.replay_sequence(&self.line).is_err() {
                break;
            }
            while table.undo() {}
            for ply in 0..SAMPLE_PLIES {
                if table.position().result.is_some() || job.is_canceled() {
                    break;
                }
                let limit = job.token.with_limit(None);
                let evaluations = table.evaluate_moves(&self.player, &limit).best_first();
                let position = table.position();
                if let Some(&(_, score)) = evaluations.scores.first() {
                    let side = position.to_move;
                    usual.scores.push(UsualScore { ply, side, score });
                }
                let moves = &position.legal_moves;
                let opening = moves[(5 * number + 3 * ply) % moves.len()].clone();
                let chosen = evaluations.chosen.filter(|_| ply > 2 * number);
                if table.play(&chosen.unwrap_or(opening)).is_err() {
                    break;
                }
            }
        }
        usual
    }
}

/// Judges a finished game as the Games screen does.
pub(super) fn review(
    game: &PlayedGame,
    saves: Option<&Saves>,
    human: Side,
    job: &Job<AnalysisAnswer>,
) -> Result<Option<GameCurve>, JobError> {
    let champions = &game.champions;
    let judge = champions.strongest_judge(saves, ChampionQuery::Newest)?;
    let go_on = || {
        job.report(AnalysisAnswer::Judged);
        !job.is_canceled()
    };
    let found = judge.analyze(&Pool::new(0)?, &game.record, &go_on)?;
    Ok(GameCurve::new(judge.short_name(), &found, human))
}
