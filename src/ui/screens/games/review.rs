//! Reviews a game: its arena, its champions, and a background analysis that has a champion evaluate each position.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::arena::Arena;
use crate::arena::interactive::{MoveEvaluations, MoveSequence};
use crate::arena::record::GameRecord;
use crate::games::search::CancelToken;
use crate::run::RunInfo;
use crate::storage::saves::Saves;
use crate::ui::model::champions::{ChampionQuery, Champions};

use super::GamesEvent;

/// The context of a game: its arena and the champions of its run.
#[derive(Clone)]
pub(super) struct GameReview {
    pub(super) champions: Champions,
    /// The event named in exported transcripts.
    pub(super) event: String,
}

impl GameReview {
    /// The context of a run.
    pub(super) fn new(facts: &RunInfo, saves: Option<(Saves, String)>) -> Self {
        Self::with_champions(Champions::new(facts, saves), facts.seed)
    }

    pub(super) fn with_champions(champions: Champions, seed: u64) -> Self {
        Self {
            event: format!("finches {} seed {seed}", champions.preset.name),
            champions,
        }
    }

    pub(super) fn arena(&self) -> &Arc<dyn Arena> {
        &self.champions.arena
    }
}

/// The time limit per position.
const POSITION_TIME_LIMIT: Duration = Duration::from_secs(1);

/// A result of the analysis with that number.
#[derive(Debug)]
pub(super) struct AnalysisEvent {
    request: u64,
    pub(super) part: AnalysisPart,
}

/// A part of the result.
#[derive(Debug)]
pub(super) enum AnalysisPart {
    /// The generation of the evaluating champion.
    Evaluator(u64),
    Evaluation {
        ply: usize,
        evaluation: MoveEvaluations,
    },
    /// Why there is no evaluation.
    Failed(String),
    End,
}

/// Analyzes one game at a time.
pub(super) struct GameAnalysis {
    out: Sender<GamesEvent>,
    latest_request: u64,
    open: Option<Arc<AtomicBool>>,
}

/// Ends an evaluation at a time or on request.
struct ReviewDeadline {
    is_cancelled: Arc<AtomicBool>,
    deadline: Instant,
}

impl CancelToken for ReviewDeadline {
    fn is_canceled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl GameAnalysis {
    pub(super) fn new(out: Sender<GamesEvent>) -> Self {
        Self {
            out,
            latest_request: 0,
            open: None,
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.open.is_some()
    }

    /// Has a champion evaluate each position of a game, from the one after `first` moves on, then those before.
    pub(super) fn start(
        &mut self,
        review: GameReview,
        query: ChampionQuery,
        record: Arc<GameRecord>,
        first: usize,
    ) {
        self.cancel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        self.open = Some(Arc::clone(&is_cancelled));
        let (request, out) = (self.latest_request, self.out.clone());
        thread::spawn(move || {
            let report = |part| {
                // Ignore a closed channel: the screen is gone.
                let _ = out.send(GamesEvent::of(AnalysisEvent { request, part }));
            };
            if let Err(error) = analyze(&review, query, &record, first, &is_cancelled, &report) {
                report(AnalysisPart::Failed(error));
            }
            report(AnalysisPart::End);
        });
    }

    /// Cancels the running analysis.
    pub(super) fn cancel(&mut self) {
        self.latest_request += 1;
        if let Some(is_cancelled) = self.open.take() {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// The result of an event; `None` if a newer request has replaced it.
    pub(super) fn accept(&mut self, event: AnalysisEvent) -> Option<AnalysisPart> {
        let is_open = self.open.is_some() && event.request == self.latest_request;
        if is_open && matches!(event.part, AnalysisPart::End) {
            self.open = None;
        }
        is_open.then_some(event.part)
    }
}

impl Drop for GameAnalysis {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn analyze(
    review: &GameReview,
    query: ChampionQuery,
    record: &GameRecord,
    first: usize,
    is_cancelled: &Arc<AtomicBool>,
    report: &impl Fn(AnalysisPart),
) -> Result<(), String> {
    let champions = &review.champions;
    let champion = match champions.fetch(query)? {
        Some(champion) => Some(champion),
        None => champions.fetch(ChampionQuery::Newest)?,
    };
    let champion = champion.ok_or("there is no saved champion to judge the game")?;
    report(AnalysisPart::Evaluator(champion.generation));
    let genome = &champions.preset.genome;
    let brain = genome.grow(&champion.genome, champions.arena.ports());
    let mut game = Arc::clone(&champions.arena).interactive_game(0);
    for part in [first..record.plies.len(), 0..first] {
        // An illegal move ends a game and leads to no position.
        let before = record.plies.iter().take(part.start);
        let moves = before.map(|ply| ply.action.clone());
        let moves = moves.filter(|action| !action.is_empty()).collect();
        game.replay_sequence(&MoveSequence::from_position(record.start.clone(), moves))?;
        for ply in part {
            if is_cancelled.load(Ordering::Relaxed) {
                return Ok(());
            }
            let hurry: Arc<dyn CancelToken> = Arc::new(ReviewDeadline {
                is_cancelled: Arc::clone(is_cancelled),
                deadline: Instant::now() + POSITION_TIME_LIMIT,
            });
            let evaluation = sorted_scores(game.evaluate_moves(brain.as_ref(), &hurry));
            report(AnalysisPart::Evaluation { ply, evaluation });
            let action = &record.plies[ply].action;
            if action.is_empty() {
                break;
            }
            game.play(action)?;
        }
    }
    Ok(())
}

/// Sorts the scores, the best first; NaN comes last.
fn sorted_scores(mut evaluation: MoveEvaluations) -> MoveEvaluations {
    let known = |value: f32| {
        if value.is_nan() {
            f32::NEG_INFINITY
        } else {
            value
        }
    };
    let by_value = |a: &(String, f32), b: &(String, f32)| known(b.1).total_cmp(&known(a.1));
    evaluation.scores.sort_by(by_value);
    evaluation
}
