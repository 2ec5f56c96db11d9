//! Analyzes positions with the champion on a background thread, so that the screen stays responsive. A new request cancels
//! the one before: its result is dropped and its thread soon ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::genomes::Brain;
use crate::play::Arena;
use crate::play::interactive::{MoveEvaluations, MoveSequence};
use crate::search::CancelToken;

/// A position to analyze, with the champion that analyzes it.
pub(super) struct AnalysisRequest {
    /// The game, with the agent that chooses moves.
    pub(super) arena: Arc<dyn Arena>,
    pub(super) brain: Arc<dyn Brain>,
    pub(super) line: MoveSequence,
    /// The time limit, if any.
    pub(super) limit: Option<Duration>,
}

/// The result of the request with that number.
#[derive(Debug)]
pub struct AnalysisResult {
    request: u64,
    evaluations: MoveEvaluations,
}

/// Ends an analysis at a time or on request.
struct MoveDeadline {
    is_cancelled: AtomicBool,
    deadline: Option<Instant>,
}

impl MoveDeadline {
    /// A deadline `limit` from now; `None` is no deadline.
    fn until(limit: Option<Duration>) -> Self {
        Self {
            is_cancelled: AtomicBool::new(false),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }
}

impl CancelToken for MoveDeadline {
    fn is_canceled(&self) -> bool {
        let is_late = |deadline| Instant::now() >= deadline;
        self.is_cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(is_late)
    }
}

/// Runs analyses, one at a time.
pub(super) struct MoveAnalysis {
    out: Sender<AnalysisResult>,
    results: Receiver<AnalysisResult>,
    latest_request: u64,
    /// The token of the running analysis.
    open: Option<Arc<MoveDeadline>>,
}

impl MoveAnalysis {
    pub(super) fn new() -> Self {
        let (out, results) = unbounded();
        Self {
            out,
            results,
            latest_request: 0,
            open: None,
        }
    }

    /// The receiver of results.
    pub(super) fn results(&self) -> &Receiver<AnalysisResult> {
        &self.results
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.open.is_some()
    }

    /// Starts an analysis in place of the one before.
    pub(super) fn start(&mut self, request: AnalysisRequest) {
        self.cancel();
        let deadline = Arc::new(MoveDeadline::until(request.limit));
        self.open = Some(Arc::clone(&deadline));
        let (number, out) = (self.latest_request, self.out.clone());
        thread::spawn(move || {
            let evaluations = request.think(deadline);
            // Ignore a closed channel: the screen is gone.
            let _ = out.send(AnalysisResult {
                request: number,
                evaluations,
            });
        });
    }

    /// Ends the running analysis early; its result so far is still delivered.
    pub(super) fn finish_early(&self) {
        if let Some(deadline) = &self.open {
            deadline.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Cancels the running analysis.
    pub(super) fn cancel(&mut self) {
        self.latest_request += 1;
        self.finish_early();
        self.open = None;
    }

    /// The evaluations of a result; `None` if a newer request has replaced it.
    pub(super) fn accept(&mut self, result: AnalysisResult) -> Option<MoveEvaluations> {
        let is_open = self.open.is_some() && result.request == self.latest_request;
        is_open.then(|| {
            self.open = None;
            result.evaluations
        })
    }
}

impl Drop for MoveAnalysis {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl AnalysisRequest {
    /// Evaluates all legal moves, the best first.
    fn think(self, deadline: Arc<MoveDeadline>) -> MoveEvaluations {
        let hurry: Arc<dyn CancelToken> = deadline;
        let mut table = self.arena.interactive_game(0);
        if table.replay_sequence(&self.line).is_err() {
            return MoveEvaluations::default();
        }
        let mut evaluations = table.evaluate_moves(self.brain.as_ref(), &hurry);
        let known = |value: f32| {
            if value.is_nan() {
                f32::NEG_INFINITY
            } else {
                value
            }
        };
        evaluations
            .scores
            .sort_by(|a, b| known(b.1).total_cmp(&known(a.1)));
        evaluations
    }
}
