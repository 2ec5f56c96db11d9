//! What is known of the health of a run's coevolution.

use finches_engine::play::health::{CoevolutionVerdict, Diagnosis};

/// A verdict on coevolution so far.
#[derive(Clone, Debug, PartialEq)]
pub struct RunHealth {
    /// The generation of the newest champion that was judged.
    pub generation: u64,
    pub diagnosis: Diagnosis,
}

impl RunHealth {
    /// Whether something is wrong with the coevolution.
    pub fn is_ill(&self) -> bool {
        use CoevolutionVerdict::{ArmsRace, Unclear};
        !matches!(self.diagnosis.verdict, ArmsRace | Unclear)
    }
}
