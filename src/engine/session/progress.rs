//! How far a session is within a generation: counters that another thread reads while games are
//! played.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A part of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GenerationPhase {
    /// The members play. Steps are games.
    #[default]
    Playing,
    /// Challengers of members play. Steps are games.
    Challenging,
    /// The champion is measured. Steps are the opponents of its matches: reference players, and all
    /// recent champions as one.
    Measuring,
    /// The next generation is made. There are no steps.
    Reproducing,
    /// The first members learn. Steps are games.
    Learning,
}

impl GenerationPhase {
    /// In the order of their discriminants.
    const ALL: [Self; 5] = [
        Self::Playing,
        Self::Challenging,
        Self::Measuring,
        Self::Reproducing,
        Self::Learning,
    ];
}

/// The progress of the current generation. Counters are read one by one, so a reading that falls
/// between two phases may mix them.
#[derive(Debug, Default)]
pub struct GenerationProgress {
    phase: AtomicU8,
    done: AtomicU64,
    expected: AtomicU64,
}

/// A reading of a [`GenerationProgress`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseProgress {
    /// The current part of the generation.
    pub phase: GenerationPhase,
    /// The steps done, at most `expected`.
    pub done: u64,
    /// All steps of the phase; 0 if it has none.
    pub expected: u64,
}

impl PhaseProgress {
    /// The share of the steps done, from 0 to 1; `None` if the phase has no steps.
    pub fn share(&self) -> Option<f64> {
        (self.expected > 0).then(|| self.done as f64 / self.expected as f64)
    }
}

impl GenerationProgress {
    /// The progress at this moment.
    pub fn read(&self) -> PhaseProgress {
        let expected = self.expected.load(Ordering::Relaxed);
        PhaseProgress {
            phase: GenerationPhase::ALL[usize::from(self.phase.load(Ordering::Relaxed))],
            done: self.done.load(Ordering::Relaxed).min(expected),
            expected,
        }
    }

    /// Starts a phase of this many steps.
    pub(super) fn begin(&self, phase: GenerationPhase, expected: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.expected.store(expected as u64, Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Raises the number of steps to this many.
    pub(super) fn expect(&self, steps: usize) {
        self.expected.fetch_max(steps as u64, Ordering::Relaxed);
    }

    /// The counter of the steps done.
    pub(super) fn done(&self) -> &AtomicU64 {
        &self.done
    }
}
